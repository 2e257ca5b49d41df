// Package language detects the language of a post among 60 languages, by the n-grams of its words and, in Latin letters,
// by the words themselves. The tables are part of the program and are used in place: a Detector costs next to nothing to
// make, allocates nothing and is safe for concurrent use.
//
// The n-grams and their scoring are those of ELD (github.com/nitotm/efficient-language-detector-js, Apache-2.0; see
// LICENSE.eld). Rules for posts run before and after them. The words are those of judge/dictionary, for 25 languages. A
// language that the table lacks is taken for a neighbour: Indonesian is malay, Bosnian is croatian, Serbian in Latin
// letters is croatian. The names are those of shared/language; import that package if you need only names.
//
// Only shared/judge and programs that measure it import it.
package language

import (
	_ "embed"
	"fmt"
	"slices"

	"earshot/shared/judge/dictionary"
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

	// leastLatin is how many n-grams a text in Latin letters must have to count as another language than English, unless
	// its words decide. Fewer are one or two words, which many languages share. Other scripts need no such bound.
	leastLatin = 4

	hindi, marathi = "hindi", "marathi"

	// wordWeight is what a word's evidence counts, in units of n-grams' weights.
	wordWeight = 40
	// maxLookups is how many words are looked up. The n-grams of more words decide alone as well.
	maxLookups = 24
	// clearShare is the share of the best score, in percent, up to which the next language leaves no doubt. No word is
	// looked up then.
	clearShare = 70
	// decisive is the evidence of words that makes up for too few n-grams.
	decisive = 2.0
	// unlistedLead is by how much, in percent, the n-grams of a language whose words are unknown must lead.
	unlistedLead = 110
)

// priorOf returns how much likelier a language is than its neighbours, as a factor of its n-grams' score. Most posts are
// English, and the names and terms in them resemble any language. The five that follow are each written far more than
// those that resemble them, such as Catalan and Galician.
func priorOf(name string) float32 {
	switch name {
	case english:
		return 1 / 0.82
	case "french", "german", "italian", "portuguese", "spanish":
		return 1 / 0.95
	}
	return 1
}

// A Detector detects languages.
type Detector struct {
	table   ngram.Table
	names   []string  // by the table's numbers
	places  []int     // by the table's numbers: the place among dictionary.Spoken, -1 for none
	priors  []float32 // by the table's numbers: the factors of the n-grams' scores
	english int
	hindi   int
	marathi int
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
	d := &Detector{
		table:   table,
		names:   make([]string, table.Languages()),
		places:  make([]int, table.Languages()),
		priors:  make([]float32, table.Languages()),
		english: -1,
		hindi:   -1,
		marathi: -1,
	}
	spoken := dictionary.Spoken()
	for i := range d.names {
		name, ok := names.FromISO(table.Code(i))
		if !ok {
			return nil, fmt.Errorf("language: the table has the language %q, which has no name", table.Code(i))
		}
		d.names[i], d.places[i] = name, slices.Index(spoken, name)
		d.priors[i] = priorOf(name)
		switch name {
		case english:
			d.english = i
		case hindi:
			d.hindi = i
		case marathi:
			d.marathi = i
		}
	}
	if d.english < 0 || d.hindi < 0 || d.marathi < 0 || d.places[d.english] < 0 {
		return nil, fmt.Errorf("language: the tables lack English, Hindi or Marathi")
	}
	return d, nil
}

// Names lists the languages that Detect can give, sorted, without mention.Undetermined.
func (d *Detector) Names() []string { return slices.Sorted(slices.Values(d.names)) }

// Detect returns the language of a text, in full and lowercase, or mention.Undetermined if the text has too few words.
// It reads about the first 350 bytes of words (maxWords), in at most the first 8 KiB (maxScanned). Hashtags in Latin
// letters count only if nothing else says enough: most are names or English, whatever the language is.
func (d *Detector) Detect(text string) string {
	var s scores
	d.read(&s, text, false)
	tags := s.tags && s.few()
	if tags {
		s = scores{}
		d.read(&s, text, true)
	}
	best := 0
	for i := range d.names {
		if s.sum[i] > s.sum[best] {
			best = i
		}
	}
	switch {
	case s.latin > s.other:
		if r := d.rank(&s); s.few() || r.second*100 > r.top*clearShare {
			s.words = true
			d.read(&s, text, tags)
		}
		return d.inLatin(&s, best)
	case s.sum[best] == 0:
		return mention.Undetermined
	case best == d.hindi || best == d.marathi:
		return d.inDevanagari(&s, text)
	}
	return d.names[best]
}

