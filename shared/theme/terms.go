package theme

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of a word that may become a term, in characters.
const (
	leastLetters = 2
	mostLetters  = 30
)

// Terms returns the words of texts and the pairs of words that stand side by side with nothing but white space between
// them, lowercase, each once and sorted. Links have none. Whether the matcher sees them as words is the matcher's to
// say: whoever proposes one counts it.
func Terms(texts ...string) []string {
	var all []string
	for _, text := range texts {
		previous := ""
		for word, joined := range wordsIn(text) {
			all = append(all, word)
			if joined && previous != "" && previous != word {
				all = append(all, previous+" "+word)
			}
			previous = word
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Words returns the words of a text, lowercase, in their order.
func Words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range wordsIn(text) {
			if !yield(word) {
				return
			}
		}
	}
}

// wordsIn are the words of a text in lowercase: letters, digits and marks, with a letter among them, and apostrophes
// within. joined says that only white space is between one and the word before it, of which none was left out.
func wordsIn(text string) iter.Seq2[string, bool] {
	return func(yield func(word string, joined bool) bool) {
		complete := true // the run before this one is a word
		for run, joint := range spelled(text) {
			joined := complete && joint == ' '
			if complete = isWord(run); complete && !yield(strings.ToLower(run), joined) {
				return
			}
		}
	}
}

// spelled returns the runs of letters, digits and marks of a text, as they are spelled, with apostrophes within. Links
// and handles have none. joint is what stands between a run and the one before it: ' ' for white space alone, '-' for
// a hyphen, '.' for a dot, and 0 for anything else.
func spelled(text string) iter.Seq2[string, byte] {
	return func(yield func(run string, joint byte) bool) {
		text = norm.NFC.String(text)
		joint := byte(0)
		for chunk := range strings.FieldsSeq(text) {
			if strings.Contains(chunk, "://") || strings.HasPrefix(chunk, "www.") || strings.HasPrefix(chunk, "@") {
				joint = 0
				continue
			}
			after := false // right after a run of the chunk
			for chunk != "" {
				r, size := utf8.DecodeRuneInString(chunk)
				if !inWord(r) {
					if joint = 0; after && (r == '-' || r == '.') {
						joint = byte(r)
					}
					chunk, after = chunk[size:], false
					continue
				}
				end := wordEnd(chunk)
				run := chunk[:end]
				chunk, after = chunk[end:], true
				if !yield(run, joint) {
					return
				}
				if joint = 0; chunk == "" {
					joint = ' '
				}
			}
		}
	}
}

func inWord(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// wordEnd is where the word ends that the text begins with.
func wordEnd(text string) int {
	for i, r := range text {
		if inWord(r) {
			continue
		}
		if r == '\'' || r == '’' {
			if next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):]); i > 0 && inWord(next) {
				continue
			}
		}
		return i
	}
	return len(text)
}

// isWord says whether a word can be a term: one with an apostrophe is a genitive or a contraction.
func isWord(word string) bool {
	characters, letters := 0, 0
	for _, r := range word {
		characters++
		switch {
		case r == '\'' || r == '’',
			unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			return false
		case unicode.IsLetter(r):
			letters++
		case characters == 1: // an ordinal, a year, a measure
			return false
		}
	}
	return letters > 0 && characters >= leastLetters && characters <= mostLetters
}
