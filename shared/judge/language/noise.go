package language

import (
	"strings"
	"unicode/utf8"
)

// noise returns the length of what is no speech at the beginning of a text, where a word may begin. That is a web
// address with its scheme or "www.", a handle, an e-mail address, a domain or file name, a code, the RT of a repost, or
// the "http" that stands for an address in some archives. It returns 0 if there is none.
func noise(text string) int {
	if text[0] == '@' {
		return 1 + prefix(text[1:], isCode)
	}
	end, code := 0, false
	for ; end < len(text) && isCode(text[end]); end++ {
		code = code || text[end] < 'A' || text[end] == '_'
	}
	switch {
	case end == 0:
		return 0
	case isAddress(text, end), joins(text, end):
		return prefix(text, isPrintable)
	case code, text[:end] == "http", text[:end] == "https", text[:end] == "RT" && strings.HasPrefix(text[end:], " @"):
		return end
	}
	return 0
}

// hashtag returns the length of a hashtag in Latin letters at the beginning of a text. It returns 0 if there is none.
func hashtag(text string) int {
	if text[0] != '#' {
		return 0
	}
	first, _ := utf8.DecodeRuneInString(text[1:])
	if !isLetter(first) || !isLatin(first) {
		return 0
	}
	end := 1
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		if !isLetter(r) && !(r < utf8.RuneSelf && isCode(byte(r))) {
			break
		}
		end += size
	}
	return end
}

// isAddress reports whether the text, whose first end bytes are letters, begins an address with "www." or a scheme.
func isAddress(text string, end int) bool {
	switch end {
	case 3:
		return fold(text[:3]) == "www" && len(text) > 3 && text[3] == '.'
	case 4, 5:
		return len(text) > end+2 && text[end:end+3] == "://" && fold(text[:4]) == "http"
	}
	return false
}

// joins reports whether a sign joins the first end bytes to the next, as in an e-mail address, a domain or a file name
// ("me@mail", "node.js"). A full stop without a blank after it does not join ("end.Next").
func joins(text string, end int) bool {
	if end+1 >= len(text) || text[end] != '.' && text[end] != '@' {
		return false
	}
	next := text[end+1]
	return 'a' <= next && next <= 'z' || '0' <= next && next <= '9'
}

func prefix(text string, of func(byte) bool) (n int) {
	for n < len(text) && of(text[n]) {
		n++
	}
	return n
}

// isCode reports whether a byte may occur in an identifier.
func isCode(b byte) bool {
	return 'a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9' || b == '_'
}

// isPrintable reports whether a byte may occur in an address. Scripts without blanks continue right after one.
func isPrintable(b byte) bool { return '!' <= b && b <= '~' && b != '<' && b != '>' && b != '"' }

func fold(text string) string {
	var folded [4]byte
	for i := range len(text) {
		folded[i] = text[i] | 0x20
	}
	return string(folded[:len(text)])
}
