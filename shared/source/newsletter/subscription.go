package newsletter

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/source/feed"
	"earshot/shared/source/fetch"
)

const (
	prefix = name + "_issue_"

	// maxKept is how much text is kept of a feed, for when it says that it has not changed; of 200 feeds 50 MB. A
	// longer one is read whole each time.
	maxKept = 256 << 10
)

// A subscription is one feed.
type subscription struct {
	api *fetch.Caller

	mu            sync.Mutex
	tag, modified string // what the last answer said of itself; empty: it said nothing, or is not kept
	kept          []post.Post
}

func newSubscription(client *fetch.Client, address string) *subscription {
	// The caller's base is the whole address: nothing follows it.
	return &subscription{api: client.Caller(fetch.Platform{About: (*Source)(nil).About(), BaseURL: address, Explain: explain})}
}

// unchanged is how fetch's one way for what is not 2xx carries a 304.
const unchanged = "answered that nothing has changed"

func explain(response fetch.Response, _ time.Time) *source.Unavailable {
	if response.Status == http.StatusNotModified {
		return &source.Unavailable{Reason: unchanged}
	}
	return nil
}

// read answers all issues of the feed. Whoever comes meanwhile reads after it, which is cheap then.
func (s *subscription) read(ctx context.Context) ([]post.Post, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	header := http.Header{}
	if s.tag != "" {
		header.Set("If-None-Match", s.tag)
	}
	if s.modified != "" {
		header.Set("If-Modified-Since", s.modified)
	}
	conditional := len(header) > 0
	read, said, err := feed.Read(ctx, s.api, fetch.Request{Header: header})
	var unavailable *source.Unavailable
	switch {
	case err == nil:
	case conditional && errors.As(err, &unavailable) && unavailable.Reason == unchanged:
		return s.kept, nil
	default:
		return nil, err
	}
	var issues []post.Post
	size := 0
	for _, item := range read.Items {
		if p, ok := toPost(read, item); ok {
			issues = append(issues, p)
			size += len(p.Text())
		}
	}
	s.tag, s.modified, s.kept = "", "", nil
	if size <= maxKept {
		s.tag, s.modified, s.kept = said.Get("ETag"), said.Get("Last-Modified"), issues
	}
	return issues, nil
}

func toPost(from feed.Feed, item feed.Item) (post.Post, bool) {
	if item.Link == "" {
		return post.Post{}, false
	}
	p := item.Post(nil)
	p.Source, p.SourceID = name, prefix+identity(item)
	p.AuthorName = cmp.Or(p.AuthorName, from.Title)
	if from.Link != "" {
		home := from.Link
		p.AuthorURL = &home
	}
	return p, strings.TrimSpace(p.Text()) != ""
}

// identity is a hash of what makes an issue itself, 128 bits in hexadecimal: its guid, and where that may be anybody's,
// a number for one, with the issue's host before it; without a guid the issue's address. It is the same whichever feed
// the issue came by.
func identity(item feed.Item) string {
	whole := item.ID
	if parsed, err := url.Parse(whole); err != nil || parsed.Scheme == "" {
		host := ""
		if link, err := url.Parse(item.Link); err == nil {
			host = strings.ToLower(link.Host)
		}
		whole = host + "\n" + whole
	}
	if item.ID == "" {
		whole = item.Link
	}
	sum := sha256.Sum256([]byte(whole))
	return hex.EncodeToString(sum[:16])
}
