package medium_test

import (
	"os"
	"testing"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/medium"
	"earshot/shared/source/sourcetest"
)

var week = source.Query{
	Text: "the \"Lantern\"  DB", Max: 10,
	Since: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 0, time.UTC),
}

var now = time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC)

func TestSource(t *testing.T) {
	accents := week
	accents.Text = "C++ für Ärzte/日本"
	nothing := week
	nothing.Text = `"/"`
	sourcetest.Run(t, sourcetest.Options{
		New: func(client *fetch.Client, baseURL string) (source.Source, error) {
			return medium.New(client, baseURL), nil
		},
		Answers: os.DirFS("testdata"),
		Routes: []sourcetest.Route{
			{Path: "/feed/tag/the-lantern-db", File: "tag.xml"},
			{Path: "/feed/tag/c-f%C3%BCr-%C3%A4rzte-%E6%97%A5%E6%9C%AC", File: "tag.xml"},
		},
		Cases: []sourcetest.Case{
			{Name: "week", Query: week, Posts: 3}, {Name: "accents", Query: accents, Posts: 3},
			{Name: "nothing", Query: nothing},
		},
		Feed: true,
		Now:  now,
	})
}
