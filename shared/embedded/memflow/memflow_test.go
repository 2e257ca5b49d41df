package memflow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"earshot/events/message"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/memflow"
	"earshot/shared/port/flow"
	"earshot/shared/proposal"
)

// A run is one execution of a pipeline as it was seen by what it calls.
type run struct {
	calls   []string        // "after s: stage[/source]" in order; those at the same time by name
	status  string          // told to Ended
	took    time.Duration   // from Start to Ended
	most    int             // calls at the same time
	journal *journal        //
	inputs  map[string]bool // what was called with, without the source
}

// A behaviour is what a call does, by its stage and source, at its so-manieth attempt.
type behaviour func(ctx context.Context, call string, attempt int) error

const ids = `{"workspaceId":"org_1","draftId":"draft_1","run":3,"sources":["a","b","c"]}`

// play runs the stages once, in a bubble in which time is made up.
func play(t *testing.T, stages []proposal.StageSpec, input string, does behaviour) (seen run) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		seen = run{journal: &journal{}, inputs: map[string]bool{}}
		begun, ended := time.Now(), make(chan struct{})
		var mu sync.Mutex
		attempts, at := map[string]int{}, 0
		f := memflow.New(memflow.Options{
			Stages: stages,
			Call: func(ctx context.Context, stage proposal.StageSpec, input []byte) error {
				var ids message.SetupStage
				if err := json.Unmarshal(input, &ids); err != nil {
					t.Error(err)
				}
				name := string(stage.Name)
				if ids.Source != "" {
					name += "/" + ids.Source
				}
				mu.Lock()
				attempts[name]++
				attempt := attempts[name]
				seen.calls = append(seen.calls, fmt.Sprintf("%4.1f %s", time.Since(begun).Seconds(), name))
				ids.Source = ""
				bare, _ := json.Marshal(ids)
				seen.inputs[string(bare)] = true
				at++
				seen.most = max(seen.most, at)
				mu.Unlock()
				defer func() {
					mu.Lock()
					at--
					mu.Unlock()
				}()
				return does(ctx, name, attempt)
			},
			Ended: func(ctx context.Context, got []byte, status string) {
				if string(got) != input || ctx.Err() != nil {
					t.Errorf("ended with %s, %v", got, ctx.Err())
				}
				seen.status, seen.took = status, time.Since(begun)
				close(ended)
			},
			Log: slog.New(slog.NewJSONHandler(seen.journal, nil)),
		})
		if err := f.Start(t.Context(), "x", []byte(input)); err != nil {
			t.Fatal(err)
		}
		<-ended
		f.Close()
		slices.Sort(seen.calls)
	})
	return seen
}

// failing is a behaviour by which these calls fail their first attempts, so many of each.
func failing(times map[string]int) behaviour {
	return func(_ context.Context, call string, attempt int) error {
		if attempt <= times[call] {
			return errors.New("no")
		}
		return nil
	}
}

