//go:build unix

package mentionstore_test

import (
	"syscall"
	"time"
)

// cpuTime returns the processor time that the process has used. On a machine that others use too, it says more than the
// time on the wall.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
