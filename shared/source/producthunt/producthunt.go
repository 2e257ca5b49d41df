// Package producthunt reads the launches on Product Hunt as a stream, because its interface publishes no search.
//
// Only shared/source/sources imports it.
package producthunt

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/text"
)

const name = "producthunt"

// Token names the credential: an application's or a developer's token (api.producthunt.com/v2/docs, "OAuth").
const Token = name + "/token"

// Source is Product Hunt. Its engagement counters are votes and comments.
type Source struct {
	api   *fetch.Caller
	token string
}

// New returns the source that sends its requests to baseURL, or to "https://api.producthunt.com" if baseURL is empty.
func New(client *fetch.Client, secrets map[string]string, baseURL string) *Source {
	if baseURL == "" {
		baseURL = "https://api.producthunt.com"
	}
	platform := fetch.Platform{About: (*Source)(nil).About(), BaseURL: baseURL, Explain: explain}
	return &Source{api: client.Caller(platform), token: secrets[Token]}
}

// About has the limits of "Rate Limits" (api.producthunt.com/v2/docs): 6,250 points of complexity in 15 minutes. A page
// has at most 20 posts and costs some tens of points. One request in two seconds stays within the limit.
func (*Source) About() source.About {
	return source.About{
		Name:        name,
		Stream:      true,
		Pace:        2 * time.Second,
		Max:         20,
		Observes:    20,
		Credentials: []source.Credential{{Name: Token}},
	}
}

const launches = `query($first:Int!,$after:String,$since:DateTime!,$until:DateTime!){` +
	`posts(first:$first,after:$after,postedAfter:$since,postedBefore:$until,order:NEWEST){` +
	`pageInfo{hasNextPage endCursor}nodes{id name tagline description slug createdAt votesCount commentsCount ` +
	`thumbnail{url}user{name username profileImage}}}}`

var cursor = text.NewPattern(`^[A-Za-z0-9+/=_-]{1,200}$`)

// Search pages by the platform's cursor.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	switch {
	case s.token == "":
		return source.Page{}, source.ErrNoCredentials
	case !q.Since.Before(q.Until):
		return source.Page{}, ctx.Err()
	case q.After != "" && !cursor.MatchString(q.After):
		return source.Page{}, fmt.Errorf("producthunt: After is not a cursor of this source: %q", q.After)
	}
	limit := q.Limit(s.About())
	variables := map[string]any{
		"first": limit,
		// Both bounds of the platform may be exclusive. Collect drops posts of the extra seconds.
		"since": q.Since.Add(-time.Second).
			UTC().
			Format(time.RFC3339),
		"until": q.Until.Add(time.Second).UTC().Format(time.RFC3339),
	}
	if q.After != "" {
		variables["after"] = q.After
	}
	var got struct {
		Posts *struct {
			Page struct {
				More bool   `json:"hasNextPage"`
				End  string `json:"endCursor"`
			} `json:"pageInfo"`
			Nodes []json.RawMessage `json:"nodes"`
		} `json:"posts"`
	}
	if err := s.ask(ctx, launches, variables, &got); err != nil {
		return source.Page{}, err
	}
	if got.Posts == nil || got.Posts.Nodes == nil {
		return source.Page{}, s.api.Unexpected("answered without its posts")
	}
	out := source.Page{Posts: source.Collect(fetch.Each[launch](got.Posts.Nodes), q, limit, launch.post)}
	if page := got.Posts.Page; page.More && cursor.MatchString(page.End) && page.End != q.After {
		out.Next = page.End
	}
	return out, nil
}

// Engagement looks up all posts in one request, which gives each post its own alias.
func (s *Source) Engagement(ctx context.Context, sourceIDs []string) (map[string]map[string]int64, error) {
	var query strings.Builder
	asked := 0
	for _, id := range sourceIDs {
		native, found := strings.CutPrefix(id, prefix)
		if number, err := strconv.ParseUint(native, 10, 63); found && err == nil {
			fmt.Fprintf(&query, `p%d:post(id:"%d"){id votesCount commentsCount}`, asked, number)
			asked++
		}
	}
	switch {
	case asked == 0:
		return nil, ctx.Err()
	case s.token == "":
		return nil, source.ErrNoCredentials
	}
	var got map[string]json.RawMessage
	if err := s.ask(ctx, "query{"+query.String()+"}", nil, &got); err != nil {
		return nil, err
	}
	observed := map[string]map[string]int64{}
	for i := range asked {
		for _, l := range fetch.Each[launch]([]json.RawMessage{got["p"+strconv.Itoa(i)]}) {
			if counters := l.counters(); native.MatchString(l.ID) && len(counters) > 0 {
				observed[prefix+l.ID] = counters
			}
		}
	}
	return observed, nil
}

// ask sends a query and decodes its data. GraphQL responds 200 even with errors, which come with data or instead of it.
// A deleted post is null and adds an error.
func (s *Source) ask(ctx context.Context, query string, variables map[string]any, out any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	var got struct {
		Data json.RawMessage `json:"data"`
	}
	response, err := s.api.JSON(ctx, fetch.Request{
		Method: http.MethodPost, Path: "/v2/api/graphql", Body: body,
		Header: http.Header{"Authorization": {"Bearer " + s.token}, "Content-Type": {"application/json"}},
	}, &got)
	if err != nil {
		return err
	}
	if left, err := strconv.Atoi(response.Header.Get("X-Rate-Limit-Remaining")); err == nil && left < dear {
		s.api.Hold(reset(response.Header))
	}
	if len(got.Data) == 0 || string(got.Data) == "null" || json.Unmarshal(got.Data, out) != nil {
		return s.api.Unexpected("answered without its data")
	}
	return nil
}

// dear is more points than one of our requests costs. With fewer points left, the platform would reject the next
// request.
const dear = 100

func reset(header http.Header) time.Duration {
	seconds, err := strconv.ParseFloat(header.Get("X-Rate-Limit-Reset"), 64)
	if err != nil {
		return 0
	}
	return fetch.Seconds(seconds)
}

func explain(response fetch.Response, now time.Time) *source.Unavailable {
	wait := fetch.RetryAfter(response.Header, now)
	if wait == 0 {
		wait = reset(response.Header)
	}
	if response.Status == http.StatusTooManyRequests && wait > 0 {
		return &source.Unavailable{Reason: "answered 429", RetryAfter: wait}
	}
	return nil
}
