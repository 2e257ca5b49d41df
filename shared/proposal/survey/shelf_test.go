package survey_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/survey"
	"earshot/shared/source"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// shelf is a source of posts in memory, newest first, that pages by number. It counts what it is asked.
type shelf struct {
	about source.About
	posts []post.Post
	deny  func(n int, q source.Query) error // before the request n, from 1, is answered
	takes time.Duration                     // of a request
	lies  func(q source.Query, page source.Page) source.Page

	mu      sync.Mutex
	asked   int
	queries []source.Query
}

func newShelf(name string, most int, posts ...post.Post) *shelf {
	slices.SortFunc(posts, func(a, b post.Post) int { return b.PostedAt.Compare(a.PostedAt) })
	return &shelf{about: source.About{Name: name, Max: most}, posts: posts}
}

func (s *shelf) About() source.About { return s.about }

func (s *shelf) begin(ctx context.Context, q source.Query) error {
	s.mu.Lock()
	s.asked++
	n := s.asked
	s.queries = append(s.queries, q)
	s.mu.Unlock()
	if s.takes > 0 {
		select {
		case <-time.After(s.takes):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if s.deny != nil {
		return s.deny(n, q)
	}
	return ctx.Err()
}

func (s *shelf) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// found is coarse, as platforms are: case and words do not count.
func (s *shelf) found(q source.Query) []post.Post {
	var found []post.Post
	for _, p := range s.posts {
		if q.Holds(p.PostedAt) && strings.Contains(strings.ToLower(*p.Body), strings.ToLower(q.Text)) {
			found = append(found, p)
		}
	}
	return found
}

func (s *shelf) Search(ctx context.Context, q source.Query) (source.Page, error) {
	if err := s.begin(ctx, q); err != nil {
		return source.Page{}, err
	}
	found := s.found(q)
	from, _ := strconv.Atoi(q.After)
	from = min(from, len(found))
	to := min(from+q.Limit(s.about), len(found))
	page := source.Page{Posts: slices.Clone(found[from:to])}
	if to < len(found) {
		page.Next = strconv.Itoa(to)
	}
	if s.lies != nil {
		page = s.lies(q, page)
	}
	return page, nil
}

// counting is a shelf that knows numbers, exact or not.
type counting struct {
	*shelf
	exact bool
	tells func(true int64) int64
}

func (c counting) Count(ctx context.Context, q source.Query) (source.Count, error) {
	if err := c.begin(ctx, q); err != nil {
		return source.Count{}, err
	}
	n := int64(len(c.found(q)))
	if c.tells != nil {
		n = c.tells(n)
	}
	return source.Count{Posts: n, Exact: c.exact}, nil
}

// archive is a shelf that ends.
type archive struct {
	*shelf
	err error
}

func (a archive) Newest(context.Context) (time.Time, error) {
	if len(a.posts) == 0 || a.err != nil {
		return time.Time{}, a.err
	}
	return a.posts[0].PostedAt, nil
}

func (a archive) Held(context.Context) (int64, error) { return int64(len(a.posts)), a.err }

// posts are n posts with the text, evenly over the days before until.
func posts(n int, text string, days float64, until time.Time) []post.Post {
	made := make([]post.Post, n)
	for i := range made {
		back := time.Duration((float64(i) + 0.5) / float64(n) * days * float64(24*time.Hour))
		body, author := text, fmt.Sprintf("author%d", i)
		made[i] = post.Post{
			Source:   "hackernews",
			SourceID: fmt.Sprintf("hackernews_story_%d_%d", until.Unix(), i),
			PostedAt: until.Add(-back),
			Body:     &body,
			Author:   &author,
		}
	}
	return made
}

// cache is a survey.Cache in memory.
type cache struct {
	mu      sync.Mutex
	entries map[string][]byte
	err     error
}

func newCache() *cache { return &cache{entries: map[string][]byte{}} }

func (c *cache) Cached(_ context.Context, key string) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return bytes.Clone(c.entries[key]), c.err
}

func (c *cache) Cache(_ context.Context, key string, content []byte, period time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.entries[key] = bytes.Clone(content)
	}
	if len(key) != 64 || period != proposal.CachedFor || len(content) > survey.MaxEntry {
		return errors.New("against what was agreed")
	}
	return c.err
}

// purse is a survey.Budget in memory.
type purse struct {
	mu          sync.Mutex
	left, spent int
	err         error
}

func (p *purse) Spend(_ context.Context, n int) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err != nil || n > p.left {
		return false, p.err
	}
	p.left, p.spent = p.left-n, p.spent+n
	return true, nil
}

func still() *clock.Adjustable {
	c := &clock.Adjustable{}
	c.Freeze(now)
	return c
}

func surveying(sources ...source.Source) *survey.Survey {
	return survey.New(survey.Options{Sources: sources, Clock: still()})
}

func brand(text string) proposal.Candidate {
	return proposal.Candidate{Ref: "brand", Text: text, Tag: keyword.OwnBrand, Exact: true}
}

// together joins lists of posts, and gives each an id of its own.
func together(lists ...[]post.Post) []post.Post {
	all := slices.Concat(lists...)
	for i := range all {
		all[i].SourceID = fmt.Sprintf("hackernews_story_%d", i)
	}
	return all
}

func equal[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}
