package rule

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// ToldByCase reports whether a sample proves that the capital of a keyword's text tells the company from the common
// word:
//
//   - The text has one, and the keyword listens for it.
//   - proposal.SampleEnough relevant posts or more write it so, and proposal.CasedShare of the relevant ones.
//   - Of the posts that write it so, proposal.ConfirmBelow are relevant.
//   - It leaves out proposal.SampleEnough posts of noise or more, and proposal.CasedOut of the noise. A language that
//     writes all nouns with a capital shows nothing by it.
func ToldByCase(k keyword.Keyword, posts []proposal.SampledPost) bool {
	all, kept := byCase(k, posts)
	return kept[1] >= proposal.SampleEnough && all[0]-kept[0] >= proposal.SampleEnough &&
		float64(kept[1]) >= proposal.CasedShare*float64(all[1]) &&
		float64(kept[1]) >= proposal.ConfirmBelow*float64(kept[0]+kept[1]) &&
		float64(all[0]-kept[0]) >= proposal.CasedOut*float64(all[0])
}

// MeantByCase reports whether a sample has too little noise to show what the capital of a keyword's text leaves out, and
// shows that the capital means the company all the same:
//
//   - The text has a capital and two characters or more, and the keyword listens for it.
//   - proposal.ClearedFrom relevant posts or more write it so, and proposal.CasedShare of the relevant ones.
//   - Of the posts that write it so, proposal.MeantFrom are relevant.
func MeantByCase(k keyword.Keyword, posts []proposal.SampledPost) bool {
	all, kept := byCase(k, posts)
	return utf8.RuneCountInString(strings.TrimSpace(k.Text)) > 1 && kept[1] >= proposal.ClearedFrom &&
		float64(kept[1]) >= proposal.CasedShare*float64(all[1]) &&
		float64(kept[1]) >= proposal.MeantFrom*float64(kept[0]+kept[1])
}

// byCase counts the noise and the relevant posts of a sample, and those of each that write a keyword's text as it does.
// All are 0 unless the text has a capital and the keyword listens for it.
func byCase(k keyword.Keyword, posts []proposal.SampledPost) (all, kept [2]int) {
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(k.Text))
	if !k.CaseSensitive || !unicode.IsUpper(first) {
		return all, kept
	}
	l := listen(keyword.Keyword{Text: k.Text, ExactMatch: k.ExactMatch, CaseSensitive: true})
	for _, p := range posts {
		kind := 0
		if p.Relevant {
			kind = 1
		}
		all[kind]++
		if l.hears(sampled(p))[0] {
			kept[kind]++
		}
	}
	return all, kept
}
