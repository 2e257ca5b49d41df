// Package flow is the port to the runner of a setup run's stages (proposal.Pipeline), like a standard
// state machine of AWS Step Functions. An execution has a name, and a name has at most one execution.
//
// The function setup, which starts runs, imports it, and adapters.
package flow

import (
	"context"
	"encoding/json"
	"errors"

	"earshot/shared/text"
)

// A Flow starts executions.
type Flow interface {
	// Start begins an execution. input is the JSON that every stage gets. A name that was started before with the same
	// input is no error and starts nothing. That holds at least while the execution runs. Stages that must not repeat
	// their work for longer have to recognize it themselves.
	//
	// Errors: ErrInvalid, ErrTaken (the name, with another input), ErrThrottled, ErrUnavailable; the context's own.
	Start(ctx context.Context, name string, input []byte) error
}

// How an execution ends, by the names that EventBridge has for it.
const (
	Succeeded = "SUCCEEDED"
	Failed    = "FAILED"
	TimedOut  = "TIMED_OUT"
	Aborted   = "ABORTED"
)

// MaxName is how many characters a name has at most.
const MaxName = 80

// MaxInput is how many bytes an input has at most.
const MaxInput = 32 << 10

// Errors of a Flow. ErrThrottled and ErrUnavailable may be repeated.
var (
	ErrInvalid = errors.New(
		"flow: a name has 1 to 80 letters, digits, hyphens and underscores, an input is JSON of at most 32 KiB",
	)
	ErrTaken       = errors.New("flow: an execution of this name was started with another input")
	ErrThrottled   = errors.New("flow: throttled")
	ErrUnavailable = errors.New("flow: unavailable")
)

var named = text.NewPattern(`^[A-Za-z0-9_-]{1,80}$`)

// ValidName reports whether an execution can have the name.
func ValidName(name string) bool { return named.MatchString(name) }

// Check returns ErrInvalid unless an execution can have the name and the input.
func Check(name string, input []byte) error {
	if !ValidName(name) || len(input) > MaxInput || !json.Valid(input) {
		return ErrInvalid
	}
	return nil
}
