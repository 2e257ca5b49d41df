package suggest

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/text/unicode/norm"

	"earshot/shared/keyword"
	"earshot/shared/mention"
)

// Bounds of what is read of texts, which are hostile, and of what may be proposed of them.
const (
	readBytes    = 4 << 10 // of a title or a body; posts say early what they are about
	leastLetters = 2       // characters of a word
	mostLetters  = 40
)

// fold returns the form in which values compare.
func fold(value string) string { return strings.ToLower(strings.TrimSpace(value)) }

func folded(values []string) []string {
	same := make([]string, len(values))
	for i, value := range values {
		same[i] = fold(value)
	}
	return same
}

// handle returns the form in which authors compare.
func handle(author string) string { return mention.Handle(author) }

// isHandle reports whether an author can be proposed: the handle has visible characters and fits a keyword's list.
func isHandle(author string) bool {
	return author != "" && utf8.ValidString(author) && utf8.RuneCountInString(author) <= keyword.MaxText &&
		!strings.ContainsFunc(
			author, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) || r == utf8.RuneError },
		)
}

// cut calls do with each word of a text that may be proposed. A word (UAX #29) has only letters, marks and digits, has
// a letter, and has leastLetters to mostLetters characters. Scripts written without blanks have few words or none.
func cut(text string, do func(word string)) {
	if len(text) > readBytes {
		text = strings.ToValidUTF8(text[:readBytes], "")
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, " ")
	}
	text = norm.NFC.String(text)
	for state := -1; text != ""; {
		var word string
		word, text, state = uniseg.FirstWordInString(text, state)
		if isWord(word) {
			do(word)
		}
	}
}

func isWord(word string) bool {
	if len(word) < leastLetters || len(word) > mostLetters*utf8.UTFMax {
		return false
	}
	letters, characters := 0, 0
	for _, r := range word {
		characters++
		switch {
		case unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			return false
		case unicode.IsLetter(r):
			letters++
		case !unicode.In(r, unicode.M, unicode.Nd):
			return false
		}
	}
	return letters > 0 && characters >= leastLetters && characters <= mostLetters
}

// words returns the words of a mention, each once, with their case.
func (s *seen) words() []string {
	if s.cut != nil {
		return s.cut
	}
	s.cut = []string{}
	for _, text := range []*string{s.Title, s.Body} {
		if text != nil {
			cut(*text, func(word string) { s.cut = append(s.cut, word) })
		}
	}
	slices.Sort(s.cut)
	s.cut = slices.Clip(slices.Compact(s.cut))
	return s.cut
}

// A word is a word with the mentions of a sample in which it occurs.
type word struct {
	text  string // lowercase, unless the keyword minds case
	count tally  // authors are not counted
}

// words returns the words that occur in enough mentions of the sample to say something, the most frequent first. It
// leaves out stop words and the keyword's own words.
func (s *sample) words() []word {
	own, at := namesOf([]keyword.Keyword{s.keyword}), map[string]int{}
	var all []word
	for _, m := range s.seen {
		counted := map[int]bool{}
		for _, text := range m.words() {
			lower := strings.ToLower(text)
			if own[lower] || isStop(lower, m.Language) {
				continue
			}
			if !s.keyword.CaseSensitive {
				text = lower
			}
			number, known := at[text]
			if !known {
				number = len(all)
				at[text], all = number, append(all, word{text: text})
			}
			if !counted[number] { // else it is the same word in another case
				counted[number] = true
				all[number].count.take(m)
			}
		}
	}
	all = slices.DeleteFunc(all, func(w word) bool { return w.count.mentions < leastNotRelevant })
	slices.SortFunc(all, func(a, b word) int {
		return cmp.Or(cmp.Compare(b.count.mentions, a.count.mentions), strings.Compare(a.text, b.text))
	})
	return all
}

// namesOf returns the words of keywords, and each keyword as one word, in lowercase.
func namesOf(keywords []keyword.Keyword) map[string]bool {
	names := map[string]bool{}
	for _, k := range keywords {
		joined := ""
		cut(k.Text, func(word string) {
			lower := strings.ToLower(word)
			names[lower] = true
			joined += lower
		})
		names[joined] = true
	}
	return names
}
