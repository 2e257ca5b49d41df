package proposal

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

// MostlyNoise reports whether enough posts of a platform were scored, and too few of them are relevant (rule P1).
func MostlyNoise(scored, relevant int) bool {
	return scored >= SampleEnough && float64(relevant) < NoisyPlatform*float64(scored)
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
