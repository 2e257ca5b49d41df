package proposal

import (
	"slices"

	"earshot/shared/keyword"
)

// What compose decides and rule checks is said here once.

// BandOf returns how a total stands to the allowance (rule T1).
func BandOf(monthly, allowance float64) TotalsBand {
	switch {
	case monthly <= PassShare*allowance:
		return Pass
	case monthly <= allowance:
		return Confirm
	}
	return Blocked
}

// BestFit returns the option that brings the most of those that the allowance has room for: one of the brand, which
// comes first among the keywords, before any other.
func (p Proposal) BestFit() (best Option, found bool) {
	brand := slices.IndexFunc(p.Keywords, func(k Keyword) bool {
		return k.Tag == keyword.OwnBrand && (k.Route == Bare || k.Route == Anchored)
	})
	own := func(o Option) bool { return brand >= 0 && o.KeywordRef == p.Keywords[brand].Ref }
	for _, o := range p.Options {
		better := !found || own(o) && !own(best) || own(o) == own(best) && o.ProjectedMonthly > best.ProjectedMonthly
		if o.ProjectedMonthly <= p.Totals.Allowance && better {
			best, found = o, true
		}
	}
	return best, found
}

// MostlyNoise reports whether enough posts of a platform were scored, and too few of them are relevant (rule P1).
func MostlyNoise(scored, relevant int) bool {
	return scored >= SampleEnough && float64(relevant) < NoisyPlatform*float64(scored)
}

// Noise reports whether a feed of which so many posts were scored is mostly noise: enough were, and most of them are
// not relevant.
func (g FeedGate) Noise(scored int) bool {
	return scored >= SampleEnough && !(g.RelevanceRate >= FeedRelevance)
}

// Spoken reports whether posts were counted on a platform.
func (v Volume) Spoken(platform string) bool {
	return slices.ContainsFunc(v.PerSource, func(c SourceCount) bool {
		return c.Count > 0 && keyword.TakesSome([]string{platform}, c.Source)
	})
}

// Fails returns why a feed is not visible; empty if it is (rule F3).
func (g FeedGate) Fails() (failures []string) {
	if !(g.WeeklySample >= FeedWeekly) {
		failures = append(failures, "weeklySample is below 3")
	}
	if !(g.RelevanceRate >= FeedRelevance) {
		failures = append(failures, "relevanceRate is below 0.5")
	}
	if !(g.DominantClusterShare <= FeedDominant) {
		failures = append(failures, "dominantClusterShare is above 0.8")
	}
	if g.DuplicateOf != "" {
		failures = append(failures, "it shows the same as another feed")
	}
	return failures
}
