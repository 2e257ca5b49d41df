package survey

import (
	"context"
	"math"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/source"
)

// asking is one caller's asking of one source, one candidate after the other.
type asking struct {
	s     *Survey
	from  source.Source
	about source.About
	until time.Time // where all windows end
	held  int64     // posts, of a source that is Growing

	requests int
	// rough is set once the source's Counter gave an estimate in place of a number: it is not asked for another.
	rough bool
}

// windows are those that the source reaches back for, longest first; the shortest is always one of them.
func (a *asking) windows() []proposal.Window {
	all := proposal.Windows()
	for i, w := range all {
		if a.about.Reach == 0 || length(w) <= a.about.Reach {
			return all[i:]
		}
	}
	return all[len(all)-1:]
}

func length(w proposal.Window) time.Duration {
	return time.Duration(w.Days() * float64(24*time.Hour))
}

// count looks at the newest page of each window until one shows all. The page that hides some is enough when the
// source's Counter knows the number: how many of it really match is taken from the page.
func (a *asking) count(ctx context.Context, c proposal.Candidate) (proposal.Count, error) {
	t, err := a.target(c)
	if err != nil {
		return proposal.Count{}, err
	}
	counter, counts := a.from.(source.Counter)
	var last page
	windows := a.windows()
	for _, w := range windows {
		p, err := a.page(ctx, t, a.last(w), a.about.Max)
		if err != nil {
			return proposal.Count{}, err
		}
		if !p.Capped {
			return proposal.Count{Posts: int64(p.Matched), Window: w}, nil
		}
		last = p
		if !counts || a.rough || p.Read == 0 {
			continue
		}
		told, err := a.told(ctx, counter, t, a.last(w))
		if err != nil {
			return proposal.Count{}, err
		}
		if !told.Exact {
			a.rough = true
			continue
		}
		return corrected(told.Posts, p, w), nil
	}
	return proposal.Count{
		Posts: int64(last.Matched), Window: windows[len(windows)-1], Capped: true, Hours: last.hours(),
	}, nil
}

// last is the source's last days.
func (a *asking) last(w proposal.Window) span {
	return span{name: string(w), since: a.until.Add(-length(w)), until: a.until}
}

// mostTold is above what any platform has in a month: one that tells more is not believed so far.
const mostTold = 1e12

// corrected is what a platform told, times the share of a page that matched; what was seen when there is no more than
// that.
func corrected(told int64, p page, w proposal.Window) proposal.Count {
	if told <= int64(p.Read) {
		return proposal.Count{Posts: int64(p.Matched), Window: w}
	}
	told = min(told, mostTold)
	posts := int64(math.Round(float64(told) * float64(p.Matched) / float64(p.Read)))
	return proposal.Count{Posts: posts, Window: w, Told: told, Read: p.Read, Matched: p.Matched}
}

// target is what is searched for a candidate.
func (a *asking) target(c proposal.Candidate) (target, error) {
	if !keyword.TakesSome(c.Platforms, a.about.Name) {
		return target{}, ErrNotThere
	}
	return aim(c)
}
