//go:build unix

package worldtest

import (
	"syscall"
	"time"
)

// ProcessorTime returns the processor time that the process has used, the garbage collector's included. Where others use
// the machine too, differences of it say more than differences of the time. Returns 0 if the system does not tell.
func ProcessorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
