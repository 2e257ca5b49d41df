package site

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// behind are languages that say what a thing is before they say whose: "Carte Azur".
var behind = []string{"french", "spanish", "portuguese", "italian", "catalan", "romanian"}

// family reports whether a name begins with a word of the company's name, or with a part from its beginning or end:
// "Kelp Engine" for the company Kelpworks. In German and where names stand before adjectives, its last word may be one of
// the company's.
func (f *finder) family(name string) bool {
	first, _, several := strings.Cut(name, " ")
	part, company := joined(first), joined(f.company)
	if several && (f.language() == "german" || slices.Contains(behind, f.language())) {
		if last := lastWord(name); last != strings.ToLower(last) && slices.Contains(strings.Fields(f.company), last) {
			return true // "Cartão Quintal" of Banco Quintal
		}
	}
	const least = 4 // characters
	return several && utf8.RuneCountInString(part) >= least && part != company &&
		(strings.HasPrefix(company, part) || strings.HasSuffix(company, part) ||
			slices.ContainsFunc(strings.Fields(f.company), func(word string) bool { return joined(word) == part }))
}

// appended reports whether a name is the company's in small letters with a hyphen and more: "acme-cli" of acme.
func (f *finder) appended(name string) bool {
	return f.company == strings.ToLower(f.company) && strings.HasPrefix(name, f.company+"-")
}
