package bluesky_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/bluesky"
	"earshot/shared/source/fetch"
	"earshot/shared/source/sourcetest"
)

var (
	week = source.Query{
		Text: "Lantern DB", Max: 3,
		Since: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 500, time.UTC),
	}
	account = map[string]string{bluesky.Identifier: "earshot.example", bluesky.AppPassword: "aaaa-bbbb-cccc-dddd"}
)

const (
	signIn = "/xrpc/com.atproto.server.createSession"
	search = "/xrpc/app.bsky.feed.searchPosts"
)

func options(secrets map[string]string) sourcetest.Options {
	return sourcetest.Options{
		New: func(client *fetch.Client, baseURL string) (source.Source, error) {
			return bluesky.New(client, secrets, baseURL), nil
		},
		Answers: os.DirFS("testdata"),
		Counts:  []sourcetest.Counting{{Name: "week", Query: week, Want: source.Count{Posts: 37}}},
		Observed: []string{"bluesky_post_did:plc:abcdefghijklmnopqrstuvwx_3lpabcdefgh22",
			"bluesky_post_did:web:tidewright.example_3lpabcdefgh23",
			"bluesky_post_did:plc:abcdefghijklmnopqrstuvwx_3lpgggggggg22"},
		Lists: map[string]string{"search-1.json": "posts"},
		Now:   time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC),
	}
}

func TestWithAccount(t *testing.T) {
	o := options(account)
	o.Routes = []sourcetest.Route{
		{Method: http.MethodPost, Path: signIn, File: "session.json"},
		{Path: search, Query: map[string]string{"cursor": ""}, File: "search-1.json"},
		{Path: search, Query: map[string]string{"cursor": "3"}, File: "search-2.json"},
		{Path: "/xrpc/app.bsky.feed.getPosts", File: "posts.json"},
	}
	o.SignIn = []string{signIn}
	o.Secrets = []string{account[bluesky.AppPassword], "access-jwt-of-the-session"}
	o.Cases = []sourcetest.Case{{Name: "week", Query: week, Posts: 4}}
	sourcetest.Run(t, o)
}

// Without an account the platform takes no cursor: it is paged by time.
func TestOpen(t *testing.T) {
	o := options(nil)
	o.Routes = []sourcetest.Route{
		{
			Path:  search,
			Query: map[string]string{"cursor": "", "until": "2026-05-05T09:00:00.001Z"},
			File:  "search-open-2.json",
		},
		{Path: search, Query: map[string]string{"cursor": ""}, File: "search-1.json"},
		{Path: "/xrpc/app.bsky.feed.getPosts", File: "posts.json"},
	}
	o.Cases = []sourcetest.Case{{Name: "week", Query: week, Posts: 4}}
	o.Golden = "open-"
	sourcetest.Run(t, o)
}

// A session that is over is made anew once, and not for ever.
func TestExpired(t *testing.T) {
	for _, c := range []struct {
		name  string
		taken string // the token that the platform takes
		want  []string
		fails bool
	}{
		{"made anew", "token-2", []string{signIn, search, signIn, search, search}, false},
		{"refused for good", "none", []string{signIn, search, signIn, search, search, signIn, search}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asked []string
			sessions := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked = append(asked, r.URL.Path)
				w.Header().Set("Content-Type", "application/json")
				switch {
				case r.URL.Path == signIn:
					sessions++
					w.Write([]byte(`{"accessJwt":"token-` + string(rune('0'+sessions)) + `"}`))
				case r.Header.Get("Authorization") == "Bearer "+c.taken:
					w.Write([]byte(`{"posts":[]}`))
				default:
					w.WriteHeader(http.StatusBadRequest)
					w.Write([]byte(`{"error":"ExpiredToken","message":"Token has expired"}`))
				}
			}))
			defer server.Close()
			from := bluesky.New(fetch.New(fetch.Options{AnyHost: true, Unpaced: true}), account, server.URL)
			for range 2 {
				if _, err := from.Search(t.Context(), week); (err != nil) != c.fails {
					t.Errorf("answers %v", err)
				}
			}
			if !slices.Equal(asked, c.want) {
				t.Errorf("it asked %v, not %v", asked, c.want)
			}
		})
	}
}
