package setupstore_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"earshot/functions/setupstages"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

var _ setupstages.Store = (*allstores.Store)(nil)

// begun makes a draft with a run under way.
func begun(t testing.TB, w *worldtest.World) proposal.Key {
	t.Helper()
	key, started, err := w.Store.StartRun(t.Context(), w.Main.ID, scanned(t, w).ID, proposal.Balanced, "", proposal.RunLimit)
	if err != nil || !started || key.Number != 1 {
		t.Fatalf("%+v %v %v", key, started, err)
	}
	return key
}

func stageStep(stage proposal.Stage, status proposal.StepStatus) proposal.Step {
	return proposal.Step{Stage: stage, Status: status, Line: "A line", StartedAt: worldtest.Now}
}

// noise is content that does not compress.
func noise(seed uint64, size int) []byte {
	content, random := make([]byte, size), rand.New(rand.NewPCG(seed, 1))
	for i := range content {
		content[i] = byte(random.Uint32())
	}
	return content
}

// allRows returns all rows of a workspace's partition and of a run's own, by their keys.
func allRows(t testing.TB, w *worldtest.World, key proposal.Key) map[string]table.Item {
	t.Helper()
	found := map[string]table.Item{}
	content := fmt.Sprintf("setup#%s#%s#%010d", key.WorkspaceID, key.DraftID, key.Number)
	for _, query := range []table.Query{{Table: rows.CoreTable, Partition: key.WorkspaceID},
		{Table: rows.CountersTable, Partition: content}} {
		query.Consistent = true
		for {
			page, err := w.Table.Query(t.Context(), query)
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range page.Items {
				found[query.Table+" "+table.KeyOf(item).Sort] = item
			}
			if page.Next == nil {
				break
			}
			query.After = page.Next
		}
	}
	return found
}

