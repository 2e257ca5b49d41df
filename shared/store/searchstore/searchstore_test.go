package searchstore_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/search"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/store/searchstore"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// begun stores a search of a workspace.
func begun(t testing.TB, w *worldtest.World, orgID string) search.Search {
	t.Helper()
	s, err := w.Store.BeginSearch(t.Context(), wanted(w, orgID), 0, "")
	worldtest.Must(t, err)
	return s
}

func wanted(w *worldtest.World, orgID string) search.Search {
	now := w.Clock.Now()
	return search.Search{
		ID:          workspace.NewID("srch_", now),
		WorkspaceID: orgID,
		Request: search.Request{
			Query:        `acme -jobs`,
			Window:       search.Week,
			Sources:      []string{"hackernews", "reddit"},
			MaxResults:   100,
			MinRelevance: mention.Medium,
		},
		Status:    search.Running,
		CreatedAt: now,
		ExpiresAt: now.Add(search.Kept),
	}
}

func counted(t testing.TB, w *worldtest.World, orgID string) searchstore.Left {
	t.Helper()
	left, err := w.Store.SearchesCounted(t.Context(), orgID)
	worldtest.Must(t, err)
	return left
}

func complete(t testing.TB, w *worldtest.World, s search.Search, most int, fresh ...string) search.Search {
	t.Helper()
	ended, err := w.Store.CompleteSearch(t.Context(), s, most, fresh)
	worldtest.Must(t, err)
	return ended
}

func ids(prefix string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint(prefix, i))
	}
	return all
}

func TestSearch_RoundTrip(t *testing.T) {
	w := worldtest.NewWorld(t)
	s := begun(t, w, w.Main.ID)
	stats := search.Stats{
		RawMatches: 3,
		PerSource:  map[string]int{"hackernews": 3},
		Skipped:    map[string]string{"reddit": "its credentials are not configured"},
	}
	if ok, err := w.Store.SearchProgress(t.Context(), w.Main.ID, s.ID, stats); err != nil || !ok {
		t.Fatalf("Progress = %v, %v", ok, err)
	}
	got, err := w.Store.Search(t.Context(), w.Main.ID, s.ID)
	worldtest.Must(t, err)
	s.Stats = stats
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", s) {
		t.Errorf("Search = %+v, want %+v", got, s)
	}
	for _, c := range []struct{ org, id string }{
		{w.Other.ID, s.ID}, {w.Main.ID, ""}, {w.Main.ID, "srch_unknown"}, {w.Main.ID, strings.Repeat("x", 2000)},
	} {
		if _, err := w.Store.Search(t.Context(), c.org, c.id); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Search(%s, %.20s) = %v, want ErrNotFound", c.org, c.id, err)
		}
	}
	w.Clock.Freeze(worldtest.Now.Add(search.Kept))
	if _, err := w.Store.Search(t.Context(), w.Main.ID, s.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Search of an expired one = %v, want ErrNotFound", err)
	}
}

func TestBegin_Repeated(t *testing.T) {
	w := worldtest.NewWorld(t)
	first, err := w.Store.BeginSearch(t.Context(), wanted(w, w.Main.ID), 50, "request")
	worldtest.Must(t, err)
	second, err := w.Store.BeginSearch(t.Context(), wanted(w, w.Main.ID), 50, "request")
	if err != nil || second.ID != first.ID {
		t.Errorf("Begin of a repeat = %s, %v, want %s", second.ID, err, first.ID)
	}
	if used := counted(t, w, w.Main.ID).Searches; used != 1 {
		t.Errorf("counted %d searches, want 1", used)
	}
}

func TestBegin_RepeatedAtOnce(t *testing.T) {
	w := worldtest.NewWorld(t)
	made := make([]string, 10)
	faulttest.AtOnce(len(made), func(n int) {
		s, err := w.Store.BeginSearch(t.Context(), wanted(w, w.Main.ID), 50, "request")
		if err != nil {
			t.Error(err)
		}
		made[n] = s.ID
	})
	if slices.Sort(made); made[0] != made[len(made)-1] || counted(t, w, w.Main.ID).Searches != 1 {
		t.Errorf("Begin made %v, and counted %d", slices.Compact(made), counted(t, w, w.Main.ID).Searches)
	}
}

// However many begin at once, a plan's searches for life are never exceeded.
func TestBegin_AtOnceOnFive(t *testing.T) {
	w := worldtest.NewWorld(t)
	results := make([]error, 20)
	faulttest.AtOnce(len(results), func(n int) {
		_, results[n] = w.Store.BeginSearch(t.Context(), wanted(w, w.Agents.ID), 5, "")
	})
	refused := 0
	for _, err := range results {
		switch {
		case errors.Is(err, searchstore.ErrNoSearches):
			refused++
		case err != nil:
			t.Error(err)
		}
	}
	if used := counted(t, w, w.Agents.ID).Searches; refused != 15 || used != 5 {
		t.Errorf("%d were refused and %d counted, want 15 and 5", refused, used)
	}
}

