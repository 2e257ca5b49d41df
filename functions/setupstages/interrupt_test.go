package setupstages_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"earshot/functions/setupstages/setuptest"
	"earshot/functions/setupstages/sweep"
	"earshot/shared/port/flow"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// interrupted holds a draft to what a run comes to that died in a stage.
func interrupted(t *testing.T, w *setuptest.World, draft string, in proposal.Stage) {
	t.Helper()
	d, run := w.Settled(t, draft)
	if d.Status != proposal.Ready {
		t.Fatalf("%s: %s", d.Status, d.Message)
	}
	if got := setuptest.Degraded(run); !slices.Equal(got, []proposal.DegradationCode{proposal.ProposeInterrupted}) {
		t.Errorf("degraded %v", got)
	}
	before := true
	for _, step := range run.Steps {
		want := proposal.StepSkipped
		switch {
		case step.Stage == proposal.StageValidate:
			want = proposal.StepOK
		case step.Stage == in:
			want, before = proposal.StepFailed, false
		case before:
			want = proposal.StepOK
		}
		if step.Status != want {
			t.Errorf("%s is %s, want %s", step.Stage, step.Status, want)
		}
	}
	if len(run.Steps) != len(proposal.Stages()) || !run.AgentFallback {
		t.Errorf("%d steps, fallback %v", len(run.Steps), run.AgentFallback)
	}
	effects(t, run)
	w.Document(t, draft)
}

// hangIn has a run's first call of a stage wait, with its beginning noted, until it is given up.
func hangIn(w *setuptest.World, in string) (hanging chan struct{}) {
	hanging = make(chan struct{})
	var once sync.Once
	stopped := false
	w.SetHook(func(ctx context.Context, called, operation string, do func(context.Context) error) error {
		err := do(ctx)
		if called == in && operation == "transact" && !stopped {
			once.Do(func() { stopped = true; close(hanging) })
			<-ctx.Done()
			return ctx.Err()
		}
		return err
	})
	return hanging
}

// A run whose process is killed in the midst of any stage, and of whose end nobody is told, is finished by the schedule
// once its time is over, and not before. agreement_test.go has the terminal event.
func TestInterrupted_NobodyTold(t *testing.T) {
	for _, stage := range proposal.Stages() {
		in := string(stage)
		if stage == proposal.StageMeasure {
			in = "measure/reddit"
		}
		bubble(t, in, func(t *testing.T, w *setuptest.World) {
			w.Model = modeltest.Good()
			draft := w.Draft(t)
			key := w.Begin(t, draft)
			hanging := hangIn(w, in)
			status := ""
			f := w.Flow(t, setuptest.Hurried(), func(ended string) { status = ended }, true)
			start(t, f, "run", w.Payload(t, key))
			<-hanging
			f.Close()
			w.SetHook(nil)
			if status != flow.Aborted {
				t.Error(status)
			}
			w.Clock.Freeze(worldtest.Now.Add(proposal.RunLimit - time.Millisecond))
			if err := w.Sweep(t); err != nil {
				t.Error(err)
			}
			if d, run := w.Setup(t, draft); !d.Status.Running() || !run.FinishedAt.IsZero() {
				t.Errorf("the sweep ended a run within its time: %s", d.Status)
			}
			w.Clock.Freeze(worldtest.Now.Add(proposal.RunLimit))
			if err := w.Sweep(t); err != nil {
				t.Error(err)
			}
			interrupted(t, w, draft, stage)
		})
	}
}

// A run that takes longer than a run may is ended, and finished from what it had.
func TestTimedOut(t *testing.T) {
	bubble(t, "as the pipeline has it", func(t *testing.T, w *setuptest.World) {
		w.Model = modeltest.Good()
		draft := w.Draft(t)
		stages := setuptest.Hurried()
		for i := range stages {
			stages[i].Limit, stages[i].Attempts = 10*time.Minute, 1
		}
		failing("hangs", "candidates", "sample")(w)
		begun := time.Now()
		if status := w.RunOn(t, w.Begin(t, draft), stages, false); status != flow.TimedOut ||
			time.Since(begun) != proposal.RunLimit {
			t.Errorf("%s after %v", status, time.Since(begun))
		}
		_, run := w.Settled(t, draft)
		// The candidates failed for good before the run died.
		if got := setuptest.Degraded(run); !slices.Equal(got,
			[]proposal.DegradationCode{proposal.CandidatesFailed, proposal.ProposeInterrupted}) {
			t.Errorf("%v", got)
		}
		effects(t, run)
	})
}

