package measure_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/proposal"
	"earshot/shared/proposal/measure"
)

// Values of Garwood's table and of its kind (half the chi-square quantiles of 2n and 2n+2 degrees), to three places.
func TestInterval(t *testing.T) {
	for _, tt := range []struct {
		count      int64
		confidence float64
		low, high  float64
	}{
		{0, 0.95, 0, 3.689},
		{1, 0.95, 0.025, 5.572},
		{2, 0.95, 0.242, 7.225},
		{5, 0.95, 1.623, 11.668},
		{10, 0.95, 4.795, 18.390},
		{20, 0.95, 12.217, 30.888},
		{50, 0.95, 37.111, 65.919},
		{100, 0.95, 81.364, 121.627},
		{0, 0.90, 0, 2.996},
		{1, 0.90, 0.051, 4.744},
		{2, 0.90, 0.355, 6.296},
		{3, 0.90, 0.818, 7.754},
		{5, 0.90, 1.970, 10.513},
		{10, 0.90, 5.425, 16.962},
		{20, 0.90, 13.255, 29.062},
		{30, 0.90, 21.594, 40.691},
		{50, 0.90, 38.965, 63.287},
		{1, 0.99, 0.005, 7.430},
		{10, 0.99, 3.717, 21.398},
		{-4, 0.90, 0, 2.996},
	} {
		low, high := measure.Interval(tt.count, tt.confidence)
		if math.Abs(low-tt.low) > 0.0006 || math.Abs(high-tt.high) > 0.0006 {
			t.Errorf("of %d at %v: %.4f to %.4f, the tables have %v to %v", tt.count, tt.confidence, low, high, tt.low, tt.high)
		}
	}
}

// Where the quantile goes over to the approximation nothing jumps, and the greatest count has a range.
func TestIntervalOfMany(t *testing.T) {
	belowLow, belowHigh := measure.Interval(999_998, 0.9)
	aboveLow, aboveHigh := measure.Interval(1_000_001, 0.9)
	if gap := aboveLow - belowLow; gap < 2.9 || gap > 3.1 {
		t.Errorf("three posts more move the lower end by %v", gap)
	}
	if gap := aboveHigh - belowHigh; gap < 2.9 || gap > 3.1 {
		t.Errorf("three posts more move the upper end by %v", gap)
	}
	if low, high := measure.Interval(math.MaxInt64, 0.9); !(low > 9e18 && low < high && high < 1e19) {
		t.Errorf("of the greatest count: %v to %v", low, high)
	}
}

func TestShare(t *testing.T) {
	for _, tt := range []struct {
		kept, of   int
		confidence float64
		low, high  float64
	}{
		{0, 10, 0.95, 0, 0.3085},
		{1, 10, 0.95, 0.0025, 0.4450},
		{5, 10, 0.95, 0.1871, 0.8129},
		{10, 10, 0.90, 0.7411, 1},
		{0, 30, 0.90, 0, 0.0950},
		{0, 0, 0.90, 0, 1},
		{7, 5, 0.90, 0.5493, 1},
		{-1, 5, 0.90, 0, 0.4507},
	} {
		low, high := measure.Share(tt.kept, tt.of, tt.confidence)
		if math.Abs(low-tt.low) > 0.0001 || math.Abs(high-tt.high) > 0.0001 {
			t.Errorf("%d of %d at %v: %.4f to %.4f, the tables have %v to %v", tt.kept, tt.of, tt.confidence, low, high, tt.low, tt.high)
		}
	}
}

// The interval has the mean at least as often as it says: drawn, for means from a tenth of a post on.
func TestIntervalCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, mean := range []float64{0.1, 0.7, 1, 2.5, 5, 12, 40, 150} {
		const draws = 3_000
		held := 0
		for range draws {
			low, high := measure.Interval(poisson(random, mean), proposal.CoverageConfidence)
			if low <= mean && mean <= high {
				held++
			}
		}
		covered(t, held, draws)
		t.Logf("mean %5.1f: %.3f", mean, float64(held)/draws)
	}
}

func TestIntervalIsOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<40).Draw(t, "count")
		confidence := rapid.Float64Range(0.5, 0.999).Draw(t, "confidence")
		low, high := measure.Interval(n, confidence)
		if !(low >= 0 && low <= float64(n) && high > float64(n)) || math.IsInf(high, 0) {
			t.Fatalf("of %d at %v: %v to %v", n, confidence, low, high)
		}
		wideLow, wideHigh := measure.Interval(n, (1+confidence)/2)
		if n > 0 && wideLow >= low || wideHigh <= high {
			t.Fatalf("of %d a higher confidence gives no wider range: %v to %v, %v to %v", n, low, high, wideLow, wideHigh)
		}
		moreLow, moreHigh := measure.Interval(n+1+n/1e9, confidence)
		if moreLow <= low || moreHigh <= high {
			t.Fatalf("a post more than %d moves the range from %v, %v to %v, %v", n, low, high, moreLow, moreHigh)
		}
	})
}

// covered says whether a range held the truth as often as it should, but for what draws of this number vary by.
func covered(t *testing.T, held, draws int) {
	t.Helper()
	const level = proposal.CoverageConfidence
	if share := float64(held) / float64(draws); share < level-3*math.Sqrt(level*(1-level)/float64(draws)) {
		t.Errorf("%d of %d ranges have the truth, less than nine in ten", held, draws)
	}
}

// poisson draws a count by the times between posts.
func poisson(random *rand.Rand, mean float64) int64 {
	n := int64(-1)
	for at := 0.0; at <= mean; n++ {
		at += random.ExpFloat64()
	}
	return n
}

// binomial draws how many of n happen.
func binomial(random *rand.Rand, n int, p float64) int {
	happened := 0
	for range n {
		if random.Float64() < p {
			happened++
		}
	}
	return happened
}
