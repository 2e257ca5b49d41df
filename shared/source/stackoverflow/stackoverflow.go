// Package stackoverflow finds questions on Stack Overflow through the Stack Exchange API.
//
// Only shared/source/sources imports it.
package stackoverflow

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/keyset"
)

const name = "stackoverflow"

// Key names the credential: the key of an application registered on Stack Apps.
const Key = name + "/key"

// openPages is the number of pages that are open without a key ("Paging": "page above 25 requires access token or app
// key").
const openPages = 25

// Source is Stack Overflow. Its engagement counters are score, answers and views.
type Source struct {
	api *fetch.Caller
	key string
}

// New returns the source that sends its requests to baseURL, or to "https://api.stackexchange.com" if baseURL is empty.
func New(client *fetch.Client, secrets map[string]string, baseURL string) *Source {
	if baseURL == "" {
		baseURL = "https://api.stackexchange.com"
	}
	return &Source{
		api: client.Caller(fetch.Platform{About: (*Source)(nil).About(), BaseURL: baseURL, Explain: explain}),
		key: secrets[Key],
	}
}

// About has the limits of "Throttles" (api.stackexchange.com/docs): 30 requests a second from one address, 300 a day
// without a key and 10,000 with one. A response may also ask for a backoff. A page has 100 items ("Paging"), and a call
// takes 100 ids.
func (s *Source) About() source.About {
	daily := 300
	if s != nil && s.key != "" {
		daily = 10_000
	}
	return source.About{Name: name, Pace: time.Second / 30, Daily: daily, Max: 100, Observes: 100,
		Credentials: []source.Credential{{Name: Key, Optional: true}}}
}

// questionPage is the wrapper of every response.
type questionPage struct {
	Items          []json.RawMessage `json:"items"`
	HasMore        bool              `json:"has_more"`
	Backoff        float64           `json:"backoff"`
	QuotaRemaining *int64            `json:"quota_remaining"`
	Total          *int64            `json:"total"`
}

// Search reads the questions, newest first. It returns no answers to questions, because the API does not search those
// by text.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	page, end := 1, keyset.Ceil(q.Until)
	if q.After != "" {
		if _, err := fmt.Sscanf(q.After, "%d.%d", &page, &end); err != nil || page < 1 {
			return source.Page{}, fmt.Errorf("stackoverflow: After is not a cursor of this source: %q", q.After)
		}
	}
	if !q.Since.Before(q.Until) {
		return source.Page{}, ctx.Err()
	}
	limit := q.Limit(s.About())
	query := window(q, end)
	query.Set("page", strconv.Itoa(page))
	query.Set("pagesize", strconv.Itoa(limit))
	query.Set("filter", "withbody")
	got, err := s.get(ctx, "/2.3/search/advanced", query)
	if err != nil {
		return source.Page{}, err
	}
	out := source.Page{Posts: source.Collect(fetch.Each[question](got.Items), q, limit, question.post)}
	switch {
	case !got.HasMore:
	case s.key != "" || page < openPages:
		out.Next = fmt.Sprintf("%d.%d", page+1, end)
	default:
		var until time.Time
		if out.Posts, until = keyset.Back(out.Posts, time.Second); until.After(q.Since) && until.Unix() < end {
			out.Next = fmt.Sprintf("1.%d", until.Unix())
		}
	}
	return out, nil
}

// Count returns the API's total, through its built-in filter of that name.
func (s *Source) Count(ctx context.Context, q source.Query) (source.Count, error) {
	if !q.Since.Before(q.Until) {
		return source.Count{Exact: true}, ctx.Err()
	}
	query := window(q, keyset.Ceil(q.Until))
	query.Set("filter", "total")
	got, err := s.ask(ctx, "/2.3/search/advanced", query)
	switch {
	case err != nil:
		return source.Count{}, err
	case got.Total == nil:
		return source.Count{}, s.api.Unexpected("answered without a total")
	}
	return source.Count{Posts: *got.Total, Exact: true}, nil
}

// window returns the parameters of a search until end, exclusively, in seconds. The API includes both of its ends.
func window(q source.Query, end int64) url.Values {
	return url.Values{
		"q":        {source.Quote(q.Text)},
		"fromdate": {strconv.FormatInt(q.Since.Unix(), 10)},
		"todate":   {strconv.FormatInt(end-1, 10)},
		"sort":     {"creation"},
		"order":    {"desc"},
	}
}

func (s *Source) get(ctx context.Context, path string, query url.Values) (questionPage, error) {
	got, err := s.ask(ctx, path, query)
	if err == nil && got.Items == nil {
		err = s.api.Unexpected("answered without its items")
	}
	return got, err
}

// ask sends a request and obeys the response's limits: a backoff in seconds, and a quota that is spent until midnight
// UTC.
func (s *Source) ask(ctx context.Context, path string, query url.Values) (got questionPage, err error) {
	query.Set("site", "stackoverflow")
	if s.key != "" {
		query.Set("key", s.key)
	}
	if _, err := s.api.JSON(ctx, fetch.Request{Path: path, Query: query}, &got); err != nil {
		return questionPage{}, err
	}
	s.api.Hold(fetch.Seconds(got.Backoff))
	if got.QuotaRemaining != nil && *got.QuotaRemaining <= 0 {
		s.api.HoldUntilMidnight()
	}
	return got, nil
}

// Engagement looks up all questions in one request.
func (s *Source) Engagement(ctx context.Context, sourceIDs []string) (map[string]map[string]int64, error) {
	var ids []string
	for _, id := range sourceIDs {
		native, found := strings.CutPrefix(id, name+"_question_")
		if _, err := strconv.ParseUint(native, 10, 63); found && err == nil {
			ids = append(ids, native)
		}
	}
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	got, err := s.get(ctx, "/2.3/questions/"+strings.Join(ids, ";"), url.Values{"pagesize": {"100"}})
	if err != nil {
		return nil, err
	}
	observed := map[string]map[string]int64{}
	for _, one := range fetch.Each[question](got.Items) {
		if counters := one.counters(); len(counters) > 0 {
			observed[one.id()] = counters
		}
	}
	return observed, nil
}
