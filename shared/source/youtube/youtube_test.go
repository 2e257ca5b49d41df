package youtube_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/sourcetest"
	"earshot/shared/source/youtube"
)

var week = source.Query{
	Text: "the \"Lantern\"  DB", Max: 2,
	Since: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 0, time.UTC),
}

var now = time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC)

const key = "youtube-key-51d2"

var secrets = map[string]string{youtube.APIKey: key}

func TestSource(t *testing.T) {
	sourcetest.Run(t, sourcetest.Options{
		New: func(client *fetch.Client, baseURL string) (source.Source, error) {
			return youtube.New(client, secrets, baseURL), nil
		},
		Answers: os.DirFS("testdata"),
		Routes: []sourcetest.Route{
			{Path: "/youtube/v3/search", Query: map[string]string{"pageToken": ""}, File: "search-1.json"},
			{Path: "/youtube/v3/search", Query: map[string]string{"pageToken": "CAIQAA"}, File: "search-2.json"},
			{Path: "/youtube/v3/videos", File: "videos.json"},
			{Path: "/youtube/v3/channels", File: "channels.json"},
		},
		Secrets:  []string{key},
		Cases:    []sourcetest.Case{{Name: "week", Query: week, Posts: 3}},
		Observed: []string{"youtube_video_lanternDB01", "youtube_video_lanternDB02", "youtube_video_gone0000000"},
		Lists:    map[string]string{"search-1.json": "items", "videos.json": "items", "channels.json": "items"},
		Now:      now,
	})
}

func open(t *testing.T, answer http.HandlerFunc) source.Source {
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	var frozen clock.Adjustable
	frozen.Freeze(now)
	client := fetch.New(fetch.Options{AnyHost: true, Unpaced: true, Clock: &frozen})
	t.Cleanup(client.Close)
	return youtube.New(client, secrets, server.URL)
}

// A search that was paid for is answered, whatever becomes of what comes after it.
func TestUndescribed(t *testing.T) {
	recorded, err := os.ReadFile("testdata/search-1.json")
	if err != nil {
		t.Fatal(err)
	}
	page, err := open(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/youtube/v3/search" {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(recorded)
	}).Search(t.Context(), week)
	if err != nil || len(page.Posts) != 2 || *page.Posts[0].Title != "Lantern DB & me: it's fast" ||
		len(page.Posts[0].Engagement) > 0 {
		t.Errorf("answers %+v, %v", page, err)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		status  int
		reason  string
		wait    time.Duration
		refused bool
	}{
		{403, "quotaExceeded", 19 * time.Hour, false}, // from noon in UTC to midnight in Los Angeles, in May
		{403, "dailyLimitExceeded", 19 * time.Hour, false},
		{403, "rateLimitExceeded", time.Minute, false},
		{403, "accessNotConfigured", 0, true},
		{403, "forbidden", 0, true},
		{400, "keyInvalid", 0, true},
		{400, "invalidPageToken", 0, false},
		{500, "backendError", 0, false},
	} {
		_, err := open(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			fmt.Fprintf(w, `{"error":{"code":%d,"message":"no","errors":[{"message":"no","domain":"youtube.quota","reason":%q}]}}`, c.status, c.reason)
		}).Search(t.Context(), week)
		var failed *source.Unavailable
		if !errors.As(err, &failed) || failed.RetryAfter != c.wait || failed.Refused != c.refused {
			t.Errorf("%d %s: answers %+v", c.status, c.reason, failed)
		}
	}
}
