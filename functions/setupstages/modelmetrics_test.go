package setupstages_test

import (
	"bytes"
	"log/slog"
	"testing"

	"earshot/functions/setupstages/agent"
	"earshot/functions/setupstages/setuptest"
	"earshot/shared/lambdalog"
	"earshot/shared/lambdalog/emftest"
	"earshot/shared/port/model"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/store/workspacestore"
)

// What a deployment's alarm looks at: how often the agent asked the model, and how often in vain.
func TestAgent_CountsModelFailures(t *testing.T) {
	for _, c := range []struct {
		name               string
		script             *modeltest.Script
		failures, answered float64 // answered: at least
	}{
		{"every request is refused", modeltest.Broken(model.ErrRefused), 1, 0},
		{"every request is throttled", modeltest.Broken(model.ErrThrottled), 4, 0},
		{"two are throttled, the others answered", modeltest.Throttled(2, model.ErrThrottled, modeltest.Good()), 2, 1},
		{"all are answered", modeltest.Good(), 0, 1},
	} {
		bubble(t, c.name, func(t *testing.T, w *setuptest.World) {
			var out bytes.Buffer
			w.Log = slog.New(lambdalog.Staged(slog.NewJSONHandler(&out, nil), "prod"))
			w.Model = c.script
			draft := w.Draft(t)
			w.Run(t, w.Begin(t, draft))
			var records int
			for line := range bytes.Lines(out.Bytes()) {
				if !bytes.Contains(line, []byte(`"msg":"call"`)) || !bytes.Contains(line, []byte(agent.Function)) {
					continue
				}
				records++
				metrics, _ := emftest.Read(t, line, lambdalog.Invocations())
				if got := metrics["modelFailures"]; got != c.failures {
					t.Errorf("modelFailures is %v, want %v", got, c.failures)
				}
				answered := metrics["modelRequests"] - metrics["modelFailures"]
				if answered < c.answered || c.answered == 0 && answered != 0 {
					t.Errorf("%v requests were answered, want %v (1: at least)", answered, c.answered)
				}
			}
			use, err := w.Store.ModelUse(t.Context(), w.Main.ID)
			if got := use.ByKind[workspacestore.Agent]; err != nil || (got.Input > 0) != (c.answered > 0) {
				t.Errorf("the agent used %+v, %v, want tokens if the model answered", got, err)
			}
			if records != 1 {
				t.Errorf("%d records of the agent, want 1:\n%s", records, out.String())
			}
		})
	}
}
