package setupstages_test

import (
	"testing"
	"testing/synctest"

	"earshot/functions/setupstages/setuptest"
	"earshot/shared/port/flow"
	"earshot/shared/proposal"
)

// bubble runs a test in which time is made up: limits and pauses cost nothing.
func bubble(t *testing.T, name string, run func(t *testing.T, w *setuptest.World)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { run(t, setuptest.NewWorld(t)) })
	})
}

func TestGood(t *testing.T) {
	bubble(t, "good", func(t *testing.T, w *setuptest.World) {
		draft := w.Draft(t)
		if status := w.Run(t, w.Begin(t, draft)); status != flow.Succeeded {
			t.Error(status)
		}
		d, run := w.Settled(t, draft)
		if d.Status != proposal.Ready || len(run.Degraded()) != 0 || !run.AgentFallback {
			t.Errorf("%+v %v", d, run.Degraded())
		}
		t.Log(w.Document(t, draft))
	})
}
