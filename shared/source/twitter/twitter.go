// Package twitter finds posts on X, which posts and keywords still call twitter.
//
// Only shared/source/sources imports it.
package twitter

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/text"
)

const name = "twitter"

// BearerToken names the credential: an application's own token (X, "OAuth 2.0 Application-Only").
const BearerToken = name + "/bearer-token"

// Bounds of recent search ("Search Posts", docs.x.com).
const (
	reach      = 7 * 24 * time.Hour
	startLater = time.Minute      // so that the request arrives within the reach
	endEarlier = 15 * time.Second // end_time must lie at least 10 seconds back
	fewest     = 10               // max_results
)

// Source is X. Its engagement counters are likes, retweets, replies, quotes and impressions. Retweets are not posts of
// their own and are left out.
type Source struct {
	search, counts, lookup *fetch.Caller // each endpoint has its own limit
	token                  string
	now                    clock.Clock
}

// New returns the source that sends its requests to baseURL, or to "https://api.x.com" if baseURL is empty. now stands
// for X's time. It is the machine's clock if nil.
func New(client *fetch.Client, secrets map[string]string, baseURL string, now clock.Clock) *Source {
	if baseURL == "" {
		baseURL = "https://api.x.com"
	}
	if now == nil {
		now = clock.System{}
	}
	endpoint := func(requests int) *fetch.Caller {
		about := (*Source)(nil).About()
		about.Pace = 15 * time.Minute / time.Duration(requests)
		return client.Caller(fetch.Platform{About: about, BaseURL: baseURL, Explain: explain})
	}
	return &Source{
		search: endpoint(450),
		counts: endpoint(300),
		lookup: endpoint(3500),
		token:  secrets[BearerToken],
		now:    now,
	}
}

// About has the limits of "Rate limits" (docs.x.com) for an app in 15 minutes: 450 searches, 300 counts, 3,500 lookups.
func (*Source) About() source.About {
	return source.About{
		Name: name, Pace: 15 * time.Minute / 450, Also: 3, Max: 100, Reach: reach, Observes: 100,
		Credentials: []source.Credential{{Name: BearerToken}},
	}
}

type tweetPage struct {
	Data     []json.RawMessage `json:"data"` // missing when there is none
	Includes struct {
		Users []json.RawMessage `json:"users"`
		Media []json.RawMessage `json:"media"`
	} `json:"includes"`
	Meta *struct {
		NextToken string `json:"next_token"`
	} `json:"meta"`
}

// Search pages by the platform's token. The platform has no pages of fewer than ten posts. For such a limit, Search
// continues below the last post returned. The last 15 seconds are left to a later search, because the platform does not
// search them yet.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	if s.token == "" {
		return source.Page{}, source.ErrNoCredentials
	}
	start, end, ok := s.window(q)
	if !ok {
		return source.Page{}, ctx.Err()
	}
	limit := q.Limit(s.About())
	query := url.Values{
		"query":        {phrase(q)},
		"max_results":  {strconv.Itoa(max(limit, fewest))},
		"start_time":   {start},
		"end_time":     {end},
		"tweet.fields": {tweetFields},
		"expansions":   {"author_id,attachments.media_keys"},
		"user.fields":  {userFields},
		"media.fields": {mediaFields},
	}
	switch how, where, _ := strings.Cut(q.After, "."); {
	case q.After == "":
	case how == "token" && where != "":
		query.Set("next_token", where)
	case how == "below" && snowflake.MatchString(where):
		query.Set("until_id", where)
		query.Del("end_time")
	default:
		return source.Page{}, fmt.Errorf("twitter: After is not a cursor of this source: %q", q.After)
	}
	var got tweetPage
	if err := s.get(ctx, s.search, "/2/tweets/search/recent", query, &got); err != nil {
		return source.Page{}, err
	}
	if got.Meta == nil {
		return source.Page{}, s.search.Unexpected("answered without saying how many there are")
	}
	out := source.Page{Posts: got.posts(q, limit+1)}
	if len(out.Posts) > limit {
		out.Posts = out.Posts[:limit]
		out.Next = "below." + strings.TrimPrefix(out.Posts[limit-1].SourceID, prefix)
		return out, nil
	}
	if token := got.Meta.NextToken; token != "" && "token."+token != q.After {
		out.Next = "token." + token
	}
	return out, nil
}

// window returns the query's window, cut to what the platform searches, in whole seconds that contain it.
func (s *Source) window(q source.Query) (start, end string, ok bool) {
	now := s.now.Now()
	since, until := q.Since, q.Until
	if earliest := now.Add(startLater - reach); since.Before(earliest) {
		since = earliest
	}
	if latest := now.Add(-endEarlier); until.After(latest) {
		until = latest
	}
	if !since.Before(until) {
		return "", "", false
	}
	return since.UTC().Format(seconds), until.Add(time.Second - 1).UTC().Format(seconds), true
}

