// Package text has what domain packages need of texts: it shortens them, makes one line of them, splits them into
// words, lists function words, tells whether words stand in some texts by luck alone, bounds a text's size in a response,
// and compiles patterns late. A character is a Unicode code point; a byte that is not valid UTF-8 counts as one.
//
// Anyone imports it. The forms in which texts compare are in package fold: it links golang.org/x/text/cases, which adds
// 260 KB to a binary.
package text

import (
	"strings"
	"unicode"
)

const ellipsis = "…"

// First returns at most the first n characters of s.
func First(s string, n int) string {
	for i := range s {
		if n <= 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Cut returns s if it has at most n characters. Otherwise it returns the beginning of s and an ellipsis: n characters,
// or fewer where blanks would stand before the ellipsis. A text that is cut loses blanks at its beginning too, and its
// bytes that are not valid UTF-8 become U+FFFD. n is 1 or more.
func Cut(s string, n int) string {
	if len(First(s, n)) == len(s) {
		return s
	}
	return strings.TrimSpace(runes(First(s, n-1))) + ellipsis
}

// CutAtWord returns s if it has at most n characters. Otherwise it returns the beginning of s and an ellipsis, n
// characters at most. It cuts at the last space, or within the word if there is none. n is 1 or more.
func CutAtWord(s string, n int) string {
	if len(First(s, n)) == len(s) {
		return s
	}
	short := runes(First(s, n-1))
	if at := strings.LastIndexByte(short, ' '); at > 0 {
		short = short[:at]
	}
	return short + ellipsis
}

// runes returns s with U+FFFD for each byte that is not valid UTF-8.
func runes(s string) string { return string([]rune(s)) }

// Words returns what blanks set apart in s and has a letter or a number: "on-call" is one word, "&" is none.
func Words(s string) []string {
	var words []string
	for word := range strings.FieldsSeq(s) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			words = append(words, word)
		}
	}
	return words
}

// OneLine makes one line of a stranger's text. It replaces control and formatting characters, line breaks and marks
// that turn the direction of writing with a space.
func OneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.C, unicode.Z) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}
