package setupstore_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/store/rows"
	"earshot/shared/store/setupstore"
	"earshot/shared/worldtest"
)

func profile() proposal.Profile {
	return proposal.Profile{
		Company:       "Northwind",
		Description:   "Alerting <for> \"teams\".",
		Products:      []string{"Pager"},
		Audience:      "engineers",
		Handles:       []proposal.Handle{{Platform: "github", Handle: "northwind", Linked: true}},
		Language:      "english",
		Competitors:   []string{"Southwind"},
		IndustryTerms: []string{"on-call schedule"},
		OtherNames:    []string{},
	}
}

// scanned makes a draft that has been scanned.
func scanned(t testing.TB, w *worldtest.World) proposal.Draft {
	t.Helper()
	d, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "northwind.example", "")
	if err != nil {
		t.Fatal(err)
	}
	p := profile()
	if err := w.Store.ScanDone(t.Context(), w.Main.ID, d.ID, &p, ""); err != nil {
		t.Fatal(err)
	}
	return draftOf(t, w, d.ID)
}

func draftOf(t testing.TB, w *worldtest.World, id string) proposal.Draft {
	t.Helper()
	d, err := w.Store.Draft(t.Context(), w.Main.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDraftIsScanned(t *testing.T) {
	w := worldtest.NewWorld(t)
	d, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "northwind.example", "asked")
	if err != nil || d.Status != proposal.Scanning || d.DueAt != worldtest.Now.Add(proposal.ScanLimit) ||
		d.Revision != 1 || d.Profile != nil {
		t.Fatalf("%+v %v", d, err)
	}
	again, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "northwind.example", "asked")
	if err != nil || !reflect.DeepEqual(again, d) {
		t.Errorf("sent again: %+v %v", again, err)
	}
	w.Clock.Freeze(worldtest.Now.Add(time.Second))
	p := profile()
	if err := w.Store.ScanDone(t.Context(), w.Main.ID, d.ID, &p, "not said"); err != nil {
		t.Fatal(err)
	}
	found := draftOf(t, w, d.ID)
	want := d
	want.Status, want.Profile, want.ProfileRevision, want.DueAt, want.UpdatedAt, want.Revision =
		proposal.Scanned, &p, 1, time.Time{}, worldtest.Now.Add(time.Second), 2
	if !reflect.DeepEqual(found, want) {
		t.Errorf("got  %+v\nwant %+v", found, want)
	}
	if err := w.Store.ScanDone(t.Context(), w.Main.ID, d.ID, nil, "late"); err != nil ||
		!reflect.DeepEqual(draftOf(t, w, d.ID), want) {
		t.Errorf("a late scan: %+v %v", draftOf(t, w, d.ID), err)
	}
	for _, id := range []string{d.ID + "x", "draft_", "", "org", "draft_" + strings.Repeat("x", 64), d.ID + "#",
		"draft_\x00", strings.TrimPrefix(d.ID, "draft_")} {
		if _, err := w.Store.Draft(t.Context(), w.Main.ID, id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if _, err := w.Store.Draft(t.Context(), w.Other.ID, d.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another workspace: %v", err)
	}
	if err := w.Store.ScanDone(t.Context(), w.Other.ID, d.ID, &p, ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("another workspace: %v", err)
	}
}

func TestRestoreDraft(t *testing.T) {
	w := worldtest.NewWorld(t)
	p := profile()
	d := proposal.Draft{
		ID:              "draft_01KAF3Y3W2V4GZ9M6T8Q5X7B1C",
		Domain:          "northwind.example",
		Status:          proposal.Scanned,
		Profile:         &p,
		ProfileRevision: 1,
		CreatedAt:       worldtest.Now,
		UpdatedAt:       worldtest.Now,
		Revision:        1,
	}
	if err := w.Store.RestoreDraft(t.Context(), w.Main.ID, d); err != nil {
		t.Fatal(err)
	}
	if found := draftOf(t, w, d.ID); !reflect.DeepEqual(found, d) {
		t.Errorf("%+v", found)
	}
	if err := w.Store.RestoreDraft(t.Context(), w.Main.ID, d); !errors.Is(err, store.ErrConflict) {
		t.Errorf("twice: %v", err)
	}
	d.ID = "northwind"
	if err := w.Store.RestoreDraft(t.Context(), w.Main.ID, d); err == nil {
		t.Error("an id that is no draft's")
	}
}

// A scan that failed leaves a draft that a person can describe.
func TestScanThatFailed(t *testing.T) {
	w := worldtest.NewWorld(t)
	d, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "northwind.example", "")
	if err != nil {
		t.Fatal(err)
	}
	set := func(p *proposal.Profile) error { p.Company = "Northwind"; return nil }
	if _, err := w.Store.EditProfile(t.Context(), w.Main.ID, d.ID, set); !errors.Is(err, setupstore.ErrScanning) {
		t.Errorf("while it is scanned: %v", err)
	}
	if _, _, err := w.Store.StartRun(t.Context(), w.Main.ID, d.ID, proposal.Balanced, "",
		proposal.RunLimit); !errors.Is(err, setupstore.ErrScanning) {
		t.Errorf("while it is scanned: %v", err)
	}
	if err := w.Store.ScanDone(t.Context(), w.Main.ID, d.ID, nil, "The domain does not resolve."); err != nil {
		t.Fatal(err)
	}
	failed := draftOf(t, w, d.ID)
	if failed.Status != proposal.Failed || failed.Message == "" || failed.Profile != nil || !failed.DueAt.IsZero() {
		t.Errorf("%+v", failed)
	}
	if _, _, err := w.Store.StartRun(t.Context(), w.Main.ID, d.ID, proposal.Balanced, "",
		proposal.RunLimit); !errors.Is(err, setupstore.ErrNoProfile) {
		t.Errorf("without a profile: %v", err)
	}
	same, err := w.Store.EditProfile(t.Context(), w.Main.ID, d.ID, func(*proposal.Profile) error { return nil })
	if err != nil || !reflect.DeepEqual(same, failed) {
		t.Errorf("a change of nothing: %+v %v", same, err)
	}
	edited, err := w.Store.EditProfile(t.Context(), w.Main.ID, d.ID, set)
	if err != nil || edited.Status != proposal.Scanned || edited.Message != "" || edited.Profile.Company != "Northwind" ||
		edited.Profile.Language != "undetermined" || edited.ProfileRevision != 1 {
		t.Errorf("%+v %v", edited, err)
	}
	if kept := draftOf(t, w, d.ID); !kept.Profile.Same(*edited.Profile) || kept.Status != edited.Status ||
		kept.Revision != edited.Revision || kept.Message != "" {
		t.Errorf("kept %+v", kept)
	}
	if _, started, err := w.Store.StartRun(t.Context(), w.Main.ID, d.ID, proposal.Balanced, "",
		proposal.RunLimit); err != nil || !started {
		t.Errorf("%v %v", started, err)
	}
}

// Edits of different people and what a run does to the draft all stand.
func TestEditsAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	d := scanned(t, w)
	key, _, err := w.Store.StartRun(t.Context(), w.Main.ID, d.ID, proposal.Balanced, "", proposal.RunLimit)
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	for i := range 12 {
		running.Go(func() {
			_, err := w.Store.EditProfile(t.Context(), w.Main.ID, d.ID, func(p *proposal.Profile) error {
				p.Products = append(p.Products, fmt.Sprintf("Product %d", i))
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for _, stage := range proposal.Pipeline() {
		if _, err := w.Store.BeginStep(t.Context(), key, proposal.Step{Stage: stage.Name, Status: proposal.StepRunning}); err != nil {
			t.Error(err)
		}
		if err := w.Store.EndStep(t.Context(), key, proposal.Step{Stage: stage.Name, Status: proposal.StepOK}, nil); err != nil {
			t.Error(err)
		}
	}
	if err := w.Store.FinishRun(t.Context(), key,
		proposal.End{Status: proposal.Ready, Proposal: &proposal.Proposal{ID: "p"}}); err != nil {
		t.Error(err)
	}
	running.Wait()
	found, run, err := w.Store.Setup(t.Context(), w.Main.ID, d.ID)
	if err != nil || len(found.Profile.Products) != 13 || found.ProfileRevision != 13 || found.Status != proposal.Ready ||
		!found.DueAt.IsZero() {
		t.Errorf("%+v %v", found, err)
	}
	if run.ProfileRevision != 1 || len(run.Profile.Products) != 1 || len(run.Steps) != 5 {
		t.Errorf("the run has another profile than it began with: %+v", run)
	}
	refused := errors.New("refused")
	if _, err := w.Store.EditProfile(t.Context(), w.Main.ID, d.ID,
		func(*proposal.Profile) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
}

// A workspace keeps so many drafts, and what is under way is never taken out.
func TestDraftsGiveWay(t *testing.T) {
	w := worldtest.NewWorld(t)
	first, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "scanning.example", "first")
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Freeze(worldtest.Now.Add(time.Second))
	oldest := scanned(t, w)
	key, _, err := w.Store.StartRun(t.Context(), w.Main.ID, oldest.ID, proposal.Balanced, "", proposal.RunLimit)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Store.FinishRun(t.Context(), key,
		proposal.End{Status: proposal.Ready, Proposal: &proposal.Proposal{ID: "p"}}); err != nil {
		t.Fatal(err)
	}
	w.Clock.Freeze(worldtest.Now.Add(2 * time.Second))
	for range setupstore.MaxDrafts - 2 {
		if _, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "another.example", ""); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	made, limited := []proposal.Draft{}, 0
	faulttest.AtOnce(6, func(int) {
		d, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "new.example", "")
		mu.Lock()
		defer mu.Unlock()
		switch {
		case errors.Is(err, setupstore.ErrDraftLimit):
			limited++
		case err != nil:
			t.Error(err)
		default:
			made = append(made, d)
		}
	})
	if len(made) != 1 || limited != 5 {
		t.Fatalf("%d made, %d refused", len(made), limited)
	}
	if _, err := w.Store.Draft(t.Context(), w.Main.ID, oldest.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the oldest that settled: %v", err)
	}
	if _, err := w.Store.SetupRun(t.Context(), key); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("its run: %v", err)
	}
	if again, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "scanning.example", "first"); err != nil ||
		again.ID != first.ID {
		t.Errorf("a repeat: %+v %v", again, err)
	}
	page, err := w.Table.Query(t.Context(), table.Query{Table: rows.CoreTable, Partition: w.Main.ID, Prefix: "draft#"})
	if err != nil || len(page.Items) != setupstore.MaxDrafts {
		t.Errorf("%d drafts: %v", len(page.Items), err)
	}
	if _, err := w.Store.CreateDraftOnce(t.Context(), w.Other.ID, "new.example", ""); err != nil {
		t.Errorf("another workspace: %v", err)
	}
}

// A draft for which something begins while it is to give way stays, and the next one gives way.
func TestDraftThatIsTakenUpStays(t *testing.T) {
	w := worldtest.NewWorld(t)
	first := scanned(t, w)
	w.Clock.Freeze(worldtest.Now.Add(time.Second))
	second := scanned(t, w)
	for range setupstore.MaxDrafts - 2 {
		if _, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "another.example", ""); err != nil {
			t.Fatal(err)
		}
	}
	attempts := 0
	over := &fault.Hooked{Table: w.Table}
	over.Before = func() { // before the first attempt, which finds that the workspace is full
		over.Before = func() {
			attempts++
			if _, _, err := w.Store.StartRun(t.Context(), w.Main.ID, first.ID, proposal.Balanced, "", proposal.RunLimit); err != nil {
				t.Error(err)
			}
		}
	}
	if _, err := allstores.New(table.Retrying(over), w.Clock).CreateDraftOnce(t.Context(), w.Main.ID, "new.example",
		""); err != nil || attempts != 1 {
		t.Fatal(attempts, err)
	}
	if d := draftOf(t, w, first.ID); d.Status != proposal.Proposing {
		t.Errorf("%+v", d)
	}
	if _, err := w.Store.Draft(t.Context(), w.Main.ID, second.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("%v", err)
	}
}

// A draft that was applied gives way when every other one is under way or was applied too.
func TestAppliedDraftGivesWayLast(t *testing.T) {
	w := worldtest.NewWorld(t)
	applied, settled := scanned(t, w), proposal.Draft{}
	_, err := w.Table.Update(t.Context(),
		table.Update{Table: rows.CoreTable, Key: table.Key{Partition: w.Main.ID, Sort: "draft#" + applied.ID},
			Set: map[string]any{"status": "applied"}})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Freeze(worldtest.Now.Add(time.Second))
	settled = scanned(t, w)
	for range setupstore.MaxDrafts - 2 {
		if _, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "another.example", ""); err != nil {
			t.Fatal(err)
		}
	}
	for i, gone := range []string{settled.ID, applied.ID} {
		if _, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "new.example", ""); err != nil {
			t.Fatal(i, err)
		}
		if _, err := w.Store.Draft(t.Context(), w.Main.ID, gone); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if _, err := w.Store.CreateDraftOnce(t.Context(), w.Main.ID, "new.example", ""); !errors.Is(err, setupstore.ErrDraftLimit) {
		t.Errorf("all are under way: %v", err)
	}
}

