package memflow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"earshot/shared/proposal"
)

// grace is how long a call that has exceeded its limit may take to return before the next attempt begins beside it. In
// a deployment the stage's process is stopped at its limit, and the state machine waits about as long.
const grace = 10 * time.Second

// errLimit is the error of an attempt that did not return within its stage's limit.
var errLimit = errors.New("it took longer than its limit")

// call calls a stage until it succeeds or its attempts are used up, with growing pauses. It returns the last attempt's
// error or the context's.
func (e execution) call(ctx context.Context, stage proposal.StageSpec, input []byte, log *slog.Logger) error {
	pause := stage.Pause
	for attempt := 1; ; attempt++ {
		err := e.attempt(ctx, stage, input)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		log.Warn("an attempt failed", "attempt", attempt, "of", stage.Attempts, "cause", err)
		if attempt >= stage.Attempts {
			return err
		}
		if err := wait(ctx, pause); err != nil {
			return err
		}
		pause = time.Duration(float64(pause) * max(stage.Growth, 1))
	}
}

// attempt calls the stage once.
func (e execution) attempt(ctx context.Context, stage proposal.StageSpec, input []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, stage.Limit, errLimit)
	defer cancel()
	answer := make(chan error, 1)
	e.group.Go(func() {
		err := errors.New("its goroutine ended") // by runtime.Goexit, as a failing test does
		defer func() { answer <- err }()
		err = caught(func() error { return e.Call(ctx, stage, bytes.Clone(input)) })
	})
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-answer:
	case <-timer.C:
	}
	return context.Cause(ctx)
}

// caught runs do and returns any panic as an error. A stage whose process dies, as tests make it die, fails the
// attempt.
func caught(do func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = fmt.Errorf("it panicked: %v\n%s", value, debug.Stack())
		}
	}()
	return do()
}

// wait pauses, or returns the context's error.
func wait(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
