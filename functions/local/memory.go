package main

import "runtime/debug"

// Memory for processor time. An idle workbench holds 4 to 12 MB. By Go's default it would collect garbage after as much
// again, which is after every hundred requests, and each collection also halves the stacks of goroutines that wait. With
// heapPercent the heap grows to five times what is held. memoryLimit bounds all memory of the runtime, in bytes: near it
// garbage is collected as often as it takes. A workbench that holds more than the limit goes on, at half the speed.
const (
	heapPercent = 400
	memoryLimit = 512 << 20
)

// spendMemory sets how often garbage is collected, unless the environment does.
func spendMemory(env func(string) string) {
	if env("GOGC") == "" && env("GOMEMLIMIT") == "" {
		debug.SetGCPercent(heapPercent)
		debug.SetMemoryLimit(memoryLimit)
	}
}
