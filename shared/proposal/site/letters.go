package site

import "strings"

// leastSpelt is how many consonants a domain and a name must share at least: fewer are chance.
const leastSpelt = 3

// spells reports whether the domain is a Cyrillic name in Latin letters: "Яблонька" of yablonka.ru. Ways to write vowels
// and soft signs differ, so the consonants decide.
func (o own) spells(name string) bool {
	spelt := consonants(cyrillic.Replace(strings.ToLower(name)))
	return len(spelt) >= leastSpelt && spelt == consonants(strings.ToLower(o.label))
}

// consonants is a text in Latin letters without its vowels and signs, each sound in one way.
func consonants(text string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("aeiouyj", c) || c < 'a' || c > 'z' {
			return -1
		}
		return c
	}, sounds.Replace(text))
}

var sounds = strings.NewReplacer(
	"shch", "sh", "sch", "sh", "kh", "h", "ts", "c", "tz", "c", "ck", "k", "x", "ks", "w", "v", "ph", "f",
)

// cyrillic writes Cyrillic letters in Latin ones, all vowels as the same one.
var cyrillic = strings.NewReplacer(
	"а", "a", "б", "b", "в", "v", "г", "g", "ґ", "g", "д", "d", "е", "a", "ё", "a", "є", "a", "ж", "zh", "з", "z",
	"и", "a", "і", "a", "ї", "a", "й", "a", "к", "k", "л", "l", "м", "m", "н", "n", "о", "a", "п", "p", "р", "r",
	"с", "s", "т", "t", "у", "a", "ф", "f", "х", "h", "ц", "c", "ч", "ch", "ш", "sh", "щ", "sh", "ъ", "", "ы", "a",
	"ь", "", "э", "a", "ю", "a", "я", "a",
)
