package main

import (
	"context"
	"runtime"
	"time"

	postarchive "earshot/shared/archive"
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/proposal"
)

// A contained counts the ranges that contain the true count: of the surveyed month, and of the month after it.
type contained struct {
	ranges, now int
	later, next int // ranges with a month after them in the archive, and those that contain its count
}

func (c *contained) add(v proposal.Volume, now, next int, after bool) {
	holds := func(n int) int {
		if v.Low <= float64(n) && float64(n) <= v.High {
			return 1
		}
		return 0
	}
	c.ranges++
	c.now += holds(now)
	if after {
		c.later++
		c.next += holds(next)
	}
}

func (c contained) plus(o contained) contained {
	return contained{c.ranges + o.ranges, c.now + o.now, c.later + o.later, c.next + o.next}
}

// ranges are about one company's proposal: the volumes that were measured of texts alone, and those that the proposal
// states for its keywords as scoped. They count only volumes with a post in the month, because every range is right
// about nothing.
type ranges struct {
	bare, scoped contained
	shrunk       contained // of bare, those that rest on less than the month
}

func (r ranges) plus(o ranges) ranges {
	return ranges{r.bare.plus(o.bare), r.scoped.plus(o.scoped), r.shrunk.plus(o.shrunk)}
}

// A coverage is the ranges of each split's proposals that were made by one view.
type coverage struct {
	view
	of map[split]ranges
}

// in keeps one split.
func (c coverage) in(s split) coverage { return coverage{c.view, map[split]ranges{s: c.of[s]}} }

// sum returns the ranges of all splits.
func (c coverage) sum() (total ranges) {
	for _, r := range c.of {
		total = total.plus(r)
	}
	return total
}

// covered proposes for every company by a view, and counts what the archive has.
func covered(ctx context.Context, j *judge.Judge, a *archive, v view, companies []company) (coverage, error) {
	out := coverage{view: v, of: map[split]ranges{}}
	m, err := a.months(ctx, v)
	if err != nil {
		return out, err
	}
	found := make([]ranges, len(companies))
	err = each(ctx, len(companies), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) error {
		proposed, err := propose(ctx, j, a.sources(v), companies[i], nil)
		if err != nil {
			return err
		}
		found[i], err = m.compare(proposed)
		return err
	})
	for i, c := range companies {
		out.of[c.split()] = out.of[c.split()].plus(found[i])
	}
	return out, err
}

// compare counts which ranges of a proposal hold what the months have.
func (m months) compare(proposed made) (out ranges, err error) {
	var scoped, bare []keyword.Keyword
	var volumes, bareVolumes []proposal.Volume
	for _, k := range proposed.proposal.Keywords {
		scoped, volumes = append(scoped, k.Tracked()), append(volumes, k.Volume)
	}
	for _, c := range proposed.candidates.Candidates {
		bare = append(
			bare,
			keyword.Keyword{Text: c.Text, ExactMatch: c.Exact, CaseSensitive: c.Cased, Platforms: c.Platforms},
		)
		bareVolumes = append(bareVolumes, proposed.measured.Volumes[c.Ref])
	}
	for _, part := range []struct {
		into     *contained
		keywords []keyword.Keyword
		volumes  []proposal.Volume
	}{{&out.scoped, scoped, volumes}, {&out.bare, bare, bareVolumes}} {
		now, err := count(part.keywords, m.surveyed)
		if err != nil {
			return out, err
		}
		next, err := count(part.keywords, m.after)
		if err != nil {
			return out, err
		}
		for i, volume := range part.volumes {
			if now[i] == 0 {
				continue
			}
			part.into.add(volume, now[i], next[i], len(m.after) > 0)
			if part.into == &out.bare && volume.Window != proposal.Month {
				out.shrunk.add(volume, now[i], next[i], len(m.after) > 0)
			}
		}
	}
	return out, nil
}

// months are the posts of the 30 days that a view surveys, and of the next 30, if the archive has all of those.
type months struct{ surveyed, after []post.Post }

// months returns the posts of a view's months.
func (a *archive) months(ctx context.Context, v view) (m months, err error) {
	const month = 30 * 24 * time.Hour
	ends, last := map[string]time.Time{}, map[string]time.Time{}
	whole := true
	for _, name := range a.names {
		if ends[name], err = a.end(ctx, name, v); err != nil {
			return m, err
		}
		if last[name], err = a.end(ctx, name, view{}); err != nil {
			return m, err
		}
		whole = whole && !last[name].Before(ends[name].Add(month))
	}
	for _, p := range a.posts {
		end := ends[postarchive.PlatformOf(&p)]
		switch at := p.PostedAt; {
		case at.Before(end.Add(-month)):
		case at.Before(end):
			m.surveyed = append(m.surveyed, p)
		case whole && at.Before(end.Add(month)):
			m.after = append(m.after, p)
		}
	}
	return m, nil
}

// count is how many posts each keyword matches.
func count(keywords []keyword.Keyword, posts []post.Post) ([]int, error) {
	counts := make([]int, len(keywords))
	numbered := make([]keyword.Keyword, len(keywords))
	for i, k := range keywords {
		k.ID = int64(i)
		numbered[i] = k
	}
	matcher, err := match.Compile([]match.Workspace{{Keywords: numbered}})
	if err != nil {
		return nil, err
	}
	var hits match.Hits
	for i := range posts {
		matcher.Match(&posts[i], &hits)
		for _, hit := range hits.List {
			for _, k := range hit.Keywords {
				counts[k.ID]++
			}
		}
	}
	return counts, nil
}
