package site

import (
	"slices"
	"strings"
	"unicode"
)

// leastSpelt is how many consonants a domain and a name must share at least: fewer are chance.
const leastSpelt = 3

// spells reports whether the domain is a Cyrillic or Japanese name in Latin letters: "Яблонька" of yablonka.ru, "ホシノ" of
// hoshino.jp. Ways to write vowels and soft signs differ, so the consonants decide. Kanji are read in many ways, and are no
// evidence.
func (o own) spells(name string) bool {
	label := consonants(strings.ToLower(o.label))
	if strings.ContainsFunc(name, kana) {
		spelt := undoubled(consonants(romaji(name)))
		return !strings.ContainsFunc(name, han) && len(spelt) >= leastSpelt && spelt == undoubled(label)
	}
	spelt := consonants(cyrillic.Replace(strings.ToLower(name)))
	return len(spelt) >= leastSpelt && spelt == label
}

func kana(c rune) bool { return unicode.In(c, unicode.Hiragana, unicode.Katakana) }

func han(c rune) bool { return unicode.Is(unicode.Han, c) }

// romaji is a name in kana as its consonants in Latin letters, all vowels left out.
func romaji(name string) string {
	const katakana = 'ア' - 'あ' // from hiragana
	var all strings.Builder
	for _, c := range name {
		if unicode.Is(unicode.Hiragana, c) {
			c += katakana
		}
		for _, row := range syllables {
			if strings.ContainsRune(row.kana, c) {
				all.WriteString(row.latin)
			}
		}
	}
	return all.String()
}

// syllables are kana by their consonants.
var syllables = []struct{ latin, kana string }{
	{"k", "カキクケコヵヶ"}, {"g", "ガギグゲゴ"}, {"s", "サスセソ"}, {"sh", "シ"}, {"z", "ザズゼゾ"}, {"t", "タテト"},
	{"ch", "チ"}, {"ts", "ツ"}, {"d", "ダデド"}, {"n", "ナニヌネノン"}, {"h", "ハヒヘホ"}, {"f", "フ"}, {"b", "バビブベボ"},
	{"p", "パピプペポ"}, {"m", "マミムメモ"}, {"r", "ラリルレロ"}, {"w", "ワ"}, {"v", "ヴ"},
}

// undoubled writes consonants that Japanese does not tell apart as one, and double ones once.
func undoubled(consonants string) string {
	return string(slices.Compact([]rune(foreign.Replace(consonants))))
}

var foreign = strings.NewReplacer("l", "r", "ch", "ch", "c", "k", "q", "k", "v", "b", "mb", "nb", "mp", "np")

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
