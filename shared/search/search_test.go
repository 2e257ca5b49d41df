package search_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/search"
)

var now = time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC)

func text(id, body string, age time.Duration) post.Post {
	return post.Post{Source: "hackernews", SourceID: id, Body: &body, PostedAt: now.Add(-age)}
}

func TestDistinct(t *testing.T) {
	const said = "The release of the harbour planner breaks our imports again"
	for name, c := range map[string]struct {
		posts []post.Post
		want  []string
	}{
		"the same post": {[]post.Post{text("a", "x", 0), text("a", "y", 0)}, []string{"a"}},
		"the same text": {[]post.Post{text("new", said, 0), text("old", said, time.Hour)}, []string{"old"}},
		"the same text, a day later": {[]post.Post{text("new", said, 0), text("old", said, 24*time.Hour)},
			[]string{"old", "new"}},
		"a chain of days": {
			[]post.Post{text("c", said, 0), text("b", said, 20*time.Hour), text("a", said, 40*time.Hour)},
			[]string{"a", "c"},
		},
		"a text that people write by accident": {
			[]post.Post{text("a", "Thanks!", time.Hour), text("b", "Thanks!", 0)}, []string{"a", "b"},
		},
		"the same moment": {[]post.Post{text("b", said, 0), text("a", said, 0)}, []string{"a"}},
		"nothing":         {nil, nil},
	} {
		for range 2 { // in any order
			var got []string
			for _, p := range search.Distinct(c.posts) {
				got = append(got, p.SourceID)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s: Distinct = %v, want %v", name, got, c.want)
			}
			slices.Reverse(c.posts)
		}
	}
}

func TestRank(t *testing.T) {
	result := func(id string, score mention.Score, age time.Duration) search.Result {
		return search.Result{Mention: mention.Mention{SourceID: id, RelevanceScore: &score, PostedAt: now.Add(-age)}}
	}
	want := []search.Result{result("high", mention.High, 5*time.Hour), result("newer", mention.Medium, time.Hour),
		result("older a", mention.Medium, 2*time.Hour), result("older b", mention.Medium, 2*time.Hour),
		result("low", mention.Low, 0), {Mention: mention.Mention{SourceID: "unscored", PostedAt: now.Add(-time.Hour)}}}
	got := slices.Clone(want)
	slices.Reverse(got)
	search.Rank(got)
	for i := range want {
		if got[i].Mention.SourceID != want[i].Mention.SourceID {
			t.Errorf("Rank put %q at %d, want %q", got[i].Mention.SourceID, i, want[i].Mention.SourceID)
		}
	}
}

func TestWindow_Length(t *testing.T) {
	for window, want := range map[search.Window]string{
		search.Day: "24h0m0s", search.Week: "168h0m0s", search.Month: "720h0m0s", "90d": "0s",
	} {
		if got := fmt.Sprint(window.Length()); got != want {
			t.Errorf("%s.Length() = %s, want %s", window, got, want)
		}
	}
	if slices.Contains(search.Statuses(), "") || search.Running.Ended() || !search.QuotaExhausted.Ended() {
		t.Error("the statuses are not as the contract has them")
	}
}
