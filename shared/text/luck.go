package text

import "math"

// ByLuck returns the probability, 0 to 1, that at least hits of draws texts have a property by luck alone, drawn without
// replacement from total of which have the property. It is Fisher's exact test, one-sided (R. A. Fisher, Statistical
// Methods for Research Workers, 1934, section 21.02). It is exact for the smallest samples, where an approximation would
// condemn a word for three mentions.
func ByLuck(hits, draws, have, total int) float64 {
	p := 0.0
	for k := max(hits, draws+have-total); k <= min(draws, have); k++ {
		p += math.Exp(ways(have, k) + ways(total-have, draws-k) - ways(total, draws))
	}
	return min(p, 1)
}

// ways returns the logarithm of the number of ways to take k of n.
func ways(n, k int) float64 {
	factorial := func(n int) float64 { log, _ := math.Lgamma(float64(n) + 1); return log }
	return factorial(n) - factorial(k) - factorial(n-k)
}
