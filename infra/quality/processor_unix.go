//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime returns what the process has spent so far on all processors, and 0 if the system does not tell.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
