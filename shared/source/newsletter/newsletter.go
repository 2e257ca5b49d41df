// Package newsletter reads the issues of newsletters from their RSS or Atom feeds, as a stream. The operator lists the
// newsletters.
//
// Only shared/source/sources imports it.
package newsletter

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"earshot/shared/parallel"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

const name = "newsletter"

// Feeds names the secret that holds the feeds' addresses, separated by white space. The address of a paid newsletter's
// feed contains the subscriber's key.
const Feeds = name + "/feeds"

const (
	maxFeeds = 200 // further feeds are left out
	atOnce   = 8   // feeds that are read at the same time
)

// Source is all newsletters together. Issues have no counters.
type Source struct {
	feeds []*subscription
	log   *slog.Logger
}

// New returns the source that reads these feeds. Repeated addresses count once. It logs failing feeds by their position
// in the list, to slog's default logger if log is nil.
func New(client *fetch.Client, feeds []string, log *slog.Logger) *Source {
	s := &Source{log: log}
	if log == nil {
		s.log = slog.Default()
	}
	seen := map[string]bool{}
	for _, address := range feeds {
		if seen[address] || len(s.feeds) == maxFeeds {
			continue
		}
		seen[address] = true
		s.feeds = append(s.feeds, newSubscription(client, address))
	}
	return s
}

// About: a feed's publisher sets its limits. Pace applies to one feed. RSS gives the interval of changes in hours at
// best ("RSS 2.0 Specification", ttl). The response for an unchanged feed has a few bytes (RFC 9110, section 13).
func (*Source) About() source.About {
	return source.About{
		Name: name, Stream: true, Pace: time.Second, Every: 15 * time.Minute, Late: 24 * time.Hour, Max: 500,
		Credentials: []source.Credential{{Name: Feeds}},
	}
}

// Search reads all feeds. A failing feed does not affect the others. If all fail, Search returns the first one's error.
// Next names the last issue returned. The next Search reads the feeds again, from memory where a feed is unchanged.
func (s *Source) Search(ctx context.Context, q source.Query) (source.Page, error) {
	switch {
	case len(s.feeds) == 0:
		return source.Page{}, source.ErrNoCredentials
	case !q.Since.Before(q.Until):
		return source.Page{}, ctx.Err()
	}
	last, err := parse(q.After)
	if err != nil {
		return source.Page{}, err
	}
	read, err := s.read(ctx)
	if err != nil {
		return source.Page{}, err
	}
	found := source.Collect(read, q, len(read), func(p post.Post) (post.Post, bool) {
		return p, q.After == "" || positionOf(p).follows(last)
	})
	source.SortNewest(found)
	limit := q.Limit(s.About())
	if len(found) <= limit {
		return source.Page{Posts: found}, nil
	}
	return source.Page{Posts: found[:limit], Next: positionOf(found[limit-1]).String()}, nil
}

// read reads the feeds, at most atOnce at the same time.
func (s *Source) read(ctx context.Context) ([]post.Post, error) {
	posts, errs := make([][]post.Post, len(s.feeds)), make([]error, len(s.feeds))
	parallel.Few(atOnce, len(s.feeds), func(i int) { posts[i], errs[i] = s.feeds[i].read(ctx) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var first error
	failed := 0
	for i, err := range errs {
		if err != nil {
			failed, first = failed+1, cmp.Or(first, err)
			s.log.WarnContext(ctx, "a newsletter's feed failed", "feed", i+1, "error", err.Error())
		}
	}
	if failed == len(s.feeds) {
		return nil, first
	}
	return slices.Concat(posts...), nil
}

// A position is an issue's position in the order of results: newest first, then by sourceId.
type position struct {
	at time.Time
	id string
}

func positionOf(p post.Post) position { return position{p.PostedAt, p.SourceID} }

func (p position) follows(q position) bool {
	return p.at.Before(q.at) || p.at.Equal(q.at) && p.id > q.id
}

func (p position) String() string { return p.at.UTC().Format(time.RFC3339Nano) + " " + p.id }

func parse(after string) (position, error) {
	if after == "" {
		return position{}, nil
	}
	at, id, _ := strings.Cut(after, " ")
	when, err := time.Parse(time.RFC3339Nano, at)
	if err != nil || !strings.HasPrefix(id, prefix) {
		return position{}, fmt.Errorf("newsletter: After is not a cursor of this source: %q", after)
	}
	return position{when, id}, nil
}
