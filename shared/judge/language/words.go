package language

import (
	"unicode"
	"unicode/utf8"
)

const (
	maxWords   = 350     // bytes of words after which no other word begins, as in ELD
	maxText    = 380     // bytes of words after which even a running word is cut, for scripts without blanks
	maxScanned = 8 << 10 // bytes of text
)

// read adds a text's words, in lowercase, and counts its letters. A word consists of letters, and of apostrophes before
// letters, as in the table's training data. Marks separate words, in Indic scripts too. read skips noise, and hashtags in
// Latin letters unless tags is set.
func (d *Detector) read(s *scores, text string, tags bool) {
	if len(text) > maxScanned {
		text = text[:maxScanned]
	}
	var buffer [maxText + 2*utf8.UTFMax]byte
	word := buffer[:0]
	total := 0
	for at := 0; at < len(text) && total <= maxText; {
		skip := 0
		if text[at] < utf8.RuneSelf && (at == 0 || !isCode(text[at-1])) {
			skip = noise(text[at:])
			if tag := hashtag(text[at:]); tag > 0 && !tags {
				skip, s.tags = tag, true
			}
		}
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case skip == 0 && isLetter(r):
			if isLatin(r) {
				s.latin++
			} else {
				s.other++
			}
			word = utf8.AppendRune(word, lower(r))
			total += size
		case isApostrophe(r) && letterFollows(text[at+size:]):
			word = utf8.AppendRune(word, r)
			total += size
		case len(word) > 0:
			d.add(s, word)
			word = word[:0]
			if total++; total > maxWords {
				return
			}
		}
		at += max(size, skip)
	}
	if len(word) > 0 {
		d.add(s, word)
	}
}

// isLetter reports whether r is a letter of the Basic Multilingual Plane. The table lacks other letters, which are
// mostly mathematical and historical.
func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return r <= 0xFFFF && r != utf8.RuneError && unicode.IsLetter(r)
}

func isLatin(r rune) bool { return r < 0x250 || 0x1E00 <= r && r < 0x1F00 }

func lower(r rune) rune {
	if r < utf8.RuneSelf {
		return r | 0x20
	}
	return unicode.ToLower(r)
}

func isApostrophe(r rune) bool { return r == '\'' || r == '`' || r == '’' }

func letterFollows(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return isLetter(r)
}