func TestSetup(t *testing.T) {
	always := 99
	for _, c := range []struct {
		name   string
		fails  map[string]int
		status string
		calls  string // "stage×calls" in the order of their first calls
		took   time.Duration
	}{
		{"good", nil, flow.Succeeded,
			"candidates×1 measure/a×1 measure/b×1 measure/c×1 measure×1 sample×1 agent×1 validate×1", 0},
		{"again, with growing pauses", map[string]int{"candidates": 2}, flow.Succeeded,
			"candidates×3 measure/a×1 measure/b×1 measure/c×1 measure×1 sample×1 agent×1 validate×1", 3 * time.Second},
		{"candidates", map[string]int{"candidates": always}, flow.Succeeded,
			"candidates×3 measure/a×1 measure/b×1 measure/c×1 measure×1 sample×1 agent×1 validate×1", 3 * time.Second},
		{"one source", map[string]int{"measure/b": always}, flow.Succeeded,
			"candidates×1 measure/a×1 measure/b×2 measure/c×1 measure×1 sample×1 agent×1 validate×1", 2 * time.Second},
		{"every source", map[string]int{"measure/a": always, "measure/b": always, "measure/c": 1}, flow.Succeeded,
			"candidates×1 measure/a×2 measure/b×2 measure/c×2 measure×1 sample×1 agent×1 validate×1", 2 * time.Second},
		{"the join", map[string]int{"measure": always}, flow.Succeeded,
			"candidates×1 measure/a×1 measure/b×1 measure/c×1 measure×2 sample×1 agent×1 validate×1", 2 * time.Second},
		{"sample", map[string]int{"sample": always}, flow.Succeeded,
			"candidates×1 measure/a×1 measure/b×1 measure/c×1 measure×1 sample×2 agent×1 validate×1", 2 * time.Second},
		{"agent", map[string]int{"agent": always}, flow.Succeeded,
			"candidates×1 measure/a×1 measure/b×1 measure/c×1 measure×1 sample×1 agent×2 validate×1", 2 * time.Second},
		{"validate", map[string]int{"validate": always}, flow.Failed,
			"candidates×1 measure/a×1 measure/b×1 measure/c×1 measure×1 sample×1 agent×1 validate×4", 7 * time.Second},
		{"all but the last", map[string]int{"candidates": always, "measure/a": always, "measure": always, "sample": always,
			"agent": always},
			flow.Succeeded, "candidates×3 measure/a×2 measure/b×1 measure/c×1 measure×2 sample×2 agent×2 validate×1",
			11 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen := play(t, proposal.Pipeline(), ids, failing(c.fails))
			if got := counted(seen.calls); got != c.calls || seen.status != c.status || seen.took != c.took {
				t.Errorf("%s after %v: %s\nwant %s after %v: %s", seen.status, seen.took, got, c.status, c.took, c.calls)
			}
			if len(seen.inputs) != 1 || !seen.inputs[ids] {
				t.Errorf("called with %v", seen.inputs)
			}
		})
	}
}

// counted says how often each call was made.
func counted(calls []string) string {
	var order []string
	times := map[string]int{}
	for _, call := range calls {
		name := strings.Fields(call)[1]
		if times[name]++; times[name] == 1 {
			order = append(order, name)
		}
	}
	// Calls at one moment are in the order of the pipeline, and sources before what joins them.
	place := func(name string) string {
		stage, source, one := strings.Cut(name, "/")
		for i, each := range proposal.Pipeline() {
			if string(each.Name) == stage {
				return fmt.Sprint(i, !one, source)
			}
		}
		return name
	}
	slices.SortStableFunc(order, func(a, b string) int { return strings.Compare(place(a), place(b)) })
	for i, name := range order {
		order[i] = fmt.Sprintf("%s×%d", name, times[name])
	}
	return strings.Join(order, " ")
}

// What an attempt can die of. All of it fails the attempt alone.
func TestDeaths(t *testing.T) {
	for name, c := range map[string]struct {
		die   func(ctx context.Context) error
		cause string
		after time.Duration // until the second attempt
	}{
		"an error": {func(context.Context) error { return errors.New("no") }, "no", time.Second},
		"a panic":  {func(context.Context) error { panic("no") }, "it panicked: no", time.Second},
		"nil":      {func(context.Context) error { panic(nil) }, "it panicked: panic called with nil argument", time.Second},
		"an injected end": {func(context.Context) error { panic(fault.Crashed{Port: "table", Operation: "put"}) },
			"it panicked: fault: injected crash", time.Second},
		"its goroutine": {func(context.Context) error { runtime.Goexit(); return nil }, "its goroutine ended", time.Second},
		"too long": {func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
			"it took longer than its limit", 6 * time.Second},
		"too late": {func(ctx context.Context) error { <-ctx.Done(); return nil }, "it took longer than its limit",
			6 * time.Second},
		"a deaf one": {func(context.Context) error { time.Sleep(time.Minute); return nil },
			"it took longer than its limit", 16 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			stages := []proposal.StageSpec{{Name: "one", Limit: 5 * time.Second, Attempts: 2, Pause: time.Second},
				{Name: "two", Limit: time.Second, Attempts: 1}}
			seen := play(t, stages, ids, func(ctx context.Context, call string, attempt int) error {
				if call == "one" && attempt == 1 {
					return c.die(ctx)
				}
				return nil
			})
			want := []string{" 0.0 one", fmt.Sprintf("%4.1f one", c.after.Seconds()),
				fmt.Sprintf("%4.1f two", c.after.Seconds())}
			if !slices.Equal(seen.calls, want) || seen.status != flow.Succeeded {
				t.Errorf("%s: %q, want %q", seen.status, seen.calls, want)
			}
			if causes := seen.journal.causes(); len(causes) != 1 || !strings.HasPrefix(causes[0], c.cause) {
				t.Errorf("causes %q, want %q", causes, c.cause)
			}
		})
	}
}

