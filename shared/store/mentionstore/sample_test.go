package mentionstore_test

import (
	"slices"
	"testing"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/worldtest"
)

// sampleAll samples the mentions of ten days by three windows.
func sampleAll(t *testing.T, w *worldtest.World, condition string, budget, most int) (ids []int64, selected int64,
	rows int, complete bool) {
	t.Helper()
	start, end := worldtest.Now.AddDate(0, 0, -10), worldtest.Now.Add(time.Hour)
	windows := [][2]time.Time{{start, start.Add(time.Hour)}, {start.Add(time.Hour), end.AddDate(0, 0, -3)},
		{end.AddDate(0, 0, -3), end}}
	found, selected, complete, err := w.Store.Sample(
		t.Context(), w.Main.ID, parsed(t, condition), windows, budget, most, func(*filter.Row) { rows++ },
	)
	worldtest.Must(t, err)
	for _, m := range found {
		ids = append(ids, m.ID)
	}
	slices.Sort(ids)
	return ids, selected, rows, complete
}

func TestSample(t *testing.T) {
	w := worldtest.NewWorld(t)
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000, worldtest.Mentions(40)); err != nil {
		t.Fatal(err)
	}
	const budget = 8 << 20
	for _, condition := range []string{`{}`, `{"source":["reddit"]}`, `{"text":["body"]}`, `{"!text":["northwind"]}`,
		`{"relevance":[2],"text":["title"]}`} {
		var want []int64
		_, complete, err := w.Store.Scan(
			t.Context(), w.Main.ID, parsed(t, condition), worldtest.Now.AddDate(0, 0, -10), worldtest.Now.Add(time.Hour), budget,
			func(*filter.Row) {}, func(row *filter.Row) { want = append(want, 0) },
		)
		if worldtest.Must(t, err); !complete {
			t.Fatal("the scan is not complete")
		}
		all, selected, rows, complete := sampleAll(t, w, condition, budget, 100)
		if !complete || int(selected) != len(want) || len(all) != len(want) || rows != 35 {
			t.Errorf("Sample(%s) = %d of %d mentions in %d rows, complete %v, want %d in 35", condition, len(all), selected,
				rows, complete, len(want))
		}
		few, selected, _, _ := sampleAll(t, w, condition, budget, 7)
		again, _, _, _ := sampleAll(t, w, condition, budget, 7)
		if len(few) != min(7, len(want)) || int(selected) != len(want) || !slices.Equal(few, again) {
			t.Errorf("Sample(%s) of 7 = %v of %d, and then %v", condition, few, selected, again)
		}
		for _, id := range few {
			if !slices.Contains(all, id) {
				t.Errorf("Sample(%s) has the mention %d, which is not selected", condition, id)
			}
		}
	}
	if _, _, _, complete := sampleAll(t, w, `{}`, 1, 100); complete {
		t.Error("Sample is complete beyond its budget")
	}
}

// A mention that comes in later changes a sample by one mention at most.
func TestSample_Stable(t *testing.T) {
	w := worldtest.NewWorld(t)
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000, worldtest.Mentions(30)); err != nil {
		t.Fatal(err)
	}
	before, _, _, _ := sampleAll(t, w, `{}`, 8<<20, 10)
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000_000,
		[]mention.Mention{worldtest.Mention(0, "late", worldtest.Now)}); err != nil {
		t.Fatal(err)
	}
	after, _, _, _ := sampleAll(t, w, `{}`, 8<<20, 10)
	kept := 0
	for _, id := range after {
		if slices.Contains(before, id) {
			kept++
		}
	}
	if kept < 9 {
		t.Errorf("%d of 10 mentions of the sample are kept, want at least 9", kept)
	}
}
