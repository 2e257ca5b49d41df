package filter

import (
	"strings"
	"unicode"

	"github.com/rivo/uniseg"

	"earshot/shared/text/fold"
)

// words returns the folded words of a text, in order.
func words(text string) []string { return split(fold.Canonical(text)) }

// split finds the words of a folded text.
func split(rest string) (found []string) {
	state := -1
	for rest != "" {
		if n := plainWord(rest); n > 0 {
			found = append(found, rest[:n])
			rest, state = rest[n:], -1
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

// plainWord returns the length of the word that a text begins with, if the word has only letters and digits of ASCII and
// stands before a space or the end. Such words have a boundary there (UAX #29, WB5 to WB10, WB999). It returns 0
// otherwise. Most words of English posts are such, and need no look into Unicode's tables.
func plainWord(text string) int {
	for n := range len(text) {
		switch c := text[n]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', 'A' <= c && c <= 'Z':
		case c == ' ':
			return n
		default:
			return 0
		}
	}
	return len(text)
}

// ofWord reports whether a character makes its segment a word: a letter, a digit or a pictograph. Symbols below the
// arrows, such as ™ and ®, stand between the words of a name.
func ofWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r >= 0x2190 && unicode.Is(unicode.So, r)
}
