package setupstages_test

import (
	"context"
	"testing"
	"time"

	"earshot/functions/setupstages/setuptest"
	"earshot/shared/proposal"
)

// A call makes few round trips to the tables in a row: what does not depend on another is read or written with it. Here
// each takes a second, so that a call takes as many seconds. No source is asked, and there is no model.
func TestStages_RoundTripsInARow(t *testing.T) {
	t.Setenv("TABLE_ENDPOINT", "") // the clock of a bubble stands still while something waits for the network
	bubble(t, "each stage", func(t *testing.T, w *setuptest.World) {
		w.Sources = nil
		key := w.Begin(t, w.Draft(t))
		call, payload := w.Caller(t), w.Payload(t, key)
		w.SetHook(func(ctx context.Context, _, _ string, do func(context.Context) error) error {
			time.Sleep(time.Second)
			return do(ctx)
		})
		for _, c := range []struct {
			stage proposal.Stage
			want  time.Duration
		}{
			{proposal.StageCandidates, 3 * time.Second}, // the run, that it begins, how it ends
			{proposal.StageMeasure, 4 * time.Second},    // and who tracks the candidates already
			{proposal.StageSample, 3 * time.Second},
			{proposal.StageAgent, 3 * time.Second},
			{proposal.StageValidate, 3 * time.Second},
		} {
			began := time.Now()
			if err := call(t.Context(), c.stage, payload); err != nil {
				t.Fatalf("%s: %v", c.stage, err)
			}
			if took := time.Since(began); took != c.want {
				t.Errorf("%s makes round trips of %v in a row, want %v", c.stage, took, c.want)
			}
		}
	})
}
