// Package exit holds the exit statuses of the program's commands. Scripts rely on them, so a status keeps its meaning.
//
// The words of the program import it.
package exit

import (
	"context"
	"errors"
	"fmt"
)

// The exit statuses.
const (
	Done        = 0   // the command did what it was asked for
	Other       = 1   // a failure of this machine: a folder, a port, a file
	Misuse      = 2   // the command line is wrong
	Nowhere     = 3   // no Earshot answers there
	Key         = 4   // the key is wrong, or its scope or plan does not allow this
	Refused     = 5   // the request was refused
	Failed      = 6   // the deployment failed, or has no requests left in this hour
	Interrupted = 130 // a signal ended the command, as shells have it
)

// Statuses explains them, for the commands' help.
const Statuses = "Exit status: 0 done; 1 other failures; 2 the command line is wrong; " +
	"3 no Earshot answers there, or none is named; " +
	"4 the key is missing or wrong, or its plan or scope does not include this; " +
	"5 the request was refused, and the message says why; " +
	"6 the deployment failed, or the hour's requests are used up; 130 interrupted."

// A Failure is an error with the exit status that it ends the program with.
type Failure struct {
	Status int
	Cause  error
}

// Error returns the cause's text.
func (f *Failure) Error() string { return f.Cause.Error() }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Cause }

// Failing returns a Failure with a status.
func Failing(status int, format string, args ...any) error {
	return &Failure{status, fmt.Errorf(format, args...)}
}

// Misused returns a Failure of the command line.
func Misused(format string, args ...any) error { return Failing(Misuse, format, args...) }

// StatusOf returns the exit status for an error, which may be nil.
func StatusOf(err error) int {
	var failure *Failure
	switch {
	case err == nil:
		return Done
	case errors.As(err, &failure):
		return failure.Status
	case errors.Is(err, context.Canceled):
		return Interrupted
	}
	return Other
}
