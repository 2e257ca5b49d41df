package shards

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"earshot/shared/archive"
	"earshot/shared/parallel"
	"earshot/shared/post"
)

// A Query selects posts. The index gives candidates, and Keep decides on their documents.
type Query struct {
	// Expression is in the language of FTS5 over the columns of query.Entry, as query.Query.FTS returns it. It finds at
	// least the posts that Keep keeps. Empty finds every post.
	Expression string
	// Keep reports whether a post matches. Nil keeps every candidate.
	Keep func(*post.Post) bool
}

// A Request asks for a page of posts that match a query, the newest first: by the second in which they were posted.
type Request struct {
	Query Query
	Since time.Time // inclusive
	Until time.Time // exclusive
	// Before continues before a post: the Next of an earlier page. 0 begins with the newest post.
	Before archive.ID
	Limit  int // of posts, 1 or more
	// Enough reports that the budget is spent. It is called before each step, and the page then ends early. Nil is never.
	Enough func() bool
}

// A Found is a post of a page.
type Found struct {
	ID   archive.ID
	Post post.Post
}

// A Page is a part of what a request asks for. It may be short or empty while more follows.
type Page struct {
	Posts []Found
	Next  archive.ID // the Before of the next page; 0 at the end
	// Searched and Skipped count shards of the window: those whose index was read, and those that lack the words.
	Searched, Skipped int
}

const (
	// shardsAtOnce is how many shards are searched at the same time.
	shardsAtOnce = 8
	// readsAtOnce is how many documents are read together.
	readsAtOnce = 200
	// atLeast is the least number of candidates that a shard is asked for. Keep refuses some.
	atLeast = 64
)

// A Reader searches the archive. It is safe for concurrent use.
type Reader struct {
	store archive.Store
	cache *Cache

	mu    sync.Mutex
	heads map[string]*head // by the shard's key
	ends  map[string]end   // by the platform
}

// NewReader makes a reader.
func NewReader(store archive.Store, cache *Cache) *Reader {
	return &Reader{store: store, cache: cache, heads: map[string]*head{}, ends: map[string]end{}}
}

// A front is a shard with the candidates that it has given so far. Its further candidates are before bound.
type front struct {
	shard *archive.Shard
	bound archive.ID
	done  bool // it has no further candidates
	asked bool
}

// A search is one call of Search.
type search struct {
	*Reader
	request  Request
	manifest archive.Manifest
	deleted  map[archive.ID]bool
	first    archive.ID // of the window
	fronts   []*front
	heap     []archive.ID // candidates, ascending
	page     Page
}

// Search returns a page of posts. It reads each document of a candidate that may be on the page, and the indexes of
// shards until the page is full or the request has enough. The pages of a request have each post once, as long as no
// posts are added.
func (r *Reader) Search(ctx context.Context, q Request) (Page, error) {
	if q.Query.Expression == "" {
		q.Query.Expression = everyPost
	}
	if q.Limit < 1 {
		return Page{}, fmt.Errorf("archive: search: a limit of %d posts", q.Limit)
	}
	s := &search{Reader: r, request: q, first: archive.FirstID(q.Since), deleted: map[archive.ID]bool{}}
	end := archive.LastID(q.Until)
	if q.Before > 0 {
		end = min(end, q.Before)
	}
	if s.first >= end || !q.Since.Before(q.Until) {
		return Page{}, nil
	}
	if err := s.begin(ctx, end); err != nil {
		return Page{}, err
	}
	for {
		bound := s.bound()
		full, err := s.settle(ctx, bound)
		if err != nil || full {
			return s.page, err
		}
		if bound < s.first {
			return s.page, nil
		}
		if q.Enough != nil && q.Enough() {
			s.page.Next = bound
			return s.page, nil
		}
		if err := s.advance(ctx); err != nil {
			return Page{}, err
		}
	}
}

// begin reads what the archive has. The batches come first: a builder that comes in between then has their posts in the
// manifest's shards, and those that are in both are taken once.
func (s *search) begin(ctx context.Context, end archive.ID) error {
	batches, err := allBatches(ctx, s.store)
	if err != nil {
		return fmt.Errorf("archive: search: %w", err)
	}
	if s.manifest, err = s.store.ArchiveManifest(ctx); err != nil {
		return fmt.Errorf("archive: search: %w", err)
	}
	for _, d := range s.manifest.Deleted {
		s.deleted[d.ID] = true
	}
	for _, b := range batches {
		if b.Key <= s.manifest.Taken {
			continue
		}
		for _, id := range b.IDs {
			if id >= s.first && id < end {
				s.heap = append(s.heap, id)
			}
		}
	}
	s.sort()
	for i := range s.manifest.Shards {
		shard := &s.manifest.Shards[i]
		if shard.First < end && shard.Last >= s.first {
			s.fronts = append(s.fronts, &front{shard: shard, bound: min(end, shard.Last+1)})
		}
	}
	return nil
}