// The last stage cannot degrade: when it hangs or panics each time, the run is over and the terminal event finishes it,
// as when it fails (agreement_test.go).
func TestValidateFails(t *testing.T) {
	for _, how := range []string{"hangs", "panics"} {
		bubble(t, how, func(t *testing.T, w *setuptest.World) {
			failing(how, "validate")(w)
			draft := w.Draft(t)
			if status := w.Run(t, w.Begin(t, draft)); status != flow.Failed {
				t.Error(status)
			}
			d, run := w.Settled(t, draft)
			if d.Status != proposal.Ready ||
				!slices.Equal(setuptest.Degraded(run), []proposal.DegradationCode{proposal.ProposeInterrupted}) {
				t.Errorf("%s %v", d.Status, setuptest.Degraded(run))
			}
			effects(t, run)
		})
	}
}

// Wherever the process dies that runs a run, and with it the run, a sweep finishes it: also when the sweep itself dies
// again and again. Whoever polls meanwhile reads what the States table allows.
func TestProcessDiesAfterEachWrite(t *testing.T) {
	want := undisturbed(t)
	writes, _, _ := writesOf(t)
	for _, name := range killed {
		for n, fired := 1, true; fired; n++ {
			operation := nth(writes[name], n)
			bubble(t, fmt.Sprintf("%s/%d", name, n), func(t *testing.T, w *setuptest.World) {
				w.Model = modeltest.Good()
				p := newPoller(t, w)
				key := w.Begin(t, p.draft)
				var mu sync.Mutex
				done := 0
				w.SetHook(p.around(name, operation,
					func(ctx context.Context, in, operation string, do func(context.Context) error) error {
						mu.Lock()
						dead := done >= n
						mu.Unlock()
						if dead {
							return errors.New("the process is no more")
						}
						err := do(ctx)
						if in == name && setuptest.Writes(operation) {
							mu.Lock()
							done++
							mu.Unlock()
						}
						return err
					}))
				w.RunOn(t, key, setuptest.Hurried(), true)
				fired = done >= n
				w.SetHook(nil)
				_, before := w.Setup(t, p.draft)
				w.Clock.Freeze(worldtest.Now.Add(proposal.RunLimit))
				for k, crashed := 1, true; crashed; k++ {
					crashed = sweepAndDie(t, p, operation, k)
				}
				p.end()
				_, run := w.Settled(t, p.draft)
				effects(t, run)
				ended := slices.ContainsFunc(before.Steps, func(s proposal.Step) bool {
					return s.Stage == proposal.StageValidate && s.Status != proposal.StepRunning
				})
				if ended && w.Document(t, p.draft) != want {
					t.Errorf("its last stage had ended: %s", difference(w.Document(t, p.draft), want))
				}
				if !ended && !slices.Contains(setuptest.Degraded(run), proposal.ProposeInterrupted) {
					t.Errorf("degraded %v", setuptest.Degraded(run))
				}
			})
			if n > 60 {
				t.Fatalf("%s writes for ever", name)
			}
		}
	}
}

// sweepAndDie has a sweep die after its nth write, polled if the run died behind such an operation, and reports whether
// the sweep died.
func sweepAndDie(t *testing.T, p *poller, operation string, n int) (died bool) {
	t.Helper()
	hook, fired := setuptest.CrashAfter("", n)
	p.w.SetHook(p.around("", operation, hook))
	defer p.w.SetHook(nil)
	defer func() {
		if value := recover(); value != nil && !fired() {
			panic(value)
		}
		died = fired()
	}()
	if err := p.w.Sweep(t); err != nil {
		t.Error(err)
	}
	return false
}

