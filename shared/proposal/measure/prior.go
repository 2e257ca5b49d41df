package measure

import "earshot/shared/proposal"

// priors are what a name's class alone says of its posts a month, when nothing could be measured: orders, not figures.
// They are what keywords of the kind bring on the searched platforms together.
var priors = map[proposal.Class]struct{ low, high float64 }{
	// A made-up name is written by those who mean it: most companies are spoken of a few times a week at most.
	proposal.ClassDistinctive: {0, 60},
	// A word of the language is written by all, mostly with another meaning; under TopEnd, for it is never tracked
	// without anchors.
	proposal.ClassCommon: {300, 3_000},
	// Two words or more are a term of a field, or a product's name that is seldom written out.
	proposal.ClassPhrase: {10, 300},
	// A domain is written by those who link it, a part of those who name it.
	proposal.ClassDomain: {0, 30},
	// An account is addressed where it is, on one platform.
	proposal.ClassHandle: {0, 30},
}

// Prior is the volume of a name of which nothing is known but its class; an unknown one is a phrase. No source is named
// in it.
func Prior(class proposal.Class) proposal.Volume {
	known, ok := priors[class]
	if !ok {
		known = priors[proposal.ClassPhrase]
	}
	v := empty(proposal.BasisPrior)
	v.Low, v.High = known.low, known.high
	v.Band = Band(v.Low, v.High, false)
	return v.Volume
}
