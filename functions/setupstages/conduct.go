package setupstages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"earshot/events/message"
	"earshot/shared/parallel"
	"earshot/shared/port/clock"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/worker"
)

// Options are what every stage works with.
type Options struct {
	Store Store
	Clock clock.Clock

	fromDomain func(domain string) proposal.Candidates // nil: candidate.FromDomain; for tests
}

// A Result is how a stage's work ended.
type Result struct {
	Outcome  any                 // kept as JSON; nil: none
	End      *proposal.End       // of the last stage, in place of an outcome: how the run ends with it
	Status   proposal.StepStatus // StepOK when empty
	Line     string              // for people: what came of it
	Degraded []proposal.Degradation
	Tools    []proposal.Entry // its tool calls
}

// A Session is a stage at work.
type Session struct {
	Key   proposal.Key
	Run   proposal.Run
	Call  message.SetupStage
	Store Store
	Clock clock.Clock

	fromDomain func(domain string) proposal.Candidates
}

// Handler answers the invocations of a stage's function: Do with the stage's work.
func Handler(o Options, on worker.Options, stage proposal.Stage, work func(context.Context, *Session) (Result, error)) worker.CallHandler {
	return worker.Call(on, Told, func(ctx context.Context, call message.SetupStage) error { return o.Do(ctx, call, stage, work) })
}

// Told is what a log tells of a call.
func Told(call message.SetupStage) []slog.Attr {
	attrs := []slog.Attr{slog.String("workspace", call.WorkspaceID), slog.String("draft", call.DraftID), slog.Int64("run", call.Run)}
	if call.Source != "" {
		attrs = append(attrs, slog.String("source", call.Source))
	}
	return attrs
}

// Do performs a stage of a run. Stages before it that have not ended by now have failed for good, and are noted as such: their callers
// went on without them. A stage that has ended is not performed again, nor is one of a run that is over; neither is an error. When the
// work fails nothing is noted but that it began, so that it can be repeated.
func (o Options) Do(ctx context.Context, call message.SetupStage, stage proposal.Stage, work func(context.Context, *Session) (Result, error)) error {
	session, begun, err := o.begin(ctx, call, stage)
	if err != nil || session == nil || begun.Status != proposal.StepRunning {
		return err
	}
	result, err := work(ctx, session)
	if err != nil {
		return over(err)
	}
	if result.End != nil {
		return o.end(ctx, session.Key, begun, result)
	}
	var outcome []byte
	if result.Outcome != nil {
		if outcome, err = json.Marshal(result.Outcome); err != nil {
			return fmt.Errorf("write the outcome: %w", err)
		}
	}
	return over(o.Store.EndStep(ctx, session.Key, o.ended(begun, result), outcome))
}

// end ends a run with its last stage; one that has ended is left alone.
func (o Options) end(ctx context.Context, key proposal.Key, last proposal.Step, result Result) error {
	end, step := *result.End, o.ended(last, result)
	end.Step = &step
	return over(o.Store.FinishRun(ctx, key, end))
}

// DoSource performs one source's call of a stage that is called for each of them: what it finds is kept by the name of Part, the first
// of a source.
func (o Options) DoSource(ctx context.Context, call message.SetupStage, stage proposal.Stage, work func(context.Context, *Session) (any, error)) error {
	session, begun, err := o.begin(ctx, call, stage)
	if err != nil || session == nil || begun.Status != proposal.StepRunning {
		return err
	}
	kept, err := o.Store.Parts(ctx, session.Key, Part(stage, call.Source))
	if err != nil {
		return over(err)
	}
	if _, done := kept[Part(stage, call.Source)]; done {
		return nil
	}
	found, err := work(ctx, session)
	if err != nil {
		return over(err)
	}
	content, err := json.Marshal(found)
	if err != nil {
		return fmt.Errorf("write what a source answered: %w", err)
	}
	_, err = o.Store.KeepPart(ctx, session.Key, Part(stage, call.Source), content)
	return over(err)
}

// Part is the name under which a source's part of a stage is kept; of no source, what all of them begin with.
func Part(stage proposal.Stage, source string) string { return string(stage) + "." + source }

func over(err error) error {
	if errors.Is(err, proposal.ErrOver) {
		return nil
	}
	return err
}

