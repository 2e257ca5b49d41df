package mentionstore_test

import (
	"fmt"
	"testing"
	"time"

	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// An export frees its own slot and leaves the slots of other exports alone.
func TestFreeExportSlot_OtherHolds(t *testing.T) {
	w := worldtest.NewWorld(t)
	const slots = 2
	hold := func(id string) bool {
		t.Helper()
		held, err := w.Store.HoldExportSlot(t.Context(), w.Main.ID, id, slots, worldtest.Now.Add(time.Minute))
		worldtest.Must(t, err)
		return held
	}
	if !hold("exp_1") || !hold("exp_2") {
		t.Fatal("HoldExportSlot = false, want true while slots are free")
	}
	worldtest.Must(t, w.Store.FreeExportSlot(t.Context(), w.Main.ID, "exp_1", slots))
	if !hold("exp_3") {
		t.Error("HoldExportSlot after one was freed = false, want true")
	}
	if hold("exp_4") {
		t.Error("HoldExportSlot while two exports hold both slots = true, want false")
	}
	worldtest.Must(t, w.Store.FreeExportSlot(t.Context(), w.Main.ID, "exp_2", slots)) // the second slot
	if !hold("exp_4") {
		t.Error("HoldExportSlot after the second slot was freed = false, want true")
	}
}

// Extending takes no slot: an export without one stays without.
func TestExtendExportSlot_NoSlot(t *testing.T) {
	w := worldtest.NewWorld(t)
	const slots = 2
	extend := func(id string, until time.Time) bool {
		t.Helper()
		held, err := w.Store.ExtendExportSlot(t.Context(), w.Main.ID, id, slots, until)
		worldtest.Must(t, err)
		return held
	}
	if extend("exp_1", worldtest.Now.Add(time.Hour)) {
		t.Error("ExtendExportSlot without a slot = true, want false")
	}
	for _, id := range []string{"exp_1", "exp_2"} {
		held, err := w.Store.HoldExportSlot(t.Context(), w.Main.ID, id, slots, worldtest.Now.Add(time.Minute))
		if worldtest.Must(t, err); !held {
			t.Fatalf("HoldExportSlot(%s) = false, want true", id)
		}
	}
	if !extend("exp_2", worldtest.Now.Add(time.Hour)) {
		t.Error("ExtendExportSlot of the second slot = false, want true")
	}
	w.Clock.Freeze(worldtest.Now.Add(30 * time.Minute)) // the first export's lease is over
	for i, want := range []bool{true, false} {
		held, err := w.Store.HoldExportSlot(t.Context(), w.Main.ID, fmt.Sprint("exp_", 3+i), slots,
			worldtest.Now.Add(2*time.Hour))
		if worldtest.Must(t, err); held != want {
			t.Errorf("HoldExportSlot of export %d = %v, want %v", 3+i, held, want)
		}
	}
}

// An export begins and ends with its slot at once if it has the first. It ends with the second too, and one that is
// settled stays as it is.
func TestEndExport_EitherSlot(t *testing.T) {
	w := worldtest.NewWorld(t)
	late := worldtest.Now.Add(2 * time.Minute)
	hold := func(id string, want bool) {
		t.Helper()
		held, err := w.Store.HoldExportSlot(t.Context(), w.Main.ID, id, 2, w.Clock.Now().Add(time.Minute))
		if worldtest.Must(t, err); held != want {
			t.Errorf("HoldExportSlot(%s) = %v, want %v", id, held, want)
		}
	}
	of := func(id string, status mentionstore.ExportStatus) mentionstore.Export {
		return mentionstore.Export{ID: id, WorkspaceID: w.Main.ID, Status: status, Format: "csv", Rows: 3,
			CreatedAt: worldtest.Now, ExpiresAt: worldtest.Now.Add(time.Hour)}
	}
	for i, id := range []string{"exp_1", "exp_2"} {
		hold(id, true)
		began, err := w.Store.BeginExport(t.Context(), of(id, mentionstore.ExportRunning), late)
		if worldtest.Must(t, err); began != (i == 0) {
			t.Errorf("BeginExport(%s) = %v, want %v", id, began, i == 0)
		}
	}
	w.Clock.Freeze(worldtest.Now.Add(61 * time.Second)) // exp_1 has extended its slot
	hold("exp_3", true)
	hold("exp_4", false)
	for _, id := range []string{"exp_1", "exp_3"} {
		worldtest.Must(t, w.Store.EndExport(t.Context(), of(id, mentionstore.ExportCompleted), 2))
		hold(id+"_next", true)
		failed := of(id, mentionstore.ExportFailed)
		failed.FinishedAt = late
		worldtest.Must(t, w.Store.EndExport(t.Context(), failed, 2))
		e, err := w.Store.Export(t.Context(), w.Main.ID, id)
		if worldtest.Must(t, err); e.Status != mentionstore.ExportCompleted {
			t.Errorf("the export that was settled is %s", e.Status)
		}
	}
	hold("exp_5", false)
}
