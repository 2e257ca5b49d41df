package workspacestore_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/store/purgestore"
	"earshot/shared/store/rows"
	"earshot/shared/store/workspacestore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

const reserved = 5 * time.Minute // for how long a place is kept

func reserve(t testing.TB, w *worldtest.World, request string) workspacestore.Reservation {
	t.Helper()
	r, err := w.Store.ReserveWorkspace(t.Context(), w.Agency.ID, request)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func opens(t testing.TB, w *worldtest.World, r workspacestore.Reservation) (workspacestore.AgencyWorkspace, error) {
	t.Helper()
	return w.Store.OpenWorkspace(t.Context(), r, workspace.Workspace{Name: "Client", Plan: workspace.Pro},
		workspace.Company{Name: "Client", Domain: "client.example"})
}

// roomFor bounds the workspaces of the World's agency, which has two.
func roomFor(t testing.TB, w *worldtest.World, limit int) {
	t.Helper()
	if err := w.Store.ChangeAgency(t.Context(), w.Agency.ID,
		func(a *workspace.Agency) error { a.WorkspaceLimit = limit; return nil }); err != nil {
		t.Fatal(err)
	}
}

func placesOf(t testing.TB, w *worldtest.World) (made, all int) {
	t.Helper()
	ids, err := w.Store.AgencyWorkspaces(t.Context(), w.Agency.ID)
	if err != nil {
		t.Fatal(err)
	}
	all, err = w.Store.AgencyPlaces(t.Context(), w.Agency.ID)
	if err != nil {
		t.Fatal(err)
	}
	return len(ids), all
}

func TestReserveAndOpen(t *testing.T) {
	w := worldtest.NewWorld(t)
	first, second := reserve(t, w, ""), reserve(t, w, "")
	if first.Made || first.WorkspaceID == second.WorkspaceID || !first.Until.Equal(worldtest.Now.Add(reserved)) {
		t.Errorf("%+v, %+v", first, second)
	}
	if made, all := placesOf(t, w); made != 2 || all != 4 {
		t.Errorf("%d of %d", made, all)
	}
	if _, err := w.Store.Workspace(t.Context(), first.WorkspaceID); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	if _, err := w.Store.AgencyWorkspace(t.Context(), w.Agency.ID, first.WorkspaceID); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	w.Clock.Freeze(worldtest.Now.Add(time.Minute))
	opened, err := opens(t, w, first)
	if err != nil || opened.ID != first.WorkspaceID || opened.AgencyID != w.Agency.ID ||
		opened.Domain != "client.example" ||
		!opened.CreatedAt.Equal(worldtest.Now.Add(time.Minute)) {
		t.Fatalf("%+v, %v", opened, err)
	}
	found, err := w.Store.AgencyWorkspace(t.Context(), w.Agency.ID, opened.ID)
	if err != nil || found.Name != "Client" || found.Domain != "client.example" ||
		!found.CreatedAt.Equal(opened.CreatedAt) ||
		len(found.Secret) != 32 {
		t.Errorf("%+v, %v", found, err)
	}
	if made, all := placesOf(t, w); made != 3 || all != 4 {
		t.Errorf("%d of %d", made, all)
	}
	// What is made is made: it is not made again, and not abandoned.
	if _, err := opens(t, w, first); !errors.Is(err, workspacestore.ErrReservationLost) {
		t.Error(err)
	}
	if err := w.Store.AbandonWorkspace(t.Context(), first); !errors.Is(err, workspacestore.ErrWorkspaceMade) {
		t.Error(err)
	}
	// What is abandoned is not made.
	for range 2 {
		if err := w.Store.AbandonWorkspace(t.Context(), second); err != nil {
			t.Error(err)
		}
	}
	if _, err := opens(t, w, second); !errors.Is(err, workspacestore.ErrReservationLost) {
		t.Error(err)
	}
	if due, err := w.Store.Purges(t.Context(), 10); err != nil || len(due) != 0 {
		t.Errorf("%v, %v", due, err)
	}
	w.Clock.Freeze(worldtest.Now.Add(reserved))
	if due, err := w.Store.Purges(t.Context(), 10); err != nil || !slices.Equal(due, []string{second.WorkspaceID}) {
		t.Errorf("%v, %v", due, err)
	}
	for range 2 {
		if err := w.Store.ForgetWorkspace(t.Context(), second); err != nil {
			t.Error(err)
		}
	}
	if due, err := w.Store.Purges(t.Context(), 10); err != nil || len(due) != 0 {
		t.Errorf("%v, %v", due, err)
	}
	if _, err := w.Store.ReserveWorkspace(t.Context(), "agc_none", ""); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
}

// However many ask at once, as many places are kept as there is room for.
func TestReservationsAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	roomFor(t, w, 2+3)
	failures := make([]error, 20)
	faulttest.AtOnce(len(failures),
		func(n int) { _, failures[n] = w.Store.ReserveWorkspace(t.Context(), w.Agency.ID, "") })
	kept := 0
	for _, err := range failures {
		if err == nil {
			kept++
		} else if !errors.Is(err, workspacestore.ErrAgencyFull) {
			t.Error(err)
		}
	}
	if made, all := placesOf(t, w); kept != 3 || made != 2 || all != 5 {
		t.Errorf("%d were kept: %d of %d", kept, made, all)
	}
}