const seconds = "2006-01-02T15:04:05Z"

// phrase returns the query for texts, all of which a post must have ("Build a query", docs.x.com). The platform
// searches whole words alone, and has no escape for a quotation mark.
func phrase(q source.Query) string {
	return q.Quoted() + " -is:retweet"
}

func (s *Source) get(ctx context.Context, endpoint *fetch.Caller, path string, query url.Values, out any) error {
	got, err := endpoint.JSON(
		ctx, fetch.Request{Path: path, Query: query, Header: http.Header{"Authorization": {"Bearer " + s.token}}}, out,
	)
	if err == nil && got.Header.Get("X-Rate-Limit-Remaining") == "0" {
		endpoint.Hold(fetch.Until(got.Header, "X-Rate-Limit-Reset", s.now.Now()))
	}
	return err
}

// Count returns the platform's own count. It is not exact if the platform does not cover the whole window.
func (s *Source) Count(ctx context.Context, q source.Query) (source.Count, error) {
	if s.token == "" {
		return source.Count{}, source.ErrNoCredentials
	}
	start, end, ok := s.window(q)
	if !ok {
		return source.Count{Exact: !q.Since.Before(q.Until)}, ctx.Err()
	}
	var got struct {
		Meta *struct {
			Total *int64 `json:"total_tweet_count"`
		} `json:"meta"`
	}
	if err := s.get(ctx, s.counts, "/2/tweets/counts/recent", url.Values{
		"query": {phrase(q)}, "start_time": {start}, "end_time": {end}, "granularity": {"day"},
	}, &got); err != nil {
		return source.Count{}, err
	}
	if got.Meta == nil || got.Meta.Total == nil {
		return source.Count{}, s.counts.Unexpected("answered without a count")
	}
	whole := q.Since.UTC().Format(seconds) == start && q.Until.Add(time.Second-1).UTC().Format(seconds) == end
	return source.Count{Posts: *got.Meta.Total, Exact: whole}, nil
}

// Engagement looks up all posts in one request. Deleted posts are in the response's errors.
func (s *Source) Engagement(ctx context.Context, sourceIDs []string) (map[string]map[string]int64, error) {
	var ids []string
	for _, id := range sourceIDs {
		if native, found := strings.CutPrefix(id, prefix); found && snowflake.MatchString(native) {
			ids = append(ids, native)
		}
	}
	switch {
	case len(ids) == 0:
		return nil, ctx.Err()
	case s.token == "":
		return nil, source.ErrNoCredentials
	}
	var got tweetPage
	if err := s.get(
		ctx, s.lookup, "/2/tweets", url.Values{"ids": {strings.Join(ids, ",")}, "tweet.fields": {"public_metrics"}},
		&got,
	); err != nil {
		return nil, err
	}
	observed := map[string]map[string]int64{}
	for _, t := range fetch.Each[tweet](got.Data) {
		if counters := t.counters(); snowflake.MatchString(t.ID) && len(counters) > 0 {
			observed[prefix+t.ID] = counters
		}
	}
	return observed, nil
}

// explain reads the platform's own header for when a limit ends. A spent monthly quota or account takes a day's wait.
func explain(response fetch.Response, now time.Time) *source.Unavailable {
	capped := response.Status == http.StatusTooManyRequests &&
		strings.Contains(string(response.Body), "UsageCapExceeded")
	if capped || response.Status == http.StatusPaymentRequired {
		return &source.Unavailable{
			Reason:     "answered that its posts for this month are used up",
			RetryAfter: 24 * time.Hour,
		}
	}
	wait := cmp.Or(fetch.RetryAfter(response.Header, now), fetch.Until(response.Header, "X-Rate-Limit-Reset", now))
	if response.Status == http.StatusTooManyRequests && wait > 0 {
		return &source.Unavailable{Reason: "answered 429", RetryAfter: wait}
	}
	return nil
}

const prefix = name + "_tweet_"

var snowflake = text.NewPattern(`^[1-9][0-9]{0,18}$`)

func (p tweetPage) posts(q source.Query, limit int) []post.Post {
	users := byKey(fetch.Each[user](p.Includes.Users), func(u user) string { return u.ID })
	media := byKey(fetch.Each[medium](p.Includes.Media), func(m medium) string { return m.Key })
	return source.Collect(
		fetch.Each[tweet](p.Data), q, limit, func(t tweet) (post.Post, bool) { return t.post(users, media) },
	)
}

func byKey[T any](all []T, key func(T) string) map[string]T {
	found := make(map[string]T, len(all))
	for _, one := range all {
		found[key(one)] = one
	}
	return found
}
