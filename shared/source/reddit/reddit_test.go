package reddit_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/reddit"
	"earshot/shared/source/sourcetest"
)

var week = source.Query{
	Text: "the \"Lantern\"  DB", Max: 4,
	Since: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 0, time.UTC),
}

var now = time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC)

var secrets = map[string]string{reddit.ClientID: "an-app", reddit.ClientSecret: "reddit-secret-9c1b"}

var basic = base64.StdEncoding.EncodeToString([]byte("an-app:reddit-secret-9c1b"))

func TestSource(t *testing.T) {
	sourcetest.Run(t, sourcetest.Options{
		New: func(client *fetch.Client, baseURL string) (source.Source, error) {
			return reddit.New(client, secrets, baseURL), nil
		},
		Answers: os.DirFS("testdata"),
		Routes: []sourcetest.Route{
			{Method: http.MethodPost, Path: "/api/v1/access_token", File: "token.json"},
			{Path: "/search", Query: map[string]string{"after": ""}, File: "search-1.json"},
			{Path: "/search", Query: map[string]string{"after": "t3_1kaa003"}, File: "search-2.json"},
			{Path: "/api/info", File: "info.json"},
		},
		SignIn:   []string{"/api/v1/access_token"},
		Secrets:  []string{"reddit-secret-9c1b", "reddit-token-7f3a", basic},
		Cases:    []sourcetest.Case{{Name: "week", Query: week, Posts: 3}},
		Observed: []string{"reddit_post_1kaa001", "reddit_post_1kaa003", "reddit_post_1kaa002"},
		Lists:    map[string]string{"search-1.json": "data.children"},
		Now:      now,
	})
}

// platform answers searches as long as the token is one that it gave last.
type platform struct {
	signIns, searches atomic.Int64
	revoked           atomic.Int64 // tokens up to this one are not taken
	header            http.Header
}

func (p *platform) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Path == "/api/v1/access_token" {
		time.Sleep(10 * time.Millisecond) // for others to come meanwhile
		fmt.Fprintf(w, `{"access_token":"token-%d"}`, p.signIns.Add(1))
		return
	}
	p.searches.Add(1)
	var number int64
	if _, err := fmt.Sscanf(r.Header.Get("Authorization"), "Bearer token-%d", &number); err != nil ||
		number <= p.revoked.Load() {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	for name, values := range p.header {
		w.Header()[name] = values
	}
	fmt.Fprint(w, `{"kind":"Listing","data":{"children":[]}}`)
}

func open(t *testing.T, p *platform) *reddit.Source {
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	client := fetch.New(fetch.Options{AnyHost: true, Unpaced: true})
	t.Cleanup(client.Close)
	return reddit.New(client, secrets, server.URL)
}

// Whoever asks at the same time, one token is fetched for all, and one more when it is no longer taken.
func TestSession_OneToken(t *testing.T) {
	p := &platform{}
	from := open(t, p)
	for round := range int64(2) {
		faulttest.AtOnce(8, func(int) {
			if _, err := from.Search(t.Context(), week); err != nil {
				t.Error(err)
			}
		})
		if got := p.signIns.Load(); got != round+1 {
			t.Errorf("signed in %d times, should be %d", got, round+1)
		}
		p.revoked.Store(round + 1)
	}
}

// A token that is not even taken when it is new is a refusal, not a reason to sign in again and again.
func TestRefused(t *testing.T) {
	p := &platform{}
	p.revoked.Store(1 << 40)
	var failed *source.Unavailable
	if _, err := open(t, p).Search(t.Context(), week); !errors.As(err, &failed) || !failed.Refused ||
		p.signIns.Load() != 1 {
		t.Errorf("answers %v after signing in %d times", err, p.signIns.Load())
	}
}

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		remaining string
		held      bool
	}{{"55.0", false}, {"1.0", false}, {"0.0", true}, {"", false}, {"many", false}} {
		p := &platform{header: http.Header{"X-Ratelimit-Remaining": {c.remaining}, "X-Ratelimit-Reset": {"312"}}}
		from := open(t, p)
		if _, err := from.Search(t.Context(), week); err != nil {
			t.Fatal(err)
		}
		_, err := from.Search(t.Context(), week)
		var failed *source.Unavailable
		if held := errors.As(err, &failed) && failed.RetryAfter > 5*time.Minute; held != c.held ||
			p.searches.Load() > 1 == c.held {
			t.Errorf("%q left: then it answers %v, after %d searches", c.remaining, err, p.searches.Load())
		}
	}
}

// A title's letters come with and without escapes in a permalink.
func TestSearch_PermalinkWithLetters(t *testing.T) {
	const want = "https://www.reddit.com/r/de/comments/1abc/%C3%BCber_uns/"
	for _, permalink := range []string{"/r/de/comments/1abc/über_uns/", "/r/de/comments/1abc/%C3%BCber_uns/"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.URL.Path == "/api/v1/access_token" {
				fmt.Fprint(w, `{"access_token":"token"}`)
				return
			}
			fmt.Fprintf(w, `{"data":{"children":[{"kind":"t3","data":{"id":"1abc","title":"Über uns","created_utc":%d,"permalink":%q}}]}}`,
				week.Since.Unix(), permalink)
		}))
		t.Cleanup(server.Close)
		client := fetch.New(fetch.Options{AnyHost: true, Unpaced: true})
		page, err := reddit.New(client, secrets, server.URL).Search(t.Context(), week)
		if err != nil || len(page.Posts) != 1 || page.Posts[0].URL != want {
			t.Errorf("Search with the permalink %s = %+v, %v, want the URL %s", permalink, page, err, want)
		}
	}
}
