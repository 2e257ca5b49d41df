// Package feed reads RSS and Atom that strangers wrote. gofeed parses the formats, and only fetch sends requests.
// Parsing takes time and space that grow with a feed's length. gofeed recurses and copies, so a feed that nests too
// deep or declares too many namespaces is rejected before gofeed sees it.
//
// Only the adapters medium and newsletter import it.
package feed

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/mmcdole/gofeed"

	"earshot/shared/post"
	"earshot/shared/source/fetch"
	"earshot/shared/source/plaintext"
)

// MaxItems is how many items of a feed are read.
const MaxItems = 1000

// A Feed is a parsed feed.
type Feed struct {
	Title string
	Link  string // the page that the feed belongs to; empty if it has no web address
	Items []Item // the items with a date, in the feed's order
}

// An Item is an entry of a feed. Its texts are HTML, as the feed has them.
type Item struct {
	ID     string // guid of RSS, id of Atom; may be empty
	Link   string // an absolute web address; empty if the item has none
	Title  string
	HTML   string // the content, or the summary if there is none
	Author string // a name
	Image  string // a web address or empty
	At     time.Time
	Edited time.Time // zero unless the feed has a later time of an update
}

// Post returns the post of an item, without Source and SourceID. Its URL is Link, and title and body are plain text.
// edit, unless nil, edits the body. Body is nil if its text is empty.
func (i Item) Post(edit func(body string) string) post.Post {
	title, body := plaintext.FromHTML(i.Title), plaintext.FromHTML(i.HTML)
	if edit != nil {
		body = edit(body)
	}
	p := post.Post{
		URL:        i.Link,
		PostedAt:   i.At,
		EditedAt:   i.Edited,
		Title:      &title,
		AuthorName: i.Author,
		ImageURL:   i.Image,
	}
	if body != "" {
		p.Body = &body
	}
	return p
}

// accept is the Accept header that Read sends.
const accept = "application/rss+xml, application/atom+xml;q=0.9, application/xml;q=0.8, text/xml;q=0.7"

// Read fetches and parses a feed. Its errors are fetch's. A response that is not a feed is a *source.Unavailable too.
func Read(ctx context.Context, api *fetch.Caller, request fetch.Request) (Feed, http.Header, error) {
	header := http.Header{"Accept": {accept}}
	for name, values := range request.Header {
		header[name] = values
	}
	request.Header = header
	response, err := api.Do(ctx, request)
	if err != nil {
		return Feed{}, nil, err
	}
	read, err := Parse(toUTF8(response.Body, response.Header.Get("Content-Type")))
	if err != nil {
		return Feed{}, nil, api.Unexpected("answered " + err.Error() + " where a feed was expected")
	}
	return read, response.Header, nil
}

var (
	errNothing = errors.New("nothing")
	errNoFeed  = errors.New("what is no RSS or Atom")
	errShape   = errors.New("a feed nested too deep")
)

// Parse reads a feed of at most a few megabytes. Its errors repeat nothing of the content.
func Parse(content []byte) (Feed, error) {
	content = bytes.TrimSpace(mended(content))
	switch {
	case len(content) == 0:
		return Feed{}, errNothing
	case content[0] != '<': // gofeed also reads JSON feeds, whose shapes are not bounded here
		return Feed{}, errNoFeed
	}
	if err := bounded(content); err != nil {
		return Feed{}, err
	}
	parsed, err := gofeed.NewParser().Parse(bytes.NewReader(content))
	if err != nil || parsed == nil {
		return Feed{}, errNoFeed
	}
	read := Feed{Title: strings.TrimSpace(parsed.Title), Link: post.Web(strings.TrimSpace(parsed.Link))}
	for _, item := range parsed.Items[:min(len(parsed.Items), MaxItems)] {
		if one, ok := toItem(item); ok {
			read.Items = append(read.Items, one)
		}
	}
	return read, nil
}

func toItem(from *gofeed.Item) (Item, bool) {
	item := Item{
		ID:    strings.TrimSpace(from.GUID),
		Link:  post.Web(strings.TrimSpace(from.Link)),
		Title: from.Title,
		HTML:  from.Content,
	}
	switch {
	case from.PublishedParsed != nil:
		item.At = from.PublishedParsed.UTC()
		if updated := from.UpdatedParsed; updated != nil && updated.After(item.At) {
			item.Edited = updated.UTC()
		}
	case from.UpdatedParsed != nil:
		item.At = from.UpdatedParsed.UTC()
	default:
		return Item{}, false
	}
	if item.Link == "" {
		item.Link = post.Web(strings.TrimSpace(item.ID)) // a guid is a permanent link unless it says otherwise
	}
	if strings.TrimSpace(item.HTML) == "" {
		item.HTML = from.Description
	}
	if len(from.Authors) > 0 && from.Authors[0] != nil {
		item.Author = strings.TrimSpace(from.Authors[0].Name)
	}
	if from.Image != nil {
		item.Image = post.Web(strings.TrimSpace(from.Image.URL))
	}
	return item, true
}
