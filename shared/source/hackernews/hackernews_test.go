package hackernews_test

import (
	"os"
	"testing"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/hackernews"
	"earshot/shared/source/sourcetest"
)

func TestSource(t *testing.T) {
	week := source.Query{
		Text: "Lantern DB", Max: 3,
		Since: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 500, time.UTC),
	}
	exact := week
	exact.Exact, exact.Text = true, ` say "Lantern"  DB `
	sourcetest.Run(t, sourcetest.Options{
		New: func(client *fetch.Client, baseURL string) (source.Source, error) {
			return hackernews.New(client, baseURL), nil
		},
		Answers: os.DirFS("testdata"),
		Routes: []sourcetest.Route{
			{Path: "/api/v1/search_by_date", Query: map[string]string{"page": "0"}, File: "search-1.json"},
			{Path: "/api/v1/search_by_date", Query: map[string]string{"page": "1"}, File: "search-2.json"},
			{Path: "/api/v1/search_by_date", Query: map[string]string{"page": ""}, File: "count.json"},
			{Path: "/api/v1/search", File: "stories.json"},
		},
		Cases:    []sourcetest.Case{{Name: "week", Query: week, Posts: 4}, {Name: "exact", Query: exact, Posts: 4}},
		Counts:   []sourcetest.Counting{{Name: "week", Query: week, Want: source.Count{Posts: 1234}}},
		Observed: []string{"hackernews_story_44100001", "hackernews_story_44100009", "hackernews_story_1"},
		Lists:    map[string]string{"search-1.json": "hits"},
		Now:      time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC),
	})
}
