// Package agent lets a model compose a proposal, in a loop in which the model measures, samples and checks until it
// submits its decisions. The model's output is parsed strictly and held to the rules that hold for decisions of code.
// Its calls, tokens and seconds are bounded, and each bound is a hard stop. Texts of strangers (posts, and the profile,
// which comes from a web page) reach the model only as delimited data. Its tools take a candidate's ref or a plain
// text, so that no such text can reach another run.
//
// Every request is recorded before its result is used, so that a stage that is killed and run again asks for nothing
// twice.
//
// The setup stage agent imports it.
package agent

import (
	"context"
	"errors"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/port/model"
	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
)

// Tools are what the agent's questions about keywords are answered by. Evidence that the run has already is not asked
// for again.
//
// Errors: proposal.ErrOver and the context's end the run; the model is told of any other only that there is no answer.
type Tools interface {
	Measure(ctx context.Context, q Query) (proposal.Volume, error)
	Sample(ctx context.Context, q Query) (proposal.Sighting, error)
}

// A Query is a keyword that the agent asks about.
type Query struct {
	Ref   string // of a candidate; empty: a text of the agent's own, which a proposal cannot name
	Text  string // plain, 1 to keyword.MaxText characters
	Exact bool   // whole words
	Cased bool   // case counts
}

// A Recorder keeps what an agent's run has cost.
type Recorder interface {
	// Record keeps content by a name. The first of a name stands, and is answered.
	Record(ctx context.Context, name string, content []byte) ([]byte, error)
	// Recorded is all that was kept, by name.
	Recorded(ctx context.Context) (map[string][]byte, error)
}

// Prefix is how all names begin that a Recorder is given.
const Prefix = "agent."

// Options are what a run needs.
type Options struct {
	Model    model.Converser
	Evidence proposal.Evidence
	Tools    Tools
	// Check is the gate: what it finds, and the proposal that the decisions come to. The same decisions give the same.
	Check    func(proposal.Decisions) ([]rule.Finding, proposal.Proposal)
	Depth    proposal.Depth
	Clock    clock.Clock
	Recorder Recorder
}

// A Result is what became of a run.
type Result struct {
	Decisions *proposal.Decisions    // nil: code is to compose
	Degraded  []proposal.Degradation // why it is to: exactly one when Decisions is nil
	Why       string                 // the same for logs: what went wrong, with nothing that the model or a stranger wrote
	Timeline  []proposal.Entry       // a tool entry for each call that was made, submissions too
	Tokens    int                    // in and out, by the model's own count
	Calls     int                    // of tools; submissions are not counted
}

// Run has the model compose a proposal. Whatever the model does is a Result: decisions that the gate accepted, or one
// of agent_failed (it erred for good), agent_budget_exceeded and agent_invalid.
//
// Errors: the recorder's, proposal.ErrOver and the context's, of which the caller runs again or not. What was recorded
// is not asked for again then; a request that was under way when the process was killed is.
func Run(ctx context.Context, o Options) (Result, error) {
	kept, err := o.Recorder.Recorded(ctx)
	if err != nil {
		return Result{}, err
	}
	if result, ended, err := readEnd(kept); ended || err != nil {
		return result, err
	}
	s, err := newSession(o, kept)
	if err != nil {
		return Result{}, err
	}
	limited, cancel := context.WithTimeout(ctx, max(o.Depth.Agent-s.log.spent(), 0))
	defer cancel()
	decisions, err := s.compose(ctx, limited)
	var stopped stop
	switch {
	case err == nil:
		return s.end(ctx, decisions, stop{})
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case errors.As(err, &stopped):
		return s.end(ctx, nil, stopped)
	}
	return Result{}, err
}

// A stop ends a run without decisions.
type stop struct {
	code proposal.DegradationCode
	why  string // for logs
}

func (s stop) Error() string { return "agent: " + string(s.code) + ": " + s.why }

func failedFor(why string) error   { return stop{proposal.AgentFailed, why} }
func invalidFor(why string) error  { return stop{proposal.AgentInvalid, why} }
func exceededBy(what string) error { return stop{proposal.AgentBudgetExceeded, what} }

// hurry is the share of the seconds after which the model is told to submit: one turn, the longest, must fit into the
// rest.
const hurry = 0.5

// late says whether so much time is spent that the next turn is to be the last.
func late(spent, limit time.Duration) bool { return float64(spent) > hurry*float64(limit) }
