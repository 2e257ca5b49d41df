// Package memflow implements the port flow within one process. It calls a pipeline's stages in order, with the limits,
// attempts and pauses of the deployment's state machine. Both are made from the same value, proposal.Pipeline.
//
// Executions and their names live as long as the Flow. The sweep finishes the runs of a process that died. Time is the
// machine's: a test with pauses runs in a bubble of testing/synctest, or uses stages without pauses.
//
// Only mains and tests import it. It never runs in a Lambda.
package memflow

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"earshot/shared/port/flow"
	"earshot/shared/proposal"
)

// Options configure a Flow.
type Options struct {
	Stages []proposal.StageSpec
	// Limit bounds a whole execution, from when its turn has come; 0 is proposal.RunLimit.
	Limit time.Duration
	// Call calls a stage. input is what the execution was started with. For a stage with Each it also names one source
	// in "source". An error or a panic fails the attempt. The context ends at the stage's limit, which fails the
	// attempt even if the call succeeds after that.
	Call func(ctx context.Context, stage proposal.StageSpec, input []byte) error
	// Ended is called with how an execution ended: flow.Succeeded, Failed, TimedOut or Aborted. Its context outlives
	// Close by up to half a minute, to settle what was aborted. nil: no call.
	Ended func(ctx context.Context, input []byte, status string)
	// AtOnce bounds the executions that run at the same time. The others wait for their turn. 0 is no bound.
	AtOnce int
	Log    *slog.Logger // of executions' starts and ends, and of failed attempts; nil for no log
}

// A Flow runs executions. Safe for concurrent use.
type Flow struct {
	Options
	living context.Context // until Close
	die    context.CancelFunc
	turns  chan struct{} // nil: everybody's turn has come
	group  sync.WaitGroup

	mu     sync.Mutex
	inputs map[string][]byte // of every execution that was started, by name
	closed bool
}

var _ flow.Flow = (*Flow)(nil)

// New makes a Flow, which is to be closed.
func New(options Options) *Flow {
	if options.Limit == 0 {
		options.Limit = proposal.RunLimit
	}
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	f := &Flow{Options: options, inputs: map[string][]byte{}}
	f.living, f.die = context.WithCancel(context.Background())
	if options.AtOnce > 0 {
		f.turns = make(chan struct{}, options.AtOnce)
	}
	return f
}

// Start begins an execution and does not wait for it. A name is taken as long as the Flow lives. Returns
// flow.ErrUnavailable after Close.
func (f *Flow) Start(ctx context.Context, name string, input []byte) error {
	if err := flow.Check(name, input); err != nil {
		return fmt.Errorf("memflow: start %q: %w", name, err)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("memflow: start %s: %w", name, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return fmt.Errorf("memflow: start %s: it was closed: %w", name, flow.ErrUnavailable)
	}
	if started, ok := f.inputs[name]; ok {
		if !bytes.Equal(started, input) {
			return fmt.Errorf("memflow: start %s: %w", name, flow.ErrTaken)
		}
		return nil
	}
	kept := bytes.Clone(input)
	f.inputs[name] = kept
	e := execution{f, name, kept, f.Log.With("execution", name)}
	e.log.Info("an execution began")
	f.group.Go(e.run)
	return nil
}

// Close aborts what runs, reports it to Ended, and waits for all calls to return.
func (f *Flow) Close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.die()
	f.group.Wait()
}
