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

	// maxKept is how much text of a feed is kept for when the feed is unchanged: 50 MB for 200 feeds. A longer feed is
	// read whole each time.
	maxKept = 256 << 10
)

// A subscription is one feed.
type subscription struct {
	api *fetch.Caller

	mu            sync.Mutex
	tag, modified string // ETag and Last-Modified of the last response; empty if it had none, or if kept is empty
	kept          []post.Post
}

func newSubscription(client *fetch.Client, address string) *subscription {
	// BaseURL is the whole address, so requests have no path.
	return &subscription{
		api: client.Caller(fetch.Platform{About: (*Source)(nil).About(), BaseURL: address, Explain: explain}),
	}
}

// unchanged is the reason that stands for a 304, because fetch has one error for every response outside 2xx.
const unchanged = "answered that nothing has changed"

func explain(response fetch.Response, _ time.Time) *source.Unavailable {
	if response.Status == http.StatusNotModified {
		return &source.Unavailable{Reason: unchanged}
	}
	return nil
}

// read returns all issues of the feed. A concurrent caller reads after it, which is cheap then.
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

// identity returns a hash of 128 bits, in hexadecimal, that identifies an issue whichever feed it came from. It hashes
// the issue's guid. A guid that is not a URL, such as a number, may be anyone's, so the issue's host goes before it.
// Without a guid it hashes the issue's address.
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
