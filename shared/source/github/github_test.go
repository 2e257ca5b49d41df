package github_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"testing"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/github"
	"earshot/shared/source/sourcetest"
)

var (
	week = source.Query{
		Text: `Lantern "DB"`, Max: 2,
		Since: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 0, time.UTC),
	}
	now = time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC)
)

const (
	pulls = `"Lantern \"DB\"" is:pull-request created:2026-05-01T00:00:00Z..2026-05-07T23:59:59Z`
)

func options(secrets map[string]string) sourcetest.Options {
	return sourcetest.Options{
		New: func(client *fetch.Client, baseURL string) (source.Source, error) {
			return github.New(client, secrets, baseURL), nil
		},
		Answers: os.DirFS("testdata"),
		Routes: []sourcetest.Route{
			{Path: "/search/issues", Query: map[string]string{"q": pulls}, File: "pulls.json"},
			{Path: "/search/issues", Query: map[string]string{"page": "2"}, File: "issues-2.json"},
			{Path: "/search/issues", File: "issues-1.json"},
			{Method: http.MethodPost, Path: "/graphql", File: "nodes.json"},
		},
		Cases:    []sourcetest.Case{{Name: "week", Query: week, Posts: 4}},
		Counts:   []sourcetest.Counting{{Name: "week", Query: week, Want: source.Count{Posts: 5, Exact: true}}},
		Observed: []string{"github_issue_I_kwDOAbCdEf6aaaa1", "github_pull_PR_kwDOAbCdEf6bbbb1", "github_issue_I_gone"},
		Lists:    map[string]string{"issues-1.json": "items"},
		Now:      now,
	}
}

func TestWithToken(t *testing.T) {
	o := options(map[string]string{github.Token: "ghp_aTokenThatIsNone"})
	o.Secrets = []string{"ghp_aTokenThatIsNone"}
	sourcetest.Run(t, o)
}

func TestOpen(t *testing.T) {
	from := github.New(fetch.New(fetch.Options{}), nil, "")
	if about := from.About(); about.Observes != 0 || about.Pace != 6*time.Second {
		t.Errorf("without a token it has the limits of one: %+v", about)
	}
	if _, err := from.Engagement(t.Context(), []string{"github_issue_I_kwDOAbCdEf6aaaa1"}); !errors.Is(err,
		source.ErrNoCredentials) {
		t.Errorf("without a token it counts, or fails otherwise: %v", err)
	}
}

// GitHub has several ways to say that a limit is reached, and one to say that the next request would reach it.
func TestLimits(t *testing.T) {
	reset := strconv.FormatInt(now.Add(40*time.Second).Unix(), 10)
	for _, c := range []struct {
		name   string
		status int
		header map[string]string
		body   string
		wait   time.Duration
	}{
		{"primary", 403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset},
			`{"message":"API rate limit exceeded"}`, 40 * time.Second},
		{"primary, over by now", 403, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1"}, `{}`,
			time.Second},
		{"secondary, told", 403, map[string]string{"Retry-After": "30", "X-RateLimit-Remaining": "9"}, `{}`,
			30 * time.Second},
		{"secondary, told in words alone", 403, nil, `{"message":"You have exceeded a secondary rate limit."}`, time.Minute},
		{"none left", 200, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset},
			`{"total_count":0,"items":[]}`, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked++
				for name, value := range c.header {
					w.Header().Set(name, value)
				}
				w.WriteHeader(c.status)
				w.Write([]byte(c.body))
			}))
			defer server.Close()
			var at clock.Adjustable
			at.Freeze(now)
			from := github.New(fetch.New(fetch.Options{AnyHost: true, Unpaced: true, Clock: &at}), nil, server.URL)
			_, err := from.Search(t.Context(), week)
			var limited *source.Unavailable
			if c.wait == 0 && err != nil ||
				c.wait > 0 && (!errors.As(err, &limited) || limited.RetryAfter != c.wait || limited.Refused) {
				t.Errorf("answers %v, to wait for %v", err, c.wait)
			}
			if _, err := from.Search(t.Context(), week); !errors.As(err, &limited) || limited.RetryAfter == 0 || asked != 1 {
				t.Errorf("it asked %d times, and at last %v", asked, err)
			}
		})
	}
}
