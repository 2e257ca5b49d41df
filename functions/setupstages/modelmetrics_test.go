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
)

// What a deployment's alarm looks at: how often the agent asked the model, and how often in vain.
func TestAgent_CountsModelFailures(t *testing.T) {
	for _, c := range []struct {
		name               string
		script             *modeltest.Script
		requests, failures float64
	}{
		{"every request is refused", modeltest.Broken(model.ErrRefused), 1, 1},
		{"every request is throttled", modeltest.Broken(model.ErrThrottled), 4, 4},
		{"two are throttled, the others answered", modeltest.Throttled(2, model.ErrThrottled, modeltest.Good()), 0, 2},
		{"all are answered", modeltest.Good(), 0, 0},
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
				requests, failures := metrics["modelRequests"], metrics["modelFailures"]
				if failures != c.failures || c.requests > 0 && requests != c.requests || requests <= 0 || c.requests == 0 && requests <= failures {
					t.Errorf("modelRequests is %v and modelFailures %v, want %v (0: more than failed) and %v", requests, failures,
						c.requests, c.failures)
				}
			}
			if records != 1 {
				t.Errorf("%d records of the agent, want 1:\n%s", records, out.String())
			}
		})
	}
}
