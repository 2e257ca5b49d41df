package deployment_test

import (
	"context"
	"log/slog"
	"slices"
	"testing"

	"earshot/functions/local/deployment"
	"earshot/functions/setupstages/setuptest"
	"earshot/shared/embedded/memflow"
	"earshot/shared/judge"
	"earshot/shared/port/flow"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/proposal"
	"earshot/shared/source"
)

// setupParts are the workbench's parts of the setup engine over a test's world.
func setupParts(t *testing.T, w *setuptest.World) deployment.Parts {
	t.Helper()
	j, err := judge.New()
	if err != nil {
		t.Fatal(err)
	}
	silent := slog.New(slog.DiscardHandler)
	return deployment.Parts{Store: w.Store, Clock: w.Clock, Judge: j, Log: silent, Quiet: silent, Setup: deployment.Setup{
		Sources: func(context.Context) ([]source.Source, error) { return w.Sources, nil }, Agent: w.Model}}
}

// The stages are composed here as a test composes them: a run comes to the same document.
func TestStagesOfTheDeployment(t *testing.T) {
	documents := map[string]string{}
	for name, composed := range map[string]bool{"the deployment's": true, "a test's": false} {
		w := setuptest.NewWorld(t)
		w.Model = modeltest.Good()
		p := setupParts(t, w)
		draft := w.Draft(t)
		key := w.Begin(t, draft)
		if composed {
			ended := make(chan string, 1)
			runner := memflow.New(memflow.Options{Stages: setuptest.Hurried(), Call: deployment.Call(deployment.Stages(p)),
				Ended: func(ctx context.Context, input []byte, status string) {
					deployment.Ended(p)(ctx, input, status)
					ended <- status
				}})
			if err := runner.Start(t.Context(), "run", w.Payload(t, key)); err != nil {
				t.Fatal(err)
			}
			if status := <-ended; status != flow.Succeeded {
				t.Error(status)
			}
			runner.Close()
		} else {
			w.Run(t, key)
		}
		w.Settled(t, draft)
		documents[name] = w.Document(t, draft)
	}
	if documents["the deployment's"] != documents["a test's"] {
		t.Errorf("%s", documents["the deployment's"])
	}
	if err := deployment.Call(nil)(t.Context(), proposal.StageSpec{Name: "another"}, []byte("{}")); err == nil {
		t.Error("a stage that there is not was called")
	}
}

// A program that is stopped in a run, by whatever signal, settles it: when it ends, or when it starts again.
func TestRunsAreSettled(t *testing.T) {
	interrupted := []proposal.DegradationCode{proposal.ProposeInterrupted}
	t.Run("at its end", func(t *testing.T) {
		w := setuptest.NewWorld(t)
		p := setupParts(t, w)
		draft := w.Draft(t)
		began := make(chan struct{})
		runner := memflow.New(memflow.Options{Stages: setuptest.Hurried(), Ended: deployment.Ended(p),
			Call: func(ctx context.Context, stage proposal.StageSpec, _ []byte) error {
				close(began)
				<-ctx.Done()
				return ctx.Err()
			}})
		if err := runner.Start(t.Context(), "run", w.Payload(t, w.Begin(t, draft))); err != nil {
			t.Fatal(err)
		}
		<-began
		runner.Close()
		if _, run := w.Settled(t, draft); !slices.Equal(setuptest.Degraded(run), interrupted) {
			t.Errorf("%v", setuptest.Degraded(run))
		}
	})
	t.Run("at its start", func(t *testing.T) {
		w := setuptest.NewWorld(t)
		var drafts []string
		for range 3 {
			drafts = append(drafts, w.Draft(t))
			w.Begin(t, drafts[len(drafts)-1])
		}
		idle := w.Draft(t)
		scanning, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, setuptest.Domain, "")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := deployment.SettleRuns(t.Context(), setupParts(t, w), w.Table); err != nil {
				t.Error(err)
			}
		}
		for _, draft := range drafts {
			if _, run := w.Settled(t, draft); !slices.Equal(setuptest.Degraded(run), interrupted) {
				t.Errorf("%v", setuptest.Degraded(run))
			}
		}
		for draft, want := range map[string]proposal.Status{idle: proposal.Scanned, scanning.ID: proposal.Scanning} {
			if d, err := w.Store.Draft(t.Context(), w.Main.ID, draft); err != nil || d.Status != want {
				t.Errorf("%s %v", d.Status, err)
			}
		}
	})
}
