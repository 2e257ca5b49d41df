package measure

import (
	"math"

	"earshot/shared/proposal"
)

// A term is one source's part of a sum of posts a month.
type term struct {
	mean     float64 // posts a month
	variance float64
	step     float64 // what one post more that was seen would add
	open     float64 // what the upper end is multiplied by; 1: it is not open
}

// A count is what one source answered, with its weight: what one post of the window is a month.
type count struct {
	proposal.Count
	weight float64
}

// term takes posts as a Poisson count. Of posts that a platform told and a page corrected, the page's share adds a
// binomial variance (smoothed by Laplace, so that a page of which all or none matched does not claim to know).
func (c count) term() term {
	posts := float64(max(0, c.Posts))
	t := term{mean: c.weight * posts, variance: c.weight * c.weight * posts, step: c.weight, open: c.opening()}
	if c.Read > 0 {
		read, matched := float64(c.Read), float64(min(max(0, c.Matched), c.Read))
		t.step = c.weight * max(1, float64(c.Told)/read)
		share := (matched + 1) / (read + 2)
		t.variance += t.step * t.step * read * share * (1 - share)
	}
	return t
}

func (c count) opening() float64 {
	switch {
	case !c.Capped:
		return 1
	case c.Hours > 0:
		return max(1, 24/max(c.Hours, proposal.OpenLeast)) * proposal.OpenPace
	}
	return proposal.OpenUnknown
}

// rangeOf is the range of a sum of scaled Poisson counts: Fay and Feuer, "Confidence intervals for directly
// standardized rates: a method based on the gamma distribution", Statistics in Medicine 16 (1997). With equal weights
// it is Interval of the sum of the counts, times the weight. An open term is at least its count: its upper end is that
// times its opening.
//
// Ends are rounded outwards to a tenth of a post, which the range's level cannot suffer by.
func rangeOf(terms []term) (low, high float64) {
	var mean, variance, upMean, upVariance, step float64
	for _, t := range terms {
		mean, variance = mean+t.mean, variance+t.variance
		upMean, upVariance = upMean+t.mean*t.open, upVariance+t.variance*t.open*t.open
		step = max(step, t.step*t.open)
	}
	const tail = (1 - proposal.CoverageConfidence) / 2
	low = scaledQuantile(mean, variance, tail)
	high = scaledQuantile(upMean+step, upVariance+step*step, 1-tail)
	return rounded(low, high)
}

// scaledQuantile is the quantile p of the gamma distribution that has this mean and variance.
func scaledQuantile(mean, variance, p float64) float64 {
	if mean <= 0 || variance <= 0 {
		return 0
	}
	scale := variance / mean
	return scale * gammaQuantile(mean/scale, p)
}

// rounded takes a range's ends outwards to a tenth, and has them differ: a range is never a point (rule V1).
func rounded(low, high float64) (float64, float64) {
	const tenths, noise, exact = 10, 1e-6, 1e9 // noise of the arithmetic takes no end a tenth further; beyond exact no tenth matters
	if high < exact {
		low, high = math.Floor(max(0, low)*tenths+noise)/tenths, math.Ceil(high*tenths-noise)/tenths
	}
	if high <= low {
		high = max(low+1.0/tenths, math.Nextafter(low, math.Inf(1)))
	}
	return low, high
}

// Band is the order of a volume by the middle of its range: the boundaries are proposal's ("Volume object" in the
// description). An open upper end is the top end whatever the numbers are.
func Band(low, high float64, open bool) proposal.Band {
	switch middle := (low + high) / 2; {
	case open || middle > proposal.TopEnd:
		return proposal.BandTopEnd
	case middle > proposal.StandardMost:
		return proposal.BandHigh
	case middle > proposal.QuietMost:
		return proposal.BandStandard
	}
	return proposal.BandQuiet
}