// A ranking is the best of the languages whose words are known, with its score and the next one's.
type ranking struct {
	chosen      int
	top, second float32
}

// rank ranks by n-grams and by the words that were looked up.
func (d *Detector) rank(s *scores) ranking {
	r := ranking{chosen: d.english, top: -1, second: -1}
	for i, place := range d.places {
		if place < 0 {
			continue
		}
		score := float32(s.sum[i])*d.priors[i] + wordWeight*s.evidence[place]
		switch {
		case score > r.top:
			r.chosen, r.top, r.second = i, score, r.top
		case score > r.second:
			r.second = score
		}
	}
	return r
}

// inLatin decides by n-grams and words. best is the language with the best n-grams.
func (d *Detector) inLatin(s *scores, best int) string {
	r := d.rank(s)
	evidence := s.evidence[d.places[r.chosen]]
	switch {
	case r.top <= 0 && s.sum[best] == 0:
		return mention.Undetermined
	case s.few() && s.isEnglish(d.places[d.english]):
		return english
	case s.few() && r.chosen != d.english && (evidence < decisive || r.top-r.second < wordWeight*decisive),
		s.few() && evidence == 0 && best != d.english:
		return mention.Undetermined
	case !s.few() && d.places[best] < 0 && s.sum[best]*100 >= s.sum[r.chosen]*unlistedLead &&
		float32(s.sum[best])*unlistedLead >= r.top*100:
		return d.names[best]
	}
	return d.names[r.chosen]
}

// few reports whether there are too few n-grams to tell languages in Latin letters apart.
func (s *scores) few() bool { return s.found+s.missing < leastLatin }

// isEnglish reports whether the words alone decide for English, and no language has more of them.
func (s *scores) isEnglish(place int) bool {
	return s.evidence[place] >= decisive && s.evidence[place] >= slices.Max(s.evidence[:])
}

// scores are the sums over a text's n-grams.
type scores struct {
	sum     [maxLanguages]int32
	found   int               // different n-grams in the table
	missing int               // n-grams that are not in the table
	latin   int               // letters
	other   int               // letters of other scripts
	seen    [seenSlots]uint32 // slots of the counted n-grams, plus 1, by their low bits

	evidence [maxLanguages / 2]float32 // of words, by their languages' places among dictionary.Spoken
	looked   int                       // words that were looked up
	tags     bool                      // hashtags were passed over
	words    bool                      // words are looked up, and their n-grams are not counted
}

// levels is how much a word of each level speaks for its language: how many times as often the language has it as those
// that do not list it, as a base-10 logarithm.
var levels = [...]float32{
	dictionary.Unlisted:  0,
	dictionary.Listed:    0.9,
	dictionary.Frequent:  1.3,
	dictionary.Everyday:  1.75,
	dictionary.Commonest: 2.6,
}

// seenSlots is at least twice as many as the n-grams that maxWords bytes can have.
const seenSlots = 512

const (
	gramSize = 4  // bytes of an n-gram, without the blanks at a word's ends
	stride   = 3  // bytes from one n-gram to the next
	maxWord  = 70 // bytes of a word that are read
)

// look counts what a word says of the languages that have it.
func (s *scores) look(word []byte) {
	if s.looked == maxLookups {
		return
	}
	s.looked++
	uses := dictionary.UsesOf(word)
	for i := range uses.Len() {
		place, level := uses.At(i)
		s.evidence[place] += levels[level]
	}
}

// add counts a word's n-grams: gramSize bytes every stride bytes, and the last gramSize bytes, with a blank where the
// word begins and ends (getByteNgrams in ELD's languageDetector.js).
func (d *Detector) add(s *scores, word []byte) {
	if s.words {
		s.look(word)
		return
	}
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
