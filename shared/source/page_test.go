package source_test

import (
	"fmt"
	"testing"
	"time"

	"earshot/shared/post"
	"earshot/shared/source"
)

func TestCollect_LimitWindowRepeats(t *testing.T) {
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	q := source.Query{Since: start, Until: start.Add(time.Hour)}
	minutes := []int{-1, 5, 7, 5, 60, 8, 0, 9} // -1 and 60 are outside of the window, the second 5 is a repeat
	toPost := func(minute int) (post.Post, bool) {
		return post.Post{SourceID: fmt.Sprint(minute), PostedAt: start.Add(time.Duration(minute) * time.Minute)}, minute != 8
	}
	for limit, want := range map[int]string{0: "", 1: "5 ", 3: "5 7 0 ", 8: "5 7 0 9 "} {
		got := ""
		for _, p := range source.Collect(minutes, q, limit, toPost) {
			got += p.SourceID + " "
		}
		if got != want {
			t.Errorf("Collect(limit %d) = %q, want %q", limit, got, want)
		}
	}
}

func TestQuote_MarksAndBlanks(t *testing.T) {
	if got, want := source.Quote(" a \"b\"\t c\n"), `"a b c"`; got != want {
		t.Errorf("Quote() = %s, want %s", got, want)
	}
}
