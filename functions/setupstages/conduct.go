package setupstages

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"earshot/events/message"
	"earshot/shared/parallel"
	"earshot/shared/port/clock"
	"earshot/shared/proposal"
	"earshot/shared/worker"
)

// Options are what every stage works with.
type Options struct {
	Store Store
	Clock clock.Clock

	fromDomain func(domain string) proposal.Candidates // nil: candidate.FromDomain; for tests
}

// A Result is how the work of a stage ended.
type Result struct {
	proposal.Ending     // an empty Status: StepOK
	Outcome         any // stored as JSON; nil: none
	Tools           []proposal.Entry
	// End is how the run ends. Only the last stage has one, and it has no Outcome.
	End *proposal.End
}

// Reading reads what a stage's work needs, and returns the work. It runs while the store records that the stage has
// begun, so it writes nothing and asks nobody but the store.
type Reading[Found any] func(context.Context, *Session) (Work[Found], error)

// Work is what a stage does with what was read.
type Work[Found any] func(context.Context) (Found, error)

// Handler answers the invocations of a stage's function: Do with the stage's work.
func Handler(o Options, on worker.Options, stage proposal.Stage, read Reading[Result]) worker.CallHandler {
	return worker.Call(
		on, Told, func(ctx context.Context, call message.SetupStage) error { return o.Do(ctx, call, stage, read) },
	)
}

// Told is what a log tells of a call.
func Told(call message.SetupStage) []slog.Attr {
	attrs := []slog.Attr{
		slog.String("workspace", call.WorkspaceID), slog.String("draft", call.DraftID), slog.Int64("run", call.Run),
	}
	if call.Source != "" {
		attrs = append(attrs, slog.String("source", call.Source))
	}
	return attrs
}

// Do performs a stage of a run. Stages before it that have not ended by now have failed for good, and are noted as
// such: their callers went on without them. A stage that has ended is not performed again, nor is one of a run that is
// over; neither is an error. When the work fails nothing is noted but that it began, so that it can be repeated.
func (o Options) Do(
	ctx context.Context, call message.SetupStage, stage proposal.Stage, read Reading[Result],
) error {
	key := keyOf(call)
	begun, work, err := begin(ctx, o, call, stage, read)
	if err != nil || work == nil {
		return over(err)
	}
	result, err := work(ctx)
	if err != nil {
		return over(err)
	}
	return over(o.end(ctx, key, begun, result))
}

// DoSource performs one source's call of a stage that is called for each of them: what it finds is kept by the name of
// Part, the first of a source.
func (o Options) DoSource(
	ctx context.Context, call message.SetupStage, stage proposal.Stage, read Reading[any],
) error {
	key, name := keyOf(call), Part(stage, call.Source)
	_, work, err := begin(ctx, o, call, stage, func(ctx context.Context, s *Session) (Work[any], error) {
		var kept map[string][]byte
		var work Work[any]
		err := parallel.Together(
			func() (err error) { kept, err = o.Store.Parts(ctx, key, name); return err },
			func() (err error) { work, err = read(ctx, s); return err },
		)
		if _, done := kept[name]; done {
			return nil, nil
		}
		return work, err
	})
	if err != nil || work == nil {
		return over(err)
	}
	found, err := work(ctx)
	if err != nil {
		return over(err)
	}
	content, err := json.Marshal(found)
	if err != nil {
		return fmt.Errorf("write what a source answered: %w", err)
	}
	_, err = o.Store.KeepPart(ctx, key, name, content)
	return over(err)
}

func keyOf(call message.SetupStage) proposal.Key {
	return proposal.Key{WorkspaceID: call.WorkspaceID, DraftID: call.DraftID, Number: call.Run}
}

// Part is the name under which a source's part of a stage is kept; of no source, what all of them begin with.
func Part(stage proposal.Stage, source string) string { return string(stage) + "." + source }

// begin reads the run, settles the stages before this one, and records that this one has begun while it reads for its
// work. The work is nil if the run is over or the stage has ended.
func begin[Found any](
	ctx context.Context, o Options, call message.SetupStage, name proposal.Stage, read Reading[Found],
) (begun proposal.Step, work Work[Found], err error) {
	stage, known := proposal.FindStage(name)
	if !known {
		return begun, nil, fmt.Errorf("there is no stage %q", name)
	}
	key := keyOf(call)
	run, err := o.Store.SetupRun(ctx, key)
	if err != nil || !run.FinishedAt.IsZero() {
		return begun, nil, err
	}
	if run, err = o.leave(ctx, key, run, proposal.LaterBegins, name); err != nil {
		return begun, nil, err
	}
	begun, has := run.Step(name)
	if has && begun.Status != proposal.StepRunning {
		return begun, nil, nil
	}
	session := o.Session(key, run)
	session.Stage, session.Call = stage, call
	var unread error
	err = parallel.Together(
		func() error { work, unread = read(ctx, session); return nil },
		func() (err error) {
			if !has {
				begun, err = o.Store.BeginStep(ctx, key, proposal.Step{
					Stage: name, Status: proposal.StepRunning, Line: stage.Line, StartedAt: o.now(),
				})
			}
			return err
		})
	if err != nil || begun.Status != proposal.StepRunning {
		return begun, nil, err
	}
	return begun, work, unread
}

// leave records how the event ends those of the stages before one that have not ended, and returns the run as it then
// is.
func (o Options) leave(
	ctx context.Context, key proposal.Key, run proposal.Run, event proposal.Event, before proposal.Stage,
) (proposal.Run, error) {
	left := run.Leave(event, before, o.now())
	for _, step := range left {
		if err := o.Store.EndStep(ctx, key, step, nil); err != nil {
			return run, err
		}
	}
	if len(left) == 0 {
		return run, nil
	}
	return o.Store.SetupRun(ctx, key)
}

// end records how a step ended, and of the last stage how its run did.
func (o Options) end(ctx context.Context, key proposal.Key, step proposal.Step, result Result) error {
	if result.Status == "" {
		result.Status = proposal.StepOK
	}
	step = step.End(result.Ending, o.now(), result.Tools...)
	if result.End != nil {
		end := *result.End
		end.Step = &step
		return o.Store.FinishRun(ctx, key, end)
	}
	var outcome []byte
	if result.Outcome != nil {
		var err error
		if outcome, err = json.Marshal(result.Outcome); err != nil {
			return fmt.Errorf("write the outcome: %w", err)
		}
	}
	return o.Store.EndStep(ctx, key, step, outcome)
}

// over returns err unless it says that the run is over, which is no error: nothing is left to do.
func over(err error) error {
	if errors.Is(err, proposal.ErrOver) {
		return nil
	}
	return err
}

func (o Options) now() time.Time { return o.Clock.Now().UTC().Truncate(time.Millisecond) }
