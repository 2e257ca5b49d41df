package setupstages_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/setupstages/setuptest"
	"earshot/functions/setupstages/sweep"
	"earshot/shared/aws/sfnflow/sfntest"
	"earshot/shared/port/flow"
	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/proposal"
	"earshot/shared/source"
)

// onMachine runs a run on the interpreter, by the definition that is deployed, with the real stages, and settles what
// dies as the terminal event does.
func onMachine(t *testing.T, w *setuptest.World, key proposal.Key, short proposal.Stage) (status string) {
	t.Helper()
	content, err := os.ReadFile("../../infra/testdata/setup.asl.json")
	if err != nil {
		t.Fatal(err)
	}
	definition := string(content)
	if short != "" {
		definition = shorten(t, definition, strings.ToUpper(string(short[:1]))+string(short[1:]))
	}
	call := w.Caller(t)
	m := sfntest.New(t, sfntest.Endpoint(t), definition,
		func(ctx context.Context, stage string, payload []byte) ([]byte, error) {
			return nil, call(ctx, proposal.Stage(stage), payload)
		})
	name := fmt.Sprintf("%s-%d", key.DraftID, key.Number)
	if err := m.Start(t.Context(), name, w.Payload(t, key)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if status, err = m.Wait(ctx, name); err != nil {
		t.Fatal(err)
	}
	if status != flow.Succeeded {
		if err := sweep.End(t.Context(), w.Options(), string(w.Payload(t, key))); err != nil {
			t.Error(err)
		}
	}
	return status
}

// The deployed state machine, executed by an interpreter that nobody here wrote and with the real stages, comes to the
// same final document as the laptop's runner: for a good run, for each degradation, and when a run dies.
func TestTheMachineComesToTheSame(t *testing.T) {
	sfntest.Endpoint(t)
	script := func(s func() *modeltest.Script) func(w *setuptest.World) { return scripted(s) }
	down := func(names ...string) func(w *setuptest.World) {
		return func(w *setuptest.World) { w.Model = modeltest.Good(); downFor(w, names...) }
	}
	fails := func(how string, names ...string) func(w *setuptest.World) {
		return func(w *setuptest.World) { w.Model = modeltest.Good(); failing(how, names...)(w) }
	}
	for _, c := range []struct {
		name     string
		prepare  func(w *setuptest.World)
		short    proposal.Stage // whose limit is cut
		status   string
		degraded []proposal.DegradationCode
	}{
		{"good, by a model", script(modeltest.Good), "", flow.Succeeded, nil},
		{"good, by code", func(*setuptest.World) {}, "", flow.Succeeded, nil},
		{"nothing is in the sources", func(w *setuptest.World) {
			w.Sources = []source.Source{setuptest.NewShelf("hackernews"), setuptest.NewShelf("reddit")}
		}, "", flow.Succeeded, nil},
		{"there is no source", func(w *setuptest.World) { w.Sources = nil }, "", flow.Succeeded,
			[]proposal.DegradationCode{proposal.MeasurementFailed, proposal.SampleFailed}},
		{"one source fails", func(w *setuptest.World) {
			w.Sources[1].(*setuptest.Shelf).Deny = func(context.Context, int, source.Query) error {
				return &source.Unavailable{Source: "reddit", Reason: "answered 503"}
			}
		}, "", flow.Succeeded, nil},
		{"a source's call fails for good", fails("fails", "measure/reddit"), "", flow.Succeeded, nil},
		{"candidates fail", fails("fails", "candidates"), "", flow.Succeeded,
			[]proposal.DegradationCode{proposal.CandidatesFailed}},
		{"candidates panic", fails("panics", "candidates"), "", flow.Succeeded,
			[]proposal.DegradationCode{proposal.CandidatesFailed}},
		{"candidates take too long", fails("hangs", "candidates"), proposal.StageCandidates, flow.Succeeded,
			[]proposal.DegradationCode{proposal.CandidatesFailed}},
		{"the join fails", fails("fails", "measure"), "", flow.Succeeded,
			[]proposal.DegradationCode{proposal.MeasurementFailed}},
		{"all sources are down", func(w *setuptest.World) { w.Down() }, "", flow.Succeeded,
			[]proposal.DegradationCode{proposal.MeasurementFailed, proposal.SampleFailed}},
		{"the sample fails", fails("fails", "sample"), "", flow.Succeeded, []proposal.DegradationCode{proposal.SampleFailed}},
		{"no post can be read", func(w *setuptest.World) { down("sample")(w); w.Forgetful = "sample" }, "", flow.Succeeded,
			[]proposal.DegradationCode{proposal.SampleFailed}},
		{"the agent's stage fails", fails("fails", "agent"), "", flow.Succeeded,
			[]proposal.DegradationCode{proposal.AgentFailed}},
		{"the agent's stage takes too long", fails("hangs", "agent"), proposal.StageAgent, flow.Succeeded,
			[]proposal.DegradationCode{proposal.AgentFailed}},
		{"the model is refused", script(func() *modeltest.Script { return modeltest.Broken(model.ErrRefused) }), "",
			flow.Succeeded,
			[]proposal.DegradationCode{proposal.AgentFailed}},
		{"the model loops", script(modeltest.Looping), "", flow.Succeeded,
			[]proposal.DegradationCode{proposal.AgentBudgetExceeded}},
		{"the model lies", script(func() *modeltest.Script { return modeltest.Liar(modeltest.LieVolume) }), "",
			flow.Succeeded,
			[]proposal.DegradationCode{proposal.AgentInvalid}},
		{"the model answers prose", script(func() *modeltest.Script { return modeltest.Garbage()["prose"] }), "",
			flow.Succeeded,
			[]proposal.DegradationCode{proposal.AgentInvalid}},
		{"everything before the last fails", fails("fails", "candidates", "measure/hackernews", "measure", "sample", "agent"),
			"", flow.Succeeded,
			[]proposal.DegradationCode{proposal.CandidatesFailed, proposal.MeasurementFailed, proposal.SampleFailed,
				proposal.AgentFailed}},
		{"the last fails, and the run with it", fails("fails", "validate"), "", flow.Failed,
			[]proposal.DegradationCode{proposal.ProposeInterrupted}},
		{"each call fails once", func(w *setuptest.World) {
			w.Model = modeltest.Good()
			w.Disturb = func(ctx context.Context, name string, call func(context.Context) error) error {
				err := call(ctx)
				if w.Calls(name) == 1 {
					return errors.New("its answer is lost")
				}
				return err
			}
		}, "", flow.Succeeded, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			there := setuptest.NewWorld(t)
			c.prepare(there)
			thereDraft := there.Draft(t)
			status := onMachine(t, there, there.Begin(t, thereDraft), c.short)
			there.SetHook(nil)
			_, run := there.Settled(t, thereDraft)
			if got := setuptest.Degraded(run); status != c.status ||
				!slices.Equal(got, c.degraded) && len(got)+len(c.degraded) > 0 {
				t.Errorf("it ends %s, degraded %v", status, got)
			}
			here := setuptest.NewWorld(t)
			c.prepare(here)
			hereDraft := here.Draft(t)
			stages := setuptest.Hurried()
			for i := range stages {
				if stages[i].Name == c.short {
					stages[i].Limit = time.Second
				}
			}
			if local := here.RunOn(t, here.Begin(t, hereDraft), stages, false); local != status {
				t.Errorf("on the laptop it ends %s", local)
			}
			here.SetHook(nil)
			here.Settled(t, hereDraft)
			if got, want := there.Document(t, thereDraft), here.Document(t, hereDraft); got != want {
				t.Errorf("the machine's document is not the laptop's: %s", difference(got, want))
			}
		})
	}
}

// shorten gives a state of a definition a limit of a second.
func shorten(t *testing.T, definition, state string) string {
	t.Helper()
	_, after, found := strings.Cut(definition, `"`+state+`": {`)
	at := strings.Index(after, `"TimeoutSeconds": `)
	if !found || at < 0 {
		t.Fatalf("there is no state %s with a limit", state)
	}
	from := len(definition) - len(after) + at + len(`"TimeoutSeconds": `)
	to := from + strings.IndexByte(definition[from:], ',')
	return definition[:from] + "1" + definition[to:]
}
