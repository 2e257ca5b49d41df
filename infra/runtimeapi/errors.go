package runtimeapi

import "fmt"

// An Error is the failure that a function reported for an invocation, or for its start.
type Error struct {
	Type    string // errorType, such as "Runtime.UnknownReason" or a Go type
	Message string // errorMessage
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Type, e.Message) }

// An ExitError says that the process had ended when it was needed.
type ExitError struct {
	Function string
	State    string // as the system puts it: "exit status 1", "signal: killed"
	Output   string // the last of what it wrote
}

func (e *ExitError) Error() string {
	return fmt.Sprintf("%s ended: %s%s", e.Function, e.State, quote(e.Output))
}

// exitError returns the error of a process that has ended.
func (f *Function) exitError() *ExitError {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &ExitError{Function: f.name, State: f.state, Output: f.output.tail()}
}
