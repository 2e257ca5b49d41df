package setupstore_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// A run that ends between what a worker reads of it and what it writes is over for that worker too.
func TestEndInBetween(t *testing.T) {
	for name, write := range map[string]func(context.Context, *allstores.Store, proposal.Key) error{
		"begin a step": func(ctx context.Context, s *allstores.Store, key proposal.Key) error {
			_, err := s.BeginStep(ctx, key, stageStep(proposal.StageSample, proposal.StepRunning))
			return err
		},
		"begin one again": func(ctx context.Context, s *allstores.Store, key proposal.Key) error {
			_, err := s.BeginStep(ctx, key, stageStep(proposal.StageMeasure, proposal.StepRunning))
			return err
		},
		"end a step": func(ctx context.Context, s *allstores.Store, key proposal.Key) error {
			return s.EndStep(ctx, key, stageStep(proposal.StageMeasure, proposal.StepOK), nil)
		},
		"end one that never began": func(ctx context.Context, s *allstores.Store, key proposal.Key) error {
			return s.EndStep(ctx, key, stageStep(proposal.StageSample, proposal.StepSkipped), nil)
		},
		"keep a part": func(ctx context.Context, s *allstores.Store, key proposal.Key) error {
			_, err := s.KeepPart(ctx, key, "measure.b", []byte("x"))
			return err
		},
		"finish": func(ctx context.Context, s *allstores.Store, key proposal.Key) error {
			return s.FinishRun(ctx, key, proposal.End{Status: proposal.Ready, Proposal: &proposal.Proposal{ID: "late"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := worldtest.NewWorld(t)
			key := begun(t, w)
			if _, err := w.Store.BeginStep(t.Context(), key, stageStep(proposal.StageMeasure, proposal.StepRunning)); err != nil {
				t.Fatal(err)
			}
			var before map[string]table.Item
			over := &fault.Hooked{Table: w.Table, Before: func() {
				if err := w.Store.FinishRun(t.Context(), key, proposal.End{Status: proposal.Failed, Message: "why"}); err != nil {
					t.Error(err)
				}
				before = allRows(t, w, key)
			}}
			if err := write(t.Context(), allstores.New(table.Retrying(over), w.Clock), key); !errors.Is(err, proposal.ErrOver) {
				t.Errorf("%v", err)
			}
			if after := allRows(t, w, key); over.Before != nil || !reflect.DeepEqual(before, after) {
				t.Errorf("before %v\nafter  %v", before, after)
			}
		})
	}
}

// A step that ends between what its caller reads and notes has ended, and the draft stays where it is.
func TestStepEndsInBetween(t *testing.T) {
	w := worldtest.NewWorld(t)
	key := begun(t, w)
	running := stageStep(proposal.StageMeasure, proposal.StepRunning)
	if _, err := w.Store.BeginStep(t.Context(), key, running); err != nil {
		t.Fatal(err)
	}
	over := &fault.Hooked{Table: w.Table, Before: func() {
		if err := w.Store.EndStep(t.Context(), key, stageStep(proposal.StageMeasure, proposal.StepOK), []byte("first")); err != nil {
			t.Error(err)
		}
	}}
	s := allstores.New(table.Retrying(over), w.Clock)
	if noted, err := s.BeginStep(t.Context(), key, running); err != nil || noted.Status != proposal.StepOK {
		t.Errorf("%+v %v", noted, err)
	}
	if d := draftOf(t, w, key.DraftID); d.Status != proposal.Measuring {
		t.Errorf("the draft is %s", d.Status)
	}
	if _, err := w.Store.BeginStep(t.Context(), key, stageStep(proposal.StageAgent, proposal.StepRunning)); err != nil {
		t.Fatal(err)
	}
	for _, stage := range []proposal.Stage{proposal.StageSample, proposal.StageAgent} { // that never began, and that did
		over.Before = func() {
			if err := w.Store.EndStep(t.Context(), key, stageStep(stage, proposal.StepFailed), []byte("first")); err != nil {
				t.Error(err)
			}
		}
		if err := s.EndStep(t.Context(), key, stageStep(stage, proposal.StepOK), []byte("second")); err != nil {
			t.Error(err)
		}
		if outcome, err := s.Outcome(t.Context(), key, stage); err != nil || string(outcome) != "first" {
			t.Errorf("%q %v", outcome, err)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	d := scanned(t, w)
	const many = 20
	at := func(do func(i int)) { faulttest.AtOnce(many, do) }
	var started atomic.Int64
	key := proposal.Key{WorkspaceID: w.Main.ID, DraftID: d.ID, Number: 1}
	at(func(int) {
		found, fresh, err := w.Store.StartRun(t.Context(), w.Main.ID, d.ID, proposal.Balanced, "", proposal.RunLimit)
		if err != nil || found != key {
			t.Errorf("%+v %v", found, err)
		}
		if fresh {
			started.Add(1)
		}
	})
	if started.Load() != 1 {
		t.Errorf("%d runs began", started.Load())
	}
	contents := make([][]byte, many)
	for i := range contents {
		contents[i] = noise(uint64(i), 20_000)
	}
	contents[0], contents[7] = noise(100, 700_000), noise(101, 400_000)
	at(func(i int) {
		if err := w.Store.EndStep(t.Context(), key, stageStep(proposal.StageSample, proposal.StepOK), contents[i]); err != nil {
			t.Error(err)
		}
	})
	outcome, err := w.Store.Outcome(t.Context(), key, proposal.StageSample)
	if err != nil || !one(contents, outcome) {
		t.Errorf("an outcome of %d bytes: %v", len(outcome), err)
	}
	answered := make([][]byte, many)
	at(func(i int) {
		part, err := w.Store.KeepPart(t.Context(), key, "agent.1", contents[i])
		if err != nil {
			t.Error(err)
		}
		answered[i] = part
	})
	parts, err := w.Store.Parts(t.Context(), key, "agent.")
	if err != nil || len(parts) != 1 || !one(contents, parts["agent.1"]) {
		t.Errorf("%d parts: %v", len(parts), err)
	}
	for _, content := range answered {
		if string(content) != string(parts["agent.1"]) {
			t.Error("one was answered another part than is kept")
		}
	}
	var ends, over atomic.Int64
	at(func(i int) {
		switch err := w.Store.FinishRun(t.Context(), key,
			proposal.End{Status: proposal.Ready, Proposal: &proposal.Proposal{ID: fmt.Sprint(i)}}); {
		case err == nil:
			ends.Add(1)
		case errors.Is(err, proposal.ErrOver):
			over.Add(1)
		default:
			t.Error(err)
		}
	})
	if ends.Load() != 1 || over.Load() != many-1 {
		t.Errorf("%d ended it, %d came late", ends.Load(), over.Load())
	}
}

func one(of [][]byte, content []byte) bool {
	for _, each := range of {
		if string(each) == string(content) {
			return true
		}
	}
	return false
}

// A worker that dies before or behind any of its writes and is run again from the start comes to what one that lives comes to.
func TestRun_Killed(t *testing.T) {
	large := noise(5, 700_000)
	play := func(ctx context.Context, s *allstores.Store, orgID string) (key proposal.Key, err error) {
		d, err := s.CreateDraftOnce(ctx, orgID, "northwind.example", "make")
		if err != nil {
			return key, err
		}
		p := profile()
		if err := s.ScanDone(ctx, orgID, d.ID, &p, ""); err != nil {
			return key, err
		}
		if key, _, err = s.StartRunOnce(ctx, orgID, d.ID, proposal.Balanced, "", proposal.RunLimit, "begin"); err != nil {
			return key, err
		}
		run, err := s.SetupRun(ctx, key)
		if err != nil || !run.FinishedAt.IsZero() {
			return key, err
		}
		for _, stage := range proposal.Pipeline()[:2] {
			if _, err := s.BeginStep(ctx, key, stageStep(stage.Name, proposal.StepRunning)); err != nil {
				return key, err
			}
			if _, err := s.KeepPart(ctx, key, string(stage.Name)+".a", large); err != nil {
				return key, err
			}
			if err := s.EndStep(ctx, key, stageStep(stage.Name, proposal.StepOK), large); err != nil {
				return key, err
			}
		}
		return key, s.FinishRun(ctx, key, proposal.End{Status: proposal.Ready, Proposal: &proposal.Proposal{ID: "p"}})
	}
	faulttest.EachStep(t, 14, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		life := &fault.Life{Counts: fault.IsWrite}
		s := allstores.New(table.Retrying(fault.Table(w.Table, life.Set())), w.Clock)
		step.Die(t, life, func() error {
			_, err := play(t.Context(), s, w.Main.ID)
			return err
		})
		key, err := play(t.Context(), s, w.Main.ID)
		if err != nil {
			t.Fatal(err)
		}
		d, run, err := s.Setup(t.Context(), w.Main.ID, key.DraftID)
		if err != nil || d.Run != 1 || d.Status != proposal.Ready || run.Proposal == nil || run.Proposal.ID != "p" ||
			len(run.Steps) != 2 {
			t.Errorf("%+v %+v %v", d, run, err)
		}
		for _, stage := range []proposal.Stage{proposal.StageCandidates, proposal.StageMeasure} {
			if outcome, err := s.Outcome(t.Context(), key, stage); err != nil || string(outcome) != string(large) {
				t.Errorf("an outcome of %d bytes: %v", len(outcome), err)
			}
		}
		if parts, err := s.Parts(t.Context(), key, ""); err != nil || len(parts) != 2 ||
			string(parts["measure.a"]) != string(large) {
			t.Errorf("%d parts: %v", len(parts), err)
		}
		page, err := w.Table.Query(t.Context(), table.Query{Table: rows.CoreTable, Partition: w.Main.ID, Prefix: "draft#"})
		if err != nil || len(page.Items) != 1 {
			t.Errorf("%d drafts: %v", len(page.Items), err)
		}
	})
}

// behind is a table that shows some rows as they were before, in the first so many queries of a run.
type behind struct {
	table.Table
	rows    map[table.Key]table.Item
	queries int
}

func (b *behind) Query(ctx context.Context, query table.Query) (table.Page, error) {
	page, err := b.Table.Query(ctx, query)
	if b.queries--; b.queries < 0 {
		return page, err
	}
	for i, item := range page.Items {
		if before, has := b.rows[table.KeyOf(item)]; has {
			page.Items[i] = before
		}
	}
	return page, err
}

// A run whose end is half visible is read again, until all of the end is there. Who never sees all of it sees none: the
// run is under way, without the end of its last stage.
func TestSetup_EndHalfVisible(t *testing.T) {
	w := worldtest.NewWorld(t)
	key := begun(t, w)
	for _, stage := range proposal.Stages() {
		if _, err := w.Store.BeginStep(t.Context(), key, stageStep(stage, proposal.StepRunning)); err != nil {
			t.Fatal(err)
		}
		if stage.Last() {
			break
		}
		if err := w.Store.EndStep(t.Context(), key, stageStep(stage, proposal.StepOK), nil); err != nil {
			t.Fatal(err)
		}
	}
	before := allRows(t, w, key)
	last := stageStep(proposal.StageValidate, proposal.StepOK)
	end := proposal.End{Status: proposal.Ready, Proposal: &proposal.Proposal{ID: "p"}, Step: &last}
	if err := w.Store.FinishRun(t.Context(), key, end); err != nil {
		t.Fatal(err)
	}
	head := table.Key{Partition: key.WorkspaceID, Sort: fmt.Sprintf("run#%s#%010d", key.DraftID, key.Number)}
	for _, c := range []struct {
		queries int
		want    proposal.Status
		steps   int
	}{{1, proposal.Ready, len(proposal.Stages())}, {3, proposal.Ready, len(proposal.Stages())}, {100, proposal.Proposing,
		len(proposal.Stages()) - 1}} {
		over := &behind{w.Table, map[table.Key]table.Item{head: before[rows.CoreTable+" "+head.Sort]}, c.queries}
		d, run, err := allstores.New(over, w.Clock).Setup(t.Context(), key.WorkspaceID, key.DraftID)
		if err != nil || d.Status != c.want || (run.Proposal != nil) != c.want.Shown() {
			t.Errorf("Setup behind for %d queries = %s with proposal %+v, %v, want %s", c.queries, d.Status, run.Proposal, err, c.want)
		}
		if len(run.Steps) != c.steps {
			t.Errorf("Setup behind for %d queries has %d steps, want %d", c.queries, len(run.Steps), c.steps)
		}
	}
}
