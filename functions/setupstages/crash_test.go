package setupstages_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"earshot/functions/setupstages/setuptest"
	"earshot/shared/port/flow"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/proposal"
)

// bubble runs a test in which time is made up: limits and pauses cost nothing.
func bubble(t *testing.T, name string, run func(t *testing.T, w *setuptest.World)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { run(t, setuptest.NewWorld(t)) })
	})
}

// calls are all that a run with two sources makes.
var calls = []string{"candidates", "measure/hackernews", "measure/reddit", "measure", "sample", "agent", "validate"}

// killed are the calls that are killed behind each write: of the sources one, since their calls are the same code.
var killed = slices.DeleteFunc(slices.Clone(calls), func(name string) bool { return name == "measure/reddit" })

// undisturbed is the document of a run in which nothing happens.
func undisturbed(t *testing.T) (document string) {
	t.Helper()
	bubble(t, "undisturbed", func(t *testing.T, w *setuptest.World) {
		good := modeltest.Good()
		w.Model = good
		draft := w.Draft(t)
		if status := w.Run(t, w.Begin(t, draft)); status != flow.Succeeded {
			t.Error(status)
		}
		d, run := w.Settled(t, draft)
		if d.Status != proposal.Ready || len(run.Degraded()) != 0 || run.AgentFallback ||
			run.Proposal.Model != setuptest.ModelID {
			t.Fatalf("%s %v fallback %v", d.Status, run.Degraded(), run.AgentFallback)
		}
		for _, name := range calls {
			if w.Calls(name) != 1 {
				t.Errorf("%s was called %d times", name, w.Calls(name))
			}
		}
		document = w.Document(t, draft)
		requests, turns := w.Requests(), len(good.Requests())
		if requests == 0 || turns == 0 {
			t.Fatalf("%d requests, %d turns", requests, turns)
		}
	})
	return document
}

// writesOf returns the operations by which each call of an undisturbed run writes, in their order, and what the run
// costs of the model's turns and the sources' requests.
func writesOf(t *testing.T) (writes map[string][]string, turns, requests int) {
	t.Helper()
	writes = map[string][]string{}
	bubble(t, "writes", func(t *testing.T, w *setuptest.World) {
		good := modeltest.Good()
		w.Model = good
		key := w.Begin(t, w.Draft(t))
		var mu sync.Mutex
		w.SetHook(func(ctx context.Context, in, operation string, do func(context.Context) error) error {
			if setuptest.Writes(operation) {
				mu.Lock()
				writes[in] = append(writes[in], operation)
				mu.Unlock()
			}
			return do(ctx)
		})
		w.Run(t, key)
		turns, requests = len(good.Requests()), w.Requests()
	})
	for _, name := range calls {
		if len(writes[name]) == 0 || !slices.Contains(writes[name], "transact") {
			t.Fatalf("%s writes %v", name, writes[name])
		}
	}
	return writes, turns, requests
}

// nth returns the nth write of a call, or none: sources that are asked at once write a little more or less each time.
func nth(writes []string, n int) string {
	if n > len(writes) {
		return ""
	}
	return writes[n-1]
}

// A stage that is killed after any of its writes is repeated, and comes to what it would have come to. A kill costs the
// sources no request a second time, and the model at most the turn that it was killed in. Whoever polls meanwhile reads
// what the States table allows.
func TestKilledAfterEachWrite(t *testing.T) {
	want := undisturbed(t)
	writes, turns, requests := writesOf(t)
	for _, name := range killed {
		for n, fired := 1, true; fired; n++ {
			bubble(t, fmt.Sprintf("%s/%d", name, n), func(t *testing.T, w *setuptest.World) {
				good := modeltest.Good()
				w.Model = good
				p := newPoller(t, w)
				key := w.Begin(t, p.draft)
				hook, did := setuptest.CrashAfter(name, n)
				w.SetHook(p.around(name, nth(writes[name], n), hook))
				status := w.Run(t, key)
				p.end()
				fired = did()
				w.Settled(t, p.draft)
				if got := w.Document(t, p.draft); got != want || status != flow.Succeeded {
					t.Errorf("it ends %s with\n%s", status, difference(got, want))
				}
				if times := w.Calls(name); fired != (times == 2) {
					t.Errorf("it was called %d times", times)
				}
				if len(good.Requests()) > turns {
					t.Errorf("the model was asked %d times, undisturbed %d", len(good.Requests()), turns)
				}
				if w.Requests() > requests+1 {
					t.Errorf("the sources were asked %d times, undisturbed %d", w.Requests(), requests)
				}
				if nth(writes[name], n) == "transact" && p.polls < 3 {
					t.Errorf("only %d polls", p.polls)
				}
			})
			if n > 60 {
				t.Fatalf("%s writes for ever", name)
			}
		}
	}
}

