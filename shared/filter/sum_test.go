package filter_test

import (
	"slices"
	"testing"

	"earshot/shared/filter"
)

func summed() filter.Row {
	return filter.Row{
		Timestamp:  "2026-11-20 10:00:00.000",
		Source:     "reddit",
		Language:   "english",
		Sentiment:  "Positive",
		Score:      1,
		Tags:       []string{"hiring", "buy_intent"},
		KeywordIDs: []int64{9, 7},
		Author:     "quietharbor",
		Followers:  12,
	}
}

// The sum of a row is stored in cells: another value for the same row would make every cell disagree with its rows.
func TestSum_Stored(t *testing.T) {
	row := summed()
	if got := row.Sum(); got != 994630285652 {
		t.Errorf("Sum = %d", got)
	}
}

func TestSum_EachFact(t *testing.T) {
	for name, change := range map[string]func(*filter.Row){
		"timestamp":      func(r *filter.Row) { r.Timestamp = "2026-11-20 10:00:00.001" },
		"source":         func(r *filter.Row) { r.Source = "bluesky" },
		"language":       func(r *filter.Row) { r.Language = "" },
		"sentiment":      func(r *filter.Row) { r.Sentiment = "Neutral" },
		"score":          func(r *filter.Row) { r.Score = -1 },
		"tag":            func(r *filter.Row) { r.Tags = []string{"hiring", "events"} },
		"keyword":        func(r *filter.Row) { r.KeywordIDs = []int64{7} },
		"author":         func(r *filter.Row) { r.Author = "nightferry" },
		"followers":      func(r *filter.Row) { r.Followers = 13 },
		"text to author": func(r *filter.Row) { r.Source, r.Author = "redditq", "uietharbor" },
	} {
		row := summed()
		before := row.Sum()
		if change(&row); row.Sum() == before {
			t.Errorf("%s: the sum is the same", name)
		}
	}
}

func TestSum_OrderAndUncounted(t *testing.T) {
	row := summed()
	before := row.Sum()
	slices.Reverse(row.Tags)
	row.KeywordIDs = []int64{7, 9, 7}
	row.Engagement, row.Engaged, row.Words, row.Rating = []filter.Counter{{Metric: "likes", Count: 3}}, true, []byte("x"),
		4
	if got := row.Sum(); got != before {
		t.Errorf("Sum = %d, want %d", got, before)
	}
	row.Followers = 0
	none := summed()
	none.Followers = -1
	if row.Sum() != none.Sum() {
		t.Error("no followers and unknown followers have different sums")
	}
	if before < 0 || before >= 1<<40 {
		t.Errorf("Sum = %d has more than 40 bits", before)
	}
}