// Whoever has counted before another took the last place counts again.
func TestReservationBetweenCountAndWrite(t *testing.T) {
	w := worldtest.NewWorld(t)
	roomFor(t, w, 3)
	meanwhile := fault.Around(fault.After("query", 1, func() { reserve(t, w, "") }))
	slow := allstores.New(table.Retrying(fault.Table(w.Table, meanwhile)), w.Clock)
	if r, err := slow.ReserveWorkspace(t.Context(), w.Agency.ID, ""); !errors.Is(err, workspacestore.ErrAgencyFull) {
		t.Errorf("%+v, %v", r, err)
	}
	if made, all := placesOf(t, w); made != 2 || all != 3 {
		t.Errorf("%d of %d", made, all)
	}
}

// A repeat of a request has the place of the first, and its time begins anew; what the first still does comes to nothing.
func TestReservationOfARepeat(t *testing.T) {
	w := worldtest.NewWorld(t)
	first := reserve(t, w, "r")
	w.Clock.Freeze(worldtest.Now.Add(4 * time.Minute))
	again := reserve(t, w, "r")
	if again.WorkspaceID != first.WorkspaceID || !again.Until.Equal(worldtest.Now.Add(4*time.Minute+reserved)) ||
		again.Made {
		t.Errorf("%+v, %+v", first, again)
	}
	if other := reserve(t, w, "s"); other.WorkspaceID == first.WorkspaceID {
		t.Error("another request has the same place")
	}
	w.Clock.Freeze(worldtest.Now.Add(8 * time.Minute))
	if done, err := w.Store.Purge(t.Context(), first.WorkspaceID, nothingBeside, 0); err != nil ||
		done != (purgestore.Purged{}) {
		t.Errorf("%+v, %v", done, err)
	}
	if err := w.Store.AbandonWorkspace(t.Context(), first); !errors.Is(err, workspacestore.ErrReservationLost) {
		t.Error(err)
	}
	if _, err := opens(t, w, first); !errors.Is(err, workspacestore.ErrReservationLost) {
		t.Error(err)
	}
	if _, err := opens(t, w, again); err != nil {
		t.Error(err)
	}
	if made := reserve(t, w, "r"); !made.Made || made.WorkspaceID != first.WorkspaceID {
		t.Errorf("%+v", made)
	}
	if made, all := placesOf(t, w); made != 3 || all != 4 {
		t.Errorf("%d of %d", made, all)
	}
	// A repeat is known for a day, and after the workspace is deleted too.
	for range 2 {
		if err := w.Store.DeleteAgencyWorkspace(t.Context(), w.Agency.ID, first.WorkspaceID, "d"); err != nil {
			t.Error(err)
		}
	}
	if err := w.Store.DeleteAgencyWorkspace(t.Context(), w.Agency.ID, first.WorkspaceID, "e"); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	if made := reserve(t, w, "r"); !made.Made {
		t.Errorf("%+v", made)
	}
	w.Clock.Freeze(worldtest.Now.Add(8*time.Minute + 24*time.Hour))
	if next := reserve(t, w, "r"); next.Made || next.WorkspaceID == first.WorkspaceID {
		t.Errorf("%+v", next)
	}
}

// nothingBeside is what a workspace without files and groups has beside its rows.
var nothingBeside = purgestore.Beside{
	File:  func(context.Context, string) error { return nil },
	Group: func(context.Context, string) error { return nil },
	Slack: func(context.Context, string) error { return nil },
}

// A repeat that comes when the purge has begun with its place takes that over, for another workspace.
func TestReservationThatIsPurged(t *testing.T) {
	w := worldtest.NewWorld(t)
	roomFor(t, w, 3)
	first := reserve(t, w, "r")
	w.Clock.Freeze(worldtest.Now.Add(reserved))
	var again workspacestore.Reservation
	// The repeat comes after the purge has begun and before it has taken anything away.
	w.Table.Update(t.Context(),
		table.Update{Table: rows.CoreTable, Key: table.Key{Partition: first.WorkspaceID, Sort: "purge"},
			Set: map[string]any{"dueAt": "2026-11-20T10:30:00.000Z"}})
	again = reserve(t, w, "r")
	if again.WorkspaceID == first.WorkspaceID {
		t.Error("it is to be made where the purge is at work")
	}
	if made, all := placesOf(t, w); made != 2 || all != 3 {
		t.Errorf("%d of %d", made, all)
	}
	if _, err := opens(t, w, again); err != nil {
		t.Error(err)
	}
	w.Clock.Freeze(worldtest.Now.Add(time.Hour))
	if _, err := w.Store.Purge(t.Context(), first.WorkspaceID, nothingBeside, 0); err != nil {
		t.Error(err)
	}
	if made, all := placesOf(t, w); made != 3 || all != 3 {
		t.Errorf("%d of %d", made, all)
	}
}

// The agency's are those that name it, and no others.
func TestAgencyWorkspacesAreItsOwn(t *testing.T) {
	w := worldtest.NewWorld(t)
	for _, id := range []string{w.Main.ID, w.Agency.ID, "org_none"} {
		if _, err := w.Store.AgencyWorkspace(t.Context(), w.Agency.ID, id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
		if err := w.Store.DeleteAgencyWorkspace(t.Context(), w.Agency.ID, id, "r"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if err := w.Store.DeleteAgencyWorkspace(t.Context(), "agc_other", w.Member.ID, ""); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	if _, err := w.Store.Workspace(t.Context(), w.Member.ID); err != nil {
		t.Error(err)
	}
	all, err := w.Store.AgencyWorkspacesInFull(t.Context(), w.Agency.ID)
	if err != nil || len(all) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
	if none, err := w.Store.AgencyWorkspacesInFull(t.Context(), "agc_other"); err != nil || none == nil || len(none) != 0 {
		t.Errorf("%+v, %v", none, err)
	}
}
