package dictionary

import (
	"slices"
	"strings"
	"sync"
)

// OfCompanies reports whether a word, in lowercase, is one that customers and the news use of companies: someone who
// writes of an invoice or of a quarter's sales beside a name means the company, not the common word. The language is a
// name of shared/language. The package knows such words of German, French, Spanish, Portuguese, Italian and Dutch.
func OfCompanies(word, language string) bool {
	l, ok := companyWords()[language]
	if !ok || word == "" {
		return false
	}
	if _, whole := slices.BinarySearch(l.words, word); whole {
		return true
	}
	at, same := slices.BinarySearch(l.beginnings, word)
	return same || at > 0 && strings.HasPrefix(word, l.beginnings[at-1])
}

// A lexicon is what one language has.
type lexicon struct {
	words      []string // whole, sorted
	beginnings []string // of words, sorted; none begins with another
}

// companyWords are the lexicons by language.
var companyWords = sync.OnceValue(func() map[string]lexicon {
	all := make(map[string]lexicon, len(companyStems))
	for language, text := range companyStems {
		var l lexicon
		for stem := range strings.FieldsSeq(text) {
			if word, whole := strings.CutSuffix(stem, "."); whole {
				l.words = append(l.words, word)
			} else {
				l.beginnings = append(l.beginnings, stem)
			}
		}
		slices.Sort(l.words)
		slices.Sort(l.beginnings)
		all[language] = l
	}
	return all
})
