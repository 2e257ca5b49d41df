package measure

import (
	"math"
	"slices"

	"earshot/shared/proposal"
)

// Scale is the volume when a scoping keeps kept of `of` posts that were sampled of it. The share's interval is Share's at the same
// confidence as the volume's, and the product's comes from both by the method of variance estimates recovery for the logarithms: Zou
// and Donner, "Construction of confidence limits about effect measures", Statistics in Medicine 27 (2008). Both intervals may then have
// the product's own level; giving each the half of the risk would be wider for nothing.
//
// Of no sampled posts nothing is known: the volume stays. Kept all, the range may still be wider at its lower end, since the next posts
// may not be. An upper end that was open is taken as it is stated once a part of the posts is cut, and is open no more. Basis, window
// and the sources' lists stay; what a source brings is scaled by the same share.
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

// Total is the range of the sum of volumes that are counted apart from each other, by the same method: the distances from what was
// measured to the ends add up as squares. Its middle need not be the sum of the middles, which is what a proposal's total is (rule T1). Of
// none it is 0 and 0.
func Total(vs []proposal.Volume) (low, high float64) {
	if len(vs) == 0 {
		return 0, 0
	}
	var sum, down, up float64
	for _, v := range vs {
		measured := estimate(v)
		sum, down, up = sum+measured, math.Hypot(down, measured-v.Low), math.Hypot(up, v.High-measured)
	}
	return rounded(max(0, sum-down), sum+up)
}

// On is a volume of some of its sources alone, and whether any of them was counted: when none was, it is what it was. The ranges of what
// is left are added up as Total does.
func On(v proposal.Volume, on func(source string) bool) (proposal.Volume, bool) {
	off := func(name string) bool { return !on(name) }
	left := slices.DeleteFunc(slices.Clone(v.PerSource), func(c proposal.SourceCount) bool { return off(c.Source) })
	if len(left) == 0 {
		return v, false
	}
	v.UnverifiedSources = slices.DeleteFunc(slices.Clone(v.UnverifiedSources), off)
	v.UnmeasuredSources = slices.DeleteFunc(slices.Clone(v.UnmeasuredSources), off)
	if len(left) == len(v.PerSource) {
		return v, true
	}
	v.PerSource, v.Window, v.Open = left, proposal.Month, false
	var alone []proposal.Volume
	for _, each := range left {
		alone = append(alone, proposal.Volume{Low: each.Low, High: each.High, PerSource: []proposal.SourceCount{each}})
		if each.Window.Days() < v.Window.Days() {
			v.Window = each.Window
		}
		v.Open = v.Open || each.Open
	}
	v.Low, v.High = Total(alone)
	v.Band = Band(v.Low, v.High, v.Open)
	return v, true
}
