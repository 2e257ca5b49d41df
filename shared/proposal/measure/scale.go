package measure

import (
	"math"
	"slices"

	"earshot/shared/proposal"
)

// Scale is the volume when a scoping keeps kept of `of` posts that were sampled of it. The share's interval is Share's
// at the same confidence as the volume's, and the product's comes from both by the method of variance estimates
// recovery for the logarithms: Zou and Donner, "Construction of confidence limits about effect measures", Statistics in
// Medicine 27 (2008). Both intervals may then have the product's own level; giving each the half of the risk would be
// wider for nothing.
//
// Of no sampled posts nothing is known: the volume stays. Kept all, the range may still be wider at its lower end,
// since the next posts may not be. An upper end that was open is taken as it is stated once a part of the posts is cut,
// and is open no more. Basis, window and the sources' lists stay; what a source brings is scaled by the same share.
func Scale(v proposal.Volume, kept, of int) proposal.Volume {
	v.PerSource = slices.Clone(v.PerSource)
	v.UnverifiedSources, v.UnmeasuredSources = slices.Clone(v.UnverifiedSources), slices.Clone(v.UnmeasuredSources)
	if of <= 0 {
		return v
	}
	kept = min(max(0, kept), of)
	s := shareOf(kept, of)
	v.Open = v.Open && kept == of
	v.Low, v.High = s.scale(v.Low, estimate(v), v.High)
	v.Band = Band(v.Low, v.High, v.Open)
	for i := range v.PerSource {
		each := &v.PerSource[i]
		each.Open = each.Open && kept == of
		each.Low, each.High = s.scale(each.Low, monthly(*each), each.High)
		each.Count = math.Round(each.Count*float64(kept)/float64(of)*10) / 10
	}
	return v
}

// Part is the volume on some of its sources, which is the whole where they are all. Its range comes from theirs by the
// method of variance estimates recovery for sums (Zou and Donner, see Scale), so that of one source it is that source's.
// How much open counts leave out is no chance that evens out: it is added. Sources that counted nothing are one for the
// upper end, as in the whole: that of one that would add most. No end is above the whole's, and the lower end is the
// whole's where what goes counted nothing. Basis, window and lists of sources that were not counted stay.
func Part(v proposal.Volume, takes func(source string) bool) proposal.Volume {
	on := slices.DeleteFunc(slices.Clone(v.PerSource), func(c proposal.SourceCount) bool { return !takes(c.Source) })
	if len(on) == len(v.PerSource) {
		return v
	}
	silent := !slices.ContainsFunc(v.PerSource,
		func(c proposal.SourceCount) bool { return c.Count > 0 && !takes(c.Source) })
	v.PerSource, v.Open = on, false
	middle, down, up, opened, unseen := 0.0, 0.0, 0.0, 0.0, 0.0
	for _, c := range on {
		if c.Count == 0 {
			unseen = max(unseen, c.High)
			continue
		}
		m := min(max(monthly(c), c.Low), c.High)
		middle, down = middle+m, math.Hypot(down, m-c.Low)
		if c.Open {
			v.Open, opened = true, opened+c.High-m
		} else {
			up = math.Hypot(up, c.High-m)
		}
	}
	low := v.Low
	if !silent {
		low = min(low, middle-down)
	}
	v.Low, v.High = rounded(low, min(v.High, middle+opened+math.Hypot(up, unseen)))
	v.Band = Band(v.Low, v.High, v.Open)
	return v
}

// A share is a proportion with its interval.
type share struct{ low, middle, high float64 }

func shareOf(kept, of int) share {
	s := share{middle: (float64(kept) + 0.5) / (float64(of) + 1)}
	s.low, s.high = Share(kept, of, proposal.CoverageConfidence)
	return s
}

// scale is the range of the product with a volume of which the ends and the estimate are given.
func (s share) scale(low, estimate, high float64) (float64, float64) {
	// What was not seen at all is taken for half a post, as in the share's middle: a logarithm needs one.
	estimate = min(max(estimate, low, min(0.5, high/2)), high)
	product := estimate * s.middle
	down, up := 0.0, high
	if s.high < 1 {
		up = product * math.Exp(math.Hypot(math.Log(high/estimate), math.Log(s.high/s.middle)))
	}
	if low > 0 && s.low > 0 {
		down = product * math.Exp(-math.Hypot(math.Log(estimate/low), math.Log(s.middle/s.low)))
	}
	return rounded(min(down, low), min(up, high))
}

// estimate is what a volume was measured at, in posts a month: the middle of its range when nobody counted.
func estimate(v proposal.Volume) float64 {
	if len(v.PerSource) == 0 {
		return v.Mid()
	}
	sum := 0.0
	for _, each := range v.PerSource {
		sum += monthly(each)
	}
	return min(max(sum, v.Low), v.High)
}

func monthly(c proposal.SourceCount) float64 {
	return c.Count * c.Factor * proposal.Month.Days() / c.Window.Days()
}
