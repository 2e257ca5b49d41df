package setupstages_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"earshot/functions/discovery"
	"earshot/functions/setup"
	"earshot/functions/setupstages/setuptest"
	"earshot/shared/embedded/fault"
	"earshot/shared/port/flow"
	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/source"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A profile that is edited meanwhile changes nothing of the run, whose proposal is then stale, until another is made.
func TestProfileEditedDuringARun(t *testing.T) {
	for _, in := range calls {
		bubble(t, in, func(t *testing.T, w *setuptest.World) {
			draft := w.Draft(t)
			w.Disturb = func(ctx context.Context, name string, call func(context.Context) error) error {
				err := call(ctx)
				if name == in {
					_, err := w.Store.EditProfile(context.Background(), w.Main.ID, draft, func(p *proposal.Profile) error {
						p.Company, p.Competitors = "Loudharbor", []string{"Nobody"}
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				}
				return err
			}
			w.Run(t, w.Begin(t, draft))
			d, run := w.Settled(t, draft)
			if d.Status != proposal.Ready || len(run.Degraded()) != 0 || run.ProfileRevision == d.ProfileRevision {
				t.Errorf("%s, degraded %v, revisions %d and %d", d.Status, run.Degraded(), run.ProfileRevision, d.ProfileRevision)
			}
			if document := w.Document(t, draft); !strings.Contains(document, `"stale": true`) ||
				strings.Contains(document, "Loudharbor") {
				t.Errorf("it is not stale, or not of the profile that it was begun with: %s", document)
			}
			w.Disturb = nil
			w.Run(t, w.Begin(t, draft))
			w.Settled(t, draft)
			if document := w.Document(t, draft); !strings.Contains(document, `"stale": false`) ||
				!strings.Contains(document, "Loudharbor") {
				t.Errorf("proposed again: %s", document)
			}
		})
	}
}

// However many propose at once, one run is made, and each stage called once.
func TestProposesAtOnce(t *testing.T) {
	bubble(t, "eight", func(t *testing.T, w *setuptest.World) {
		err := w.Store.ChangeWorkspace(t.Context(), w.Main.ID, func(o *workspace.Workspace) error {
			o.Flags = []string{workspace.FlagSetupOnboarding}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		draft := w.Draft(t)
		ended := make(chan string, 8)
		runner := w.Flow(t, setuptest.Hurried(), func(status string) { ended <- status }, false)
		defer runner.Close()
		client := worldtest.Serve(t, w.World, discovery.OpenAPI(), func(api *web.API) {
			setup.Register(api, setup.Options{Store: w.Store, Flow: runner, Sources: []string{"hackernews", "reddit"}})
		})
		all := make(chan struct{})
		w.Disturb = func(ctx context.Context, _ string, call func(context.Context) error) error {
			<-all
			return call(ctx)
		}
		var asking sync.WaitGroup
		for i := range 8 {
			asking.Go(func() {
				tier := []string{"balanced", "thorough"}[i%2]
				if answer := client.Post(t, "/api/v2/setup/proposals",
					fmt.Sprintf(`{"draftId":%q,"tier":%q}`, draft, tier)); answer.Status != 202 {
					t.Errorf("%d %s", answer.Status, answer.Body)
				}
			})
		}
		asking.Wait()
		close(all)
		status := <-ended
		runner.Close()
		d, run := w.Settled(t, draft)
		if d.Run != 1 || run.Number != 1 || status != flow.Succeeded || len(ended) != 0 {
			t.Errorf("run %d, an execution ended %s, and %d more", d.Run, status, len(ended))
		}
		for _, name := range calls {
			if w.Calls(name) != 1 {
				t.Errorf("%s was called %d times", name, w.Calls(name))
			}
		}
	})
}

// A run that nobody ever started is finished when its time is over.
func TestNeverStarted(t *testing.T) {
	bubble(t, "never", func(t *testing.T, w *setuptest.World) {
		draft := w.Draft(t)
		w.Begin(t, draft)
		w.Clock.Freeze(worldtest.Now.Add(proposal.RunLimit))
		if err := w.Sweep(t); err != nil {
			t.Error(err)
		}
		d, run := w.Settled(t, draft)
		if d.Status != proposal.Ready ||
			!slices.Equal(setuptest.Degraded(run), []proposal.DegradationCode{proposal.ProposeInterrupted}) {
			t.Errorf("%s %v", d.Status, setuptest.Degraded(run))
		}
		for _, step := range run.Steps[:len(run.Steps)-1] {
			if step.Status != skipped {
				t.Errorf("%s is %s", step.Stage, step.Status)
			}
		}
		effects(t, run)
	})
}

// A run whose requests to sources are used up goes on with what it has, asks no more, and says what is missing.
func TestSourceBudget(t *testing.T) {
	for _, left := range []int{0, 1, 3, 7} {
		bubble(t, fmt.Sprint(left, " left"), func(t *testing.T, w *setuptest.World) {
			draft := w.Draft(t)
			key := w.Begin(t, draft)
			if ok, err := w.Store.SpendSurvey(t.Context(), key, proposal.SourceBudget-left, proposal.SourceBudget); err != nil ||
				!ok {
				t.Fatal(ok, err)
			}
			if status := w.Run(t, key); status != flow.Succeeded {
				t.Error(status)
			}
			d, run := w.Settled(t, draft)
			if d.Status != proposal.Ready || w.Requests() != left {
				t.Errorf("%s, %d requests", d.Status, w.Requests())
			}
			effects(t, run)
			if measured := !slices.Contains(setuptest.Degraded(run), proposal.MeasurementFailed); measured != (left > 0) {
				t.Errorf("measured: %v", measured)
			}
			unverified := 0
			for _, k := range run.Proposal.Keywords {
				if len(k.Volume.UnverifiedSources) > 0 {
					unverified++
				}
			}
			if left > 0 && unverified == 0 {
				t.Error("no keyword names a source that was not reached")
			}
		})
	}
}

// However many candidates there are, counting leaves requests for reading posts, and reaches each of the sources, the last too.
func TestCountingLeavesRequestsForPosts(t *testing.T) {
	bubble(t, "a rich profile in many sources", func(t *testing.T, w *setuptest.World) {
		w.Sources = nil
		for i := range 30 {
			name := fmt.Sprintf("platform%02d", i)
			w.Sources = append(w.Sources, setuptest.NewShelf(name, setuptest.Posts(name)...))
		}
		draft := w.Draft(t)
		if _, err := w.Store.EditProfile(t.Context(), w.Main.ID, draft, func(p *proposal.Profile) error {
			for i := range 30 {
				p.Competitors = append(p.Competitors, fmt.Sprintf("Rivalrix%c%c", 'a'+i/26, 'a'+i%26))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		w.Run(t, w.Begin(t, draft))
		_, run := w.Settled(t, draft)
		effects(t, run)
		if slices.Contains(setuptest.Degraded(run), proposal.SampleFailed) {
			t.Error("no post was read")
		}
		brand := run.Proposal.Keywords[0]
		if len(brand.Volume.PerSource) != len(w.Sources) || len(brand.Volume.UnverifiedSources) > 0 {
			t.Errorf("%q was counted in %d of %d sources", brand.Keyword, len(brand.Volume.PerSource), len(w.Sources))
		}
		counted := 0
		for _, each := range w.Sources {
			counted += each.(*setuptest.Shelf).Requests()
		}
		if counted > proposal.SourceBudget || counted <= proposal.CountBudget {
			t.Errorf("%d requests of %d, of which %d are for counting", counted, proposal.SourceBudget, proposal.CountBudget)
		}
	})
}

// One of two sources fails: its name is told, and the other's counts are there.
func TestOneSourceFails(t *testing.T) {
	for name, deny := range map[string]func(context.Context, int, source.Query) error{
		"answers 503": func(context.Context, int, source.Query) error {
			return &source.Unavailable{Source: "reddit", Reason: "answered 503"}
		},
		"asks to wait for an hour": func(context.Context, int, source.Query) error {
			return &source.Unavailable{Source: "reddit", Reason: "answered 429", RetryAfter: 3600e9}
		},
		"has no credentials": func(context.Context, int, source.Query) error { return source.ErrNoCredentials },
		"never answers":      func(ctx context.Context, _ int, _ source.Query) error { <-ctx.Done(); return ctx.Err() },
		"panics":             func(context.Context, int, source.Query) error { panic("a poisoned source") },
		"fails each second time": func(_ context.Context, n int, _ source.Query) error {
			if n%2 == 0 {
				return &source.Unavailable{Source: "reddit", Reason: "answered HTML"}
			}
			return nil
		},
	} {
		bubble(t, name, func(t *testing.T, w *setuptest.World) {
			w.Sources[1].(*setuptest.Shelf).Deny = deny
			draft := w.Draft(t)
			if status := w.Run(t, w.Begin(t, draft)); status != flow.Succeeded {
				t.Error(status)
			}
			d, run := w.Settled(t, draft)
			if d.Status != proposal.Ready || slices.Contains(setuptest.Degraded(run), proposal.MeasurementFailed) {
				t.Fatalf("%s %v", d.Status, setuptest.Degraded(run))
			}
			effects(t, run)
			if name != "panics" && len(setuptest.Degraded(run)) != 0 {
				t.Errorf("degraded %v", setuptest.Degraded(run))
			}
			m := run.Proposal.Measurement
			if !slices.Contains(m.Sources, "hackernews") ||
				!slices.Contains(m.Unmeasured, "reddit") && name != "fails each second time" {
				t.Errorf("measured in %v, not in %v", m.Sources, m.Unmeasured)
			}
		})
	}
}

// A model that panics costs the proposal the model alone.
func TestModelPanics(t *testing.T) {
	bubble(t, "panics", func(t *testing.T, w *setuptest.World) {
		w.Model = modeltest.Scripted(func(context.Context, model.Conversation, int) (model.Reply,
			error) {
			panic("poisoned")
		})
		draft := w.Draft(t)
		w.Run(t, w.Begin(t, draft))
		_, run := w.Settled(t, draft)
		if !slices.Equal(setuptest.Degraded(run), []proposal.DegradationCode{proposal.AgentFailed}) {
			t.Errorf("%v", setuptest.Degraded(run))
		}
		effects(t, run)
	})
}

// A workspace's tokens of the day bound its agents: what is left is too little for a second run, which asks the model
// nothing. A run takes its tokens once, also if its agent is killed after a turn and called again.
func TestTokensOfTheDay(t *testing.T) {
	bubble(t, "tokens", func(t *testing.T, w *setuptest.World) {
		good := modeltest.Good()
		w.Model, w.Tokens = good, 2*proposal.Balanced.Depth().Tokens-1
		draft := w.Draft(t)
		key := w.Begin(t, draft)
		var once sync.Once
		w.SetHook(func(ctx context.Context, in, operation string, do func(context.Context) error) error {
			if in == "agent" && len(good.Requests()) > 1 {
				once.Do(func() { setuptest.Crash(operation) })
			}
			return do(ctx)
		})
		w.Run(t, key)
		w.SetHook(nil)
		if w.Calls("agent") != 2 {
			t.Fatalf("the agent was called %d times, want 2", w.Calls("agent"))
		}
		_, first := w.Settled(t, draft)
		asked := len(good.Requests())
		w.Run(t, w.Begin(t, draft))
		_, second := w.Settled(t, draft)
		if asked == 0 || len(good.Requests()) != asked || len(setuptest.Degraded(first)) != 0 ||
			!slices.Equal(setuptest.Degraded(second), []proposal.DegradationCode{proposal.AgentBudgetExceeded}) {
			t.Errorf("asked %d, then %d; %v, %v", asked, len(good.Requests()), setuptest.Degraded(first), setuptest.Degraded(second))
		}
	})
}

// A store that turns away every third operation throughout changes nothing.
func TestStoreThrottlesNowAndThen(t *testing.T) {
	want := undisturbed(t)
	bubble(t, "throttled", func(t *testing.T, w *setuptest.World) {
		w.Model = modeltest.Good()
		draft := w.Draft(t)
		key := w.Begin(t, draft)
		var mu sync.Mutex
		n := 0
		w.SetHook(func(ctx context.Context, _, _ string, do func(context.Context) error) error {
			mu.Lock()
			n++
			turned := n%3 == 0
			mu.Unlock()
			if turned {
				return table.ErrThrottled
			}
			return do(ctx)
		})
		status := w.Run(t, key)
		w.SetHook(nil)
		w.Settled(t, draft)
		if got := w.Document(t, draft); got != want || status != flow.Succeeded {
			t.Errorf("%s: %s", status, difference(got, want))
		}
	})
}

// While the store answers nothing, nothing can settle; once it answers again, the next sweep settles everything.
func TestStoreIsAway(t *testing.T) {
	for _, kind := range []fault.Kind{fault.Throttle, fault.Error, fault.Crash} {
		for _, operation := range []string{"*", "transact", "batchGet", "query", "put"} {
			bubble(t, fmt.Sprint(kind, " ", operation), func(t *testing.T, w *setuptest.World) {
				draft := w.Draft(t)
				key := w.Begin(t, draft)
				if err := w.Faults.Add(fault.Fault{Port: fault.TablePort, Operation: operation, Fault: kind}); err != nil {
					t.Fatal(err)
				}
				w.Run(t, key)
				w.Clock.Freeze(worldtest.Now.Add(proposal.RunLimit))
				func() {
					defer func() {
						if value := recover(); value != nil {
							if _, crashed := value.(fault.Crashed); !crashed {
								panic(value)
							}
						}
					}()
					if err := w.Sweep(t); err != nil && kind != fault.Crash && !table.Retryable(err) {
						t.Errorf("the sweep: %v", err)
					}
				}()
				w.Faults.Clear()
				if err := w.Sweep(t); err != nil {
					t.Error(err)
				}
				d, run := w.Settled(t, draft)
				if d.Status != proposal.Ready {
					t.Errorf("%s: %s", d.Status, d.Message)
				}
				effects(t, run)
			})
		}
	}
}

// A proposal that is too much for the plan needs narrowing, whoever composed it, and is shown.
func TestNeedsNarrowing(t *testing.T) {
	for name, script := range map[string]func() *modeltest.Script{"by code": nil, "by a model": modeltest.Good} {
		bubble(t, name, func(t *testing.T, w *setuptest.World) {
			if script != nil {
				w.Model = script()
			}
			draft := w.Draft(t)
			products := []string{"Harborline", "Quietpager", "Moorlight", "Tideglass", "Keelwatch", "Sternpost", "Bilgewise",
				"Capstanly"}
			_, err := w.Store.EditProfile(t.Context(), w.Main.ID, draft, func(p *proposal.Profile) error {
				p.Products = products
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			w.Sources = []source.Source{setuptest.NewShelf("hackernews", setuptest.Flood("hackernews", 2_000, products...)...)}
			err = w.Store.ChangeWorkspace(t.Context(), w.Main.ID, func(o *workspace.Workspace) error {
				o.Plan = workspace.FreeTrial
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			w.Run(t, w.Begin(t, draft))
			d, run := w.Settled(t, draft)
			if d.Status != proposal.NeedsNarrowing || run.AgentFallback != (script == nil) || len(run.Degraded()) != 0 {
				t.Errorf("%s, fallback %v, degraded %v", d.Status, run.AgentFallback, run.Degraded())
			}
			if document := w.Document(t, draft); !strings.Contains(document, `"status": "needs_narrowing"`) ||
				!strings.Contains(document, `"band": "blocked"`) {
				t.Error(document)
			}
			if run.Steps[len(run.Steps)-1].Status != proposal.StepOK {
				t.Errorf("%+v", run.Steps[len(run.Steps)-1])
			}
		})
	}
}

// A workspace that tracks what is proposed already, or has no room for more, still gets a proposal: of what there is to choose.
func TestWorkspaceHasItAll(t *testing.T) {
	room := func(edit func(r *proposal.Room)) func(w *setuptest.World) {
		return func(w *setuptest.World) { w.Room = edit }
	}
	for name, prepare := range map[string]func(w *setuptest.World){
		"no room":      room(func(r *proposal.Room) { r.Keywords = 0 }),
		"room for one": room(func(r *proposal.Room) { r.Keywords = 1 }),
		"tracks it all": room(func(r *proposal.Room) {
			r.Tracked = []string{"quietharbor", "Quietharbor.example", "@quietharborhq", "HARBORLINE", "zendrix",
				"incident response"}
		}),
		"tracks its own": room(func(r *proposal.Room) {
			r.Tracked = []string{"Quietharbor", "quietharbor.example", "@quietharborhq", "Harborline"}
		}),
		"no allowance": room(func(r *proposal.Room) { r.Allowance = 1 }),
		"no platform":  room(func(r *proposal.Room) { r.Platforms = nil }),
		"one platform": room(func(r *proposal.Room) { r.Platforms = []string{"newsletter"} }),
	} {
		bubble(t, name, func(t *testing.T, w *setuptest.World) {
			prepare(w)
			draft := w.Draft(t)
			w.Run(t, w.Begin(t, draft))
			d, run := w.Settled(t, draft)
			if d.Status == proposal.Failed {
				t.Fatalf("%s %v", d.Message, run.Steps)
			}
		})
	}
}
