package sfntest_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/events/message"
	"earshot/shared/aws/sfnflow/sfntest"
	"earshot/shared/embedded/memflow"
	"earshot/shared/port/flow"
	"earshot/shared/proposal"
)

// deployed is the definition that is deployed: a test of infra holds it against what is synthesized.
func deployed(t *testing.T) string {
	t.Helper()
	content, err := os.ReadFile("../../../../infra/testdata/setup.asl.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

const ids = `{"workspaceId":"org_1","draftId":"draft_1","run":3,"sources":["a","b","c","d","e","f","g","h","i","j"]}`

// A behaviour is what a call does, by "stage" or "stage/source", at its so-manieth attempt.
type behaviour func(ctx context.Context, call string, attempt int) error

// A recorder notes the calls of one execution.
type recorder struct {
	does behaviour

	mu       sync.Mutex
	calls    []string // "stage/source #attempt"
	attempts map[string]int
	at, most int
	other    []string // what was called with beside the ids of the execution
}

func (r *recorder) call(ctx context.Context, stage string, payload []byte) error {
	var call message.SetupStage
	strict := json.NewDecoder(bytes.NewReader(payload))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&call); err != nil {
		return r.surprise(payload)
	}
	name := stage
	if call.Source != "" {
		name += "/" + call.Source
	}
	call.Source = ""
	if bare, _ := json.Marshal(call); string(bare) != ids {
		return r.surprise(payload)
	}
	r.mu.Lock()
	r.attempts[name]++
	attempt := r.attempts[name]
	r.calls = append(r.calls, fmt.Sprint(name, " #", attempt))
	r.at++
	r.most = max(r.most, r.at)
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		r.at--
		r.mu.Unlock()
	}()
	return r.does(ctx, name, attempt)
}

func (r *recorder) surprise(payload []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.other = append(r.other, string(payload))
	return errors.New("called with something else")
}

// sequence is the calls in their order, where those of sources, which have none, are sorted.
func (r *recorder) sequence() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls := slices.Clone(r.calls)
	for from := 0; from < len(calls); {
		to := from
		for to < len(calls) && strings.Contains(calls[to], "/") {
			to++
		}
		slices.Sort(calls[from:to])
		from = max(to, from+1)
	}
	return append(calls, r.other...)
}

