// Package bluesky finds posts on Bluesky by the search of its application server.
//
// Only shared/source/sources imports it.
package bluesky

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/keyset"
)

const name = "bluesky"

// Identifier and AppPassword name the credentials: an account's handle and its app password (Bluesky, "App Passwords").
const (
	Identifier  = name + "/identifier"
	AppPassword = name + "/app-password"
)

// Source is Bluesky. Its engagement counters are likes, reposts, replies and quotes.
type Source struct {
	api     *fetch.Caller
	session *session // nil without an account
}

// New returns the source that sends its requests to baseURL. If baseURL is empty, they go to the application server.
// With an account they go to the account's own server, which forwards them.
func New(client *fetch.Client, secrets map[string]string, baseURL string) *Source {
	account := secrets[Identifier] != "" && secrets[AppPassword] != ""
	switch {
	case baseURL != "":
	case account:
		baseURL = "https://bsky.social"
	default:
		baseURL = "https://api.bsky.app"
	}
	s := &Source{api: client.Caller(fetch.Platform{About: (*Source)(nil).About(), BaseURL: baseURL, Explain: explain})}
	if account {
		s.session = newSession(s.api, secrets[Identifier], secrets[AppPassword])
	}
	return s
}

// About has the limits of "Rate Limits" (docs.bsky.app): 3,000 requests in 5 minutes from one address. A page has 100
// posts by the lexicon of app.bsky.feed.searchPosts, and 25 by that of app.bsky.feed.getPosts. At times Bluesky closes
// search to everyone without an account.
func (*Source) About() source.About {
	return source.About{
		Name: name, Pace: 5 * time.Minute / 3000, Also: 3, Max: 100, Observes: 25,
		Credentials: []source.Credential{{Name: Identifier, Optional: true}, {Name: AppPassword, Optional: true}},
	}
}

type postPage struct {
	Posts     []json.RawMessage `json:"posts"`
	Cursor    string            `json:"cursor"`
	HitsTotal *int64            `json:"hitsTotal"`
}

// Search pages by the platform's cursor if there is an account, and by time if there is none.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	if !q.Since.Before(q.Until) {
		return source.Page{}, ctx.Err()
	}
	until, cursor := q.Until, ""
	if how, where, _ := strings.Cut(q.After, "."); how == "cursor" {
		cursor = where
	} else if q.After != "" {
		milliseconds, err := strconv.ParseInt(where, 10, 64)
		if how != "until" || err != nil {
			return source.Page{}, fmt.Errorf("bluesky: After is not a cursor of this source: %q", q.After)
		}
		until = time.UnixMilli(milliseconds)
	}
	limit := q.Limit(s.About())
	got, err := s.search(ctx, q, until, limit, cursor)
	if err != nil {
		return source.Page{}, err
	}
	out := source.Page{Posts: source.Collect(fetch.Each[view](got.Posts), q, limit, view.post)}
	switch {
	case got.Cursor == "" || len(got.Posts) == 0:
	case s.session != nil:
		if got.Cursor != cursor {
			out.Next = "cursor." + got.Cursor
		}
	default:
		var next time.Time
		if out.Posts, next = keyset.Back(out.Posts, time.Millisecond); next.After(q.Since) && next.Before(until) {
			out.Next = "until." + strconv.FormatInt(next.UnixMilli(), 10)
		}
	}
	return out, nil
}

// Count returns the platform's number of hits, which the platform rounds and caps. Without such a number it returns the
// length of one page.
func (s *Source) Count(ctx context.Context, q source.Query) (source.Count, error) {
	if !q.Since.Before(q.Until) {
		return source.Count{Exact: true}, ctx.Err()
	}
	got, err := s.search(ctx, q, q.Until, s.About().Max, "")
	switch {
	case err != nil:
		return source.Count{}, err
	case got.HitsTotal != nil:
		return source.Count{Posts: *got.HitsTotal}, nil
	}
	return source.Count{Posts: int64(len(got.Posts)), Exact: got.Cursor == ""}, nil
}

func (s *Source) search(
	ctx context.Context, q source.Query, until time.Time, limit int, cursor string,
) (postPage, error) {
	query := url.Values{
		"q":     {q.Quoted()},
		"sort":  {"latest"},
		"since": {q.Since.UTC().Format(milliseconds)},
		"until": {until.UTC().Add(time.Millisecond - 1).Format(milliseconds)},
		"limit": {strconv.Itoa(limit)},
	}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	return s.get(ctx, "/xrpc/app.bsky.feed.searchPosts", query)
}

const milliseconds = "2006-01-02T15:04:05.000Z"

func (s *Source) get(ctx context.Context, path string, query url.Values) (got postPage, err error) {
	request := fetch.Request{Path: path, Query: query}
	if s.session == nil {
		_, err = s.api.JSON(ctx, request, &got)
	} else {
		err = s.session.do(ctx, request, &got)
	}
	if err == nil && got.Posts == nil {
		err = s.api.Unexpected("answered without its posts")
	}
	return got, err
}

// Engagement looks up all posts in one request.
func (s *Source) Engagement(ctx context.Context, sourceIDs []string) (map[string]map[string]int64, error) {
	var uris []string
	for _, id := range sourceIDs {
		if uri, ok := uriOf(id); ok {
			uris = append(uris, uri)
		}
	}
	if len(uris) == 0 {
		return nil, ctx.Err()
	}
	got, err := s.get(ctx, "/xrpc/app.bsky.feed.getPosts", url.Values{"uris": uris})
	if err != nil {
		return nil, err
	}
	observed := map[string]map[string]int64{}
	for _, v := range fetch.Each[view](got.Posts) {
		if id, _, ok := v.id(); ok {
			observed[id] = v.counters()
		}
	}
	return observed, nil
}

// explain reads the platform's own header for when a limit ends. It also reads the platform's code for an expired
// session, which comes with status 400.
func explain(response fetch.Response, now time.Time) *source.Unavailable {
	if wait := fetch.Until(response.Header, "RateLimit-Reset", now); response.Status == http.StatusTooManyRequests &&
		wait > 0 {
		return &source.Unavailable{Reason: "answered 429", RetryAfter: wait}
	}
	var body struct {
		Error string `json:"error"`
	}
	if response.Status == http.StatusBadRequest && json.Unmarshal(response.Body, &body) == nil &&
		body.Error == "ExpiredToken" {
		return &source.Unavailable{Reason: "answered that the session is over", Refused: true}
	}
	return nil
}

func refused(err error) bool {
	var unavailable *source.Unavailable
	return errors.As(err, &unavailable) && unavailable.Refused
}
