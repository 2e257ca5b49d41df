package setupstages_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"earshot/functions/setupstages/setuptest"
	"earshot/shared/embedded/memflow"
	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/source"
	"earshot/shared/worldtest"
)

// What can go wrong with an operation of the table.
const (
	allWell    = "all well"
	throttled  = "throttled"
	lost       = "done, and the answer is lost"
	unanswered = "not done, and no answer"
	refused    = "refused"
	diedBefore = "died before it"
	diedAfter  = "died after it"
	runnerDies = "the runner is killed"
)

// A fate is what goes wrong with the operations of some calls, by "call #n".
type fate struct {
	mu    sync.Mutex
	plans map[string]map[int]string
	count map[string]int
	kill  func()
}

func (f *fate) hook(ctx context.Context, in, operation string, do func(context.Context) error) error {
	f.mu.Lock()
	f.count[in]++
	kind := f.plans[in][f.count[in]]
	kill := f.kill
	f.mu.Unlock()
	switch kind {
	case throttled:
		return table.ErrThrottled
	case unanswered:
		return table.ErrUnavailable
	case refused:
		return errors.New("no")
	case lost:
		if err := do(ctx); err != nil {
			return err
		}
		return table.ErrUnavailable
	case diedBefore:
		setuptest.Crash(operation)
	case diedAfter:
		_ = do(ctx)
		setuptest.Crash(operation)
	case runnerDies:
		if kill != nil {
			go kill()
			<-ctx.Done()
			return ctx.Err()
		}
	}
	return do(ctx)
}

func drawnFate(t *rapid.T) *fate {
	f := &fate{plans: map[string]map[int]string{}, count: map[string]int{}}
	kinds := rapid.SampledFrom([]string{throttled, throttled, lost, unanswered, refused, diedBefore, diedAfter, diedAfter})
	for _, name := range append([]string{""}, calls...) { // without a name: what the terminal event does
		if rapid.IntRange(0, 2).Draw(t, "untouched "+name) == 0 {
			continue
		}
		plan := map[int]string{}
		for range rapid.IntRange(1, 6).Draw(t, "faults of "+name) {
			first := rapid.IntRange(1, 24).Draw(t, "operation")
			kind := kinds.Draw(t, "fault")
			for n := range rapid.SampledFrom([]int{1, 1, 4, 40}).Draw(t, "as many") {
				plan[first+n] = kind
			}
		}
		f.plans[name] = plan
	}
	if rapid.Bool().Draw(t, "killed") {
		name := rapid.SampledFrom(calls).Draw(t, "killed in")
		if f.plans[name] == nil {
			f.plans[name] = map[int]string{}
		}
		f.plans[name][rapid.IntRange(1, 20).Draw(t, "killed at")] = runnerDies
	}
	return f
}

func drawnModel(t *rapid.T) model.Converser {
	switch rapid.IntRange(0, 7).Draw(t, "model") {
	case 0, 1:
		return modeltest.Good()
	case 2:
		return modeltest.Slow()
	case 3:
		return modeltest.Looping()
	case 4:
		return modeltest.Broken(rapid.SampledFrom([]error{model.ErrThrottled, model.ErrUnavailable, model.ErrRefused}).Draw(t, "error"))
	case 5:
		return modeltest.Liar(rapid.SampledFrom(modeltest.Lies()).Draw(t, "lie"))
	case 6:
		return modeltest.Scripted(func(context.Context, model.Conversation, int) (model.Reply, error) { panic("poisoned") })
	}
	return nil
}

// drawnDenials are how two sources fail now and then.
func drawnDenials(t *rapid.T) (denials [2]func(context.Context, int, source.Query) error) {
	for i := range denials {
		of := rapid.IntRange(0, 4).Draw(t, "of its requests fails each")
		how := rapid.SampledFrom([]error{
			&source.Unavailable{Reason: "answered 503"}, &source.Unavailable{Reason: "answered 429", RetryAfter: 2e9},
			source.ErrNoCredentials,
			errors.New("no"),
		}).Draw(t, "how")
		denials[i] = func(_ context.Context, n int, _ source.Query) error {
			if of > 0 && n%of == 0 {
				return how
			}
			return nil
		}
	}
	return denials
}

// found is what a property finds fault with inside a bubble, which rapid's own T may not be told of from there.
type found struct{ faults []string }

func (f *found) Helper() {}

func (f *found) Errorf(format string, args ...any) {
	f.faults = append(f.faults, fmt.Sprintf(format, args...))
}

// No draft ever stays unsettled: whatever goes wrong, with whatever operation of whatever stage, with the runner and
// with what the terminal event does, the draft is settled one sweep after its time is over, when it is not before, and
// what it proposes holds.
func TestNoDraftStaysUnsettled(t *testing.T) {
	ways := map[proposal.DegradationCode]int{}
	rapid.Check(t, func(rt *rapid.T) {
		llm, denials, f := drawnModel(rt), drawnDenials(rt), drawnFate(rt)
		dead := rapid.Bool().Draw(rt, "nobody is told of the end")
		wrong := &found{}
		synctest.Test(t, func(t *testing.T) {
			w := setuptest.NewWorld(t)
			w.Model = llm
			for i, each := range w.Sources {
				each.(*setuptest.Shelf).Deny = denials[i]
			}
			draft := w.Draft(t)
			key := w.Begin(t, draft)
			ended := make(chan string, 1)
			runner := w.Flow(t, setuptest.Hurried(), func(status string) { ended <- status }, dead)
			f.kill = sync.OnceFunc(runner.Close)
			w.SetHook(f.hook)
			start(t, runner, fmt.Sprintf("%s-%d", key.DraftID, key.Number), w.Payload(t, key))
			<-ended
			runner.Close()
			w.SetHook(nil)
			w.Clock.Freeze(worldtest.Now.Add(proposal.RunLimit))
			if err := w.Sweep(t); err != nil {
				wrong.Errorf("the sweep: %v", err)
			}
			d, run := w.Settled(wrong, draft)
			if d.Status == proposal.Failed {
				wrong.Errorf("%s: %+v", d.Message, run.Steps)
			}
			for _, code := range setuptest.Degraded(run) {
				ways[code]++
			}
			w.Up() // it can be proposed again, undisturbed
			w.Model = nil
			w.Run(t, w.Begin(t, draft))
			if d, run := w.Settled(wrong, draft); d.Status != proposal.Ready || len(run.Degraded()) != 0 {
				wrong.Errorf("proposed again: %s %v", d.Status, run.Degraded())
			}
		})
		for _, fault := range wrong.faults {
			rt.Error(fault)
		}
	})
	if !t.Failed() && len(ways) < 4 {
		t.Errorf("hardly anything went wrong: %v", ways)
	}
}

func start(t testing.TB, f *memflow.Flow, name string, input []byte) {
	t.Helper()
	if err := f.Start(t.Context(), name, input); err != nil {
		t.Fatal(err)
	}
}
