package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Handle is the form in which authors' handles compare: without the blanks around it and the @ before it, folded by
// AppendFolded.
func Handle(handle string) string { return string(AppendHandle(nil, handle)) }

// AppendHandle appends Handle's answer.
func AppendHandle(to []byte, handle string) []byte {
	return AppendFolded(to, strings.TrimPrefix(strings.TrimSpace(handle), "@"))
}

// LowerHandle writes an answer of Handle for people: in lower case, where Handle takes the least character, as Ü for ü.
// It compares equal to the answer.
func LowerHandle(handle string) string {
	return strings.Map(func(r rune) rune {
		if lower := unicode.ToLower(r); foldRune(lower) == r {
			return lower
		}
		return r // such as İ, whose lower case is another letter's
	}, handle)
}

// AppendFolded appends a text with its case folded, character by character ("simple case folding" of the Unicode
// Standard, section 5.18): ß stays one letter.
func AppendFolded(to []byte, text string) []byte {
	for i, r := range text {
		if r >= utf8.RuneSelf {
			return appendOthers(to, text[i:])
		}
		c := byte(r)
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		to = append(to, c)
	}
	return to
}

// appendOthers is AppendFolded for a text that is not of ASCII.
func appendOthers(to []byte, text string) []byte {
	for _, r := range text {
		to = utf8.AppendRune(to, foldRune(r))
	}
	return to
}

// foldRune is the least of the characters that differ in case alone; of ASCII, the lowercase one.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	if least < utf8.RuneSelf {
		return foldRune(least) // K and the Kelvin sign
	}
	return least
}
