package setupstages

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"earshot/events/message"
	"earshot/shared/port/clock"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

// A Session is a stage at work: what a stage reads of its run.
type Session struct {
	Stage proposal.StageSpec // zero of a Session that Options.Session returns
	Key   proposal.Key
	Run   proposal.Run
	Call  message.SetupStage
	Store Store
	Clock clock.Clock

	fromDomain func(domain string) proposal.Candidates
}

// Session returns a Session on run.
func (o Options) Session(key proposal.Key, run proposal.Run) *Session {
	s := &Session{Key: key, Run: run, Store: o.Store, Clock: o.Clock, fromDomain: o.fromDomain}
	if s.fromDomain == nil {
		s.fromDomain = candidate.FromDomain
	}
	return s
}

// studied are the stages whose outcomes Found is made of.
var studied = []proposal.Stage{proposal.StageCandidates, proposal.StageMeasure, proposal.StageSample}

// Found is what earlier stages found. Candidates of a stage that failed come from the domain alone; of other stages
// that failed or have not run, nothing is known. The plan is not read.
func (s *Session) Found(ctx context.Context) (proposal.Evidence, error) {
	contents, err := s.Store.Outcomes(ctx, s.Key, s.Run, studied...)
	if err != nil {
		return proposal.Evidence{}, err
	}
	derive, err := s.found(contents)
	if err != nil {
		return proposal.Evidence{}, err
	}
	return derive(), nil
}

// Evidence is Found with what the workspace has room for on its plan: what the run knows by now.
func (s *Session) Evidence(ctx context.Context) (proposal.Evidence, error) {
	e, _, err := s.EvidenceAnd(ctx)
	return e, err
}

// EvidenceAnd is Evidence with what further stages ended with, in their order, nil of one that has none, in the round
// trips of one.
func (s *Session) EvidenceAnd(ctx context.Context, further ...proposal.Stage) (proposal.Evidence, [][]byte, error) {
	derive, contents, err := s.known(ctx, further...)
	if err != nil {
		return proposal.Evidence{}, nil, err
	}
	return derive(), contents, nil
}

// known reads all that Evidence is made of, and what further stages ended with. What is derived of it is for derive,
// which asks nobody: a panic there comes again whenever it is called.
func (s *Session) known(
	ctx context.Context, further ...proposal.Stage,
) (derive func() proposal.Evidence, ended [][]byte, err error) {
	contents, room, err := s.Store.OutcomesAndRoom(ctx, s.Key, s.Run, slices.Concat(studied, further)...)
	if err != nil {
		return nil, nil, err
	}
	found, err := s.found(contents)
	derive = func() proposal.Evidence {
		e := found()
		e.Plan = room
		return e
	}
	return derive, contents[len(studied):], err
}

// found is known of the outcomes of the studied stages, without the plan.
func (s *Session) found(contents [][]byte) (derive func() proposal.Evidence, err error) {
	e := proposal.Evidence{
		DraftID: s.Run.DraftID,
		Run:     s.Run.Number,
		Domain:  s.Run.Domain,
		Profile: s.Run.Profile,
		Tier:    s.Run.Tier,
		// The run's own time: what is derived from evidence is the same whenever it is derived.
		Now: s.Run.StartedAt,
	}
	for i, into := range []any{&e.Candidates, &e.Measured, &e.Sampled} {
		if contents[i] == nil {
			continue
		}
		if err := json.Unmarshal(contents[i], into); err != nil {
			return nil, fmt.Errorf("read the outcome of %s: %w", studied[i], err)
		}
	}
	return func() proposal.Evidence {
		if contents[0] == nil {
			e.Candidates = s.fromDomain(s.Run.Domain)
		}
		return e
	}, nil
}

// Counted is a number of things, for people: "1 post", "2 posts".
func Counted(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}