// begin reads the run, settles the stages before this one and notes that it runs. The session is nil when the run is over.
func (o Options) begin(ctx context.Context, call message.SetupStage, name proposal.Stage) (*Session, proposal.Step, error) {
	stage, known := proposal.FindStage(name)
	if !known {
		return nil, proposal.Step{}, fmt.Errorf("there is no stage %q", name)
	}
	key := proposal.Key{WorkspaceID: call.WorkspaceID, DraftID: call.DraftID, Number: call.Run}
	run, err := o.Store.SetupRun(ctx, key)
	if err != nil {
		return nil, proposal.Step{}, err
	}
	if !run.FinishedAt.IsZero() {
		return nil, proposal.Step{}, nil
	}
	if run, err = o.settle(ctx, key, run, name); err != nil {
		return nil, proposal.Step{}, over(err)
	}
	begun, has := stepOf(run, name)
	if !has {
		begun, err = o.Store.BeginStep(ctx, key, proposal.Step{
			Stage: name, Status: proposal.StepRunning, Line: stage.Line, StartedAt: o.now(),
		})
		if err != nil {
			return nil, proposal.Step{}, over(err)
		}
	}
	session := o.Session(key, run)
	session.Call = call
	return session, begun, nil
}

// Session is what looks at a run as a stage does.
func (o Options) Session(key proposal.Key, run proposal.Run) *Session {
	s := &Session{Key: key, Run: run, Store: o.Store, Clock: o.Clock, fromDomain: o.fromDomain}
	if s.fromDomain == nil {
		s.fromDomain = candidate.FromDomain
	}
	return s
}

// settle notes those of the stages before one that have not ended as failed, and answers the run as it then is.
func (o Options) settle(ctx context.Context, key proposal.Key, run proposal.Run, before proposal.Stage) (proposal.Run, error) {
	settled := false
	for _, stage := range proposal.Pipeline() {
		if stage.Name == before {
			break
		}
		step, found := stepOf(run, stage.Name)
		if found && step.Status != proposal.StepRunning {
			continue
		}
		if !found {
			step = proposal.Step{Stage: stage.Name, StartedAt: o.now()}
		}
		failed := Result{Status: proposal.StepFailed, Line: failedLine}
		if stage.Fails != "" {
			failed.Degraded = []proposal.Degradation{proposal.Degrade(stage.Fails)}
		}
		if err := o.Store.EndStep(ctx, key, o.ended(step, failed), nil); err != nil {
			return run, err
		}
		settled = true
	}
	if !settled {
		return run, nil
	}
	return o.Store.SetupRun(ctx, key)
}

const failedLine = "Failed; the proposal goes on without it"

func stepOf(run proposal.Run, name proposal.Stage) (proposal.Step, bool) {
	i := slices.IndexFunc(run.Steps, func(s proposal.Step) bool { return s.Stage == name })
	if i < 0 {
		return proposal.Step{}, false
	}
	return run.Steps[i], true
}

// ended is a step with how it ended.
func (o Options) ended(step proposal.Step, r Result) proposal.Step {
	if r.Status == "" {
		r.Status = proposal.StepOK
	}
	took := max(o.now().Sub(step.StartedAt), 0)
	step.Status, step.Line, step.Took, step.Degraded = r.Status, r.Line, took, r.Degraded
	step.Timeline = append(slices.Clone(r.Tools),
		proposal.Entry{Kind: proposal.EntryStage, Name: string(step.Stage), Status: string(r.Status), Took: &took})
	return step
}

func (o Options) now() time.Time { return o.Clock.Now().UTC().Truncate(time.Millisecond) }

// Evidence is what the run knows by now. Candidates of a stage that failed come from the domain alone; of other stages that failed or
// have not run, nothing is known.
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

// known reads all that Evidence is made of, and what further stages ended with. What is derived of it is for derive, which asks nobody: a
// panic there comes again whenever it is called.
func (s *Session) known(ctx context.Context, further ...proposal.Stage) (derive func() proposal.Evidence, ended [][]byte, err error) {
	e := proposal.Evidence{DraftID: s.Run.DraftID, Run: s.Run.Number, Domain: s.Run.Domain, Profile: s.Run.Profile, Tier: s.Run.Tier,
		// The run's own time: what is derived from evidence is the same whenever it is derived.
		Now: s.Run.StartedAt}
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