func TestRunFromBeginToEnd(t *testing.T) {
	w := worldtest.NewWorld(t)
	d := scanned(t, w)
	key, started, err := w.Store.StartRun(t.Context(), w.Main.ID, d.ID, proposal.Thorough, "some.model", proposal.RunLimit)
	if err != nil || !started || (key != proposal.Key{WorkspaceID: w.Main.ID, DraftID: d.ID, Number: 1}) {
		t.Fatalf("%+v %v %v", key, started, err)
	}
	if d := draftOf(t, w, d.ID); d.Status != proposal.Proposing || d.Run != 1 ||
		d.DueAt != worldtest.Now.Add(proposal.RunLimit) {
		t.Errorf("%+v", d)
	}
	var steps []proposal.Step
	for i, stage := range proposal.Pipeline() {
		w.Clock.Freeze(worldtest.Now.Add(time.Duration(i) * time.Second))
		running := proposal.Step{Stage: stage.Name, Status: proposal.StepRunning, Line: stage.Line, StartedAt: w.Clock.Now()}
		noted, err := w.Store.BeginStep(t.Context(), key, running)
		if err != nil || !reflect.DeepEqual(noted, running) {
			t.Fatalf("%+v %v", noted, err)
		}
		if d := draftOf(t, w, d.ID); d.Status != stage.Status {
			t.Errorf("during %s the draft is %s", stage.Name, d.Status)
		}
		if outcome, err := w.Store.Outcome(t.Context(), key, stage.Name); err != nil || outcome != nil {
			t.Errorf("%q %v", outcome, err)
		}
		late := running
		late.StartedAt = worldtest.Now.Add(time.Hour)
		if noted, err = w.Store.BeginStep(t.Context(), key, late); err != nil || !noted.StartedAt.Equal(running.StartedAt) {
			t.Errorf("called again: %+v %v", noted, err)
		}
		took := time.Duration(i+1) * time.Second
		ended := proposal.Step{
			Stage:     stage.Name,
			Status:    proposal.StepOK,
			Line:      "Done",
			StartedAt: late.StartedAt,
			Took:      took,
			Degraded:  []proposal.Degradation{proposal.Degrade(proposal.SampleFailed)},
			Timeline: []proposal.Entry{{Kind: proposal.EntryTool, Name: "x", Status: "ok"},
				{Kind: proposal.EntryStage, Name: string(stage.Name), Status: "ok", Took: &took}},
		}
		if err := w.Store.EndStep(t.Context(), key, ended, []byte(fmt.Sprintf(`{"of":%d}`, i))); err != nil {
			t.Fatal(err)
		}
		ended.StartedAt = running.StartedAt
		other := stageStep(stage.Name, proposal.StepFailed)
		if err := w.Store.EndStep(t.Context(), key, other, []byte("another")); err != nil {
			t.Errorf("a second end: %v", err)
		}
		noted, err = w.Store.BeginStep(t.Context(), key, running)
		if ended.Kept = noted.Kept; ended.Kept.Attempt == "" || ended.Kept.Chunks != 1 {
			t.Errorf("%s: its outcome is kept at %+v, want one chunk of an attempt", stage.Name, ended.Kept)
		}
		steps = append(steps, ended)
		if err != nil || !reflect.DeepEqual(noted, ended) {
			t.Errorf("begun after its end: %+v %v", noted, err)
		}
		if outcome, err := w.Store.Outcome(t.Context(), key, stage.Name); err != nil ||
			string(outcome) != fmt.Sprintf(`{"of":%d}`, i) {
			t.Errorf("%q %v", outcome, err)
		}
	}
	p := proposal.Proposal{
		ID: "prop",
		Keywords: []proposal.Keyword{{Ref: "brand", Platforms: nil, ExcludeWords: []string{}},
			{Ref: "b", Platforms: []string{}}},
	}
	if err := w.Store.FinishRun(t.Context(), key,
		proposal.End{Status: proposal.NeedsNarrowing, Proposal: &p, AgentFallback: true}); err != nil {
		t.Fatal(err)
	}
	want := proposal.Run{
		DraftID:         d.ID,
		Number:          1,
		Domain:          d.Domain,
		Tier:            proposal.Thorough,
		Guide:           proposal.GuideVersion,
		Model:           "some.model",
		Profile:         profile(),
		ProfileRevision: 1,
		StartedAt:       worldtest.Now,
		FinishedAt:      w.Clock.Now(),
		Ended:           proposal.NeedsNarrowing,
		AgentFallback:   true,
		Steps:           steps,
		Proposal:        &p,
	}
	run, err := w.Store.SetupRun(t.Context(), key)
	if err != nil || !reflect.DeepEqual(run, want) {
		t.Errorf("got  %+v\nwant %+v: %v", run, want, err)
	}
	ended, _, err := w.Store.Setup(t.Context(), w.Main.ID, d.ID)
	if err != nil || ended.Status != proposal.NeedsNarrowing || !ended.DueAt.IsZero() {
		t.Errorf("%+v %v", ended, err)
	}
	for _, other := range []proposal.Key{{WorkspaceID: w.Other.ID, DraftID: d.ID, Number: 1},
		{WorkspaceID: w.Main.ID, DraftID: d.ID, Number: 2},
		{WorkspaceID: w.Main.ID, DraftID: d.ID}, {WorkspaceID: w.Main.ID, DraftID: "draft_0", Number: 1}} {
		_, read := w.Store.SetupRun(t.Context(), other)
		_, begin := w.Store.BeginStep(t.Context(), other, stageStep(proposal.StageAgent, proposal.StepRunning))
		_, keep := w.Store.KeepPart(t.Context(), other, "x", nil)
		_, outcome := w.Store.Outcome(t.Context(), other, proposal.StageAgent)
		if parts, err := w.Store.Parts(t.Context(), other, ""); err != nil || len(parts) > 0 {
			t.Errorf("Parts(%+v) = %v, %v, want none", other, parts, err)
		}
		for i, err := range []error{read, begin, keep, outcome,
			w.Store.EndStep(t.Context(), other, stageStep(proposal.StageAgent, proposal.StepOK), nil),
			w.Store.FinishRun(t.Context(), other, proposal.End{Status: proposal.Failed})} {
			if !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%+v, %d: %v", other, i, err)
			}
		}
	}
}

