// Package past counts which posts of an archive a keyword would have matched, with the matcher of live mentions. It
// reads a bounded number of posts and reports whether it has read all of them.
//
// The function keywords/preview imports it.
package past

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/source"
)

// Day is the length of a day.
const Day = 24 * time.Hour

// A Frozen source is an archive that ends: the last days of its posts are counted, not the calendar's.
type Frozen interface {
	// Newest returns the time of the newest post; the zero time if there are none.
	Newest(ctx context.Context) (time.Time, error)
}

// A Question asks which posts of the last days a keyword would have matched. Keyword.Paused is ignored.
type Question struct {
	Keyword keyword.Keyword
	Filters keyword.Filters // of the workspace, which hold for all of its keywords
	// Since is where the window begins; if zero, Days before its end.
	Since time.Time
	Days  int
	Until time.Time // where the window ends, unless a Frozen source ends earlier and Since is zero
	Most  int       // posts to read, over all sources
}

// An Answer counts matching posts.
type Answer struct {
	From, To  time.Time // the window
	Read      int       // posts
	Matches   []Match   // the newest first
	Platforms []Platform
	Skipped   map[string]string // why a platform could not be read, by its name
	// Whole means that all posts of the window that may match were read, and no platform was skipped. It is false for a
	// keyword without ExactMatch: an archive does not find such a text within words.
	Whole bool
}

// A Match is a post that the keyword matches, without its texts.
type Match struct {
	SourceID, Source, Platform string
	PostedAt                   time.Time
	Post                       *post.Post // nil, but for the first Samples of a platform
}

// A Platform says how far a platform of the archive was read.
type Platform struct {
	Name  string
	From  time.Time // all posts from here on were read
	To    time.Time
	Whole bool // From is the window's
}

// Samples is how many matches of each platform keep their post.
const Samples = 3

// errNeverMatches wraps the matcher's fault of a keyword that no post can match.
var errNeverMatches = errors.New("past: the keyword cannot be matched")

// Count reads the sources' posts. It searches each platform for the keyword's text, the newest posts first, and gives
// each an equal part of Question.Most. What a platform does not need is left to the next ones. Sources that are read
// whole (About.Stream) are left out. A platform that fails is skipped.
func Count(ctx context.Context, sources []source.Source, q Question) (Answer, error) {
	q.Keyword.Paused = false
	matcher, err := match.Compile([]match.Workspace{
		{ID: "past", Keywords: []keyword.Keyword{q.Keyword}, Filters: q.Filters},
	})
	if err != nil {
		return Answer{}, fmt.Errorf("%w: %w", errNeverMatches, err)
	}
	asked := make([]source.Source, 0, len(sources))
	for _, s := range sources {
		if about := s.About(); !about.Stream && keyword.TakesSome(q.Keyword.Platforms, about.Name) {
			asked = append(asked, s)
		}
	}
	slices.SortFunc(asked, func(a, b source.Source) int { return cmp.Compare(a.About().Name, b.About().Name) })
	c := counting{q: q, matcher: matcher, seen: map[string]bool{}}
	c.answer = Answer{To: q.Until, Skipped: map[string]string{}, Whole: true}
	ends, err := c.ends(ctx, asked)
	if err != nil {
		return Answer{}, err
	}
	for i, s := range asked {
		if _, skipped := c.answer.Skipped[s.About().Name]; skipped {
			continue
		}
		if err := c.read(ctx, s, ends[i], (q.Most-c.answer.Read)/(len(asked)-i)); err != nil {
			return Answer{}, err
		}
	}
	slices.SortFunc(c.answer.Matches, func(a, b Match) int {
		return cmp.Or(b.PostedAt.Compare(a.PostedAt), cmp.Compare(a.SourceID, b.SourceID))
	})
	return c.answer, nil
}

type counting struct {
	q       Question
	matcher *match.Matcher
	hits    match.Hits
	seen    map[string]bool // sourceIds
	kept    int             // posts of the platform in hand
	answer  Answer
}

// ends returns where each source's window ends, and sets the window of the answer.
func (c *counting) ends(ctx context.Context, asked []source.Source) ([]time.Time, error) {
	ends, last := make([]time.Time, len(asked)), time.Time{}
	for i, s := range asked {
		ends[i] = c.q.Until
		if frozen, ok := s.(Frozen); ok && c.q.Since.IsZero() {
			newest, err := frozen.Newest(ctx)
			if err != nil {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				c.skip(s, err)
				continue
			}
			if end := newest.Add(time.Millisecond); !newest.IsZero() && end.Before(ends[i]) {
				ends[i] = end
			}
			if newest.IsZero() {
				continue
			}
		}
		if ends[i].After(last) {
			last = ends[i]
		}
	}
	if !last.IsZero() {
		c.answer.To = last
	}
	if c.answer.From = c.q.Since; c.q.Since.IsZero() {
		c.answer.From = c.answer.To.Add(-time.Duration(c.q.Days) * Day)
	}
	return ends, nil
}

func (c *counting) skip(s source.Source, err error) {
	reason := "it could not be read"
	var unavailable *source.Unavailable
	switch {
	case errors.As(err, &unavailable):
		reason = unavailable.Reason
	case errors.Is(err, source.ErrNoCredentials):
		reason = "its credentials are not configured"
	}
	c.answer.Skipped[s.About().Name], c.answer.Whole = reason, false
}

// read reads one platform's window, from its end on.
func (c *counting) read(ctx context.Context, s source.Source, end time.Time, most int) error {
	about := s.About()
	query := source.Query{
		Text:  c.q.Keyword.Text,
		Exact: c.q.Keyword.ExactMatch,
		Since: c.answer.From,
		Until: end,
	}
	platform := Platform{Name: about.Name, From: end, To: end}
	c.kept = 0
	if !query.Since.Before(query.Until) {
		return nil // its posts end before the window
	}
	for read := 0; ; {
		query.Max = most - read
		if about.Max > 0 {
			query.Max = min(query.Max, about.Max)
		}
		if query.Max <= 0 {
			break
		}
		page, err := s.Search(ctx, query)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			c.skip(s, err)
			break
		}
		for i := range page.Posts {
			p := &page.Posts[i]
			if query.Holds(p.PostedAt) && p.PostedAt.Before(platform.From) {
				platform.From = p.PostedAt
			}
			c.take(p, about.Name, query)
		}
		read += len(page.Posts)
		c.answer.Read += len(page.Posts)
		if platform.Whole = page.Next == "" || page.Next == query.After; platform.Whole {
			platform.From = query.Since
			break
		}
		query.After = page.Next
	}
	c.answer.Whole = c.answer.Whole && platform.Whole && c.q.Keyword.ExactMatch
	c.answer.Platforms = append(c.answer.Platforms, platform)
	return nil
}

func (c *counting) take(p *post.Post, platform string, query source.Query) {
	if !query.Holds(p.PostedAt) || p.Clean(c.q.Until) != nil || c.seen[p.SourceID] {
		return
	}
	if c.matcher.Match(p, &c.hits); len(c.hits.List) == 0 {
		return
	}
	c.seen[p.SourceID] = true
	found := Match{SourceID: p.SourceID, Source: p.Source, Platform: platform, PostedAt: p.PostedAt}
	if c.kept++; c.kept <= Samples {
		kept := *p // the page must not be held for it
		found.Post = &kept
	}
	c.answer.Matches = append(c.answer.Matches, found)
}
