package mentionstore_test

import (
	"slices"
	"testing"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/worldtest"
)

// Of a workspace's mentions those of the last 30 days are read, relevant or not, and of the keywords that are named.
func TestRecentMentions(t *testing.T) {
	w := worldtest.NewWorld(t)
	put := func(orgID, sourceID string, age time.Duration, relevant bool, keyword int64) {
		m := worldtest.Mention(int64(len(sourceID)), sourceID, worldtest.Now.Add(-age))
		m.Relevant, m.Keywords = relevant, []mention.Keyword{{ID: keyword, Text: "northwind"}}
		w.Put(t, orgID, m)
	}
	put(w.Main.ID, "a", time.Hour, true, 7)
	put(w.Main.ID, "bb", 2*time.Hour, false, 8)
	put(w.Main.ID, "ccc", 30*24*time.Hour, true, 9)
	put(w.Main.ID, "dddd", 30*24*time.Hour+time.Millisecond, true, 7)
	put(w.Other.ID, "eeeee", time.Hour, true, 7)
	many := make([]int64, filter.MaxValues+1)
	for i := range many {
		many[i] = int64(100 + i)
	}
	for _, c := range []struct {
		keywords []int64
		want     []string
	}{
		{nil, []string{"a", "bb", "ccc"}},
		{[]int64{7}, []string{"a"}},
		{[]int64{9, 8}, []string{"bb", "ccc"}},
		{many[1:], nil},
		{many, []string{"a", "bb", "ccc"}},
	} {
		seen, err := w.Store.RecentMentions(t.Context(), w.Main.ID, c.keywords...)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range seen {
			got = append(got, m.SourceID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("of %d keywords %q are read, not %q", len(c.keywords), got, c.want)
		}
	}
}
