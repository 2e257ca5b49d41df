package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"earshot/shared/text/fold"
)

// words returns the folded words of a text, in order.
func words(text string) []string { return split(fold.Canonical(text)) }

// split finds the words of a folded text.
func split(rest string) []string {
	found, state := make([]string, 0, len(rest)/5+1), -1
	for rest != "" {
		if word, read := plain(rest); read > 0 {
			if word > 0 {
				found = append(found, rest[:word])
			}
			rest, state = rest[read:], -1
			continue
		}
		var segment string
		segment, rest, state = uniseg.FirstWordInString(rest, state)
		if strings.ContainsFunc(segment, ofWord) {
			found = append(found, segment)
		}
	}
	return found
}

// plain returns the length of the word that a text begins with, 0 if it begins with none, and how much of the text it has
// read. It reads letters, digits and signs of ASCII that have the same boundaries whatever follows them (UAX #29, WB4 to
// WB13b, WB999). Of any other text it reads nothing, and Unicode's tables decide.
// An English post seldom needs them.
func plain(text string) (word, read int) {
	for word < len(text) && alphanumeric(text[word]) {
		word++
	}
	switch {
	case word == 0, word == len(text):
	case !sign(text[word]):
		return 0, 0
	case strings.IndexByte(`'.:,;`, text[word]) >= 0 && word+1 < len(text) && !sign(text[word+1]):
		return 0, 0 // the sign may stand within a word
	}
	read = word
	for read < len(text) && sign(text[read]) && (read+1 == len(text) || text[read+1] < utf8.RuneSelf) {
		read++
	}
	for read < len(text) && read > word && text[read] == ' ' && text[read-1] == ' ' {
		read-- // spaces stay together
	}
	return word, read
}

func alphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z'
}

// sign reports whether a byte is a character of ASCII that joins no words. An underscore does.
func sign(c byte) bool { return c < utf8.RuneSelf && c != '_' && !alphanumeric(c) }

// ofWord reports whether a character makes its segment a word: a letter, a digit or a pictograph. Symbols below the
// arrows, such as ™ and ®, stand between the words of a name.
func ofWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r >= 0x2190 && unicode.Is(unicode.So, r)
}
