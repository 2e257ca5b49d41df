package setupstages

import (
	"context"
	"encoding/json"
	"fmt"

	"earshot/events/message"
	"earshot/shared/parallel"
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

// Evidence is what the run knows by now. Candidates of a stage that failed come from the domain alone; of other stages
// that failed or have not run, nothing is known.
func (s *Session) Evidence(ctx context.Context) (proposal.Evidence, error) {
	derive, _, err := s.known(ctx)
	if err != nil {
		return proposal.Evidence{}, err
	}
	return derive(), nil
}

// EvidenceAnd is Evidence with what another stage ended with, nil when it has none, in the round trips of one.
func (s *Session) EvidenceAnd(ctx context.Context, stage proposal.Stage) (proposal.Evidence, []byte, error) {
	derive, contents, err := s.known(ctx, stage)
	if err != nil {
		return proposal.Evidence{}, nil, err
	}
	return derive(), contents[0], nil
}

// known reads all that Evidence is made of, and what further stages ended with. What is derived of it is for derive,
// which asks nobody: a panic there comes again whenever it is called.
func (s *Session) known(
	ctx context.Context, further ...proposal.Stage,
) (derive func() proposal.Evidence, ended [][]byte, err error) {
	e := proposal.Evidence{
		DraftID: s.Run.DraftID,
		Run:     s.Run.Number,
		Domain:  s.Run.Domain,
		Profile: s.Run.Profile,
		Tier:    s.Run.Tier,
		// The run's own time: what is derived from evidence is the same whenever it is derived.
		Now: s.Run.StartedAt,
	}
	stages := []proposal.Stage{proposal.StageCandidates, proposal.StageMeasure, proposal.StageSample}
	var contents [][]byte
	err = parallel.Together(
		func() (err error) {
			contents, err = s.Store.Outcomes(ctx, s.Key, append(stages, further...)...)
			return err
		}, func() (err error) {
			e.Plan, err = s.Store.Room(ctx, s.Key.WorkspaceID)
			return err
		})
	if err != nil {
		return nil, nil, err
	}
	for i, into := range []any{&e.Candidates, &e.Measured, &e.Sampled} {
		if contents[i] == nil {
			continue
		}
		if err := json.Unmarshal(contents[i], into); err != nil {
			return nil, nil, fmt.Errorf("read the outcome of %s: %w", stages[i], err)
		}
	}
	return func() proposal.Evidence {
		if contents[0] == nil {
			e.Candidates = s.fromDomain(s.Run.Domain)
		}
		return e
	}, contents[len(stages):], nil
}

// Counted is a number of things, for people: "1 post", "2 posts".
func Counted(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}
