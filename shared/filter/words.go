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
		var segment string
		segment, rest, state = uniseg.FirstWordInString(rest, state)
		if strings.ContainsFunc(segment, ofWord) {
			found = append(found, segment)
		}
	}
	return found
}

// ofWord reports whether a character makes its segment a word: a letter, a digit or a pictograph. Symbols below the
// arrows, such as ™ and ®, stand between the words of a name.
func ofWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r >= 0x2190 && unicode.Is(unicode.So, r)
}
