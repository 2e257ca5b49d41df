package main

import (
	"runtime/debug"
	"testing"
)

// The environment's settings of the collector have precedence, which the runtime has read by then.
func TestSpendMemory(t *testing.T) {
	percent, limit := debug.SetGCPercent(50), debug.SetMemoryLimit(1<<40)
	defer func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}()
	for _, c := range []struct {
		given       string
		wantPercent int
		wantLimit   int64
	}{{"GOGC", 50, 1 << 40}, {"GOMEMLIMIT", 50, 1 << 40}, {"", heapPercent, memoryLimit}} {
		spendMemory(func(name string) string { return map[string]string{c.given: "100"}[name] })
		gotLimit := debug.SetMemoryLimit(-1)
		gotPercent := debug.SetGCPercent(50)
		if gotPercent != c.wantPercent || gotLimit != c.wantLimit {
			t.Errorf("with %q: %d %% and %d bytes, want %d and %d", c.given, gotPercent, gotLimit, c.wantPercent, c.wantLimit)
		}
	}
}
