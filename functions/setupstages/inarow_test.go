package setupstages_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/functions/setupstages/setuptest"
	"earshot/shared/embedded/fault"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/allstores"
	"earshot/shared/worldtest"
)

// A call makes few round trips to the tables in a row: what does not depend on another is read or written with it. Here
// each takes a second, so that a call takes as many seconds. No source is asked, and there is no model.
func TestStages_RoundTripsInARow(t *testing.T) {
	t.Setenv("TABLE_ENDPOINT", "") // the clock of a bubble stands still while something waits for the network
	bubble(t, "each stage", func(t *testing.T, w *setuptest.World) {
		w.Sources = nil
		key := w.Begin(t, w.Draft(t))
		asked := &worldtest.Requests{Table: fault.Table(w.Table, w.Faults)}
		w.World.Store = allstores.New(table.Retrying(asked), w.Clock)
		call, payload := w.Caller(t), w.Payload(t, key)
		w.Fault(fault.Fault{Port: fault.TablePort, Fault: fault.Slow}) // a second each
		for _, c := range []struct {
			stage    proposal.Stage
			want     time.Duration
			requests []string
		}{
			// The run, that it begins, how it ends.
			{proposal.StageCandidates, 3 * time.Second, []string{
				"query core run", "transact core draft, core run", "transact core draft, core run, counters setup",
			}},
			// And who tracks the candidates already, each text a query.
			{proposal.StageMeasure, 4 * time.Second, []string{
				"batchGet counters setup", "query core byText", "query core byText", "query core byText",
				"query core byText", "query core byText", "query core run", "query counters setup",
				"transact core draft, core run", "transact core draft, core run, counters setup",
			}},
			{proposal.StageSample, 3 * time.Second, []string{
				"batchGet counters setup", "query core run", "transact core draft, core run", "transact core draft, core run",
			}},
			{proposal.StageAgent, 3 * time.Second, []string{
				"query core run", "transact core draft, core run", "transact core draft, core run",
			}},
			{proposal.StageValidate, 3 * time.Second, []string{
				"batchGet core workspace, counters setup", "query core keyword", "query core run",
				"transact core draft, core run", "transact core draft, core run",
			}},
		} {
			began := time.Now()
			if err := call(t.Context(), c.stage, payload); err != nil {
				t.Fatalf("%s: %v", c.stage, err)
			}
			if took := time.Since(began); took != c.want {
				t.Errorf("%s makes round trips of %v in a row, want %v", c.stage, took, c.want)
			}
			if got := asked.Take(); !slices.Equal(got, c.requests) {
				t.Errorf("%s makes %d requests, want %d:\n%s", c.stage, len(got), len(c.requests), strings.Join(got, "\n"))
			}
		}
	})
}