func TestWidth(t *testing.T) {
	stages := func(width int) []proposal.StageSpec {
		return []proposal.StageSpec{{
			Name:     "m",
			Limit:    time.Minute,
			Attempts: 1,
			Each:     true,
			Width:    width,
			Fails:    proposal.MeasurementFailed,
		}}
	}
	slow := func(context.Context, string, int) error { time.Sleep(time.Second); return nil }
	for _, c := range []struct {
		input string
		width int
		calls []string
		most  int
	}{
		{`{"sources":["a","b","c"]}`, 2, []string{" 0.0 m/a", " 0.0 m/b", " 1.0 m/c", " 2.0 m"}, 2},
		{`{"sources":["a","b","c"]}`, 1, []string{" 0.0 m/a", " 1.0 m/b", " 2.0 m/c", " 3.0 m"}, 1},
		{`{"sources":["a","b","c"]}`, 9, []string{" 0.0 m/a", " 0.0 m/b", " 0.0 m/c", " 1.0 m"}, 3},
		{`{"sources":["a","b","c"]}`, 0, []string{" 0.0 m/a", " 0.0 m/b", " 0.0 m/c", " 1.0 m"}, 3},
		{`{"sources":[]}`, 2, []string{" 0.0 m"}, 1},
	} {
		seen := play(t, stages(c.width), c.input, slow)
		if !slices.Equal(seen.calls, c.calls) || seen.most != c.most || seen.status != flow.Succeeded {
			t.Errorf("%s %d at once: %q, %d at once, %s", c.input, c.width, seen.calls, seen.most, seen.status)
		}
	}
	// The deployment's Map cannot be made of these either, and no stage's failing makes up for it.
	for _, input := range []string{`{}`, `{"sources":null}`, `{"sources":7}`, `[]`, `"x"`} {
		if seen := play(t, stages(2), input, slow); seen.status != flow.Failed || len(seen.calls) != 0 {
			t.Errorf("%s: %s, %q", input, seen.status, seen.calls)
		}
	}
}

// An execution has a limit of its own, in which nothing more begins.
func TestLimit(t *testing.T) {
	forever := []proposal.StageSpec{
		{Name: "m", Limit: time.Hour, Attempts: 9, Each: true, Width: 1, Fails: proposal.MeasurementFailed},
		{Name: "x", Limit: time.Hour, Attempts: 1},
	}
	for name, does := range map[string]behaviour{
		"in a call": func(ctx context.Context, _ string, _ int) error { <-ctx.Done(); return ctx.Err() },
		"in a call that answers late": func(ctx context.Context, _ string, _ int) error {
			<-ctx.Done()
			return nil
		},
		"in a pause": func(_ context.Context, _ string, _ int) error { return errors.New("no") },
	} {
		t.Run(name, func(t *testing.T) {
			forever[0].Pause = 0
			if name == "in a pause" {
				forever[0].Pause = time.Hour
			}
			seen := play(t, forever, ids, does)
			if seen.status != flow.TimedOut || seen.took != proposal.RunLimit ||
				!slices.Equal(seen.calls, []string{" 0.0 m/a"}) {
				t.Errorf("%s after %v: %q", seen.status, seen.took, seen.calls)
			}
		})
	}
}

// A stage that fails for good when nothing comes after it, though the proposal can do without.
func TestExecution_LastStageFails(t *testing.T) {
	seen := play(t, []proposal.StageSpec{{
		Name:     "x",
		Limit:    time.Hour,
		Attempts: 2,
		Pause:    time.Second,
		Fails:    proposal.AgentFailed,
	}}, ids,
		failing(map[string]int{"x": 9}))
	if seen.status != flow.Succeeded || len(seen.calls) != 2 {
		t.Errorf("%s: %q", seen.status, seen.calls)
	}
}
