package deployment

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"earshot/functions/setupstages"
	"earshot/functions/setupstages/agent"
	"earshot/functions/setupstages/candidates"
	"earshot/functions/setupstages/measure"
	"earshot/functions/setupstages/sample"
	"earshot/functions/setupstages/scan"
	"earshot/functions/setupstages/sweep"
	"earshot/functions/setupstages/validate"
	"earshot/shared/port/clock"
	"earshot/shared/port/flow"
	"earshot/shared/port/model"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/allstores"
	"earshot/shared/store/workspacestore"
	"earshot/shared/worker"
)

// Setup holds what the setup engine needs besides.
type Setup struct {
	Flow  flow.Flow
	Sites scan.Sites
	// Sources returns the sources that can be searched at the moment.
	Sources setupstages.Sources
	// Asked names the platforms that a run asks. A run reports those that cannot be searched.
	Asked   []string
	Agent   model.Converser // nil: no model composes
	ModelID string          // the agent's name
}

// Stages returns the handlers of a setup run's stages, by their names.
func Stages(p Parts) map[proposal.Stage]worker.CallHandler {
	options := setupstages.Options{Store: p.Store, Clock: p.Clock}
	surveys := setupstages.Surveys(p.Store, p.Clock, p.Quiet, p.Setup.Sources)
	return map[proposal.Stage]worker.CallHandler{
		proposal.StageCandidates: candidates.Handler(options, p.options(candidates.Function)),
		proposal.StageMeasure: measure.Handler(
			measure.Options{Options: options, Survey: surveys, Analogs: p.Store.Analog}, p.options(measure.Function),
		),
		proposal.StageSample: sample.Handler(
			sample.Options{Options: options, Judge: p.Judge, Survey: surveys}, p.options(sample.Function),
		),
		proposal.StageAgent: agent.Handler(
			agent.Options{Options: options, Judge: p.Judge, Survey: surveys, Model: p.Setup.Agent, Log: p.Quiet,
				Budget: workspacestore.ModelBudget{
					Store: p.Store.Kernel, Daily: proposal.AgentDaily, For: "setup", Kind: workspacestore.Agent,
				}},
			p.options(agent.Function),
		),
		proposal.StageValidate: validate.Handler(options, p.options(validate.Function)),
	}
}

// Call returns a function that calls a stage as the runner wants it.
func Call(stages map[proposal.Stage]worker.CallHandler) func(context.Context, proposal.StageSpec, []byte) error {
	return func(ctx context.Context, stage proposal.StageSpec, input []byte) error {
		handler, ok := stages[stage.Name]
		if !ok {
			return fmt.Errorf("there is no stage %q", stage.Name)
		}
		return handler(ctx, json.RawMessage(input))
	}
}

// Ended settles the run of an execution without success, as the sweep does when the state machine tells it.
func Ended(p Parts) func(ctx context.Context, input []byte, status string) {
	return func(ctx context.Context, input []byte, status string) {
		if status == flow.Succeeded {
			return
		}
		if err := sweep.End(ctx, setupstages.Options{Store: p.Store, Clock: p.Clock}, string(input)); err != nil {
			p.Log.Error("a setup run could not be settled; the sweep tries again", "cause", err)
		}
	}
}

func scans(p Parts) worker.QueueHandler {
	return scan.Handler(p.options(scan.Group), scan.Options{Store: p.Store, Sites: p.Setup.Sites})
}

func sweeps(p Parts) worker.ScheduleHandler {
	return worker.ScheduleHandler(
		sweep.Handler(setupstages.Options{Store: p.Store, Clock: p.Clock}, p.Store, p.options(sweep.Group)),
	)
}

// SettleRuns ends every run under way, as the sweep would once their time is over. A program calls it at its start,
// when it knows that nobody else works on them. rows are the store's.
func SettleRuns(ctx context.Context, p Parts, rows table.Table) error {
	later := allstores.New(table.Retrying(rows), ahead{p.Clock})
	due, err := later.DueSetups(ctx, mostSettled)
	if err != nil {
		return err
	}
	var failures []error
	for _, d := range due {
		if d.Status.Running() {
			failures = append(failures, setupstages.Options{Store: p.Store, Clock: p.Clock}.Interrupt(ctx,
				proposal.Key{WorkspaceID: d.WorkspaceID, DraftID: d.DraftID, Number: d.Run}))
		}
	}
	return errors.Join(failures...)
}

// mostSettled is the most runs that a start settles. The sweep ends the others.
const mostSettled = 1000

// ahead is a clock by which the time of every run under way is over.
type ahead struct{ clock.Clock }

func (a ahead) Now() time.Time { return a.Clock.Now().Add(2 * proposal.RunLimit) }