// Nothing writes to a run that is over, be it ended or followed by another.
func TestWhatIsOverStays(t *testing.T) {
	for _, followed := range []bool{false, true} {
		t.Run(fmt.Sprint(followed), func(t *testing.T) {
			w := worldtest.NewWorld(t)
			key := begun(t, w)
			if _, err := w.Store.BeginStep(t.Context(), key, stageStep(proposal.StageMeasure, proposal.StepRunning)); err != nil {
				t.Fatal(err)
			}
			if _, err := w.Store.KeepPart(t.Context(), key, "measure.a", []byte("kept")); err != nil {
				t.Fatal(err)
			}
			if err := w.Store.FinishRun(t.Context(), key, proposal.End{Status: proposal.Failed, Message: "why"}); err != nil {
				t.Fatal(err)
			}
			if followed {
				if _, started, err := w.Store.StartRun(t.Context(), key.WorkspaceID, key.DraftID, proposal.Balanced, "",
					proposal.RunLimit); err != nil || !started {
					t.Fatal(started, err)
				}
			}
			before := allRows(t, w, key)
			for name, late := range map[string]func() error{
				"begin a step": func() error {
					_, err := w.Store.BeginStep(t.Context(), key, stageStep(proposal.StageSample, proposal.StepRunning))
					return err
				},
				"begin one again": func() error {
					_, err := w.Store.BeginStep(t.Context(), key, stageStep(proposal.StageMeasure, proposal.StepRunning))
					return err
				},
				"end a step": func() error {
					return w.Store.EndStep(t.Context(), key, stageStep(proposal.StageMeasure, proposal.StepOK), []byte("{}"))
				},
				"keep a part": func() error { _, err := w.Store.KeepPart(t.Context(), key, "measure.b", []byte("x")); return err },
				"finish": func() error {
					return w.Store.FinishRun(t.Context(), key, proposal.End{Status: proposal.Ready, Proposal: &proposal.Proposal{}})
				},
				"keep another": func() error { _, err := w.Store.KeepPart(t.Context(), key, "measure.a", []byte("x")); return err },
			} {
				if err := late(); !errors.Is(err, proposal.ErrOver) {
					t.Errorf("%s: %v", name, err)
				}
			}
			if after := allRows(t, w, key); !reflect.DeepEqual(before, after) {
				t.Errorf("before %v\nafter  %v", before, after)
			}
		})
	}
}

// A request begins one run, whatever became of it when it is sent again.
func TestRequestBeginsOneRun(t *testing.T) {
	w := worldtest.NewWorld(t)
	d := scanned(t, w)
	begin := func(request string) (proposal.Key, bool) {
		t.Helper()
		key, started, err := w.Store.StartRunOnce(t.Context(), w.Main.ID, d.ID, proposal.Balanced, "", proposal.RunLimit, request)
		if err != nil {
			t.Fatal(err)
		}
		return key, started
	}
	first, started := begin("a")
	if again, fresh := begin("a"); !started || fresh || again != first {
		t.Errorf("%+v %v", again, fresh)
	}
	if err := w.Store.FinishRun(t.Context(), first, proposal.End{Status: proposal.Failed, Message: "why"}); err != nil {
		t.Fatal(err)
	}
	if again, fresh := begin("a"); fresh || again != first {
		t.Errorf("after its end: %+v %v", again, fresh)
	}
	if next, fresh := begin("b"); !fresh || next.Number != 2 || draftOf(t, w, d.ID).Message != "" {
		t.Errorf("%+v %v", next, fresh)
	}
	if during, fresh := begin("c"); fresh || during.Number != 2 {
		t.Errorf("%+v %v", during, fresh)
	}
}

