package stackoverflow_test

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
	"earshot/shared/source/stackoverflow"
)

var (
	week = source.Query{
		Text: "Lantern  DB", Max: 2,
		Since: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 0, time.UTC),
	}
	now = time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC)
)

func options(secrets map[string]string) sourcetest.Options {
	const search = "/2.3/search/advanced"
	return sourcetest.Options{
		New: func(client *fetch.Client, baseURL string) (source.Source, error) {
			return stackoverflow.New(client, secrets, baseURL), nil
		},
		Answers: os.DirFS("testdata"),
		Routes: []sourcetest.Route{
			{Path: search, Query: map[string]string{"filter": "total"}, File: "total.json"},
			{Path: search, Query: map[string]string{"page": "2"}, File: "search-2.json"},
			{Path: search, File: "search-1.json"},
			{Path: "/2.3/questions/79700003;79700002;1", File: "questions.json"},
		},
		Cases:    []sourcetest.Case{{Name: "week", Query: week, Posts: 3}},
		Counts:   []sourcetest.Counting{{Name: "week", Query: week, Want: source.Count{Posts: 73, Exact: true}}},
		Observed: []string{"stackoverflow_question_79700003", "stackoverflow_question_79700002", "stackoverflow_question_1"},
		Lists:    map[string]string{"search-1.json": "items"},
		Now:      now,
	}
}

func TestWithKey(t *testing.T) {
	o := options(map[string]string{stackoverflow.Key: "aKeyThatIsNone(("})
	o.Secrets = []string{"aKeyThatIsNone(("}
	sourcetest.Run(t, o)
}

func TestOpen(t *testing.T) {
	o := options(nil)
	o.Golden = "open-"
	sourcetest.Run(t, o)
}

// What answers say of the next request, and what refusals mean.
func TestLimits(t *testing.T) {
	const empty = `{"items":[],"has_more":false,"quota_max":300,"quota_remaining":%d%s}`
	for _, c := range []struct {
		name    string
		status  int
		body    string
		refused bool
		wait    time.Duration // until the next request
	}{
		{"backoff", 200, fmt.Sprintf(empty, 9, `,"backoff":12`), false, 12 * time.Second},
		{"no quota left", 200, fmt.Sprintf(empty, 0, ""), false, 12 * time.Hour},
		{"throttled", 400, `{"error_id":502,"error_message":"too many requests from this IP, more requests available in 4711 seconds","error_name":"throttle_violation"}`,
			false, 4711 * time.Second},
		{"throttled, for how long it does not say", 400,
			`{"error_id":502,"error_message":"too many requests","error_name":"throttle_violation"}`, false, time.Minute},
		{"a wrong key", 400, "{\"error_id\":400,\"error_message\":\"`key` doesn't match a known application\",\"error_name\":\"bad_parameter\"}", true, 0},
		{"a wrong parameter", 400, `{"error_id":400,"error_message":"pagesize","error_name":"bad_parameter"}`, false, 0},
		{"internal", 500, `{"error_id":500,"error_message":"x","error_name":"internal_error"}`, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				w.Write([]byte(c.body))
			}))
			defer server.Close()
			var at clock.Adjustable
			at.Freeze(now)
			from := stackoverflow.New(fetch.New(fetch.Options{AnyHost: true, Unpaced: true, Clock: &at}), nil, server.URL)
			var got *source.Unavailable
			_, err := from.Search(t.Context(), week)
			if c.status == 200 && err != nil ||
				c.status != 200 && (!errors.As(err, &got) || got.Refused != c.refused || got.RetryAfter != c.wait) {
				t.Errorf("answers %v (%+v)", err, got)
			}
			got = nil
			if _, err = from.Search(t.Context(), week); c.wait > 0 && (!errors.As(err, &got) || got.RetryAfter != c.wait) {
				t.Errorf("the next one answers %v, should wait for %v", err, c.wait)
			}
		})
	}
}
