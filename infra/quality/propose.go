package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"earshot/events/message"
	"earshot/functions/local/deployment"
	"earshot/shared/embedded/memflow"
	"earshot/shared/embedded/openaimodel"
	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/source"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// plan is the plan that companies are set up on.
const plan = workspace.Pro

// propose makes a company's proposal as the workbench does: by the real stages, the embedded table and the laptop's
// runner, in a new store with an empty cache. asked composes it; nil: rules do.
func propose(
	ctx context.Context, j *judge.Judge, sources []source.Source, c company, asked *openaimodel.Model,
) (_ made, err error) {
	folder, err := os.MkdirTemp("", "quality")
	if err != nil {
		return made{}, err
	}
	defer os.RemoveAll(folder)
	tables, err := sqlitetable.Open(
		filepath.Join(folder, "earshot.db"), rows.Schemas(), sqlitetable.Options{Clock: clock.System{}},
	)
	if err != nil {
		return made{}, err
	}
	defer func() { err = errors.Join(err, tables.Close()) }()
	counted := newCounting(tables)
	kept := allstores.New(table.Retrying(counted), clock.System{})
	name := ""
	if asked != nil {
		name = asked.ID()
	}
	key, err := begun(ctx, kept, c, name)
	if err != nil {
		return made{}, err
	}
	counted.reset()
	timed := newTimed(sources)
	quiet := slog.New(slog.DiscardHandler)
	parts := deployment.Parts{
		Store: kept,
		Judge: j,
		Clock: clock.System{},
		Log:   quiet,
		Quiet: quiet,
		Setup: deployment.Setup{
			Sources: func(context.Context) ([]source.Source, error) { return timed.sources, nil }, Asked: keyword.Platforms()},
	}
	if asked != nil {
		parts.Setup.Agent, parts.Setup.ModelID = asked, asked.ID()
	}
	meter := newStopwatch()
	done := make(chan string, 1)
	call := deployment.Call(deployment.Stages(parts))
	runner := memflow.New(memflow.Options{Stages: proposal.Pipeline(),
		Call: func(ctx context.Context, stage proposal.StageSpec, input []byte) error {
			meter.at(stage.Name)
			defer meter.at(stage.Name)
			return call(ctx, stage, input)
		},
		Ended: func(_ context.Context, _ []byte, status string) { done <- status },
	})
	defer runner.Close()
	input, err := json.Marshal(message.SetupStage{WorkspaceID: key.WorkspaceID, DraftID: key.DraftID, Run: key.Number,
		Sources: keyword.Platforms()})
	if err != nil {
		return made{}, err
	}
	began := time.Now()
	if err := runner.Start(ctx, "quality", input); err != nil {
		return made{}, err
	}
	status := <-done
	spent := cost{
		took:  time.Since(began),
		cpu:   meter.spent,
		calls: meter.calls / 2,
		asked: timed.took(),
		usage: counted.usage(),
	}
	if spent.rows, spent.bytes, err = counted.left(ctx); err != nil {
		return made{}, err
	}
	run, err := kept.SetupRun(ctx, key)
	if err != nil {
		return made{}, err
	}
	// A model that does not deliver leaves the work to rules.
	degraded := slices.DeleteFunc(run.Degraded(), func(d proposal.Degradation) bool {
		return asked != nil && (d.Code == proposal.AgentInvalid || d.Code == proposal.AgentBudgetExceeded)
	})
	if run.Proposal == nil || len(degraded) > 0 {
		return made{}, fmt.Errorf("%s: the run ended as %s, with the degradations %v", c.name(), status, degraded)
	}
	out := made{company: c, status: run.Status(), proposal: *run.Proposal, cost: spent}
	for stage, into := range map[proposal.Stage]any{
		proposal.StageCandidates: &out.candidates, proposal.StageMeasure: &out.measured, proposal.StageSample: &out.sampled,
		proposal.StageAgent: &out.agent,
	} {
		if stage == proposal.StageAgent && asked == nil {
			continue
		}
		content, err := kept.Outcome(ctx, key, stage)
		if err == nil {
			err = json.Unmarshal(content, into)
		}
		if err != nil {
			return made{}, fmt.Errorf("%s: read what the stage %s made: %w", c.name(), stage, err)
		}
	}
	return out, nil
}

// begun makes a workspace with a scanned draft, and begins its first run with a model, or with none if its name is empty.
func begun(ctx context.Context, kept *allstores.Store, c company, model string) (proposal.Key, error) {
	now := time.Now()
	org := workspace.Workspace{
		ID:        workspace.NewID(workspace.PrefixWorkspace, now),
		Name:      c.name(),
		Plan:      plan,
		CreatedAt: now,
	}
	if err := kept.CreateWorkspace(ctx, org); err != nil {
		return proposal.Key{}, err
	}
	draft, err := kept.CreateDraftOnce(ctx, org.ID, c.Domain, "")
	if err != nil {
		return proposal.Key{}, err
	}
	profile := c.Profile
	if err := kept.ScanDone(ctx, org.ID, draft.ID, &profile, ""); err != nil {
		return proposal.Key{}, err
	}
	key, _, err := kept.StartRun(ctx, org.ID, draft.ID, proposal.Balanced, model, proposal.RunLimit)
	return key, err
}
