// Package news finds articles of the world's online press through the GDELT project, which reads some hundred thousand
// sites.
//
// Only shared/source/sources imports it.
package news

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/keyset"
)

const (
	name = "news"
	path = "/api/v2/doc/doc"

	// tick is how often GDELT reads the sites. It dates articles by its ticks.
	tick = 15 * time.Minute
)

// Source is the press. Articles have a title, but no body and no engagement counters. GDELT searches the body too.
type Source struct{ api *fetch.Caller }

// New returns the source that sends its requests to baseURL, or to "https://api.gdeltproject.org" if baseURL is empty.
func New(client *fetch.Client, baseURL string) *Source {
	if baseURL == "" {
		baseURL = "https://api.gdeltproject.org"
	}
	return &Source{
		api: client.Caller(fetch.Platform{About: (*Source)(nil).About(), BaseURL: baseURL, Explain: explain}),
	}
}

// About has the limits of "GDELT DOC 2.0 API Debuts!" (blog.gdeltproject.org): 250 articles a search, of the last three
// months. The API's own response to faster clients adds a limit of one request every five seconds.
func (*Source) About() source.About {
	return source.About{
		Name: name, Pace: 5 * time.Second, Also: 3, Max: 250, Late: 24 * time.Hour, Reach: 90 * 24 * time.Hour,
	}
}

// Search continues by time, because the API has no pages.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	end := keyset.Ceil(q.Until)
	if q.After != "" {
		var err error
		if end, err = strconv.ParseInt(q.After, 10, 64); err != nil {
			return source.Page{}, fmt.Errorf("news: After is not a cursor of this source: %q", q.After)
		}
	}
	if !q.Since.Before(q.Until) {
		return source.Page{}, ctx.Err()
	}
	limit := q.Limit(s.About())
	var got struct {
		Articles []json.RawMessage `json:"articles"`
	}
	if err := s.ask(ctx, q, end, url.Values{
		"mode": {"artlist"}, "sort": {"datedesc"}, "maxrecords": {strconv.Itoa(limit)},
	}, &got); err != nil {
		return source.Page{}, err
	}
	out := source.Page{Posts: source.Collect(fetch.Each[article](got.Articles), q, limit, article.post)}
	if len(got.Articles) >= limit {
		var until time.Time
		if out.Posts, until = keyset.Back(out.Posts, tick); until.After(q.Since) && until.Unix() < end {
			out.Next = strconv.FormatInt(until.Unix(), 10)
		}
	}
	return out, nil
}

// Count adds up the articles of each step of GDELT's timeline: a quarter of an hour, an hour or a day, by the window's
// length. Steps that reach beyond the window count whole, so the sum is not exact.
func (s *Source) Count(ctx context.Context, q source.Query) (source.Count, error) {
	if !q.Since.Before(q.Until) {
		return source.Count{Exact: true}, ctx.Err()
	}
	var got struct {
		Timeline []struct {
			Data []struct {
				Value float64 `json:"value"`
			} `json:"data"`
		} `json:"timeline"`
	}
	if err := s.ask(ctx, q, keyset.Ceil(q.Until), url.Values{"mode": {"timelinevolraw"}}, &got); err != nil {
		return source.Count{}, err
	}
	var count source.Count
	for _, series := range got.Timeline {
		for _, step := range series.Data {
			count.Posts += int64(max(0, min(step.Value, 1e9)))
		}
	}
	return count, nil
}

// ask searches until end, exclusively. GDELT includes both ends, in whole seconds.
func (s *Source) ask(ctx context.Context, q source.Query, end int64, more url.Values, out any) error {
	const second = "20060102150405"
	more.Set("format", "json")
	more.Set("query", q.Quoted())
	more.Set("startdatetime", q.Since.UTC().Format(second))
	more.Set("enddatetime", time.Unix(end-1, 0).UTC().Format(second))
	response, err := s.api.Do(
		ctx, fetch.Request{Path: path, Query: more, Header: http.Header{"Accept": {"application/json"}}},
	)
	if err != nil {
		return err
	}
	if refusal := refusal(response.Body); refusal != "" {
		unavailable := s.api.Unexpected(refusal)
		if refusal == tooOften {
			unavailable.RetryAfter = s.About().Pace
		}
		return unavailable
	}
	response.Body = mend(response.Body)
	return s.api.Decode(response, out)
}

// explain adds a wait to a 429 without Retry-After. GDELT tells its limit in a sentence and sends no header.
func explain(response fetch.Response, now time.Time) *source.Unavailable {
	if response.Status != http.StatusTooManyRequests || fetch.RetryAfter(response.Header, now) > 0 {
		return nil
	}
	return &source.Unavailable{Reason: "answered 429", RetryAfter: (*Source)(nil).About().Pace}
}
