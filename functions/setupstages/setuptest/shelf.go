package setuptest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/worldtest"
)

// A Shelf is a source of posts in memory. It counts what it is asked.
type Shelf struct {
	name  string
	posts []post.Post
	// Deny is asked before each request is answered, with its number from 1; nil: none is denied.
	Deny func(ctx context.Context, n int, q source.Query) error

	mu    sync.Mutex
	asked int
}

// NewShelf makes a source.
func NewShelf(name string, posts ...post.Post) *Shelf {
	posts = slices.Clone(posts)
	slices.SortFunc(posts, func(a, b post.Post) int { return b.PostedAt.Compare(a.PostedAt) })
	return &Shelf{name: name, posts: posts}
}

// About says that the platform has no pace.
func (s *Shelf) About() source.About { return source.About{Name: s.name, Max: 100} }

// Search is coarse, as platforms' are.
func (s *Shelf) Search(ctx context.Context, q source.Query) (source.Page, error) {
	s.mu.Lock()
	s.asked++
	n := s.asked
	s.mu.Unlock()
	if s.Deny != nil {
		if err := s.Deny(ctx, n, q); err != nil {
			return source.Page{}, err
		}
	}
	var found []post.Post
	for _, p := range s.posts {
		if q.Holds(p.PostedAt) && strings.Contains(strings.ToLower(*p.Body), strings.ToLower(q.Text)) {
			found = append(found, p)
		}
	}
	page := source.Page{Posts: found[:min(len(found), q.Limit(s.About()))]}
	if len(page.Posts) < len(found) {
		page.Next = "more"
	}
	return page, ctx.Err()
}

// Requests is how often it was asked.
func (s *Shelf) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Requests is how often the World's sources were asked, those that are shelves.
func (w *World) Requests() (n int) {
	for _, each := range w.Sources {
		if shelf, ok := each.(*Shelf); ok {
			n += shelf.Requests()
		}
	}
	return n
}

// Down has every shelf deny everything, as a platform that is not reached.
func (w *World) Down() { w.deny(errDown) }

// Up ends that.
func (w *World) Up() { w.deny(nil) }

func (w *World) deny(with func(name string) error) {
	for _, each := range w.Sources {
		shelf, ok := each.(*Shelf)
		switch {
		case !ok:
		case with == nil:
			shelf.Deny = nil
		default:
			shelf.Deny = func(context.Context, int, source.Query) error { return with(shelf.name) }
		}
	}
}

func errDown(name string) error {
	return &source.Unavailable{Source: name, Reason: "answered 503", Network: true}
}

// Posts are a month's, that speak of the profile's names and of other things.
func Posts(platform string) (posts []post.Post) {
	add := func(n int, text string) {
		for i := range n {
			at := worldtest.Now.Add(-time.Duration(float64(i)+0.5) * 30 * 24 * time.Hour / time.Duration(n))
			body, author := fmt.Sprintf(text, i), fmt.Sprintf("%s_reader%d", platform, i%17)
			posts = append(
				posts,
				post.Post{
					Source:   platform,
					SourceID: fmt.Sprintf("%s_post_%d", platform, len(posts)),
					PostedAt: at,
					URL:      fmt.Sprintf("https://posts.example/%s/%d", platform, len(posts)),
					Body:     &body,
					Author:   &author,
				},
			)
		}
	}
	add(24, "We moved our incident paging to Quietharbor, and our engineers on call sleep again, night %d.")
	add(9, "Quietharbor against Zendrix: which alerting pages the right engineer? Round %d.")
	add(18, "Zendrix raised its prices again, and our on call engineers want something else, number %d.")
	add(14, "Our incident response takes %d minutes until an engineer is paged.")
	add(4, "The docs at quietharbor.example explain how escalations work, page %d.")
	add(30, "A cake with %d layers.")
	return posts
}

// Flood are n posts a month of each of some names.
func Flood(platform string, n int, names ...string) (posts []post.Post) {
	for _, name := range names {
		body := name + " paged our engineers on call again, and the alert was right."
		for i := range n {
			author := fmt.Sprintf("%s_reader%d", platform, i%997)
			posts = append(
				posts,
				post.Post{
					Source:   platform,
					SourceID: fmt.Sprintf("%s_flood_%d", platform, len(posts)),
					Body:     &body,
					Author:   &author,
					URL:      fmt.Sprintf("https://posts.example/%s/%d", platform, len(posts)),
					PostedAt: worldtest.Now.Add(-time.Duration(i)*30*24*time.Hour/time.Duration(n) - time.Minute),
				},
			)
		}
	}
	return posts
}
