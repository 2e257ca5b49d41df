package listenstore_test

import (
	"fmt"
	"testing"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/worldtest"
)

func TestLastMentioned(t *testing.T) {
	w := worldtest.NewWorld(t)
	put := func(id int64, daysAgo int, keywords ...int64) mention.Mention {
		t.Helper()
		m := worldtest.Mention(id, fmt.Sprint("post", id), worldtest.Now.AddDate(0, 0, -daysAgo))
		m.Keywords = nil
		for _, k := range keywords {
			m.Keywords = append(m.Keywords, mention.Keyword{ID: k, Text: fmt.Sprint("word ", k)})
		}
		w.Put(t, w.Main.ID, m)
		return m
	}
	put(1, 0, 7, 8)
	put(2, 19, 7)
	last := put(3, 20, 9) // the last day of October
	put(4, 21, 9)
	put(5, 75, 10)
	put(6, 500, 11)
	w.Put(t, w.Other.ID, worldtest.Mention(1, "theirs", worldtest.Now))
	check := func(want string) {
		t.Helper()
		days, err := w.Store.LastMentioned(t.Context(), w.Main.ID)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, id := range []int64{7, 8, 9, 10, 11} {
			if day, there := days[id]; there {
				got += fmt.Sprintf("%d %s ", id, day.Format(time.DateOnly))
			}
		}
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	check("7 2026-11-20 8 2026-11-20 9 2026-10-31 10 2026-09-06 ")
	// A mention that goes takes its day with it.
	last.Keywords[0].ID = 8
	w.Put(t, w.Main.ID, last)
	check("7 2026-11-20 8 2026-11-20 9 2026-10-30 10 2026-09-06 ")
}

func TestDismissed(t *testing.T) {
	w := worldtest.NewWorld(t)
	for _, id := range []string{"att_a", "att_b", "att_a"} {
		if err := w.Store.Dismiss(t.Context(), w.Main.ID, id); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		orgID string
		after time.Duration
		want  int
	}{{w.Main.ID, 0, 2}, {w.Other.ID, 0, 0}, {w.Main.ID, 89 * 24 * time.Hour, 2}, {w.Main.ID, 90 * 24 * time.Hour, 0}} {
		w.Clock.Freeze(worldtest.Now.Add(c.after))
		if ids, err := w.Store.Dismissed(t.Context(), c.orgID); err != nil || len(ids) != c.want {
			t.Errorf("after %v: %v, %v", c.after, ids, err)
		}
	}
}

func TestKeywordsMade(t *testing.T) {
	w := worldtest.NewWorld(t)
	made := func() int64 {
		t.Helper()
		n, err := w.Store.KeywordsMade(t.Context(), w.Main.ID)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if made() != 0 {
		t.Error("there were keywords")
	}
	k, err := w.Store.CreateKeyword(t.Context(), w.Main.ID, keyword.Keyword{Text: "northwind"}, 5)
	if err != nil || made() != k.ID {
		t.Errorf("%d, %d, %v", made(), k.ID, err)
	}
	if err := w.Store.DeleteKeyword(t.Context(), w.Main.ID, k.ID); err != nil || made() != k.ID {
		t.Errorf("%d, %v", made(), err)
	}
}
