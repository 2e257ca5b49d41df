package candidate

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/judge/dictionary"
)

// leastCoined is how many letters a coined word has at least: shorter ones are the names of many.
const leastCoined = 5

// before are words that a name has before a word that is no name without them: "St. Ursen", "Dr. Pellamere".
var before = []string{
	"st", "ste", "saint", "sainte", "san", "sant", "santa", "santo", "são", "sankt", "dr", "mr", "mrs", "ms", "mt",
	"mount",
	"fort", "port", "lake", "new",
}

// coined is the word by which people call a company whose name is that and what it is: "Pellamere" of "Pellamere
// Dental", "Larmorvan" of "Hôtel Larmorvan". It is the one of two words that no dictionary has, in a domain that has it
// too. Empty: the name is made otherwise.
func (m *maker) coined() string {
	words := strings.Fields(m.name)
	if m.guessed || len(words) != 2 {
		return ""
	}
	known := func(word string) bool {
		return CommonIn(word, m.speech...) || inDictionary(word) || inDictionary(withoutAccents(word))
	}
	at := slices.IndexFunc(words, func(word string) bool { return !known(word) })
	if at < 0 || !known(words[1-at]) || slices.Contains(before, strings.ToLower(strings.Trim(words[1-at], "."))) {
		return ""
	}
	part := words[at]
	if utf8.RuneCountInString(part) < leastCoined ||
		strings.ContainsFunc(part, func(r rune) bool { return !unicode.IsLetter(r) }) ||
		!strings.Contains(squeezed(m.site.label), squeezed(part)) {
		return ""
	}
	return part
}

// inDictionary reports whether any language has a word, or a name of people or places, or a company is known by it.
func inDictionary(text string) bool {
	word := singleWord(text)
	return dictionary.Has(word) || dictionary.Brand(word) || dictionary.Named(word) ||
		slices.ContainsFunc(dictionary.Spoken(), func(language string) bool {
			return dictionary.Common(word, language) || dictionary.Rare(word, language)
		})
}