// allBatches lists all batches.
func allBatches(ctx context.Context, s archive.Store) (all []archive.Batch, err error) {
	after := ""
	for {
		some, err := s.Batches(ctx, after, "")
		if err != nil || len(some) == 0 {
			return all, err
		}
		all, after = append(all, some...), some[len(some)-1].Key
	}
}

// bound returns the archive.ID from which on all candidates are known. It is below the window if all are.
func (s *search) bound() archive.ID {
	bound := s.first - 1
	for _, f := range s.fronts {
		if !f.done {
			bound = max(bound, f.bound)
		}
	}
	return bound
}

// sort sorts the candidates. Two batches or shards may list the same post: its writers or two builders met.
func (s *search) sort() {
	slices.Sort(s.heap)
	s.heap = slices.Compact(s.heap)
}

// settle moves known candidates to the page, the newest first. It returns true if the page is full.
func (s *search) settle(ctx context.Context, bound archive.ID) (full bool, err error) {
	for {
		var ids []archive.ID
		room := s.request.Limit - len(s.page.Posts)
		for len(s.heap) > 0 && len(ids) < min(room+atLeast/4, readsAtOnce) {
			last := s.heap[len(s.heap)-1]
			if last < bound {
				break
			}
			s.heap = s.heap[:len(s.heap)-1]
			if s.deleted[last] {
				continue
			}
			ids = append(ids, last)
		}
		if len(ids) == 0 {
			return false, nil
		}
		documents, err := s.store.Documents(ctx, ids)
		if err != nil {
			return false, fmt.Errorf("archive: search: read documents: %w", err)
		}
		for i, d := range documents {
			if d == nil || d.Content == nil {
				continue // deleted, or its writer died
			}
			p, err := archive.Unpack(d)
			if err != nil {
				return false, err
			}
			if p.PostedAt.Before(s.request.Since) || !p.PostedAt.Before(s.request.Until) ||
				s.request.Query.Keep != nil && !s.request.Query.Keep(&p) {
				continue
			}
			s.page.Posts = append(s.page.Posts, Found{ids[i], p})
			if len(s.page.Posts) == s.request.Limit {
				s.page.Next = ids[i]
				if s.page.Next == s.first {
					s.page.Next = 0
				}
				return true, nil
			}
		}
	}
}

// advance asks the shards that may have the newest further candidates, several at once.
func (s *search) advance(ctx context.Context) error {
	var open []*front
	for _, f := range s.fronts {
		if !f.done {
			open = append(open, f)
		}
	}
	slices.SortFunc(open, func(a, b *front) int { return cmp.Compare(b.bound, a.bound) })
	open = open[:min(len(open), shardsAtOnce)]
	found, skipped, errs := make([][]archive.ID, len(open)), make([]bool, len(open)), make([]error, len(open))
	want := max(s.request.Limit-len(s.page.Posts)+atLeast/4, atLeast)
	parallel.Few(shardsAtOnce, len(open), func(i int) {
		f := open[i]
		h, err := s.head(ctx, f.shard)
		if err != nil {
			errs[i] = err
			return
		}
		expression := s.request.Query.Expression
		if h != nil {
			if expression = prune(expression, h.filter.lacks); expression == "" {
				skipped[i] = true
				return
			}
		}
		found[i], errs[i] = find(ctx, f.shard, s.cache, h, expression, s.first, f.bound-1, want)
	})
	for i, f := range open {
		if errs[i] != nil {
			return errs[i]
		}
		if !f.asked {
			f.asked = true
			if skipped[i] {
				s.page.Skipped++
			} else {
				s.page.Searched++
			}
		}
		if f.done = len(found[i]) < want; !f.done {
			f.bound = found[i][len(found[i])-1]
		}
		s.heap = append(s.heap, found[i]...)
	}
	s.sort()
	return nil
}

// maxHeads bounds the heads that a reader keeps, of half a megabyte each.
const maxHeads = 128

// head returns a shard's head. It is nil for a small shard, whose index is one read.
func (r *Reader) head(ctx context.Context, shard *archive.Shard) (*head, error) {
	if shard.Index <= smallFile {
		return nil, nil
	}
	r.mu.Lock()
	h := r.heads[shard.Key]
	r.mu.Unlock()
	if h != nil {
		return h, nil
	}
	h, err := readHead(ctx, r.cache.files, shard)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.heads) >= maxHeads {
		clear(r.heads)
	}
	r.heads[shard.Key] = h
	return h, nil
}
