//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package folder

import (
	"errors"
	"os"
	"syscall"
)

// flock takes the lock of an open file without waiting. It is the kernel's and ends with the process.
func flock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errHeld
	}
	return err
}
