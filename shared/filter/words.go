package filter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// folded is a text in which canonically equivalent texts of any case are the same (Unicode, section 3.13, D145), without what
// shows nothing: soft hyphens and variation selectors.
func folded(text string) string {
	if ascii(text) {
		return strings.ToLower(text)
	}
	text = norm.NFC.String(cases.Fold().String(norm.NFD.String(text)))
	return strings.Map(func(r rune) rune {
		if r == 0xAD || r >= 0xFE00 && r <= 0xFE0F {
			return -1
		}
		return r
	}, text)
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// words are the folded words of a text, in their order.
func words(text string) []string { return split(folded(text)) }

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

// ofWord says whether a character makes a word of what it is in: a letter, a digit, or a pictograph. The symbols below the
// arrows are such as ™ and ®, which stand between the words of a name.
func ofWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r >= 0x2190 && unicode.Is(unicode.So, r)
}
