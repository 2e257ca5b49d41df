// Package measure is the mathematics of volumes. From counts of posts it computes ranges of posts a month, for one
// source, for all sources, or for a part of them ("Measurement" in the engine's design). Every range is stated with
// proposal.CoverageConfidence. It calls no source: the same counts give the same range.
//
// The setup stages import it, and the engine's packages that compose and check proposals.
package measure

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Interval is the exact two-sided interval of a Poisson count's mean: Garwood, "Fiducial limits for the Poisson
// distribution", Biometrika 28 (1936), by the quantiles of the gamma distribution. A negative count is 0; confidence is
// above 0 and below 1. Of no posts, low is 0 and high what none of would be rare, 3.0 at 90 %.
func Interval(count int64, confidence float64) (low, high float64) {
	n, tail := float64(max(0, count)), (1-confidence)/2
	return gammaQuantile(n, tail), gammaQuantile(n+1, 1-tail)
}

// Share is the exact two-sided interval of a proportion of which kept of `of` were seen: Clopper and Pearson, "The use
// of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26 (1934). Of none seen it is
// all from 0 to 1.
func Share(kept, of int, confidence float64) (low, high float64) {
	if of <= 0 {
		return 0, 1
	}
	k, n, tail := float64(min(max(0, kept), of)), float64(of), (1-confidence)/2
	high = 1
	if k > 0 {
		low = mathext.InvRegIncBeta(k, n-k+1, tail)
	}
	if k < n {
		high = mathext.InvRegIncBeta(k+1, n-k, 1-tail)
	}
	return low, high
}

// exactShape is up to which shape the gamma distribution's quantile is computed; beyond, Wilson and Hilferty's cube
// ("The distribution of chi-square", 1931) differs from it by less than a thousandth of a post.
const exactShape = 1e6

// gammaQuantile is the quantile p of the gamma distribution of this shape and scale 1; 0 for a shape of 0.
func gammaQuantile(shape, p float64) float64 {
	if shape <= 0 {
		return 0
	}
	if shape <= exactShape {
		if p < 0.5 {
			return mathext.GammaIncRegInv(shape, p)
		}
		return mathext.GammaIncRegCompInv(shape, 1-p)
	}
	ninth := 1 / (9 * shape)
	root := 1 - ninth + mathext.NormalQuantile(p)*math.Sqrt(ninth)
	return shape * root * root * root
}
