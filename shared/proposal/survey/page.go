package survey

import (
	"context"
	"slices"
	"time"

	"earshot/shared/post"
	"earshot/shared/source"
)

// A span is a stretch of time that posts are asked for, with a name that it keeps from one run to the next.
type span struct {
	name         string
	since, until time.Time
}

// A page is what a source showed of a span, newest first where it can. It is what is cached.
type page struct {
	At      time.Time   `json:"at"` // when it was asked for
	Read    int         `json:"read"`
	Matched int         `json:"matched"`
	Capped  bool        `json:"capped"` // there are more than it shows
	Oldest  time.Time   `json:"oldest"` // of all that were read
	Since   time.Time   `json:"since"`
	Until   time.Time   `json:"until"`
	Posts   []post.Post `json:"posts"` // of those that matched, at most mostPosts in equal distances, clipped, newest first
}

// hours is how much time lies between the span's end and the oldest post that was read; 0: none was.
func (p page) hours() float64 {
	if p.Read == 0 {
		return 0
	}
	return max(p.Until.Sub(p.Oldest).Hours(), 0)
}

// follows is how many pages are read at most of a span whose first page was less than half full, though there are more:
// some platforms cut their answers as they like.
const follows = 3

// mostPosts is how many posts of a page are kept: twice the largest sample, of which the quarters of a window take
// their parts.
const mostPosts = 120

// page is the newest page of a span, at most most posts. Its posts were matched before they were clipped.
func (a *asking) page(ctx context.Context, t target, over span, most int) (page, error) {
	key := a.key("page", t, over.name)
	var kept page
	if a.s.recall(ctx, key, &kept) && a.fresh(kept.At) {
		return kept, nil
	}
	out := page{At: a.s.o.Clock.Now(), Since: over.since, Until: over.until}
	seen := map[string]bool{}
	query := source.Query{Text: t.text, Exact: t.exact, Since: over.since, Until: over.until, Max: max(1, most)}
	for range follows {
		answer, err := ask(ctx, a, func(ctx context.Context) (source.Page, error) { return a.from.Search(ctx, query) })
		if err != nil {
			return page{}, err
		}
		for i := range answer.Posts {
			p := &answer.Posts[i]
			if !query.Holds(p.PostedAt) || seen[p.SourceID] {
				continue
			}
			seen[p.SourceID] = true
			out.take(p, t, out.At)
		}
		out.Capped = answer.Next != ""
		if !out.Capped || answer.Next == query.After || out.Read*2 >= most {
			break
		}
		query.After = answer.Next
	}
	slices.SortFunc(out.Posts, newestFirst)
	out.Posts = evenly(out.Posts, mostPosts)
	out.shorten(t, maxText)
	a.s.keep(ctx, key, &out, func(bound int) { out.shorten(t, bound) })
	return out, nil
}

// take counts a post that was read, and takes it when it matches. What could not become a mention does not.
func (p *page) take(each *post.Post, t target, now time.Time) {
	p.Read++
	if p.Oldest.IsZero() || each.PostedAt.Before(p.Oldest) {
		p.Oldest = each.PostedAt
	}
	if each.Clean(now) == nil && t.matches(each) {
		p.Matched++
		p.Posts = append(p.Posts, *each)
	}
}

// shorten cuts every post's texts to fewer bytes, and below leastText leaves out the half of them.
func (p *page) shorten(t target, bound int) {
	if bound < leastText {
		p.Posts = evenly(p.Posts, len(p.Posts)/2)
		return
	}
	for i := range p.Posts {
		p.Posts[i] = t.clip(p.Posts[i], bound)
	}
}

// A number is what a source told of a span. It is what is cached.
type number struct {
	At    time.Time `json:"at"`
	Posts int64     `json:"posts"`
	Exact bool      `json:"exact"`
}

// told is what the source says that its search finds in a span.
func (a *asking) told(ctx context.Context, counter source.Counter, t target, over span) (source.Count, error) {
	key := a.key("number", t, over.name)
	var kept number
	if a.s.recall(ctx, key, &kept) && a.fresh(kept.At) {
		return source.Count{Posts: kept.Posts, Exact: kept.Exact}, nil
	}
	query := source.Query{Text: t.text, Exact: t.exact, Since: over.since, Until: over.until, Max: a.about.Max}
	at := a.s.o.Clock.Now()
	got, err := ask(ctx, a, func(ctx context.Context) (source.Count, error) { return counter.Count(ctx, query) })
	if err != nil {
		return source.Count{}, err
	}
	got.Posts = max(0, got.Posts)
	a.s.keep(ctx, key, &number{At: at, Posts: got.Posts, Exact: got.Exact}, nil)
	return got, nil
}
