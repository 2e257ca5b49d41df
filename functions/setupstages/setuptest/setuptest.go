// Package setuptest runs the setup engine in tests as it is: the real stages over a store of worldtest's, with sources,
// a model and a runner that tests can have fail. For tests only.
package setuptest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"earshot/events/message"
	"earshot/functions/setupstages"
	"earshot/functions/setupstages/agent"
	"earshot/functions/setupstages/candidates"
	"earshot/functions/setupstages/measure"
	"earshot/functions/setupstages/sample"
	"earshot/functions/setupstages/sweep"
	"earshot/functions/setupstages/validate"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/memflow"
	"earshot/shared/judge"
	"earshot/shared/port/flow"
	"earshot/shared/port/model"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/source"
	"earshot/shared/store/allstores"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

// Domain is that of a World's drafts.
const Domain = "quietharbor.example"

// ModelID is what a World's model is called.
const ModelID = "scripted"

// A World is a workspace with the engine. Its sources, model and disturbances are to be set before a run begins.
type World struct {
	Tokens int // that agents may spend on a day; 0: proposal.AgentDaily
	*worldtest.World
	Sources []source.Source
	Asked   []string // that runs are begun with; nil: the names of Sources
	Model   model.Converser
	// Disturb is around every call of a stage, with a name as "measure" or "measure/reddit"; nil: the call itself.
	Disturb func(ctx context.Context, name string, call func(context.Context) error) error
	// Forgetful names the call, as Disturb has it, that finds no answer of a source kept.
	Forgetful string
	// Unkept names the call, as Disturb has it, whose outcome cannot be written.
	Unkept string
	// Log is that of the stages; nil: nobody reads it.
	Log *slog.Logger
	// Room changes what the stages read of what the workspace has room for; nil: nothing.
	Room func(*proposal.Room)

	mu    sync.Mutex
	calls map[string]int
	hook  Hook
}

var newJudge = sync.OnceValues(judge.New)

// NewWorld makes a World with two sources that have posts of the profile's names.
func NewWorld(t testing.TB) *World {
	t.Helper()
	inner := worldtest.NewWorld(t)
	w := &World{World: inner, calls: map[string]int{}}
	inner.Store = allstores.New(table.Retrying(hooked{fault.Table(inner.Table, inner.Faults), w}), inner.Clock)
	w.Sources = []source.Source{NewShelf("hackernews", Posts("hackernews")...), NewShelf("reddit", Posts("reddit")...)}
	return w
}

// Options are what stages and the sweep work with.
func (w *World) Options() setupstages.Options {
	return setupstages.Options{Store: roomy{w.Store, w}, Clock: w.Clock}
}

// roomy is a store with the World's room.
type roomy struct {
	*allstores.Store
	w *World
}

func (r roomy) OutcomesAndRoom(
	ctx context.Context, key proposal.Key, run proposal.Run, stages ...proposal.Stage,
) ([][]byte, proposal.Room, error) {
	contents, room, err := r.Store.OutcomesAndRoom(ctx, key, run, stages...)
	if r.w.Room != nil {
		r.w.Room(&room)
	}
	return contents, room, err
}

// Stages are the stages' handlers.
func (w *World) Stages(t testing.TB) map[proposal.Stage]worker.CallHandler {
	t.Helper()
	judged, err := newJudge()
	if err != nil {
		t.Fatal(err)
	}
	silent := slog.New(slog.DiscardHandler)
	surveys := setupstages.Surveys(w.Store, w.Clock, silent, func(context.Context) ([]source.Source, error) {
		return w.Sources, nil
	})
	on := func(function string) worker.Options {
		return worker.Options{Function: function, Log: cmp.Or(w.Log, silent), Clock: w.Clock}
	}
	return map[proposal.Stage]worker.CallHandler{
		proposal.StageCandidates: candidates.Handler(w.Options(), on(candidates.Function)),
		proposal.StageMeasure: measure.Handler(
			measure.Options{Options: w.Options(), Survey: surveys, Analogs: w.Store.Analog}, on(measure.Function),
		),
		proposal.StageSample: sample.Handler(
			sample.Options{Options: w.Options(), Judge: judged, Survey: surveys}, on(sample.Function),
		),
		proposal.StageAgent: agent.Handler(
			agent.Options{
				Options: w.Options(),
				Judge:   judged,
				Survey:  surveys,
				Model:   w.Model,
				Budget: workspacestore.ModelBudget{
					Store: w.Store.Kernel,
					Daily: cmp.Or(w.Tokens, proposal.AgentDaily),
					For:   "setup",
					Kind:  workspacestore.Agent,
				},
			},
			on(agent.Function),
		),
		proposal.StageValidate: validate.Handler(w.Options(), on(validate.Function)),
	}
}

