package podcasts_test

import (
	"os"
	"testing"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/podcasts"
	"earshot/shared/source/sourcetest"
)

var week = source.Query{
	Text: "the \"Lantern\"  DB", Max: 3,
	Since: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 0, time.UTC),
}

var now = time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC)

func TestSource(t *testing.T) {
	few := week
	few.Max = 2
	sourcetest.Run(t, sourcetest.Options{
		New: func(client *fetch.Client, baseURL string) (source.Source, error) {
			return podcasts.New(client, baseURL), nil
		},
		Answers: os.DirFS("testdata"),
		Routes: []sourcetest.Route{
			{Path: "/search", File: "search.json", Header: map[string]string{"Content-Type": "text/javascript; charset=utf-8"}},
		},
		Cases: []sourcetest.Case{{Name: "week", Query: week, Posts: 3}, {Name: "pages", Query: few, Posts: 3}},
		Lists: map[string]string{"search.json": "results"},
		Now:   now,
	})
}
