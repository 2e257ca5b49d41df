// Package github finds issues and pull requests on GitHub.
//
// Only shared/source/sources imports it.
package github

import (
	"context"
	"encoding/json"
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

const name = "github"

// Token names the credential: a personal access token. It needs no scope to read what is public.
const Token = name + "/token"

// kinds are searched one after the other. A query "must include is:issue or is:pull-request", and every version of the
// search understands either of them alone.
var kinds = []string{"issue", "pull-request"}

// maxResults is how many results one search pages through ("REST API endpoints for search").
const maxResults = 1000

// Source is GitHub. Its engagement counters are reactions and comments.
type Source struct {
	token  string
	search *fetch.Caller
	graph  *fetch.Caller // has its own limit
}

// New returns the source that sends its requests to baseURL, or to "https://api.github.com" if baseURL is empty.
func New(client *fetch.Client, secrets map[string]string, baseURL string) *Source {
	if baseURL == "" {
		baseURL = "https://api.github.com"
	}
	s := &Source{token: secrets[Token]}
	about := s.About()
	s.search = client.Caller(fetch.Platform{About: about, BaseURL: baseURL, Explain: explain})
	about.Pace = time.Hour / 5000
	s.graph = client.Caller(fetch.Platform{About: about, BaseURL: baseURL, Explain: explain})
	return s
}

// About has the limits of "REST API endpoints for search" (docs.github.com): 10 searches a minute, 30 with a token, and
// 100 results a page. Looking up counters takes GraphQL and a token: 100 nodes a call and 5,000 points an hour ("Rate
// limits and query limits for the GraphQL API").
func (s *Source) About() source.About {
	about := source.About{
		Name:        name,
		Pace:        time.Minute / 10,
		Also:        3,
		Max:         100,
		Credentials: []source.Credential{{Name: Token, Optional: true}},
	}
	if s.token != "" {
		about.Pace, about.Observes = time.Minute/30, 100
	}
	return about
}

type issuePage struct {
	Total      *int64            `json:"total_count"`
	Incomplete bool              `json:"incomplete_results"`
	Items      []json.RawMessage `json:"items"`
}

// Search reads the issues first, then the pull requests, both newest first.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	at := searchPosition{Page: 1, End: keyset.Ceil(q.Until)}
	if err := at.parse(q.After); err != nil {
		return source.Page{}, err
	}
	if !q.Since.Before(q.Until) {
		return source.Page{}, ctx.Err()
	}
	limit := q.Limit(s.About())
	got, err := s.ask(ctx, q, kinds[at.Kind], at.End, url.Values{
		"per_page": {strconv.Itoa(limit)}, "page": {strconv.Itoa(at.Page)}, "sort": {"created"}, "order": {"desc"},
	})
	if err != nil {
		return source.Page{}, err
	}
	out := source.Page{Posts: source.Collect(fetch.Each[item](got.Items), q, limit, item.post)}
	seen := at.Page * limit
	switch {
	case len(got.Items) < limit || int64(seen) >= *got.Total:
		at = searchPosition{Kind: at.Kind + 1, Page: 1, End: keyset.Ceil(q.Until)}
	case seen+limit <= maxResults:
		at.Page++
	default:
		var until time.Time
		if out.Posts, until = keyset.Back(out.Posts, time.Second); !until.After(q.Since) || until.Unix() >= at.End {
			at.Kind, until = at.Kind+1, time.Unix(keyset.Ceil(q.Until), 0)
		}
		at.Page, at.End = 1, until.Unix()
	}
	if at.Kind < len(kinds) {
		out.Next = at.String()
	}
	return out, nil
}

// A searchPosition is where a search continues: the kind, its page, and the end of the window in seconds.
type searchPosition struct {
	Kind, Page int
	End        int64
}

func (p searchPosition) String() string { return fmt.Sprintf("%d.%d.%d", p.Kind, p.Page, p.End) }

func (p *searchPosition) parse(after string) error {
	if after == "" {
		return nil
	}
	if _, err := fmt.Sscanf(
		after, "%d.%d.%d", &p.Kind, &p.Page, &p.End,
	); err != nil || p.Kind < 0 || p.Kind >= len(kinds) ||
		p.Page < 1 {
		return fmt.Errorf("github: After is not a cursor of this source: %q", after)
	}
	return nil
}

// Count adds up both kinds. It is exact unless a search timed out.
func (s *Source) Count(ctx context.Context, q source.Query) (source.Count, error) {
	count := source.Count{Exact: true}
	if !q.Since.Before(q.Until) {
		return count, ctx.Err()
	}
	for _, kind := range kinds {
		got, err := s.ask(ctx, q, kind, keyset.Ceil(q.Until), url.Values{"per_page": {"1"}})
		if err != nil {
			return source.Count{}, err
		}
		count.Posts += *got.Total
		count.Exact = count.Exact && !got.Incomplete
	}
	return count, nil
}

// ask searches until end, exclusively. GitHub's range includes both of its ends, in whole seconds.
func (s *Source) ask(
	ctx context.Context, q source.Query, kind string, end int64, more url.Values,
) (got issuePage, err error) {
	const second = "2006-01-02T15:04:05Z"
	more.Set(
		"q",
		fmt.Sprintf(
			"%s is:%s created:%s..%s", phrases(q), kind, q.Since.UTC().Format(second),
			time.Unix(end-1, 0).UTC().Format(second),
		),
	)
	response, err := s.search.JSON(ctx, fetch.Request{Path: "/search/issues", Query: more, Header: s.header()}, &got)
	if err != nil {
		return issuePage{}, err
	}
	if got.Total == nil || got.Items == nil {
		return issuePage{}, s.search.Unexpected("answered without its results")
	}
	if response.Header.Get("X-RateLimit-Remaining") == "0" {
		s.search.HoldUntil(response.Header, "X-RateLimit-Reset")
	}
	return got, nil
}

func (s *Source) header() http.Header {
	header := http.Header{"Accept": {"application/vnd.github+json"}, "X-Github-Api-Version": {"2022-11-28"}}
	if s.token != "" {
		header.Set("Authorization", "Bearer "+s.token)
	}
	return header
}

// phrases quotes the query's texts, all of which an issue must have.
func phrases(q source.Query) string {
	quoted := phrase(q.Text)
	for _, text := range q.Also {
		quoted += " " + phrase(text)
	}
	return quoted
}

// phrase quotes the text. It escapes quotation marks ("Understanding the search syntax"), and therefore backslashes
// too.
func phrase(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(strings.Join(strings.Fields(text), " ")) + `"`
}

// explain follows "Best practices for using the REST API". GitHub tells a limit by 403 or 429, with Retry-After, with
// the remaining requests and their reset, or in the message alone. In the last case the wait is a minute.
func explain(response fetch.Response, now time.Time) *source.Unavailable {
	if response.Status != http.StatusForbidden && response.Status != http.StatusTooManyRequests {
		return nil
	}
	limited := &source.Unavailable{Reason: fmt.Sprintf("answered %d: its limit is reached", response.Status)}
	switch {
	case fetch.RetryAfter(response.Header, now) > 0:
		limited.RetryAfter = fetch.RetryAfter(response.Header, now)
	case response.Header.Get("X-RateLimit-Remaining") == "0":
		limited.RetryAfter = max(fetch.Until(response.Header, "X-RateLimit-Reset", now), time.Second)
	case strings.Contains(string(response.Body), "rate limit"):
		limited.RetryAfter = time.Minute
	default:
		return nil
	}
	return limited
}