// A stage that is called again after the run, or by two callers at once, changes nothing and bills nothing.
func TestCalledAgain(t *testing.T) {
	want := undisturbed(t)
	bubble(t, "after it has ended", func(t *testing.T, w *setuptest.World) {
		good := modeltest.Good()
		w.Model = good
		draft := w.Draft(t)
		key := w.Begin(t, draft)
		var mu sync.Mutex
		writes := map[string]int{}
		wrote := func(name string, more int) int {
			mu.Lock()
			defer mu.Unlock()
			writes[name] += more
			return writes[name]
		}
		w.SetHook(func(ctx context.Context, in, operation string, do func(context.Context) error) error {
			if setuptest.Writes(operation) {
				wrote(in, 1)
			}
			return do(ctx)
		})
		w.Disturb = func(ctx context.Context, name string, call func(context.Context) error) error {
			if err := call(ctx); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			requests, turns, before := w.Requests(), len(good.Requests()), wrote(name, 0)
			if err := call(ctx); err != nil {
				t.Errorf("%s again: %v", name, err)
			}
			if more := wrote(name, 0) - before; before == 0 || more != 0 {
				t.Errorf("%s wrote %d times, and %d times when called again, want none", name, before, more)
			}
			if name[0] != 'm' && (w.Requests() != requests || len(good.Requests()) != turns) {
				t.Errorf("%s again: the sources were asked %d times, the model %d", name, w.Requests()-requests, len(good.Requests())-turns)
			}
			return nil
		}
		w.Run(t, key)
		w.Settled(t, draft)
		if got := w.Document(t, draft); got != want {
			t.Error(difference(got, want))
		}
		requests, turns := w.Requests(), len(good.Requests())
		if status := w.Run(t, key); status != flow.Succeeded || w.Document(t, draft) != want {
			t.Errorf("the whole run again: %s", status)
		}
		if w.Requests() != requests || len(good.Requests()) != turns {
			t.Errorf("the whole run again: the sources were asked %d times, the model %d", w.Requests()-requests,
				len(good.Requests())-turns)
		}
	})
	bubble(t, "a source, when nothing that it answered is cached", func(t *testing.T, w *setuptest.World) {
		w.Forgetful = "measure/hackernews"
		w.Disturb = func(ctx context.Context, name string, call func(context.Context) error) error {
			err := call(ctx)
			if name != "measure/hackernews" {
				return err
			}
			shelf := w.Sources[0].(*setuptest.Shelf)
			requests := shelf.Requests()
			if again := call(ctx); err != nil || again != nil || requests == 0 || shelf.Requests() != requests {
				t.Errorf("%v, %v: it was asked %d times, and then %d more", err, again, requests, shelf.Requests()-requests)
			}
			return nil
		}
		draft := w.Draft(t)
		w.Run(t, w.Begin(t, draft))
		if d, run := w.Settled(t, draft); d.Status != proposal.Ready || len(run.Degraded()) != 0 {
			t.Errorf("%s %v", d.Status, run.Degraded())
		}
	})
	for _, name := range calls {
		bubble(t, "two at once/"+name, func(t *testing.T, w *setuptest.World) {
			w.Model = modeltest.Good()
			draft := w.Draft(t)
			key := w.Begin(t, draft)
			w.Disturb = func(ctx context.Context, called string, call func(context.Context) error) error {
				if called != name {
					return call(ctx)
				}
				other := make(chan error)
				go func() { other <- call(ctx) }()
				if err := call(ctx); err != nil {
					t.Errorf("one: %v", err)
				}
				if err := <-other; err != nil {
					t.Errorf("the other: %v", err)
				}
				return nil
			}
			w.Run(t, key)
			w.Settled(t, draft)
			if got := w.Document(t, draft); got != want {
				t.Error(difference(got, want))
			}
		})
	}
}
