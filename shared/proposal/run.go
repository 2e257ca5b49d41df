package proposal

import "errors"

// A Key names a run.
type Key struct {
	WorkspaceID string
	DraftID     string
	Number      int64
}

// ErrOver means that a run has ended, or that a later one has begun: there is nothing left to do for it.
var ErrOver = errors.New("proposal: the run is over")

// An End is how a run ended.
type End struct {
	Status        Status // Ready, NeedsNarrowing or Failed
	Message       string // of Failed, for people
	Proposal      *Proposal
	AgentFallback bool
	Step          *Step // its last stage, as that ended with it; nil: none
}

// A Due is a draft that should have settled by now.
type Due struct {
	WorkspaceID string
	DraftID     string
	Status      Status
	Run         int64
}