// A sweep beside a run that is late, and two sweeps at once, come to one end; the run's own later stages change nothing of it.
func TestSweepBesideTheRun(t *testing.T) {
	for _, stage := range proposal.Stages() {
		bubble(t, string(stage), func(t *testing.T, w *setuptest.World) {
			w.Model = modeltest.Good()
			draft := w.Draft(t)
			key := w.Begin(t, draft)
			document := ""
			w.Disturb = func(ctx context.Context, name string, call func(context.Context) error) error {
				if name == string(stage) {
					var sweeps sync.WaitGroup
					for range 2 {
						sweeps.Go(func() {
							if err := sweep.End(context.Background(), w.Options(), string(w.Payload(t, key))); err != nil {
								t.Error(err)
							}
						})
					}
					sweeps.Wait()
					w.Settled(t, draft)
					document = w.Document(t, draft)
				}
				return call(ctx)
			}
			if status := w.Run(t, key); status != flow.Succeeded {
				t.Errorf("the run that is over: %s", status)
			}
			w.Settled(t, draft)
			if got := w.Document(t, draft); got != document {
				t.Errorf("the run that is over changed it: %s", difference(got, document))
			}
		})
	}
}

// An attempt that comes back after its stage was given up changes nothing, whatever it was about to write, and whether
// its run still goes on, is over, or has been followed by another.
func TestZombie(t *testing.T) {
	for _, name := range calls {
		for _, until := range []string{"the next stage", "the run's end", "the next run"} {
			if name == "validate" && until == "the next stage" {
				continue
			}
			bubble(t, name+" until "+until, func(t *testing.T, w *setuptest.World) {
				w.Model = modeltest.Good()
				draft := w.Draft(t)
				key := w.Begin(t, draft)
				release, returned := make(chan struct{}), make(chan error, 9)
				attempts, next := 0, after(name)
				var mu sync.Mutex
				w.SetHook(func(ctx context.Context, in, operation string, do func(context.Context) error) error {
					if in == name && (operation == "put" || operation == "transact") && ctx.Value(undead{}) != nil {
						<-release
					}
					return do(ctx)
				})
				w.Disturb = func(ctx context.Context, called string, call func(context.Context) error) error {
					mu.Lock()
					mine := called == name
					if mine {
						attempts++
					}
					first := mine && attempts == 1
					open := until == "the next stage" && called == next
					if open {
						next = ""
					}
					mu.Unlock()
					switch {
					case first:
						go func() { returned <- call(context.WithValue(context.WithoutCancel(ctx), undead{}, true)) }()
						<-ctx.Done()
						return ctx.Err()
					case mine:
						return errors.New("it fails again")
					case open:
						err := call(ctx)
						close(release)
						<-returned
						return err
					}
					return call(ctx)
				}
				w.Run(t, key)
				w.Settled(t, draft)
				document := w.Document(t, draft)
				if until == "the next run" {
					w.Disturb = nil
					again := w.Begin(t, draft)
					w.Run(t, again)
					document = w.Document(t, draft)
				}
				if until != "the next stage" {
					close(release)
					if err := <-returned; err != nil && until == "the run's end" {
						t.Errorf("the zombie: %v", err)
					}
				}
				synctest.Wait()
				_, run := w.Settled(t, draft)
				if got := w.Document(t, draft); got != document {
					t.Errorf("it changed: %s", difference(got, document))
				}
				if until == "the next run" && (run.Number != 2 || len(run.Degraded()) != 0) {
					t.Errorf("run %d, degraded %v", run.Number, run.Degraded())
				}
				if step := run.Steps[slices.Index(proposal.Stages(), stageOf(name))]; until != "the next run" &&
					name == string(step.Stage) &&
					name != "validate" && step.Status != proposal.StepFailed {
					t.Errorf("%s is %s", name, step.Status)
				}
			})
		}
	}
}

type undead struct{}

func stageOf(name string) proposal.Stage {
	stage, _, _ := strings.Cut(name, "/")
	return proposal.Stage(stage)
}

// after is the call that follows another.
func after(name string) string {
	at := slices.Index(calls, name)
	if stageOf(name) == proposal.StageMeasure && name != "measure" {
		return "measure"
	}
	if at+1 < len(calls) {
		return calls[at+1]
	}
	return ""
}

