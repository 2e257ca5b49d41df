// Package folder owns the workbench's data folder. It makes the folder, and keeps two workbenches from using it at
// the same time. Its errors are sentences for the person who started the program.
//
// Only the programs under functions/local and the tools import it.
package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Make makes the folder unless it exists, readable for its owner alone, and checks that it can be written.
func Make(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return unusable(path, err)
	}
	probe, err := os.CreateTemp(path, ".probe-*")
	if err != nil {
		return unusable(path, err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return unusable(path, err)
	}
	return nil
}

// Full returns the error for a folder on a disk without room.
func Full(path string) error {
	return fmt.Errorf("the disk of the data folder %s is full. Make room, or choose another folder with DATA=<folder>", path)
}

func unusable(path string, err error) error {
	var cause *fs.PathError
	if errors.As(err, &cause) {
		err = cause.Err // the folder is named already
	}
	return fmt.Errorf("the data folder %s cannot be written: %w. Choose another one with DATA=<folder>", path, err)
}

var errHeld = errors.New("another process holds the lock")

// Lock claims the folder for this process until release is called or the process dies. Only the workbench itself
// claims it: several processes may use the data, but not the workbench's clock, faults and log.
//
// Where the system has no flock (Windows, Plan 9) nothing is claimed, and the user must start one workbench only.
func Lock(path string) (release func() error, err error) {
	name := filepath.Join(path, "lock")
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, unusable(path, err)
	}
	if err := flock(file); err != nil {
		defer file.Close()
		if !errors.Is(err, errHeld) {
			return nil, fmt.Errorf(
				"the data folder %s cannot be locked: %w. Choose one on a local disk with DATA=<folder>", path, err,
			)
		}
		holder, _ := os.ReadFile(name) // it is for the message only
		return nil, fmt.Errorf(
			"another workbench (process %s) uses the data folder %s. Stop it, or choose another folder and port: "+
				"DATA=%s ADDR=127.0.0.1:8081",
			strings.TrimSpace(string(holder)),
			path,
			filepath.Clean(path)+"-2",
		)
	}
	// The file stays when the lock goes. Removing it would let two processes lock two files of one name.
	if err := errors.Join(file.Truncate(0), writeProcess(file)); err != nil {
		return nil, errors.Join(unusable(path, err), file.Close())
	}
	return file.Close, nil
}

func writeProcess(file *os.File) error {
	_, err := file.WriteAt(fmt.Appendln(nil, os.Getpid()), 0)
	return err
}
