// Package reddit finds posts on Reddit, signed in as an application without a user. Reddit has no search for comments.
//
// Only shared/source/sources imports it.
package reddit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/text"
)

const name = "reddit"

// ClientID and ClientSecret name the credentials of an application ("Reddit Data API Wiki").
const (
	ClientID     = name + "/client-id"
	ClientSecret = name + "/client-secret"
)

// Source is Reddit. Its engagement counters are score, comments and upvotePercent, which is 0 to 100. It leaves out
// removed and deleted posts, and posts for adults only.
//
// Reddit's rules require a User-Agent that names the application and its operator: set fetch.Options.UserAgent to one.
type Source struct {
	session *session
	api     *fetch.Caller
}

// New returns the source that signs in at https://www.reddit.com and sends its requests to https://oauth.reddit.com. If
// baseURL is not empty, it replaces both.
func New(client *fetch.Client, secrets map[string]string, baseURL string) *Source {
	about := (*Source)(nil).About()
	signIn := client.Caller(
		fetch.Platform{About: about, BaseURL: cmp.Or(baseURL, "https://www.reddit.com"), Explain: explain},
	)
	api := client.Caller(
		fetch.Platform{About: about, BaseURL: cmp.Or(baseURL, "https://oauth.reddit.com"), Explain: explain},
	)
	s := &Source{api: api}
	if id, secret := secrets[ClientID], secrets[ClientSecret]; id != "" && secret != "" {
		s.session = &session{signIn: signIn, api: api, id: id, secret: secret, turn: make(chan struct{}, 1)}
	}
	return s
}

// About has the limits of "Reddit Data API Wiki" (support.reddithelp.com), 100 requests a minute for an application,
// and of "reddit.com: api documentation", 100 items a page.
func (*Source) About() source.About {
	return source.About{
		Name: name, Pace: time.Minute / 100, Also: 3, Max: 100, Observes: 100,
		Credentials: []source.Credential{{Name: ClientID}, {Name: ClientSecret}},
	}
}

type listing struct {
	Data struct {
		After    string            `json:"after"`
		Children []json.RawMessage `json:"children"`
	} `json:"data"`
}

type child struct {
	Kind string `json:"kind"` // t3: a post ("type prefixes")
	Data link   `json:"data"`
}

var fullname = text.NewPattern(`^t3_[0-9a-z]{1,13}$`)

// Search pages from the newest post back, by the platform's cursor. A page of posts newer than the window is empty and
// has a Next. The platform's own windows end now and are as coarse as an hour, so Search uses none. The platform shows
// about 1,000 posts of a search.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	switch {
	case s.session == nil:
		return source.Page{}, source.ErrNoCredentials
	case !q.Since.Before(q.Until):
		return source.Page{}, ctx.Err()
	case q.After != "" && !fullname.MatchString(q.After):
		return source.Page{}, fmt.Errorf("reddit: After is not a cursor of this source: %q", q.After)
	}
	limit := q.Limit(s.About())
	query := url.Values{
		"q":        {q.Quoted()},
		"sort":     {"new"},
		"t":        {"all"},
		"type":     {"link"},
		"limit":    {strconv.Itoa(limit)},
		"raw_json": {"1"},
	}
	if q.After != "" {
		query.Set("after", q.After)
	}
	got, err := s.get(ctx, "/search", query)
	if err != nil {
		return source.Page{}, err
	}
	children := fetch.Each[child](got.Data.Children)
	out := source.Page{Posts: source.Collect(children, q, limit, child.post)}
	over := slices.ContainsFunc(children, func(c child) bool {
		created, ok := c.createdAt()
		return ok && created.Before(q.Since)
	})
	if after := got.Data.After; !over && fullname.MatchString(after) && after != q.After {
		out.Next = after
	}
	return out, nil
}

// Engagement looks up all posts in one request.
func (s *Source) Engagement(ctx context.Context, sourceIDs []string) (map[string]map[string]int64, error) {
	var ids []string
	for _, id := range sourceIDs {
		if native, found := strings.CutPrefix(id, prefix); found && fullname.MatchString("t3_"+native) {
			ids = append(ids, "t3_"+native)
		}
	}
	switch {
	case len(ids) == 0:
		return nil, ctx.Err()
	case s.session == nil:
		return nil, source.ErrNoCredentials
	}
	got, err := s.get(ctx, "/api/info", url.Values{"id": {strings.Join(ids, ",")}, "raw_json": {"1"}})
	if err != nil {
		return nil, err
	}
	observed := map[string]map[string]int64{}
	for _, c := range fetch.Each[child](got.Data.Children) {
		if counters := c.Data.counters(); c.ours() && !c.Data.gone() && len(counters) > 0 {
			observed[prefix+c.Data.ID] = counters
		}
	}
	return observed, nil
}

// get sends a request and obeys the response's limit: the remaining requests, and the seconds until they are renewed.
func (s *Source) get(ctx context.Context, path string, query url.Values) (got listing, err error) {
	response, err := s.session.do(ctx, fetch.Request{Path: path, Query: query}, &got)
	if err != nil {
		return listing{}, err
	}
	if left, err := strconv.ParseFloat(response.Header.Get("X-Ratelimit-Remaining"), 64); err == nil && left < 1 {
		s.api.Hold(reset(response.Header))
	}
	if got.Data.Children == nil {
		return listing{}, s.api.Unexpected("answered without its posts")
	}
	return got, nil
}

func reset(header http.Header) time.Duration {
	seconds, err := strconv.ParseFloat(header.Get("X-Ratelimit-Reset"), 64)
	if err != nil {
		return 0
	}
	return fetch.Seconds(seconds)
}

func explain(response fetch.Response, now time.Time) *source.Unavailable {
	if wait := reset(response.Header); response.Status == http.StatusTooManyRequests && wait > 0 {
		return &source.Unavailable{
			Reason:     "answered 429",
			RetryAfter: cmp.Or(fetch.RetryAfter(response.Header, now), wait),
		}
	}
	return nil
}
