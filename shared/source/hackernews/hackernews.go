// Package hackernews finds stories and comments on Hacker News through its search service.
//
// Only shared/source/sources imports it.
package hackernews

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/keyset"
	"earshot/shared/source/plaintext"
)

const (
	name = "hackernews"
	item = "https://news.ycombinator.com/item?id="
	user = "https://news.ycombinator.com/user?id="

	// maxHits is how many hits the service pages through (Algolia, "Pagination limitations": paginationLimitedTo is
	// 1,000). Search reaches older hits by moving the end of the window back.
	maxHits = 1000
)

// Source is Hacker News. Its engagement counters are the points and comments of stories. Hacker News does not show a
// comment's points.
type Source struct{ api *fetch.Caller }

// New returns the source that sends its requests to baseURL, or to "https://hn.algolia.com" if baseURL is empty.
func New(client *fetch.Client, baseURL string) *Source {
	if baseURL == "" {
		baseURL = "https://hn.algolia.com"
	}
	return &Source{api: client.Caller(fetch.Platform{About: (*Source)(nil).About(), BaseURL: baseURL})}
}

// About has the limit of "HN Search API" (hn.algolia.com/api): 10,000 requests an hour from one address. It needs no
// key.
func (*Source) About() source.About {
	return source.About{Name: name, Pace: time.Hour / 10_000, Also: 3, Max: 100, Observes: 50}
}

type hitPage struct {
	Hits       []json.RawMessage `json:"hits"`
	NbHits     *int64            `json:"nbHits"`
	NbPages    int               `json:"nbPages"`
	Exhaustive *bool             `json:"exhaustiveNbHits"`
}

type hit struct {
	ID       string   `json:"objectID"`
	Author   string   `json:"author"`
	Created  int64    `json:"created_at_i"`
	Title    string   `json:"title"`
	Story    string   `json:"story_text"`
	Comment  *string  `json:"comment_text"`
	Points   *int64   `json:"points"`
	Comments *int64   `json:"num_comments"`
	Tags     []string `json:"_tags"`
}

// Search pages by number. After the last page that the service allows, it continues below the oldest second seen.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	if !q.Since.Before(q.Until) {
		return source.Page{}, ctx.Err()
	}
	page, end := 0, keyset.Ceil(q.Until)
	if q.After != "" {
		if _, err := fmt.Sscanf(q.After, "%d.%d", &page, &end); err != nil || page < 0 {
			return source.Page{}, fmt.Errorf("hackernews: After is not a cursor of this source: %q", q.After)
		}
	}
	limit := q.Limit(s.About())
	got, err := s.ask(ctx, q, end, url.Values{"hitsPerPage": {strconv.Itoa(limit)}, "page": {strconv.Itoa(page)}})
	if err != nil {
		return source.Page{}, err
	}
	out := source.Page{Posts: source.Collect(fetch.Each[hit](got.Hits), q, limit, hit.post)}
	seen := (page + 1) * limit
	switch {
	case len(got.Hits) < limit || int64(seen) >= *got.NbHits:
	case page+1 < got.NbPages && seen+limit <= maxHits:
		out.Next = fmt.Sprintf("%d.%d", page+1, end)
	default:
		var until time.Time
		if out.Posts, until = keyset.Back(out.Posts, time.Second); until.After(q.Since) && until.Unix() < end {
			out.Next = fmt.Sprintf("0.%d", until.Unix())
		}
	}
	return out, nil
}

// Count returns the service's number of hits. The service states whether the number is exact.
func (s *Source) Count(ctx context.Context, q source.Query) (source.Count, error) {
	if !q.Since.Before(q.Until) {
		return source.Count{Exact: true}, ctx.Err()
	}
	got, err := s.ask(ctx, q, keyset.Ceil(q.Until), url.Values{"hitsPerPage": {"1"}})
	if err != nil {
		return source.Count{}, err
	}
	return source.Count{Posts: *got.NbHits, Exact: got.Exhaustive != nil && *got.Exhaustive}, nil
}

// ask searches from q.Since until end, both in whole seconds. The caller checks each post's time again.
func (s *Source) ask(ctx context.Context, q source.Query, end int64, more url.Values) (hitPage, error) {
	more.Set("tags", "(story,comment)")
	more.Set("numericFilters", fmt.Sprintf("created_at_i>=%d,created_at_i<%d", q.Since.Unix(), end))
	more.Set("query", q.Quoted())
	more.Set("advancedSyntax", "true") // for the quotation marks
	more.Set("typoTolerance", "false")
	if q.Exact {
		more.Set("queryType", "prefixNone")
	}
	return s.get(ctx, "/api/v1/search_by_date", more)
}

func (s *Source) get(ctx context.Context, path string, query url.Values) (got hitPage, err error) {
	if _, err := s.api.JSON(ctx, fetch.Request{Path: path, Query: query}, &got); err != nil {
		return hitPage{}, err
	}
	if got.Hits == nil || got.NbHits == nil {
		return hitPage{}, s.api.Unexpected("answered without its hits")
	}
	return got, nil
}

func (h hit) post() (post.Post, bool) {
	if id, err := strconv.ParseUint(h.ID, 10, 63); err != nil || id == 0 || h.Created <= 0 {
		return post.Post{}, false
	}
	p := post.Post{Source: name, URL: item + h.ID, PostedAt: time.Unix(h.Created, 0).UTC()}
	if h.Comment != nil {
		p.SourceID, p.IsReply = name+"_comment_"+h.ID, true
		body := plaintext.FromHTML(*h.Comment)
		p.Body = &body
	} else {
		p.SourceID = name + "_story_" + h.ID
		title := plaintext.FromHTML(h.Title)
		p.Title = &title
		if body := plaintext.FromHTML(h.Story); body != "" {
			p.Body = &body
		}
		p.Engagement = h.counters()
	}
	if h.Author != "" {
		profile := user + url.QueryEscape(h.Author)
		p.Author, p.AuthorName, p.AuthorURL = &h.Author, h.Author, &profile
	}
	return p, strings.TrimSpace(p.Text()) != ""
}

func (h hit) counters() map[string]int64 {
	counters := map[string]int64{}
	if h.Points != nil {
		counters["points"] = *h.Points
	}
	if h.Comments != nil {
		counters["comments"] = *h.Comments
	}
	return counters
}

// Engagement looks up all stories in one request. Each story has a tag with its own id.
func (s *Source) Engagement(ctx context.Context, sourceIDs []string) (map[string]map[string]int64, error) {
	var tags []string
	for _, id := range sourceIDs {
		native, found := strings.CutPrefix(id, name+"_story_")
		if _, err := strconv.ParseUint(native, 10, 63); found && err == nil {
			tags = append(tags, "story_"+native)
		}
	}
	if len(tags) == 0 {
		return nil, ctx.Err()
	}
	got, err := s.get(ctx, "/api/v1/search", url.Values{
		"tags":        {"story,(" + strings.Join(tags, ",") + ")"},
		"hitsPerPage": {strconv.Itoa(len(tags))},
	})
	if err != nil {
		return nil, err
	}
	observed := map[string]map[string]int64{}
	for _, h := range fetch.Each[hit](got.Hits) {
		if counters := h.counters(); len(counters) > 0 {
			observed[name+"_story_"+h.ID] = counters
		}
	}
	return observed, nil
}
