package sampling

import "math"

// chance is the probability that at least hits of draws have a property by luck alone, when they are drawn without
// replacement from total of which have the property: Fisher's exact test, one-sided (R. A. Fisher, Statistical Methods
// for Research Workers, 1934, section 21.02). It is exact for samples as small as these.
func chance(hits, draws, have, total int) float64 {
	p := 0.0
	for k := max(hits, draws+have-total); k <= min(draws, have); k++ {
		p += math.Exp(choose(have, k) + choose(total-have, draws-k) - choose(total, draws))
	}
	return min(p, 1)
}

// choose is the logarithm of the number of ways to take k of n.
func choose(n, k int) float64 {
	log := func(n int) float64 { v, _ := math.Lgamma(float64(n) + 1); return v }
	return log(n) - log(k) - log(n-k)
}
