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

// Options are what a Flow is made of.
type Options struct {
	Stages []proposal.StageSpec
	// Limit is that of a whole execution, from when its turn has come; 0: proposal.RunLimit.
	Limit time.Duration
	// Call calls a stage. Input is what the execution was started with; a call for one source of a stage with Each has its name in
	// "source" besides. An error and a panic fail the attempt. The context ends at the stage's limit, which fails the attempt
	// whatever the call answers after that.
	Call func(ctx context.Context, stage proposal.StageSpec, input []byte) error
	// Ended is told how an execution ended: flow.Succeeded, Failed, TimedOut or Aborted. Its context outlives Close by up to half a
	// minute, and so may be used for settling what was aborted. nil: nobody is told.
	Ended func(ctx context.Context, input []byte, status string)
	// AtOnce is how many executions run at the same time, the others waiting for their turn; 0: all.
	AtOnce int
	Log    *slog.Logger // of executions' begin and end, and of attempts that failed; nil: no log
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

// Start begins an execution and does not wait for it. A name is taken for as long as the Flow lives. After Close it answers
// flow.ErrUnavailable.
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

// Close aborts what runs, has Ended told of it, and waits for all calls to return.
func (f *Flow) Close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.die()
	f.group.Wait()
}
