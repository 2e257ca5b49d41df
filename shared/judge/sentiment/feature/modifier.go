package feature

// How much words boost or dampen the valence of the words after them, and how a negation turns it. The figures are
// VADER's (Hutto and Gilbert, "VADER: A Parsimonious Rule-based Model for Sentiment Analysis of Social Media Text",
// ICWSM 2014).
const (
	booster       = 0.293
	capitalsBoost = 0.733
	negated       = -0.74
	spread        = 15 // of a sum s of valences: s / sqrt(s² + spread)
)

// modifier returns whether a lowercase word negates what follows, and how much it boosts it.
func modifier(spelt []byte) (negates bool, boosts float32) {
	if n := len(spelt); n > 3 && spelt[n-3] == 'n' && spelt[n-2] == '\'' && spelt[n-1] == 't' {
		return true, 0
	}
	switch string(spelt) {
	case "not",
		"no",
		"never",
		"none",
		"nope",
		"nor",
		"nothing",
		"nowhere",
		"neither",
		"without",
		"rarely",
		"seldom",
		"despite",
		"cannot",
		"cant",
		"dont",
		"doesnt",
		"didnt",
		"isnt",
		"wasnt",
		"arent",
		"werent",
		"wont",
		"wouldnt",
		"shouldnt",
		"couldnt",
		"aint",
		"hasnt",
		"havent",
		"hadnt",
		"nobody",
		"hardly":
		return true, 0
	case "absolutely",
		"amazingly",
		"awfully",
		"completely",
		"considerably",
		"decidedly",
		"deeply",
		"enormously",
		"entirely",
		"especially",
		"exceptionally",
		"extremely",
		"fabulously",
		"fucking",
		"fuckin",
		"frickin",
		"freaking",
		"fully",
		"greatly",
		"highly",
		"hugely",
		"incredibly",
		"intensely",
		"majorly",
		"more",
		"most",
		"particularly",
		"purely",
		"quite",
		"really",
		"remarkably",
		"so",
		"soo",
		"substantially",
		"super",
		"thoroughly",
		"totally",
		"tremendously",
		"uber",
		"unbelievably",
		"unusually",
		"utterly",
		"very":
		return false, booster
	case "almost",
		"barely",
		"kinda",
		"less",
		"little",
		"marginally",
		"occasionally",
		"partly",
		"scarcely",
		"slightly",
		"somewhat",
		"sorta":
		return false, -booster
	}
	return false, 0
}
