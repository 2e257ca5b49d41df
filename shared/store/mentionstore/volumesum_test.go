package mentionstore_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// Sums in cells cost no write units where a change is common: a new mention, newer counters and another verdict. They
// cost a cell's two units where a mention's author, followers or keywords become known later. The version of a day
// costs nothing with new mentions of the month, and two units with another change of cells.
func TestCells_WriteUnits(t *testing.T) {
	w := worldtest.NewWorld(t)
	ctx, meter := table.WithMeter(t.Context())
	last := 0.0
	costs := func(name string, want float64, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		total := meter.Total().WriteUnits
		if got := total - last; got != want {
			t.Errorf("%s = %v write units, want %v", name, got, want)
		}
		last = total
	}
	_, err := w.Store.Ingest(ctx, w.Main.ID, 1000, worldtest.Mentions(60))
	costs("60 new mentions", 620, err)
	changed := func(change func(*mention.Mention)) error {
		_, err := w.Store.ChangeMention(ctx, w.Main.ID, "post3", func(m *mention.Mention) (bool, error) {
			change(m)
			return true, nil
		})
		return err
	}
	_, err = w.Store.Observe(ctx, w.Main.ID, "post3", map[string]int64{"points": 99}, worldtest.Now.Add(time.Hour))
	costs("newer counters", 3, err)
	costs("another verdict", 16+2, changed(func(m *mention.Mention) {
		score := mention.Low
		m.RelevanceScore, m.Relevant = &score, false
	}))
	costs("another author", 5+2+2, changed(func(m *mention.Mention) { handle := "nightferry"; m.Author = &handle }))
	costs("followers", 3+2+2, changed(func(m *mention.Mention) { n := int64(77); m.AuthorFollowers = &n }))
	costs("another keyword", 7+2+2, changed(func(m *mention.Mention) {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: 77, Text: "later"})
	}))
}

// A cell with sums and with mentions in all hours still costs the least that a write costs.
func TestCells_Size(t *testing.T) {
	w := worldtest.NewWorld(t)
	day := worldtest.Now.Truncate(24*time.Hour).AddDate(0, 0, -3)
	var all []mention.Mention
	for n := range 24 * 20 {
		m := worldtest.Mention(0, fmt.Sprint("post", n), day.Add(time.Duration(n)*3*time.Minute))
		m.Tags = mention.Tags()
		all = append(all, m)
	}
	if _, err := w.Store.Ingest(t.Context(), w.Main.ID, 1000, all); err != nil {
		t.Fatal(err)
	}
	cells := 0
	for _, row := range worldtest.Rows(t, w) {
		if strings.HasPrefix(row.Sort, rows.SortVolume) && row.Item["sum"] != nil {
			cells++
			if size := table.Size(row.Item); size > 1024 || rows.Integer(row.Item, "summed") != int64(len(all)) {
				t.Errorf("a cell has %d bytes and counts %v in its sum", size, row.Item["summed"])
			}
		}
	}
	if cells != 1 {
		t.Errorf("%d cells, want 1", cells)
	}
}
