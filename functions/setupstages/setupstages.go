// Package setupstages is what the stages of a setup run have in common: each begins by settling what came before it,
// keeps its outcome once under draft and run, and gives the same when it is called again. The stages are in the folders
// below, a Lambda each.
//
// Read it in this order: proposal.Pipeline is the table of the stages and of what their failures mean. conduct.go
// performs one call of a stage, session.go is what the stage reads of its run, and finish.go ends runs, also those that
// died. setupstore's runs.go stores each of these steps.
//
// The stages, the sweep and the laptop's runner import it.
package setupstages

import (
	"context"

	"earshot/shared/proposal"
)

// Store is what the stages ask of the store. Each answers store.ErrNotFound when there is no such run.
type Store interface {
	// SetupRun reads a run with its steps; one that has ended has its Proposal.
	SetupRun(ctx context.Context, key proposal.Key) (proposal.Run, error)
	// BeginStep notes that a stage runs and moves the draft to the stage's status. A step that has begun keeps its
	// start, one that has ended is left alone; either is answered as it stands. Answers proposal.ErrOver.
	BeginStep(ctx context.Context, key proposal.Key, step proposal.Step) (proposal.Step, error)
	// EndStep keeps how a step ended, with its outcome (JSON; may be nil). The first end stands: later ones change
	// nothing.
	EndStep(ctx context.Context, key proposal.Key, step proposal.Step, outcome []byte) error
	// Outcomes are what stages had ended with when the run was read, in their order; nil of one that has none.
	Outcomes(ctx context.Context, key proposal.Key, run proposal.Run, stages ...proposal.Stage) ([][]byte, error)
	// KeepPart keeps a part of what a run does, by its name: a source's counts, a turn of the agent. The first of a
	// name stands, and is answered.
	KeepPart(ctx context.Context, key proposal.Key, name string, content []byte) ([]byte, error)
	// Parts are the parts whose names begin with a prefix, by name.
	Parts(ctx context.Context, key proposal.Key, prefix string) (map[string][]byte, error)
	// FinishRun ends the run with its last step: the draft gets the status, and the message of one that failed. Answers
	// proposal.ErrOver when it has ended before.
	FinishRun(ctx context.Context, key proposal.Key, end proposal.End) error
	// OutcomesAndRoom is Outcomes, with what the workspace has room for.
	OutcomesAndRoom(
		ctx context.Context, key proposal.Key, run proposal.Run, stages ...proposal.Stage,
	) ([][]byte, proposal.Room, error)
}
