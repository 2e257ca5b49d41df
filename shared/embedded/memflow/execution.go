package memflow

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"earshot/events/message"
	"earshot/shared/port/flow"
	"earshot/shared/proposal"
)

// settling is how long Ended may take.
const settling = 30 * time.Second

// An execution is one run of the stages.
type execution struct {
	*Flow
	name  string
	input []byte
	log   *slog.Logger
}

// run waits for its turn, runs, and reports how it ended.
func (e execution) run() {
	status := flow.Aborted
	if e.turn() {
		status = e.execute()
		e.yield()
	}
	e.log.Info("an execution ended", "status", status)
	if e.Ended == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(e.living), settling)
	defer cancel()
	if err := caught(func() error { e.Ended(ctx, bytes.Clone(e.input), status); return nil }); err != nil {
		e.log.Error("the end of an execution was not taken", "status", status, "cause", err)
	}
}

// turn waits until the execution may run. False: never.
func (e execution) turn() bool {
	if e.turns == nil {
		return e.living.Err() == nil
	}
	select {
	case e.turns <- struct{}{}:
		return true
	case <-e.living.Done():
		return false
	}
}

func (e execution) yield() {
	if e.turns != nil {
		<-e.turns
	}
}

// execute calls the stages one after the other and returns how the execution ended.
func (e execution) execute() string {
	ctx, cancel := context.WithTimeout(e.living, e.Limit)
	defer cancel()
	for _, stage := range e.Stages {
		err := e.stage(ctx, stage)
		switch {
		case err == nil:
		case e.living.Err() != nil:
			return flow.Aborted
		case ctx.Err() != nil:
			return flow.TimedOut
		case stage.Fatal() || errors.Is(err, errInput):
			e.log.Error("a stage failed for good, and the execution with it", "stage", stage.Name, "cause", err)
			return flow.Failed
		default:
			e.log.Warn("a stage failed for good", "stage", stage.Name, "fails", stage.Fails, "cause", err)
		}
	}
	return flow.Succeeded
}

// errInput is an input that a stage cannot be called with, which no stage's failing makes up for.
var errInput = errors.New("the input has no list of sources")

// stage calls one stage, for each source if the stage says so. It returns the error of a call that failed for good, or
// the context's.
func (e execution) stage(ctx context.Context, stage proposal.StageSpec) error {
	if stage.Each {
		if err := e.each(ctx, stage); err != nil {
			return err
		}
	}
	return e.call(ctx, stage, e.input, e.log.With("stage", stage.Name))
}

// each calls a stage for every source. Sources fail alone: its error is errInput, or the context's.
func (e execution) each(ctx context.Context, stage proposal.StageSpec) error {
	var ids message.SetupStage
	if err := json.Unmarshal(e.input, &ids); err != nil || ids.Sources == nil {
		return errInput
	}
	width := stage.Width
	if width <= 0 {
		width = len(ids.Sources)
	}
	places := make(chan struct{}, width)
	var calls sync.WaitGroup
	defer calls.Wait()
	for _, source := range ids.Sources {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		one := ids
		one.Source = source
		input, err := json.Marshal(one)
		if err != nil {
			return fmt.Errorf("%w: %w", errInput, err)
		}
		calls.Go(func() {
			log := e.log.With("stage", stage.Name, "source", source)
			if err := e.call(ctx, stage, input, log); err != nil && ctx.Err() == nil {
				log.Warn("a source failed for good", "cause", err)
			}
			<-places
		})
	}
	calls.Wait()
	return ctx.Err()
}
