// Package language detects the language of a post among 60 languages, by the n-grams of its words. The table of n-grams
// is part of the program and is used in place: a Detector costs nothing to make, allocates nothing and is safe for
// concurrent use.
//
// Table and scoring are those of ELD (github.com/nitotm/efficient-language-detector-js, Apache-2.0; see LICENSE.eld).
// Rules for posts run before and after them. A language that the table lacks is taken for a neighbour: Indonesian is
// malay, Bosnian is croatian, Serbian in Latin letters is croatian. The names are those of shared/language; import that
// package if you need only names.
//
// Only shared/judge and programs that measure it import it.
package language

import (
	_ "embed"
	"fmt"
	"slices"

	"earshot/shared/judge/language/ngram"
	names "earshot/shared/language"
	"earshot/shared/mention"
)

// The conversion program makes the table.
//
//go:embed ngrams.bin
var ngrams string

const (
	maxLanguages = 64
	english      = "english"

	// englishShare is the share of the best score, in percent, from which a text in Latin letters counts as English.
	// Most posts are English, and the names and terms in them resemble any language.
	englishShare = 85
	// leastLatin is how many n-grams a text in Latin letters must have to count as another language than English. Fewer
	// are one or two words, which many languages share. Other scripts need no such bound.
	leastLatin = 4
)

// A Detector detects languages.
type Detector struct {
	table   ngram.Table
	names   []string // by the table's numbers
	english int
}

// New opens the embedded table.
func New() (*Detector, error) {
	table, err := ngram.Open(ngrams)
	if err != nil {
		return nil, err
	}
	if table.Languages() > maxLanguages {
		return nil, fmt.Errorf("language: the table has %d languages, more than %d", table.Languages(), maxLanguages)
	}
	d := &Detector{table: table, names: make([]string, table.Languages()), english: -1}
	for i := range d.names {
		name, ok := names.FromISO(table.Code(i))
		if !ok {
			return nil, fmt.Errorf("language: the table has the language %q, which has no name", table.Code(i))
		}
		d.names[i] = name
		if name == english {
			d.english = i
		}
	}
	if d.english < 0 {
		return nil, fmt.Errorf("language: the table has no English")
	}
	return d, nil
}

// Names lists the languages that Detect can give, sorted, without mention.Undetermined.
func (d *Detector) Names() []string { return slices.Sorted(slices.Values(d.names)) }

// Detect returns the language of a text, in full and lowercase, or mention.Undetermined if the text has too few words.
// It reads about the first 350 bytes of words (maxWords), in at most the first 8 KiB (maxScanned).
func (d *Detector) Detect(text string) string {
	var s scores
	d.read(&s, text)
	best := 0
	for i := range d.names {
		if s.sum[i] > s.sum[best] {
			best = i
		}
	}
	isLatin := s.latin > s.other
	switch {
	case s.sum[best] == 0, isLatin && s.found+s.missing < leastLatin && best != d.english:
		return mention.Undetermined
	case isLatin && s.sum[d.english]*100 >= s.sum[best]*englishShare:
		return english
	}
	return d.names[best]
}

// scores are the sums over a text's n-grams.
type scores struct {
	sum     [maxLanguages]int32
	found   int               // different n-grams in the table
	missing int               // n-grams that are not in the table
	latin   int               // letters
	other   int               // letters of other scripts
	seen    [seenSlots]uint32 // slots of the counted n-grams, plus 1, by their low bits
}

// seenSlots is at least twice as many as the n-grams that maxWords bytes can have.
const seenSlots = 512

const (
	gramSize = 4  // bytes of an n-gram, without the blanks at a word's ends
	stride   = 3  // bytes from one n-gram to the next
	maxWord  = 70 // bytes of a word that are read
)

// add counts a word's n-grams: gramSize bytes every stride bytes, and the last gramSize bytes, with a blank where the
// word begins and ends (getByteNgrams in ELD's languageDetector.js).
func (d *Detector) add(s *scores, word []byte) {
	begin := ngram.Add(ngram.Basis, ' ')
	at := 0
	for ; at+gramSize < min(len(word), maxWord); at += stride {
		d.count(s, begin, word[at:at+gramSize], false)
		begin = ngram.Basis
	}
	if len(word) <= maxWord {
		d.count(s, begin, word[max(0, len(word)-gramSize):], true)
	}
}

// count counts one n-gram, unless the text had it before.
func (d *Detector) count(s *scores, hash uint64, bytes []byte, last bool) {
	for _, b := range bytes {
		hash = ngram.Add(hash, b)
	}
	if last {
		hash = ngram.Add(hash, ' ')
	}
	slot, posting := d.table.Find(ngram.Mix(hash))
	if posting == "" {
		s.missing++
		return
	}
	at := slot % seenSlots
	for s.seen[at] != 0 {
		if s.seen[at] == slot+1 {
			return
		}
		at = (at + 1) % seenSlots
	}
	s.seen[at] = slot + 1
	s.found++
	for i := 0; i+1 < len(posting); i += 2 {
		s.sum[posting[i]%maxLanguages] += int32(posting[i+1])
	}
}