// onMachine runs an execution on the interpreter.
func onMachine(t *testing.T, definition string, does behaviour) (r *recorder, status string, entered map[string]int) {
	t.Helper()
	r = &recorder{does: does, attempts: map[string]int{}}
	m := sfntest.New(t, sfntest.Endpoint(t), definition,
		func(ctx context.Context, stage string, payload []byte) ([]byte, error) {
			// Whatever a stage answers, the next is not called with it.
			return []byte(`{"sources":[],"run":99}`), r.call(ctx, stage, payload)
		})
	name := "run-" + rand.Text()
	if err := m.Start(t.Context(), name, []byte(ids)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	status, err := m.Wait(ctx, name)
	if err != nil {
		t.Fatalf("Wait() = %v after the calls %v", err, r.sequence())
	}
	if entered, err = m.Entered(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	return r, status, entered
}

// onMemory runs one in the process.
func onMemory(t *testing.T, stages []proposal.StageSpec, limit time.Duration, does behaviour) (r *recorder, status string) {
	t.Helper()
	r = &recorder{does: does, attempts: map[string]int{}}
	ended := make(chan string, 1)
	for i := range stages {
		stages[i].Pause = 0
	}
	f := memflow.New(memflow.Options{
		Stages: stages, Limit: limit,
		Call: func(ctx context.Context, stage proposal.StageSpec, input []byte) error {
			return r.call(ctx, string(stage.Name), input)
		},
		Ended: func(_ context.Context, _ []byte, status string) { ended <- status },
	})
	defer f.Close()
	if err := f.Start(t.Context(), "run", []byte(ids)); err != nil {
		t.Fatal(err)
	}
	return r, <-ended
}

// The deployed machine and the laptop's runner make the same calls in the same order, whatever fails.
func TestMachine_SameCallsAsLaptop(t *testing.T) {
	always := 99
	for _, c := range []struct {
		name   string
		fails  map[string]int // calls that fail their first attempts, so many of each
		panics bool
		status string
	}{
		{"good", nil, false, flow.Succeeded},
		{"candidates", map[string]int{"candidates": always}, false, flow.Succeeded},
		{"one source", map[string]int{"measure/c": always}, false, flow.Succeeded},
		{"every source", map[string]int{"measure/a": always, "measure/b": always, "measure/c": always, "measure/d": always,
			"measure/e": always,
			"measure/f": always, "measure/g": always, "measure/h": always, "measure/i": always, "measure/j": always}, false,
			flow.Succeeded},
		{"the join", map[string]int{"measure": always}, false, flow.Succeeded},
		{"sample", map[string]int{"sample": always}, false, flow.Succeeded},
		{"agent", map[string]int{"agent": always}, false, flow.Succeeded},
		{"validate", map[string]int{"validate": always}, false, flow.Failed},
		{"everything but the last",
			map[string]int{"candidates": always, "measure/a": always, "measure": always, "sample": always, "agent": always},
			false, flow.Succeeded},
		{"again", map[string]int{"candidates": 2, "measure/b": 1, "measure": 1, "sample": 1, "agent": 1, "validate": 3},
			false, flow.Succeeded},
		{"died", map[string]int{"candidates": 1, "measure/b": 1, "agent": always}, true, flow.Succeeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			does := func(_ context.Context, call string, attempt int) error {
				switch {
				case attempt > c.fails[call]:
					return nil
				case c.panics:
					panic("no")
				}
				return errors.New("no")
			}
			there, status, entered := onMachine(t, deployed(t), does)
			here, local := onMemory(t, proposal.Pipeline(), 0, does)
			if got, want := there.sequence(), here.sequence(); !slices.Equal(got, want) {
				t.Errorf("the machine calls\n%q\nthe laptop\n%q", got, want)
			}
			if status != c.status || local != c.status {
				t.Errorf("the machine ends %s, the laptop %s, want %s", status, local, c.status)
			}
			if width := 8; there.most > width || here.most > width {
				t.Errorf("%d and %d calls at once", there.most, here.most)
			}
			want := map[string]int{"Candidates": 1, "MeasureSources": 1, "MeasureSource": 10, "Measure": 1, "Sample": 1,
				"Agent": 1, "Validate": 1}
			for call, times := range c.fails {
				if strings.Contains(call, "/") && times == always {
					want["MeasureSourceFailed"]++
				}
			}
			if !maps.Equal(entered, want) {
				t.Errorf("entered %v, want %v", entered, want)
			}
		})
	}
}

// A call that takes too long fails its attempt, and a run that does ends. The deployed times are cut: nothing else of
// the definition is.
func TestMachine_TimeLimits(t *testing.T) {
	shortened := func(t *testing.T, from, to string) string {
		t.Helper()
		short := strings.Replace(deployed(t), `"TimeoutSeconds": `+from, `"TimeoutSeconds": `+to, 1)
		if short == deployed(t) {
			t.Fatalf("nothing takes %s s", from)
		}
		return short
	}
	hangs := func(until int) behaviour {
		return func(ctx context.Context, call string, attempt int) error {
			if call == "candidates" && attempt <= until {
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
	}
	t.Run("of a stage", func(t *testing.T) {
		t.Parallel()
		stages := proposal.Pipeline()
		stages[0].Limit = 50 * time.Millisecond
		there, status, _ := onMachine(t, shortened(t, "30", "1"), hangs(2))
		here, local := onMemory(t, stages, 0, hangs(2))
		if !slices.Equal(there.sequence(), here.sequence()) || status != flow.Succeeded || local != status ||
			there.attempts["candidates"] != 3 {
			t.Errorf("the machine ends %s after %q, the laptop %s after %q", status, there.sequence(), local, here.sequence())
		}
	})
	t.Run("of a run", func(t *testing.T) {
		t.Parallel()
		there, status, _ := onMachine(t, shortened(t, "900", "2"), hangs(9))
		here, local := onMemory(t, proposal.Pipeline(), 200*time.Millisecond, hangs(9))
		if !slices.Equal(there.sequence(), here.sequence()) || status != flow.TimedOut || local != status {
			t.Errorf("the machine ends %s after %q, the laptop %s after %q", status, there.sequence(), local, here.sequence())
		}
	})
}

// A run that is stopped is aborted, in the process by its end.
func TestStop(t *testing.T) {
	began, hang := make(chan struct{}, 9), make(chan struct{})
	m := sfntest.New(t, sfntest.Endpoint(t), deployed(t), func(ctx context.Context, _ string, _ []byte) ([]byte, error) {
		began <- struct{}{}
		select {
		case <-hang:
		case <-ctx.Done():
		}
		return nil, nil
	})
	if err := m.Start(t.Context(), "run", []byte(ids)); err != nil {
		t.Fatal(err)
	}
	<-began
	if err := m.Stop(t.Context(), "run"); err != nil {
		t.Fatal(err)
	}
	close(hang)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if status, err := m.Wait(ctx, "run"); status != flow.Aborted || err != nil {
		t.Errorf("%s, %v", status, err)
	}
}
