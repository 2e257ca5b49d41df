package mentionstore_test

import (
	"testing"
	"time"

	"earshot/shared/filter"
	"earshot/shared/worldtest"
)

// Rows that are read for their texts are billed by themselves, and the budget counts them so.
func TestScan_BudgetOfTexts(t *testing.T) {
	w := worldtest.NewWorld(t)
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000, worldtest.Mentions(40)); err != nil {
		t.Fatal(err)
	}
	for budget, want := range map[int]bool{100 << 10: false, 2 << 20: true} {
		seen := 0
		_, complete, err := w.Store.Scan(t.Context(), w.Main.ID, parsed(t, `{"text":["northwind"]}`),
			worldtest.Now.AddDate(0, 0, -60),
			worldtest.Now.Add(time.Hour), budget, func(*filter.Row) {}, func(*filter.Row) { seen++ })
		if err != nil || complete != want || want && seen != 40 {
			t.Errorf("Scan(%d bytes) = %v of %d mentions, %v, want %v", budget, complete, seen, err, want)
		}
	}
}
