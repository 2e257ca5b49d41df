package candidate

import (
	"slices"
	"strings"
	"unicode"

	"earshot/shared/judge/dictionary"
	"earshot/shared/match"
	"earshot/shared/proposal"
	"earshot/shared/proposal/measure"
)

// Ambiguous reports whether a name is a common word (rule K2), and whether the sample of the bare name confirms it. Words
// count that are common in English or in one of the languages. relevant of the sample's posts mean the company.
//
//   - A word of the lists is one. Under half relevant confirms it. Two kinds are none where half of the sample at least, of
//     proposal.ClearedFrom posts or more, means the name: a known brand that is written so, such as Apple, and a word that
//     only one of the languages has, and not every day.
//   - A name of two capitals or digits is none where proposal.MonogramFrom of such a sample means it. Words beside the name
//     would lose most of what is written about the company.
//   - Any other name is none, unless under half of the sample is relevant: of one of fewer than proposal.ClearedFrom
//     posts, beyond chance.
//
// Beyond chance is the bound of measure.Share.
func Ambiguous(name string, relevant, sampled int, languages ...string) (common, confirmed bool) {
	under := sampled >= proposal.SampleEnough && float64(relevant) < proposal.ConfirmBelow*float64(sampled)
	if !CommonIn(name, languages...) {
		_, most := measure.Share(relevant, sampled, proposal.CoverageConfidence)
		confirmed = under && (sampled >= proposal.ClearedFrom || most < proposal.ConfirmBelow)
		return confirmed, confirmed
	}
	confirmed = under
	if monogram(name) {
		return sampled < proposal.ClearedFrom || float64(relevant) < proposal.MonogramFrom*float64(sampled), confirmed
	}
	cleared := (knownBrand(name) || clearable(name, languages)) && sampled >= proposal.ClearedFrom && !under
	return !cleared, confirmed
}

// monogram reports whether a name is of two capitals, or of a capital and a digit: "HP", "3M". "Up" is a word, and "X" and
// "3" stand for too much.
func monogram(name string) bool {
	name = strings.TrimSpace(name)
	if len(name) != 2 || !strings.ContainsFunc(name, unicode.IsUpper) {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return r >= unicode.MaxASCII || !unicode.IsUpper(r) && !unicode.IsDigit(r)
	})
}

// knownBrand reports whether a name, written as one word, is a known brand.
func knownBrand(name string) bool {
	word := match.Form(name)
	return dictionary.Brand(word) || slices.Contains(unlistedBrands(), word)
}

// unlistedBrands are brands as well known as those of the list, which leaves out what its owners asked it to. No other
// language's frequency tells them.
func unlistedBrands() []string { return []string{"slack"} }
