package suggest

import "math"

// chance returns the probability that at least hits of draws have a property by luck alone, drawn without replacement
// from total of which have the property. It is Fisher's exact test, one-sided (R. A. Fisher, Statistical Methods for
// Research Workers, 1934, section 21.02). It is exact for the smallest samples, where an approximation would condemn a
// word for three mentions.
func chance(hits, draws, have, total int) float64 {
	p := 0.0
	for k := max(hits, draws+have-total); k <= min(draws, have); k++ {
		p += math.Exp(choose(have, k) + choose(total-have, draws-k) - choose(total, draws))
	}
	return min(p, 1)
}

// choose returns the logarithm of the number of ways to take k of n.
func choose(n, k int) float64 { return factorial(n) - factorial(k) - factorial(n-k) }

func factorial(n int) float64 {
	log, _ := math.Lgamma(float64(n) + 1)
	return log
}

// likely bounds the chance of a finding, shared among all values that were tried for it (Bonferroni). Of twenty
// keywords whose words say nothing at all, one would get a suggestion.
const likely = 0.05

// tells reports whether part is not relevant more often than the rest of the sample, beyond chance, as one of tried
// parts.
func (s *sample) tells(part tally, tried int) bool {
	return chance(part.weightNotRelevant, part.weightNotRelevant+part.weightRelevant, s.all.weightNotRelevant,
		s.all.weightNotRelevant+s.all.weightRelevant)*float64(tried) <= likely
}
