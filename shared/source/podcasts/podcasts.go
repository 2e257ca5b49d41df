// Package podcasts finds episodes of podcasts in Apple's directory.
//
// Only shared/source/sources imports it.
package podcasts

import (
	"cmp"
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
	"earshot/shared/source/plaintext"
)

const name = "podcasts"

// Source is Apple's directory, as its store in the United States shows it. The directory searches an episode's title
// and description, not the recording. Podcasts have no handles, and the directory has no counters.
type Source struct{ api *fetch.Caller }

// New returns the source that sends its requests to baseURL, or to "https://itunes.apple.com" if baseURL is empty.
func New(client *fetch.Client, baseURL string) *Source {
	if baseURL == "" {
		baseURL = "https://itunes.apple.com"
	}
	return &Source{api: client.Caller(fetch.Platform{About: (*Source)(nil).About(), BaseURL: baseURL})}
}

// About has the limits of "iTunes Search API": about 20 calls a minute and at most 200 results.
func (*Source) About() source.About {
	return source.About{Name: name, Pace: 3 * time.Second, Max: 200, Late: 24 * time.Hour}
}

type episode struct {
	Kind        string `json:"wrapperType"`
	ID          int64  `json:"trackId"`
	Title       string `json:"trackName"`
	Description string `json:"description"`
	Short       string `json:"shortDescription"`
	Released    string `json:"releaseDate"`
	URL         string `json:"trackViewUrl"`
	Show        string `json:"collectionName"`
	ShowURL     string `json:"collectionViewUrl"`
	Artist      string `json:"artistName"`
	Artwork     string `json:"artworkUrl600"`
}

// Search reads the 200 episodes that the directory ranks first, of all times, because the directory has no window and
// no second page. It returns those of the window, newest first. Next counts the episodes already returned.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	if !q.Since.Before(q.Until) {
		return source.Page{}, ctx.Err()
	}
	skip := 0
	if q.After != "" {
		var err error
		if skip, err = strconv.Atoi(q.After); err != nil || skip < 0 {
			return source.Page{}, fmt.Errorf("podcasts: After is not a cursor of this source: %q", q.After)
		}
	}
	var got struct {
		Results []json.RawMessage `json:"results"`
	}
	if _, err := s.api.JSON(ctx, fetch.Request{Path: "/search", Query: url.Values{
		"term": {strings.Join(strings.Fields(q.Text), " ")}, "media": {"podcast"}, "entity": {"podcastEpisode"},
		"limit": {strconv.Itoa(s.About().Max)},
	}}, &got); err != nil {
		return source.Page{}, err
	}
	if got.Results == nil {
		return source.Page{}, s.api.Unexpected("answered without its results")
	}
	found := source.Collect(fetch.Each[episode](got.Results), q, len(got.Results), episode.post)
	source.SortNewest(found)
	found = found[min(skip, len(found)):]
	limit := q.Limit(s.About())
	if len(found) <= limit {
		return source.Page{Posts: found}, nil
	}
	return source.Page{Posts: found[:limit], Next: strconv.Itoa(skip + limit)}, nil
}

func (e episode) post() (post.Post, bool) {
	at, err := time.Parse(time.RFC3339, e.Released)
	if err != nil || e.ID <= 0 || e.Kind != "podcastEpisode" || post.Web(e.URL) == "" {
		return post.Post{}, false
	}
	title := strings.TrimSpace(e.Title)
	p := post.Post{
		Source:     name,
		SourceID:   name + "_episode_" + strconv.FormatInt(e.ID, 10),
		URL:        untracked(e.URL),
		PostedAt:   at.UTC(),
		Title:      &title,
		AuthorName: cmp.Or(e.Show, e.Artist),
		ImageURL:   post.Web(e.Artwork),
	}
	if body := plaintext.FromHTML(cmp.Or(e.Description, e.Short)); body != "" {
		p.Body = &body
	}
	if post.Web(e.ShowURL) != "" {
		show := untracked(e.ShowURL)
		p.AuthorURL = &show
	}
	return p, strings.TrimSpace(p.Text()) != ""
}

// untracked removes the parameter uo, which names the interface that led there. The parameter i, which is the episode,
// stays.
func untracked(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return address
	}
	query := parsed.Query()
	query.Del("uo")
	parsed.RawQuery = query.Encode()
	return parsed.String()
}
