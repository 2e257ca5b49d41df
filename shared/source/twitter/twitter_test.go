package twitter_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/sourcetest"
	"earshot/shared/source/twitter"
)

var week = source.Query{
	Text: "the \"Lantern\"  DB", Max: 10,
	Since: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 0, time.UTC),
}

var now = time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC)

const token = "twitter-bearer-3e77"

var secrets = map[string]string{twitter.BearerToken: token}

func frozen() *clock.Adjustable {
	var at clock.Adjustable
	at.Freeze(now)
	return &at
}

func TestSource(t *testing.T) {
	recent := week
	recent.Since, recent.Until = now.Add(-30*24*time.Hour), now // the platform takes neither of them as it is
	sourcetest.Run(t, sourcetest.Options{
		New: func(client *fetch.Client, baseURL string) (source.Source, error) {
			return twitter.New(client, secrets, baseURL, frozen()), nil
		},
		Answers: os.DirFS("testdata"),
		Routes: []sourcetest.Route{
			{Path: "/2/tweets/search/recent", Query: map[string]string{"next_token": "", "until_id": ""}, File: "search-1.json"},
			{Path: "/2/tweets/search/recent", Query: map[string]string{"next_token": "b26v89c19zqg8o3f"}, File: "search-2.json"},
			{Path: "/2/tweets/counts/recent", File: "counts.json"},
			{Path: "/2/tweets", File: "lookup.json"},
		},
		Secrets: []string{token},
		Cases:   []sourcetest.Case{{Name: "week", Query: week, Posts: 3}, {Name: "month", Query: recent, Posts: 4}},
		Counts: []sourcetest.Counting{
			{Name: "week", Query: withSince(week, now.Add(-6*24*time.Hour)), Want: source.Count{Posts: 402, Exact: true}},
			{Name: "month", Query: recent, Want: source.Count{Posts: 402}},
		},
		Observed: []string{"twitter_tweet_1920000000000000003", "twitter_tweet_1920000000000000002", "twitter_tweet_1"},
		Lists:    map[string]string{"search-1.json": "data", "search-2.json": "data"},
		Now:      now,
	})
}

func withSince(q source.Query, since time.Time) source.Query {
	q.Since = since
	return q
}

func open(t *testing.T, answer http.HandlerFunc) *twitter.Source {
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	client := fetch.New(fetch.Options{AnyHost: true, Unpaced: true, Clock: frozen()})
	t.Cleanup(client.Close)
	return twitter.New(client, secrets, server.URL, frozen())
}

// Pages smaller than the platform has them leave no post out.
func TestSearch_SmallPages(t *testing.T) {
	all := []string{"1920000000000000009", "1920000000000000007", "1920000000000000005"}
	from := open(t, func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		below := query.Get("until_id")
		if below != "" && query.Has("end_time") || query.Get("max_results") != "10" {
			t.Errorf("asks %v", query)
		}
		var items []string
		for _, id := range all {
			if below == "" || id < below {
				items = append(items, fmt.Sprintf(`{"id":%q,"text":"Lantern","created_at":"2026-05-07T00:00:00.000Z"}`, id))
			}
		}
		fmt.Fprintf(w, `{"data":[%s],"meta":{"result_count":%d}}`, strings.Join(items, ","), len(items))
	})
	q := week
	var got []string
	for q.Max = 1; ; {
		page, err := from.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range page.Posts {
			got = append(got, strings.TrimPrefix(p.SourceID, "twitter_tweet_"))
		}
		if q.After = page.Next; q.After == "" || len(got) > len(all) {
			break
		}
	}
	if !slices.Equal(got, all) {
		t.Errorf("answers %v of %v", got, all)
	}
}

func TestLimits(t *testing.T) {
	reset := strconv.FormatInt(now.Add(5*time.Minute).Unix(), 10)
	for _, c := range []struct {
		name   string
		status int
		header http.Header
		body   string
		wait   time.Duration
	}{
		{"too fast", 429, http.Header{"X-Rate-Limit-Reset": {reset}}, `{"title":"Too Many Requests"}`, 5 * time.Minute},
		{"too fast, says both", 429, http.Header{"X-Rate-Limit-Reset": {reset}, "Retry-After": {"9"}}, `{}`, 9 * time.Second},
		{"month spent", 429, nil, `{"title":"UsageCapExceeded","period":"Monthly"}`, 24 * time.Hour},
		{"account spent", 402, nil, `{"title":"CreditsDepleted"}`, 24 * time.Hour},
		{"last one", 200, http.Header{"X-Rate-Limit-Remaining": {"0"}, "X-Rate-Limit-Reset": {reset}},
			`{"meta":{"result_count":0}}`, 5 * time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			from := open(t, func(w http.ResponseWriter, _ *http.Request) {
				asked++
				for name, values := range c.header {
					w.Header()[name] = values
				}
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			})
			from.Search(t.Context(), week)
			_, err := from.Search(t.Context(), week)
			var failed *source.Unavailable
			if !errors.As(err, &failed) || failed.RetryAfter != c.wait || asked != 1 {
				t.Errorf("asked %d times, it answers %v", asked, err)
			}
			if from.Count(t.Context(), withSince(week, now.Add(-24*time.Hour))); asked != 2 {
				t.Error("a limit of searches holds counts up, which have their own")
			}
		})
	}
}
