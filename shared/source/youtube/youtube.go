// Package youtube finds videos on YouTube by its Data API.
//
// Only shared/source/sources imports it.
package youtube

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
	"earshot/shared/text"
)

const name = "youtube"

// APIKey names the credential ("YouTube Data API Overview").
const APIKey = name + "/api-key"

// Source is YouTube. Its engagement counters are views, likes and comments. It is no Counter: a search's number of
// results is "an approximation", and costs a search.
type Source struct {
	api *fetch.Caller
	key string
}

// New returns the source that sends its requests to baseURL, or to "https://www.googleapis.com" if baseURL is empty.
func New(client *fetch.Client, secrets map[string]string, baseURL string) *Source {
	if baseURL == "" {
		baseURL = "https://www.googleapis.com"
	}
	platform := fetch.Platform{About: (*Source)(nil).About(), BaseURL: baseURL, Explain: explain}
	return &Source{api: client.Caller(platform), key: secrets[APIKey]}
}

// About has the limits of "YouTube Data API (v3) - Quota Calculator": 10,000 units a day. A search costs 100 units, and
// a lookup of up to 50 videos or channels 1. That allows 98 searches a day, which the collector spreads. A spent
// quota's error has the time until the next day. Pace only keeps bursts apart.
func (*Source) About() source.About {
	return source.About{
		Name:        name,
		Pace:        200 * time.Millisecond,
		Daily:       98,
		Max:         50,
		Observes:    50,
		Credentials: []source.Credential{{Name: APIKey}},
	}
}

type resourcePage struct {
	Items []json.RawMessage `json:"items"`
	Next  string            `json:"nextPageToken"`
}

// Search takes three requests: the search itself, the videos found, and their channels. The search cuts descriptions
// and has no counters. If the second or third request fails, Search returns what the first one found, because that was
// paid for.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	switch {
	case s.key == "":
		return source.Page{}, source.ErrNoCredentials
	case !q.Since.Before(q.Until):
		return source.Page{}, ctx.Err()
	case q.After != "" && !pageToken.MatchString(q.After):
		return source.Page{}, fmt.Errorf("youtube: After is not a cursor of this source: %q", q.After)
	}
	limit := q.Limit(s.About())
	query := url.Values{
		"part":            {"snippet"},
		"type":            {"video"},
		"order":           {"date"},
		"maxResults":      {strconv.Itoa(limit)},
		"q":               {source.Quote(q.Text)},
		"publishedAfter":  {q.Since.UTC().Format(seconds)},
		"publishedBefore": {q.Until.Add(time.Second - 1).UTC().Format(seconds)},
	}
	if q.After != "" {
		query.Set("pageToken", q.After)
	}
	got, err := s.get(ctx, "search", query)
	if err != nil {
		return source.Page{}, err
	}
	found := results(got.Items)
	if err := s.describe(ctx, found); err != nil {
		return source.Page{}, err
	}
	out := source.Page{Posts: source.Collect(found, q, limit, video.post)}
	if pageToken.MatchString(got.Next) && got.Next != q.After {
		out.Next = got.Next
	}
	return out, nil
}

const seconds = "2006-01-02T15:04:05Z"

var (
	pageToken = text.NewPattern(`^[A-Za-z0-9_=-]{1,200}$`)
	videoID   = text.NewPattern(`^[A-Za-z0-9_-]{11}$`)
	channelID = text.NewPattern(`^UC[A-Za-z0-9_-]{22}$`)
)

// get sends the key in a header ("Use API keys to access APIs", cloud.google.com), because URLs end up in logs.
func (s *Source) get(ctx context.Context, resource string, query url.Values) (got resourcePage, err error) {
	_, err = s.api.JSON(
		ctx,
		fetch.Request{Path: "/youtube/v3/" + resource, Query: query, Header: http.Header{"X-Goog-Api-Key": {s.key}}},
		&got,
	)
	if err == nil && got.Items == nil {
		err = s.api.Unexpected("answered without its items")
	}
	return got, err
}

// describe adds what only the resources of videos and channels have. It returns only the context's error.
func (s *Source) describe(ctx context.Context, found []video) error {
	var videos, channels []string
	for _, v := range found {
		videos = append(videos, v.ID)
		if channelID.MatchString(v.Snippet.ChannelID) {
			channels = append(channels, v.Snippet.ChannelID)
		}
	}
	if len(videos) > 0 {
		if got, err := s.get(
			ctx, "videos", url.Values{"part": {"snippet,statistics"}, "id": {list(videos)}, "maxResults": {"50"}},
		); err == nil {
			known := byID(fetch.Each[video](got.Items), func(v video) string { return v.ID })
			for i, v := range found {
				if whole, ok := known[v.ID]; ok {
					found[i] = whole
				}
			}
		}
	}
	if len(channels) > 0 && ctx.Err() == nil {
		if got, err := s.get(
			ctx, "channels", url.Values{"part": {"snippet,statistics"}, "id": {list(channels)}, "maxResults": {"50"}},
		); err == nil {
			known := byID(fetch.Each[channel](got.Items), func(c channel) string { return c.ID })
			for i, v := range found {
				found[i].channel = known[v.Snippet.ChannelID]
			}
		}
	}
	return ctx.Err()
}

// Engagement looks up all videos in one request.
func (s *Source) Engagement(ctx context.Context, sourceIDs []string) (map[string]map[string]int64, error) {
	var ids []string
	for _, id := range sourceIDs {
		if native, found := strings.CutPrefix(id, prefix); found && videoID.MatchString(native) {
			ids = append(ids, native)
		}
	}
	switch {
	case len(ids) == 0:
		return nil, ctx.Err()
	case s.key == "":
		return nil, source.ErrNoCredentials
	}
	got, err := s.get(ctx, "videos", url.Values{"part": {"statistics"}, "id": {list(ids)}, "maxResults": {"50"}})
	if err != nil {
		return nil, err
	}
	observed := map[string]map[string]int64{}
	for _, v := range fetch.Each[video](got.Items) {
		if counters := v.counters(); videoID.MatchString(v.ID) && len(counters) > 0 {
			observed[prefix+v.ID] = counters
		}
	}
	return observed, nil
}

var _ interface {
	source.Source
	source.Observer
} = (*Source)(nil)

// results returns the videos of a search response, which nests their ids one level deeper.
func results(items []json.RawMessage) (found []video) {
	for _, one := range fetch.Each[struct {
		ID struct {
			Video string `json:"videoId"`
		} `json:"id"`
		Snippet snippet `json:"snippet"`
	}](items) {
		if videoID.MatchString(one.ID.Video) {
			one.Snippet.escaped = true
			found = append(found, video{ID: one.ID.Video, Snippet: one.Snippet})
		}
	}
	return found
}
