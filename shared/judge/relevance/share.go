package relevance

import (
	"slices"
	"unicode/utf8"

	"earshot/shared/judge/dictionary"
	"earshot/shared/judge/words"
)

// share counts the words near the keyword that the profile has too, in any form, and words that the language uses of
// companies. Each kind counts up to mostShared. Of a post in another language than English no meaning is known.
func (o *Opinion) share(w window, language string, nouns bool) {
	var shared, told []string
	own := o.subject.near
	if o.English { // terms have a meaning, which says more than that they stand there
		own = o.subject.said
	}
	for at := w.from; at < w.to && (len(shared) < mostShared || len(told) < mostShared); at++ {
		word := &o.text.words[at]
		if word.Kind != words.Letters || slices.Contains(w.found, at) {
			continue
		}
		if len(shared) < mostShared && own.has(word.Text) && !slices.Contains(shared, word.Text) &&
			dictionary.Frequency(word.Text, language) < dictionary.Commonest {
			shared = append(shared, word.Text)
		}
		if len(told) < mostShared && dictionary.OfCompanies(word.Text, language) && !slices.Contains(told, word.Text) {
			told = append(told, word.Text)
		}
	}
	o.shared, o.told = len(shared), len(told)
	o.LogOdds += byShared * float32(o.shared)
	if nouns {
		o.LogOdds += byOfCompanies * float32(o.told)
	} else {
		o.LogOdds += byOfCompaniesAside * float32(o.told)
	}
}

// Forms of one word begin alike, with stemBytes or more, and have endings of at most formEnding bytes. A compound
// begins with its first word.
const (
	stemBytes  = 5
	formEnding = 3
)

// forms are words that are known in all their forms.
type forms struct {
	words map[string]bool
	stems map[string][]string // the words by their first stemBytes
}

// formsOf returns the words of a list, of four letters and more, that are not of the keyword.
func formsOf(list, keyword []string) forms {
	const least = 4
	f := forms{words: map[string]bool{}, stems: map[string][]string{}}
	for _, word := range list[:min(len(list), maxProfile)] {
		if utf8.RuneCountInString(word) < least || slices.Contains(keyword, word) || f.words[word] {
			continue
		}
		f.words[word] = true
		if len(word) >= stemBytes {
			f.stems[word[:stemBytes]] = append(f.stems[word[:stemBytes]], word)
		}
	}
	return f
}

// has reports whether a word is known, in the same or in another form.
func (f forms) has(word string) bool {
	if f.words[word] || len(word) < stemBytes {
		return f.words[word]
	}
	return slices.ContainsFunc(f.stems[word[:stemBytes]], func(own string) bool { return sameStem(word, own) })
}

// sameStem reports whether two words with the same first stemBytes are forms of one word, or one is a compound that
// begins with the other.
func sameStem(a, b string) bool {
	n := stemBytes
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n == len(a) || n == len(b) || len(a)-n <= formEnding && len(b)-n <= formEnding
}
