// Package dev reads the articles of DEV (dev.to) as a stream, because Forem's interface publishes no search.
//
// Only shared/source/sources imports it.
package dev

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/plaintext"
)

const name = "dev"

// Source is DEV. An article's body is the description that the list shows. The whole text would take a request for each
// article, a hundred times as many. Counters are reactions and comments. They are not looked up again, for the same
// reason.
type Source struct{ api *fetch.Caller }

// New returns the source that sends its requests to baseURL, or to "https://dev.to" if baseURL is empty.
func New(client *fetch.Client, baseURL string) *Source {
	if baseURL == "" {
		baseURL = "https://dev.to"
	}
	return &Source{api: client.Caller(fetch.Platform{About: (*Source)(nil).About(), BaseURL: baseURL})}
}

// About has the limits of "Forem API V1" (developers.forem.com): pages of up to 1,000. It responds 429 with a
// Retry-After to a client that is too fast, without publishing the limit. One request a second stays below what is
// known of it.
func (*Source) About() source.About {
	return source.About{Name: name, Stream: true, Pace: time.Second, Max: 100}
}

type article struct {
	ID          int64  `json:"id"`
	Title       string `json:"title"`
	Description string `json:"description"`
	URL         string `json:"url"`
	Published   string `json:"published_timestamp"`
	Edited      any    `json:"edited_at"` // a text; null if there was no edit
	Comments    *int64 `json:"comments_count"`
	Reactions   *int64 `json:"public_reactions_count"`
	Cover       string `json:"cover_image"`
	User        struct {
		Name     string `json:"name"`
		Username string `json:"username"`
		Avatar   string `json:"profile_image"`
	} `json:"user"`
}

// Search returns a page of the newest articles. It has a Next until an article is older than the window. A page of
// articles that are all newer than the window is empty and has a Next as well. Pages are numbered, so some articles
// come twice while new ones are published.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	if !q.Since.Before(q.Until) {
		return source.Page{}, ctx.Err()
	}
	limit, page, size := q.Limit(s.About()), 1, q.Limit(s.About())
	if q.After != "" {
		number, per, _ := strings.Cut(q.After, ".")
		var wrong, bad error
		page, wrong = strconv.Atoi(number)
		size, bad = strconv.Atoi(per)
		if wrong != nil || bad != nil || page < 1 || size < 1 || size > limit {
			return source.Page{}, fmt.Errorf(
				"dev: After is not a cursor of this source, or Max is smaller than before: %q", q.After,
			)
		}
	}
	var got []json.RawMessage
	if _, err := s.api.JSON(ctx, fetch.Request{
		Path: "/api/articles/latest", Header: http.Header{"Accept": {"application/vnd.forem.api-v1+json"}},
		Query: url.Values{"page": {strconv.Itoa(page)}, "per_page": {strconv.Itoa(size)}},
	}, &got); err != nil {
		return source.Page{}, err
	}
	var out source.Page
	articles, over := 0, len(got) < size
	for _, a := range fetch.Each[article](got) {
		p, ok := a.post()
		if !ok || p.PostedAt.Before(post.Earliest) {
			continue
		}
		articles++
		over = over || p.PostedAt.Before(q.Since)
		if q.Holds(p.PostedAt) && len(out.Posts) < limit {
			out.Posts = append(out.Posts, p)
		}
	}
	if page == 1 && articles == 0 {
		return source.Page{}, s.api.Unexpected("answered no article on its first page")
	}
	if !over {
		out.Next = fmt.Sprintf("%d.%d", page+1, size)
	}
	return out, nil
}

func (a article) post() (post.Post, bool) {
	at, err := time.Parse(time.RFC3339, a.Published)
	if err != nil || a.ID <= 0 || post.Web(a.URL) == "" {
		return post.Post{}, false
	}
	title := strings.TrimSpace(a.Title)
	written, _ := a.Edited.(string)
	edited, _ := time.Parse(time.RFC3339, written) // the zero time if there was no edit
	p := post.Post{
		Source:     name,
		SourceID:   name + "_article_" + strconv.FormatInt(a.ID, 10),
		URL:        a.URL,
		PostedAt:   at.UTC(),
		EditedAt:   edited.UTC(),
		Title:      &title,
		AuthorName: a.User.Name,
		ImageURL:   post.Web(a.Cover),
		Engagement: map[string]int64{},
	}
	if body := plaintext.FromHTML(a.Description); body != "" {
		p.Body = &body
	}
	if a.User.Username != "" {
		profile := "https://dev.to/" + url.PathEscape(a.User.Username)
		p.Author, p.AuthorURL = &a.User.Username, &profile
	}
	if avatar := post.Web(a.User.Avatar); avatar != "" {
		p.AuthorAvatar = &avatar
	}
	if a.Reactions != nil {
		p.Engagement["reactions"] = *a.Reactions
	}
	if a.Comments != nil {
		p.Engagement["comments"] = *a.Comments
	}
	return p, title != "" || p.Body != nil
}
