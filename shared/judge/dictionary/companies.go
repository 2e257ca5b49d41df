package dictionary

import (
	"slices"
	"strings"
	"sync"
)

// OfCompanies reports whether a word, in lowercase, is one that customers and the news use of companies: someone who
// writes of an invoice or of a quarter's sales beside a name means the company, not the common word. The language is a
// name of shared/language. The package knows such words of German, French, Spanish, Portuguese, Italian and Dutch.
func OfCompanies(word, language string) bool { return companyWords()[language].has(word) }

// OfSites reports whether a word, in lowercase, is one that companies' pages say of anything, such as a verb that
// promises, a numeral or praise. The language is a name of shared/language, other than English. The package knows such
// words of German, French, Spanish, Portuguese, Italian, Dutch, Polish, Swedish, Danish, Norwegian, Turkish, Czech and
// Finnish.
func OfSites(word, language string) bool { return siteWords()[language].has(word) }

// A lexicon is what one language has.
type lexicon struct {
	words      []string // whole, sorted
	beginnings []string // of words, sorted; none begins with another
	endings    []string // of words with a stem of leastStem bytes at least, or of one less before a longEnding
}

// leastStem is how many bytes stand before an ending: "ramos" has no ending, "ofrecemos" has one. One of longEnding bytes
// is none by chance, so that "pakować" has one.
const leastStem, longEnding = 4, 5

// has reports whether a word is one of a lexicon's, or begins or ends as one does.
func (l lexicon) has(word string) bool {
	if word == "" {
		return false
	}
	if _, whole := slices.BinarySearch(l.words, word); whole {
		return true
	}
	at, same := slices.BinarySearch(l.beginnings, word)
	if same || at > 0 && strings.HasPrefix(word, l.beginnings[at-1]) {
		return true
	}
	return slices.ContainsFunc(l.endings, func(ending string) bool {
		stem := len(word) - len(ending)
		return (stem >= leastStem || stem == leastStem-1 && len(ending) >= longEnding) && strings.HasSuffix(word, ending)
	})
}

// companyWords and siteWords are the lexicons by language.
var (
	companyWords = sync.OnceValue(func() map[string]lexicon { return lexicons(companyStems) })
	siteWords    = sync.OnceValue(func() map[string]lexicon { return lexicons(siteStems) })
)

func lexicons(stems map[string]string) map[string]lexicon {
	all := make(map[string]lexicon, len(stems))
	for language, text := range stems {
		var l lexicon
		for stem := range strings.FieldsSeq(text) {
			word, whole := strings.CutSuffix(stem, ".")
			ending, ends := strings.CutPrefix(stem, "-")
			switch {
			case whole:
				l.words = append(l.words, word)
			case ends:
				l.endings = append(l.endings, ending)
			default:
				l.beginnings = append(l.beginnings, stem)
			}
		}
		slices.Sort(l.words)
		slices.Sort(l.beginnings)
		all[language] = l
	}
	return all
}