// Caller calls stages by their names with what a state machine hands them, disturbed as the World says.
func (w *World) Caller(t testing.TB) func(ctx context.Context, stage proposal.Stage, payload []byte) error {
	t.Helper()
	stages := w.Stages(t)
	return func(ctx context.Context, stage proposal.Stage, payload []byte) error {
		handler, known := stages[stage]
		if !known {
			return fmt.Errorf("there is no stage %q", stage)
		}
		var call message.SetupStage
		if err := json.Unmarshal(payload, &call); err != nil {
			return err
		}
		name := string(stage)
		if call.Source != "" {
			name += "/" + call.Source
		}
		w.mu.Lock()
		w.calls[name]++
		w.mu.Unlock()
		ctx = within(ctx, name)
		if w.Disturb == nil {
			return handler(ctx, payload)
		}
		return w.Disturb(ctx, name, func(ctx context.Context) error { return handler(ctx, payload) })
	}
}

// Calls is how often a stage was called, by a name as Disturb has it.
func (w *World) Calls(name string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls[name]
}

// Payload is what a run's stages are called with.
func (w *World) Payload(t testing.TB, key proposal.Key) []byte {
	t.Helper()
	asked := w.Asked
	if asked == nil {
		asked = []string{}
		for _, each := range w.Sources {
			asked = append(asked, each.About().Name)
		}
	}
	payload, err := json.Marshal(
		message.SetupStage{WorkspaceID: key.WorkspaceID, DraftID: key.DraftID, Run: key.Number, Sources: asked},
	)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// Flow is the laptop's runner of the stages, which settles what dies unless dead is set: then nobody is told.
func (w *World) Flow(t testing.TB, stages []proposal.StageSpec, ended func(status string), dead bool) *memflow.Flow {
	t.Helper()
	call := w.Caller(t)
	return memflow.New(memflow.Options{
		Stages: stages,
		Call: func(ctx context.Context, stage proposal.StageSpec, input []byte) error {
			return call(ctx, stage.Name, input)
		},
		Ended: func(ctx context.Context, input []byte, status string) {
			defer ended(status)
			if status != flow.Succeeded && !dead {
				if err := sweep.End(ctx, w.Options(), string(input)); err != nil {
					t.Log("the terminal event was of no use: ", err)
				}
			}
		},
	})
}

// Hurried is the pipeline without its pauses.
func Hurried() []proposal.StageSpec {
	stages := proposal.Pipeline()
	for i := range stages {
		stages[i].Pause = 0
	}
	return stages
}

// Run runs a run to its execution's end and answers how that ended.
func (w *World) Run(t testing.TB, key proposal.Key) (status string) {
	t.Helper()
	return w.RunOn(t, key, Hurried(), false)
}

// RunOn is Run of a pipeline of the test's. dead: nobody is told of the end.
func (w *World) RunOn(t testing.TB, key proposal.Key, stages []proposal.StageSpec, dead bool) (status string) {
	t.Helper()
	ended := make(chan string, 1)
	f := w.Flow(t, stages, func(status string) { ended <- status }, dead)
	defer f.Close()
	if err := f.Start(t.Context(), fmt.Sprintf("%s-%d", key.DraftID, key.Number), w.Payload(t, key)); err != nil {
		t.Fatal(err)
	}
	return <-ended
}

// Sweep is the schedule's sweep.
func (w *World) Sweep(t testing.TB) error {
	t.Helper()
	return sweep.Sweep(context.Background(), w.Options(), w.Store)
}
