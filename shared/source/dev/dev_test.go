package dev_test

import (
	"os"
	"testing"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/dev"
	"earshot/shared/source/fetch"
	"earshot/shared/source/sourcetest"
)

var week = source.Query{
	Text: "the \"Lantern\"  DB", Max: 3,
	Since: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 0, time.UTC),
}

var now = time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC)

func TestSource(t *testing.T) {
	sourcetest.Run(t, sourcetest.Options{
		New: func(client *fetch.Client, baseURL string) (source.Source, error) {
			return dev.New(client, baseURL), nil
		},
		Answers: os.DirFS("testdata"),
		Routes: []sourcetest.Route{
			{Path: "/api/articles/latest", Query: map[string]string{"page": "1"}, File: "latest-1.json"},
			{Path: "/api/articles/latest", Query: map[string]string{"page": "2"}, File: "latest-2.json"},
		},
		Cases: []sourcetest.Case{{Name: "week", Query: week, Posts: 3}},
		Lists: map[string]string{"latest-1.json": ""},
		Now:   now,
	})
}