func TestDueSetups(t *testing.T) {
	w := worldtest.NewWorld(t)
	due := func(limit int) []proposal.Due {
		t.Helper()
		found, err := w.Store.DueSetups(t.Context(), limit)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	settled := scanned(t, w)
	running := scanned(t, w)
	key, _, err := w.Store.StartRun(t.Context(), w.Main.ID, running.ID, proposal.Thorough, "", proposal.RunLimit)
	if err != nil {
		t.Fatal(err)
	}
	scanning, err := w.Store.CreateDraftOnce(t.Context(), w.Other.ID, "northwind.example", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   time.Duration
		want []proposal.Due
	}{
		{0, []proposal.Due{}},
		{proposal.ScanLimit - time.Millisecond, []proposal.Due{}},
		{proposal.ScanLimit, []proposal.Due{{WorkspaceID: w.Other.ID, DraftID: scanning.ID, Status: proposal.Scanning}}},
		{proposal.RunLimit, []proposal.Due{{WorkspaceID: w.Other.ID, DraftID: scanning.ID, Status: proposal.Scanning},
			{WorkspaceID: w.Main.ID, DraftID: running.ID, Status: proposal.Proposing, Run: 1}}},
	} {
		w.Clock.Freeze(worldtest.Now.Add(c.at))
		if found := due(10); !reflect.DeepEqual(found, c.want) {
			t.Errorf("after %v: %+v", c.at, found)
		}
	}
	if found := due(1); len(found) != 1 || found[0].DraftID != scanning.ID {
		t.Errorf("the longest overdue: %+v", found)
	}
	if err := w.Store.ScanDone(t.Context(), w.Other.ID, scanning.ID, nil, "It took too long."); err != nil {
		t.Fatal(err)
	}
	if err := w.Store.FinishRun(t.Context(), key, proposal.End{Status: proposal.Failed, Message: "why"}); err != nil {
		t.Fatal(err)
	}
	if found := due(10); len(found) != 0 {
		t.Errorf("%+v (%s has settled)", found, settled.ID)
	}
	if d := draftOf(t, w, running.ID); d.Message != "why" || d.Status != proposal.Failed {
		t.Errorf("%+v", d)
	}
}