func TestRunsThatAreKept(t *testing.T) {
	w := worldtest.NewWorld(t)
	d := scanned(t, w)
	for number := int64(1); number <= 7; number++ {
		key, started, err := w.Store.StartRun(t.Context(), w.Main.ID, d.ID, proposal.Balanced, "", proposal.RunLimit)
		if err != nil || !started || key.Number != number {
			t.Fatalf("%+v %v %v", key, started, err)
		}
		for _, stage := range proposal.Stages() {
			if err := w.Store.EndStep(t.Context(), key, stageStep(stage, proposal.StepSkipped), nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Store.FinishRun(t.Context(), key,
			proposal.End{Status: proposal.Ready, Proposal: &proposal.Proposal{ID: "p"}}); err != nil {
			t.Fatal(err)
		}
	}
	page, err := w.Table.Query(t.Context(), table.Query{Table: rows.CoreTable, Partition: w.Main.ID, Prefix: "run#"})
	if err != nil || len(page.Items) != 5*7 {
		t.Errorf("%d rows: %v", len(page.Items), err)
	}
	if _, err := w.Store.SetupRun(t.Context(),
		proposal.Key{WorkspaceID: w.Main.ID, DraftID: d.ID, Number: 2}); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}

// A run's last stage ends with it, in one write, whether it had begun or not; one that had ended stays as it did, and
// of two ends at once the first stands with its stage.
func TestLastStageEndsWithTheRun(t *testing.T) {
	for _, c := range []struct {
		name   string
		before proposal.StepStatus // of the stage; empty: it has not begun
		want   proposal.StepStatus
	}{{"it runs", proposal.StepRunning, proposal.StepOK}, {"it never began", "", proposal.StepOK}, {"it has ended",
		proposal.StepFailed, proposal.StepFailed}} {
		t.Run(c.name, func(t *testing.T) {
			w := worldtest.NewWorld(t)
			key := begun(t, w)
			last := stageStep(proposal.StageValidate, proposal.StepOK)
			if c.before != "" {
				if _, err := w.Store.BeginStep(t.Context(), key, stageStep(proposal.StageValidate, proposal.StepRunning)); err != nil {
					t.Fatal(err)
				}
				last.StartedAt = last.StartedAt.Add(time.Minute) // what began keeps its start
			}
			if c.before == proposal.StepFailed {
				if err := w.Store.EndStep(t.Context(), key, stageStep(proposal.StageValidate, proposal.StepFailed), nil); err != nil {
					t.Fatal(err)
				}
			}
			for i, want := range []error{nil, proposal.ErrOver} {
				last.Line = fmt.Sprint(i)
				end := proposal.End{Status: proposal.Ready, Proposal: &proposal.Proposal{ID: fmt.Sprint(i)}, Step: &last}
				if err := w.Store.FinishRun(t.Context(), key, end); !errors.Is(err, want) {
					t.Fatal(err)
				}
			}
			run, err := w.Store.SetupRun(t.Context(), key)
			if err != nil || run.Proposal.ID != "0" || run.FinishedAt.IsZero() || len(run.Steps) != 1 {
				t.Fatalf("%+v %v", run, err)
			}
			step := run.Steps[0]
			if step.Status != c.want || c.want == proposal.StepOK && step.Line != "0" ||
				c.before != "" && !step.StartedAt.Equal(worldtest.Now) {
				t.Errorf("%+v", step)
			}
		})
	}
	w := worldtest.NewWorld(t)
	running := stageStep(proposal.StageValidate, proposal.StepRunning)
	if err := w.Store.FinishRun(t.Context(), begun(t, w), proposal.End{Status: proposal.Ready, Step: &running}); err == nil {
		t.Error("a run ended with a stage that runs")
	}
}

// A poll is two round trips, and a stage few.
func TestRoundTripsOfARun(t *testing.T) {
	w := worldtest.NewWorld(t)
	key := begun(t, w)
	var run proposal.Run
	for _, c := range []struct {
		name          string
		reads, writes int
		do            func(context.Context) error
	}{
		{"begin a step", 0, 1, func(ctx context.Context) error {
			_, err := w.Store.BeginStep(ctx, key, stageStep(proposal.StageMeasure, proposal.StepRunning))
			return err
		}},
		{"begin it again", 1, 1, func(ctx context.Context) error {
			_, err := w.Store.BeginStep(ctx, key, stageStep(proposal.StageMeasure, proposal.StepRunning))
			return err
		}},
		{"keep a part", 0, 1, func(ctx context.Context) error {
			_, err := w.Store.KeepPart(ctx, key, "measure.a", []byte("x"))
			return err
		}},
		{"end it", 0, 1, func(ctx context.Context) error {
			return w.Store.EndStep(ctx, key, stageStep(proposal.StageMeasure, proposal.StepOK), []byte("x"))
		}},
		{"end it again", 1, 1, func(ctx context.Context) error {
			return w.Store.EndStep(ctx, key, stageStep(proposal.StageMeasure, proposal.StepOK), []byte("x"))
		}},
		{"its outcome", 2, 0, func(ctx context.Context) error {
			_, err := w.Store.Outcome(ctx, key, proposal.StageMeasure)
			return err
		}},
		{"the run", 1, 0, func(ctx context.Context) (err error) { run, err = w.Store.SetupRun(ctx, key); return err }},
		{"two of its outcomes", 1, 0, func(ctx context.Context) error {
			_, err := w.Store.Outcomes(ctx, key, run, proposal.StageCandidates, proposal.StageMeasure)
			return err
		}},
		{"one that it has not", 0, 0, func(ctx context.Context) error {
			_, err := w.Store.Outcomes(ctx, key, run, proposal.StageCandidates)
			return err
		}},
		{"poll", 2, 0, func(ctx context.Context) error { _, _, err := w.Store.Setup(ctx, w.Main.ID, key.DraftID); return err }},
		{"begin the last", 0, 1, func(ctx context.Context) error {
			_, err := w.Store.BeginStep(ctx, key, stageStep(proposal.StageValidate, proposal.StepRunning))
			return err
		}},
		{"finish", 0, 1, func(ctx context.Context) error {
			last := stageStep(proposal.StageValidate, proposal.StepOK)
			return w.Store.FinishRun(ctx, key, proposal.End{Status: proposal.Ready, Proposal: &proposal.Proposal{}, Step: &last})
		}},
		{"poll to its end", 2, 0,
			func(ctx context.Context) error { _, _, err := w.Store.Setup(ctx, w.Main.ID, key.DraftID); return err }},
	} {
		ctx, meter := table.WithMeter(t.Context())
		if err := c.do(ctx); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if used := meter.Total(); used.Reads != c.reads || used.Writes != c.writes {
			t.Errorf("%s: %+v", c.name, used)
		}
	}
}
