// Package medium finds articles on Medium by the feeds of its tags, which Medium publishes instead of a search.
//
// Only shared/source/sources imports it.
package medium

import (
	"context"
	"net/url"
	"strings"
	"time"
	"unicode"

	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/source/feed"
	"earshot/shared/source/fetch"
	"earshot/shared/text"
)

const name = "medium"

// Source is Medium. An article has the part of its text that the feed shows. It has no counters, because feeds have
// none.
type Source struct{ api *fetch.Caller }

// New returns the source that sends its requests to baseURL, or to "https://medium.com" if baseURL is empty.
func New(client *fetch.Client, baseURL string) *Source {
	if baseURL == "" {
		baseURL = "https://medium.com"
	}
	return &Source{api: client.Caller(fetch.Platform{About: (*Source)(nil).About(), BaseURL: baseURL})}
}

// About: "Using RSS feeds of profiles, publications, and topics" (help.medium.com) publishes no limit. The pace is a
// polite feed reader's. A feed holds about ten articles, so Max never bounds a page.
func (*Source) About() source.About {
	return source.About{Name: name, Pace: 2 * time.Second, Max: 100, Late: 24 * time.Hour}
}

// Search reads the feed of the tag that the text makes. It misses articles without that tag, and those that ten later
// articles have pushed out. There is no second page.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	tag := slug(q.Text)
	if tag == "" || !q.Since.Before(q.Until) {
		return source.Page{}, ctx.Err()
	}
	read, _, err := feed.Read(ctx, s.api, fetch.Request{Path: "/feed/tag/" + url.PathEscape(tag)})
	if err != nil {
		return source.Page{}, err
	}
	return source.Page{Posts: source.Collect(read.Items, q, q.Limit(s.About()), toPost)}, nil
}

// slug returns a text as Medium writes it in a tag's address: words in lowercase with dashes between them.
func slug(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}), "-")
}

// more is the line below a truncated article: "Continue reading on Medium »".
var more = text.NewPattern(`\n*Continue reading on [^\n]{1,100} »$`)

var (
	permalink = text.NewPattern(`^https://medium\.com/p/([0-9a-f]{6,16})$`)
	ending    = text.NewPattern(`(?:-|/p/)([0-9a-f]{10,16})$`)
	handle    = text.NewPattern(`^/@([A-Za-z0-9._-]{1,50})(?:/|$)`)
	subdomain = text.NewPattern(`^([a-z0-9-]{1,50})\.medium\.com$`)
)

func toPost(item feed.Item) (post.Post, bool) {
	link, err := url.Parse(item.Link)
	if err != nil || link.Host == "" {
		return post.Post{}, false
	}
	link.RawQuery, link.Fragment = "", "" // it says where the reader comes from
	id := permalink.FindStringSubmatch(item.ID)
	if id == nil {
		id = ending.FindStringSubmatch(link.Path)
	}
	if id == nil {
		return post.Post{}, false
	}
	p := item.Post(func(body string) string { return more.ReplaceAllString(body, "") })
	p.Source, p.SourceID, p.URL = name, name+"_article_"+id[1], link.String()
	if author := author(link); author != "" {
		profile := "https://medium.com/@" + author
		p.Author, p.AuthorURL = &author, &profile
	}
	return p, strings.TrimSpace(p.Text()) != ""
}

// author returns the handle in an article's address, or "" if there is none. Publications and custom domains have no
// handle in their addresses.
func author(link *url.URL) string {
	if found := handle.FindStringSubmatch(link.Path); found != nil && link.Host == "medium.com" {
		return found[1]
	}
	if found := subdomain.FindStringSubmatch(link.Host); found != nil {
		return found[1]
	}
	return ""
}
