package setupstages_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"earshot/functions/setupstages/setuptest"
	"earshot/shared/port/flow"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/rows"
)

// What may happen to a stage.
const (
	itEnds     = "it ends"
	itFails    = "every call of it fails"
	diesDuring = "the run dies while it runs"
	diesBefore = "the run dies before it begins"
)

// A deployed is the part of the deployed state machine that says what follows a state.
type deployed struct {
	StartAt string
	States  map[string]struct {
		Next           string
		End            bool
		TimeoutSeconds int
		Retry          []struct{ MaxAttempts int }
		Catch          []struct{ Next string }
	}
}

// For each stage and each event, everybody who knows of stages does what the table says: the state machine that is
// deployed, the runner, the store's rows and the statuses of the API.
func TestStages_AgreeWithTable(t *testing.T) {
	content, err := os.ReadFile("../../infra/testdata/setup.asl.json")
	if err != nil {
		t.Fatal(err)
	}
	var machine deployed
	if err := json.Unmarshal(content, &machine); err != nil {
		t.Fatal(err)
	}
	for place, stage := range proposal.Pipeline() {
		machine.check(t, place)
		for _, event := range []string{itEnds, itFails, diesDuring, diesBefore} {
			bubble(t, fmt.Sprint(stage.Name, ": ", event), func(t *testing.T, w *setuptest.World) {
				w.Model = modeltest.Good()
				followed, status := play(t, w, stage, event)
				var want []string
				wantStatus := flow.Succeeded
				switch {
				case event == diesDuring || event == diesBefore:
					wantStatus = flow.Aborted
				case event == itFails && stage.Fatal():
					wantStatus = flow.Failed
				default:
					for _, next := range proposal.Stages()[place+1:] {
						want = append(want, string(next))
					}
				}
				if !slices.Equal(followed, want) || status != wantStatus {
					t.Errorf("the runner goes on with %v and ends %s, want %v and %s", followed, status, want, wantStatus)
				}
			})
		}
	}
}

// play runs a run in which the event happens to the stage, polls the API behind each write, and compares the steps with
// the table's. It returns the stages that were called after the event, and how the execution ended.
func play(t *testing.T, w *setuptest.World, stage proposal.StageSpec, event string) (followed []string, status string) {
	t.Helper()
	p := newPoller(t, w)
	p.across = nil
	key := w.Begin(t, p.draft)
	hanging := make(chan struct{})
	stop := sync.OnceFunc(func() { close(hanging) })
	var mu sync.Mutex
	happened := false
	w.Disturb = func(ctx context.Context, name string, call func(context.Context) error) error {
		here := stageOf(name) == stage.Name
		mu.Lock()
		if happened && !here {
			followed = append(followed, string(stageOf(name)))
		}
		happened = happened || here
		mu.Unlock()
		switch {
		case here && event == itFails:
			return errors.New("it fails")
		case here && event == diesBefore:
			stop()
			<-ctx.Done()
			return ctx.Err()
		}
		return call(ctx)
	}
	w.SetHook(func(ctx context.Context, in, operation string, do func(context.Context) error) error {
		err := p.hook(ctx, in, operation, do)
		if event == diesDuring && stageOf(in) == stage.Name && operation == "transact" {
			stop()
			<-ctx.Done()
			return ctx.Err()
		}
		return err
	})
	ended := make(chan string, 1)
	runner := w.Flow(t, setuptest.Hurried(), func(status string) { ended <- status }, false)
	start(t, runner, "run", w.Payload(t, key))
	if event == diesDuring || event == diesBefore {
		<-hanging
		runner.Close()
	}
	status = <-ended
	runner.Close()
	p.end()
	d, run := w.Settled(t, p.draft)
	if d.Status != proposal.Ready {
		t.Fatalf("%s: %s", d.Status, d.Message)
	}
	if code := event != itEnds &&
		(stage.Name == proposal.StageAgent || status != flow.Succeeded); run.AgentFallback != code {
		t.Errorf("fallback is %t, want %t", run.AgentFallback, code)
	}
	effects(t, run)
	w.Document(t, p.draft) // holds to the description's schema
	for place, each := range proposal.Pipeline() {
		step := run.Steps[place]
		got := proposal.Ending{Status: step.Status, Line: step.Line, Degraded: step.Degraded}
		if want := wanted(each, stage, event, got.Line); !reflect.DeepEqual(got, want) {
			t.Errorf("%s ends %+v, want %+v", each.Name, got, want)
		}
		at := table.Key{Partition: key.WorkspaceID, Sort: fmt.Sprintf("run#%s#%010d#step#%d", key.DraftID, key.Number, place)}
		row, err := w.Table.Get(t.Context(), table.Get{Table: rows.CoreTable, Key: at})
		if err != nil || rows.Text(row, "stage") != string(each.Name) {
			t.Errorf("row %s is of stage %q, %v", at.Sort, rows.Text(row, "stage"), err)
		}
	}
	return slices.Compact(followed), status
}

// wanted returns how a stage ends when the event happens to another, or to itself, by the table. line is that of a
// stage which ends by itself.
func wanted(stage, to proposal.StageSpec, event, line string) proposal.Ending {
	dies := event == diesDuring || event == diesBefore || event == itFails && to.Fatal()
	switch after := stage.Name.Place() - to.Name.Place(); {
	case after == 0 && event == itFails && !dies:
		return to.Left(proposal.LaterBegins, false)
	case after == 0 && dies:
		return to.Left(proposal.RunDies, event == diesDuring)
	case after > 0 && dies:
		return stage.Left(proposal.RunDies, false)
	}
	return proposal.Ending{Status: proposal.StepOK, Line: line}
}

// check compares what the deployed machine does at a stage, and after it, with the table.
func (m deployed) check(t *testing.T, place int) {
	t.Helper()
	entry := func(place int) string {
		if place >= len(proposal.Stages()) {
			return ""
		}
		stage := proposal.Pipeline()[place]
		name := strings.ToUpper(string(stage.Name[:1])) + string(stage.Name[1:])
		if stage.Each {
			name += "Sources"
		}
		return name
	}
	stage := proposal.Pipeline()[place]
	if place == 0 && m.StartAt != entry(0) {
		t.Errorf("the machine starts at %s, want %s", m.StartAt, entry(0))
	}
	state, ok := m.States[strings.TrimSuffix(entry(place), "Sources")]
	if !ok || state.Next != entry(place+1) || state.End != stage.Name.Last() {
		t.Errorf("after %s the machine goes to %q, want %q", stage.Name, state.Next, entry(place+1))
	}
	if caught := len(state.Catch) == 1 && state.Catch[0].Next == entry(place+1); caught == stage.Fatal() {
		t.Errorf("if %s fails, the machine goes on: %t, want %t", stage.Name, caught, !stage.Fatal())
	}
	if attempts := state.Retry[len(state.Retry)-1].MaxAttempts + 1; attempts != stage.Attempts {
		t.Errorf("the machine calls %s %d times, want %d", stage.Name, attempts, stage.Attempts)
	}
}
