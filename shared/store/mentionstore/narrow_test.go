package mentionstore_test

import (
	"testing"
	"time"

	"earshot/shared/filter"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worldtest"
)

// Windows that do not meet select nothing, wherever the mentions are, and are no error.
func TestWindowsThatDoNotMeet(t *testing.T) {
	w := worldtest.NewWorld(t)
	for i, age := range []time.Duration{0, 24 * time.Hour, 300 * 24 * time.Hour} {
		w.Put(t, w.Main.ID, worldtest.Mention(int64(i+1), "s"+string(rune('a'+i)), worldtest.Now.Add(-age)))
	}
	parse := func(text string) filter.Filter {
		f, faults := filter.ParseSimple([]byte(text))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		return f
	}
	year, day := parse(`{"startDate":"2026-01-01","endDate":"2027-01-01"}`),
		parse(`{"startDate":"2026-11-19","endDate":"2026-11-20","engaged":false}`)
	before := parse(`{"startDate":"2020-01-01","endDate":"2020-02-01"}`)
	since, until := parse(`{"startDate":"2026-11-19"}`), parse(`{"endDate":"2026-11-20"}`)
	for _, c := range []struct {
		f    filter.Filter
		want int
	}{{filter.Filter{}, 3}, {year, 3}, {day, 1}, {filter.And(year, day), 1}, {filter.And(day, before),
		0}, {filter.And(before, year), 0},
		{since, 2}, {until, 2}, {filter.And(since, until), 1}, {filter.And(before, until), 0},
		{filter.And(parse(`{"startDate":"2026-11-20"}`), parse(`{"endDate":"2026-11-19"}`)), 0}} {
		q := mentionstore.MentionsQuery{WorkspaceID: w.Main.ID, All: true, Limit: 10}.Narrowed(c.f)
		if !q.End.IsZero() && q.End.Before(q.Start) {
			t.Errorf("the range runs from %v back to %v, which DynamoDB refuses", q.Start, q.End)
		}
		page, err := w.Store.Mentions(t.Context(), q)
		if err != nil || len(page.Mentions) != c.want || page.Next != "" {
			start, end := c.f.Window()
			t.Errorf("%v to %v: %d mentions, next %q, %v", start, end, len(page.Mentions), page.Next, err)
		}
	}
}
