package main

import "runtime/debug"

// Memory for processor time. What an idle workbench holds is 4 to 6 MB, so that by Go's default a collection comes
// after every few MB, which is a hundred requests, and also takes the stacks of goroutines that wait. With heapPercent
// the heap grows to nine times what it holds, some 50 MB. A workbench that holds more is collected more often again,
// so that it stays below memoryLimit.
const (
	heapPercent = 800
	memoryLimit = 512 << 20
)

// spendMemory sets how often garbage is collected, unless the environment does.
func spendMemory(env func(string) string) {
	if env("GOGC") == "" && env("GOMEMLIMIT") == "" {
		debug.SetGCPercent(heapPercent)
		debug.SetMemoryLimit(memoryLimit)
	}
}