func TestSearches_NewestFirst(t *testing.T) {
	w := worldtest.NewWorld(t)
	var want []string
	for i := range 5 {
		w.Clock.Freeze(worldtest.Now.Add(time.Duration(i) * time.Minute))
		want = append([]string{begun(t, w, w.Main.ID).ID}, want...)
	}
	begun(t, w, w.Other.ID)
	var got []string
	before := ""
	for more := true; more; before = got[len(got)-1] {
		var page []search.Search
		var err error
		page, more, err = w.Store.Searches(t.Context(), w.Main.ID, before, 2)
		worldtest.Must(t, err)
		if len(page) == 0 {
			t.Fatal("Searches returned an empty page and says that more follow")
		}
		for _, s := range page {
			got = append(got, s.ID)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("Searches = %v, want %v", got, want)
	}
}

func TestComplete_Bills(t *testing.T) {
	w := worldtest.NewWorld(t)
	for _, c := range []struct {
		name     string
		fresh    []string
		consumed int
		month    int
		searches int
	}{
		{"all new", ids("a", 5), 5, 5, 1},
		{"seen by an earlier search", ids("a", 5), 0, 5, 2},
		{"one new", append(ids("a", 5), "b"), 1, 6, 3},
		{"none", nil, 0, 6, 4},
		{"as many as can be", ids("c", search.MaxResults), search.MaxResults, 506, 5},
	} {
		ended := complete(t, w, begun(t, w, w.Main.ID), 1000, c.fresh...)
		left := counted(t, w, w.Main.ID)
		if ended.Status != search.Completed || ended.Stats.Consumed != c.consumed || ended.CompletedAt.IsZero() ||
			left.Mentions != c.month || left.Searches != c.searches {
			t.Errorf("%s: Complete = %+v, then counted %+v", c.name, ended, left)
		}
	}
	if other := complete(t, w, begun(t, w, w.Other.ID), 1000, ids("a", 5)...); other.Stats.Consumed != 5 {
		t.Errorf("another workspace's search consumed %d, want 5", other.Stats.Consumed)
	}
	w.Clock.Freeze(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
	next := complete(t, w, begun(t, w, w.Main.ID), 1000, ids("a", 5)...)
	if left := counted(t, w, w.Main.ID); next.Stats.Consumed != 5 || left.Mentions != 5 {
		t.Errorf("in the next month Complete = %+v, then counted %+v", next, left)
	}
}

func TestComplete_Repeated(t *testing.T) {
	w := worldtest.NewWorld(t)
	s := begun(t, w, w.Main.ID)
	s.Attempt = "first"
	first := complete(t, w, s, 1000, "a", "b")
	s.Attempt = "second"
	second := complete(t, w, s, 1000, "a", "b", "c")
	if second.Attempt != "first" || second.Stats.Consumed != 2 || !second.CompletedAt.Equal(first.CompletedAt) {
		t.Errorf("the second Complete = %+v, want the first's end %+v", second, first)
	}
	if left := counted(t, w, w.Main.ID); left.Mentions != 2 {
		t.Errorf("counted %+v, want 2 mentions", left)
	}
}

// What does not fit costs nothing, and leaves nothing behind that would make it free later.
func TestComplete_QuotaExhausted(t *testing.T) {
	w := worldtest.NewWorld(t)
	complete(t, w, begun(t, w, w.Main.ID), 5, ids("a", 3)...)
	s := begun(t, w, w.Main.ID)
	s.Attempt, s.Parts = "attempt", 1
	over := complete(t, w, s, 5, append(ids("a", 3), "b", "c", "d")...)
	if over.Status != search.QuotaExhausted || over.Stats.Consumed != 0 || over.Parts != 0 || over.Problem == "" {
		t.Errorf("Complete = %+v, want quota_exhausted", over)
	}
	if left := counted(t, w, w.Main.ID); left != (searchstore.Left{Mentions: 3, Searches: 1}) {
		t.Errorf("counted %+v, want 3 mentions and 1 search", left)
	}
	if fits := complete(t, w, begun(t, w, w.Main.ID), 5, append(ids("a", 3), "b", "c")...); fits.Stats.Consumed != 2 {
		t.Errorf("Complete of what fits = %+v, want 2 consumed", fits)
	}
	// Nothing is left, and what is free still is.
	if free := complete(t, w, begun(t, w, w.Main.ID), 5, "b"); free.Status != search.Completed {
		t.Errorf("Complete of what is free = %+v, want completed", free)
	}
}

func TestComplete_AtOnceOnFive(t *testing.T) {
	for name, fresh := range map[string]func(n int) string{
		"different results": func(n int) string { return fmt.Sprint("post", n) },
		"the same result":   func(int) string { return "post" },
	} {
		t.Run(name, func(t *testing.T) {
			w := worldtest.NewWorld(t)
			searches := make([]search.Search, 20)
			for i := range searches {
				searches[i] = begun(t, w, w.Agents.ID)
			}
			faulttest.AtOnce(len(searches), func(n int) {
				ended, err := w.Store.CompleteSearch(t.Context(), searches[n], 5, []string{fresh(n)})
				if err != nil {
					t.Error(err)
				}
				searches[n] = ended
			})
			consumed, completed := 0, 0
			for _, s := range searches {
				consumed += s.Stats.Consumed
				if s.Status == search.Completed {
					completed++
				}
			}
			want, ended := 5, 5
			if name == "the same result" {
				want, ended = 1, 20
			}
			left := counted(t, w, w.Agents.ID)
			if consumed != want || left.Mentions != want || completed != ended || left.Searches != ended {
				t.Errorf("%d consumed, %d completed, counted %+v; want %d and %d", consumed, completed, left, want, ended)
			}
		})
	}
}

func TestComplete_KilledAtEachStep(t *testing.T) {
	faulttest.EachStep(t, 1, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		s := begun(t, w, w.Main.ID)
		run := func() error {
			_, err := w.Store.CompleteSearch(t.Context(), s, 1000, ids("a", 100))
			return err
		}
		_ = step.Die(t, w.Life, run)
		worldtest.Must(t, run())
		ended, err := w.Store.Search(t.Context(), w.Main.ID, s.ID)
		if err != nil || ended.Status != search.Completed || counted(t, w, w.Main.ID).Mentions != 100 {
			t.Errorf("%+v, %v, counted %+v", ended, err, counted(t, w, w.Main.ID))
		}
	})
}

func TestFail_CostsNothing(t *testing.T) {
	w := worldtest.NewWorld(t)
	s := begun(t, w, w.Agents.ID)
	for range 2 {
		ended, err := w.Store.FailSearch(t.Context(), w.Agents.ID, s.ID, "It failed.", worldtest.Now)
		if err != nil || ended.Status != search.Failed || ended.Problem != "It failed." {
			t.Errorf("Fail = %+v, %v", ended, err)
		}
	}
	if left := counted(t, w, w.Agents.ID); left != (searchstore.Left{}) {
		t.Errorf("counted %+v, want nothing", left)
	}
	if late := complete(t, w, s, 1000, "a"); late.Status != search.Failed {
		t.Errorf("Complete after Fail = %+v, want failed", late)
	}
	if ok, err := w.Store.SearchProgress(t.Context(), w.Agents.ID, s.ID, search.Stats{}); ok || err != nil {
		t.Errorf("Progress after Fail = %v, %v, want false", ok, err)
	}
}

func TestResults_Parts(t *testing.T) {
	w := worldtest.NewWorld(t)
	s := begun(t, w, w.Main.ID)
	var want []json.RawMessage
	for i := range search.MaxResults {
		want = append(want, json.RawMessage(fmt.Sprintf(`{"n":%d,"text":%q}`, i, strings.Repeat("ab", i))))
	}
	for _, attempt := range []string{"died", "lived"} {
		parts, err := w.Store.PutSearchResults(t.Context(), s, attempt, want[:len(want)-len(attempt)+len("lived")])
		worldtest.Must(t, err)
		s.Attempt, s.Parts = attempt, parts
	}
	got, err := w.Store.SearchResults(t.Context(), complete(t, w, s, 1000))
	worldtest.Must(t, err)
	if !slices.EqualFunc(got, want, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
		t.Errorf("Results returned %d results, or others, want %d", len(got), len(want))
	}
	if s.Parts < 5 {
		t.Errorf("the results are %d parts, want at least 5", s.Parts)
	}
}

// A full row of hashes forgets the oldest, and stays within a transaction's bound with all others.
func TestComplete_FullRows(t *testing.T) {
	w := worldtest.NewWorld(t)
	full := strings.Repeat("x", 50_000)
	for row := range 64 {
		worldtest.Must(t, w.Table.Put(t.Context(), table.Put{Table: rows.CountersTable, Item: table.Item{
			table.PartitionAttribute: w.Main.ID,
			table.SortAttribute:      fmt.Sprintf("searched#2026-11#%02x", row),
			"hashes":                 []byte(full),
			"rev":                    int64(1),
		}}))
	}
	ended := complete(t, w, begun(t, w, w.Main.ID), 1000, ids("a", search.MaxResults)...)
	if ended.Stats.Consumed != search.MaxResults {
		t.Errorf("Complete consumed %d, want %d", ended.Stats.Consumed, search.MaxResults)
	}
	again := complete(t, w, begun(t, w, w.Main.ID), 1000, ids("a", search.MaxResults)...)
	if again.Stats.Consumed != 0 {
		t.Errorf("the next search consumed %d, want 0", again.Stats.Consumed)
	}
}