// A run of which nothing can be derived, since what derives dies of it each time, ends as failed, whoever ends it.
func TestNothingCanBeDerived(t *testing.T) {
	for _, told := range []bool{true, false} {
		bubble(t, fmt.Sprintf("told %v", told), func(t *testing.T, w *setuptest.World) {
			draft := w.Draft(t)
			key := w.Begin(t, draft) // and it died before its candidates
			derived := 0
			o := w.Options().Deriving(func(string) proposal.Candidates { derived++; panic("a poisoned domain") })
			end := func() error { return sweep.End(t.Context(), o, string(w.Payload(t, key))) }
			if !told {
				w.Clock.Freeze(worldtest.Now.Add(proposal.RunLimit))
				end = func() error { return sweep.Sweep(t.Context(), o, w.Store) }
			}
			for range 2 {
				if err := end(); err != nil {
					t.Error(err)
				}
				if d, run := w.Settled(t, draft); d.Status != proposal.Failed || run.Number != 1 {
					t.Errorf("%s, run %d", d.Status, run.Number)
				}
			}
			if derived != 1 {
				t.Errorf("it is derived %d times", derived)
			}
			w.Run(t, w.Begin(t, draft))
			if d, _ := w.Settled(t, draft); d.Status != proposal.Ready {
				t.Errorf("proposed again, by who can derive it: %s %s", d.Status, d.Message)
			}
		})
	}
}

// A run of which something cannot be read any more ends as failed: one that the sweep could not end would stay for ever.
func TestUnreadable(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(key proposal.Key, item table.Item) bool // an item that is spoilt
	}{
		{"an outcome is gone", func(key proposal.Key, item table.Item) bool {
			return strings.HasPrefix(table.KeyOf(item).Sort, "chunk#")
		}},
		{"the run itself", func(key proposal.Key, item table.Item) bool {
			return table.KeyOf(item).Sort == fmt.Sprintf("run#%s#%010d", key.DraftID, key.Number)
		}},
		{"a step", func(_ proposal.Key, item table.Item) bool {
			return strings.HasSuffix(table.KeyOf(item).Sort, "#step#0")
		}},
	} {
		bubble(t, c.name, func(t *testing.T, w *setuptest.World) {
			w.Model = modeltest.Good()
			draft, healthy := w.Draft(t), w.Draft(t)
			key := w.Begin(t, draft)
			hanging := hangIn(w, "agent")
			f := w.Flow(t, setuptest.Hurried(), func(string) {}, true)
			if err := f.Start(t.Context(), "run", w.Payload(t, key)); err != nil {
				t.Fatal(err)
			}
			<-hanging
			f.Close()
			w.SetHook(nil)
			w.Begin(t, healthy)
			spoilt := 0
			for _, query := range []table.Query{
				{Table: rows.CoreTable, Partition: w.Main.ID, Prefix: "run#" + draft},
				{Table: rows.CountersTable, Partition: fmt.Sprintf("setup#%s#%s#%010d", w.Main.ID, draft, key.Number)},
			} {
				page, err := w.Table.Query(t.Context(), query)
				if err != nil {
					t.Fatal(err)
				}
				for _, item := range page.Items {
					if !c.spoil(key, item) {
						continue
					}
					spoilt++
					set := map[string]any{}
					for name, value := range item {
						if _, packed := value.([]byte); packed {
							set[name] = []byte("nonsense")
						}
					}
					if _, err := w.Table.Update(t.Context(), table.Update{Table: query.Table, Key: table.KeyOf(item), Set: set}); err != nil {
						t.Fatal(err)
					}
				}
			}
			if spoilt == 0 {
				t.Fatal("nothing is spoilt")
			}
			w.Clock.Freeze(worldtest.Now.Add(proposal.RunLimit))
			if err := w.Sweep(t); err == nil {
				t.Error("nobody is told")
			}
			d, err := w.Store.Draft(t.Context(), w.Main.ID, draft)
			if err != nil || d.Status != proposal.Failed || d.Message == "" {
				t.Errorf("%s %q %v", d.Status, d.Message, err)
			}
			w.Settled(t, healthy)
			if err := w.Sweep(t); err != nil {
				t.Errorf("the next sweep: %v", err)
			}
			if again := w.Begin(t, draft); again.Number != 2 {
				t.Errorf("proposed again as %d", again.Number)
			}
			w.Run(t, proposal.Key{WorkspaceID: w.Main.ID, DraftID: draft, Number: 2})
			if d, _ := w.Settled(t, draft); d.Status != proposal.Ready {
				t.Errorf("proposed again: %s", d.Status)
			}
		})
	}
}
