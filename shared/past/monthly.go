package past

import (
	"time"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/measure"
)

// Monthly returns the range of posts a month that the keyword matches, as the setup engine computes it: each platform
// is counted over the longest of its windows that was read whole. ok is false if no platform was read.
func Monthly(a Answer, k keyword.Keyword) (low, high float64, ok bool) {
	const ref = "keyword"
	var counts []proposal.Counts
	for _, p := range a.Platforms {
		counts = append(counts, proposal.Counts{
			Source: p.Name,
			State:  proposal.SourceAnswered,
			Counts: map[string]proposal.Count{ref: a.count(p)},
		})
	}
	if len(counts) == 0 {
		return 0, 0, false
	}
	candidates := proposal.Candidates{Candidates: []proposal.Candidate{
		{Ref: ref, Text: k.Text, Exact: k.ExactMatch, Cased: k.CaseSensitive, Platforms: k.Platforms},
	}}
	volume := measure.Join(candidates, counts, nil, nil, a.To).Volumes[ref]
	return volume.Low, volume.High, true
}

// count counts a platform's matches over its longest window that was read whole. If not even a day was, the count is
// the least that a day has.
func (a Answer) count(p Platform) proposal.Count {
	for _, w := range proposal.Windows() {
		since := p.To.Add(-time.Duration(w.Days()) * Day)
		if since.Before(p.From) {
			continue
		}
		return proposal.Count{Posts: a.matches(p, since), Window: w}
	}
	return proposal.Count{
		Posts: a.matches(p, p.From), Window: proposal.Day, Capped: true, Hours: p.To.Sub(p.From).Hours(),
	}
}

func (a Answer) matches(p Platform, since time.Time) (n int64) {
	for _, m := range a.Matches {
		if m.Platform == p.Name && !m.PostedAt.Before(since) && m.PostedAt.Before(p.To) {
			n++
		}
	}
	return n
}
