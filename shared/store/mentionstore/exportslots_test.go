package mentionstore_test

import (
	"testing"
	"time"

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
}
