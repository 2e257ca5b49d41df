package dictionary

import (
	_ "embed"
	"errors"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"

	"earshot/shared/language"
)

// spoken is what command convert writes from word frequencies; its layout is EncodeSpoken's. Its licence is CC BY-SA 4.0
// (LICENSE.wordfreq), not that of the program.
//
//go:embed spoken.bin
var spoken string

// A Level is how often a language has a word.
type Level uint8

// The levels. Unlisted words are rarer, or are names: those that many languages share, and rarer than Everyday those
// without any other form.
const (
	Unlisted  Level = iota
	Listed          // from 3 occurrences in a million words of text
	Frequent        // from 13
	Everyday        // from 32
	Commonest       // from 100
)

// Bounds are the frequencies from which the levels begin, above Unlisted, on the scale of Zipf: the base-10 logarithm of
// the occurrences in a billion words.
var Bounds = [...]float64{3.5, 4.1, 4.5, 5}

// Frequency returns how often a language has a word. The word is folded as fold.Form does, and the language is a name of
// shared/language. It allocates nothing.
//
// English words have a level only if they are frequent: Has knows the others.
func Frequency(word, language string) Level {
	at, ok := numbers()[language]
	if !ok {
		return Unlisted
	}
	postings := postingsOf(spoken, word)
	for i := range len(postings) {
		if int(postings[i]>>3) == at {
			return Level(postings[i]>>1&3) + 1
		}
	}
	return Unlisted
}

// Common reports whether a word, folded as fold.Form does, is one of a language: of English as Has knows it, of others
// as Frequency does.
func Common(word, language string) bool {
	if language == english {
		return Has(word)
	}
	return Frequency(word, language) > Unlisted
}

// Uses are the languages that have a word, each with its level. The zero value has none.
type Uses string

// UsesOf returns the uses of a word in lowercase, with or without its apostrophes. It allocates nothing.
func UsesOf(word []byte) Uses {
	f := opened()
	var coded [longest]byte
	n := 0
	for at := 0; at < len(word); {
		r, size := utf8.DecodeRune(word[at:])
		at += size
		letters := 1
		if r == 'ß' { // as folded
			r, letters = 's', 2
		}
		for range letters {
			if n == longest {
				return ""
			}
			if coded[n] = f.code(r); coded[n] == unknownLetter {
				return ""
			}
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return Uses(f.find(coded[:n]))
}

// Len returns the number of languages.
func (u Uses) Len() int { return len(u) }

// At returns one of the languages, by its place in Spoken, and the level there.
func (u Uses) At(i int) (language int, level Level) {
	return int(u[i] >> 3), Level(u[i]>>1&3) + 1
}

// opened is the frame of the table that ships.
var opened = sync.OnceValue(func() frame { return frameOf(spoken) })

// EverydayWord reports whether a language other than English, whichever it is, has the word every day.
func EverydayWord(word string) bool {
	postings := postingsOf(spoken, word)
	for i := range len(postings) {
		if int(postings[i]>>3) != 0 && Level(postings[i]>>1&3)+1 >= Everyday {
			return true
		}
	}
	return false
}

const (
	english       = "english"
	spokenMagic   = "SPO1"
	maxSpoken     = 31 // languages
	codeSize      = 2  // bytes of a language's ISO 639-1 code
	lastPosting   = 1
	maxAlphabet   = 127
	spokenBlock   = 16
	unknownLetter = 0
)

// Spoken lists the languages of the table by their names, in the table's order. English is the first.
func Spoken() []string {
	var names []string
	for codes := spoken[len(spokenMagic)+1:][:codeSize*int(spoken[len(spokenMagic)])]; codes != ""; codes = codes[codeSize:] {
		name, _ := language.FromISO(codes[:codeSize])
		names = append(names, name)
	}
	return names
}

// relatives are languages that the table has under another name: their words are nearly the same, or a detector cannot
// tell them apart.
var relatives = map[string]string{"indonesian": "malay", "bosnian": "croatian", "serbian": "croatian"}

// numbers are the languages' places in the table, by name.
var numbers = sync.OnceValue(func() map[string]int {
	places := map[string]int{}
	for i, name := range Spoken() {
		places[name] = i
	}
	for name, other := range relatives {
		places[name] = places[other]
	}
	return places
})

// A frame is the table's parts.
type frame struct {
	alphabet string // the letters, ascending, in UTF-8
	words    int
	index    string // of each block, where it begins
	texts    string
}

func frameOf(table string) frame {
	at := len(spokenMagic) + 1 + codeSize*int(table[len(spokenMagic)])
	letters := number(table, at)
	f := frame{alphabet: table[at+4:][:letters]}
	at += 4 + letters
	f.words = number(table, at)
	blocks := (f.words + spokenBlock - 1) / spokenBlock
	f.index, f.texts = table[at+4:][:4*blocks], table[at+4+4*blocks:]
	return f
}

// postingsOf returns the postings of a word: a byte for each language, with its number, its level less one and whether
// it is the last.
func postingsOf(table, word string) string {
	f := frameOf(table)
	var coded [longest]byte
	n := 0
	for _, r := range word {
		if n == longest {
			return ""
		}
		if coded[n] = f.code(r); coded[n] == unknownLetter {
			return ""
		}
		n++
	}
	if n == 0 {
		return ""
	}
	return f.find(coded[:n])
}

// code returns the number of a letter in the alphabet, from 1, or unknownLetter.
func (f frame) code(r rune) byte {
	if 'a' <= r && r <= 'z' { // the alphabet begins with them
		return byte(r-'a') + 1
	}
	number := byte(0)
	for _, letter := range f.alphabet {
		number++
		if letter == r {
			return number
		}
	}
	return unknownLetter
}

func (f frame) find(word []byte) string {
	at := func(block int) int { return number(f.index, 4*block) }
	block := sort.Search(len(f.index)/4, func(i int) bool { return first(f.texts[at(i):], string(word)) > 0 }) - 1
	if block < 0 {
		return ""
	}
	end := len(f.texts)
	if 4*block+4 < len(f.index) {
		end = at(block + 1)
	}
	var known [longest]byte
	for rest := f.texts[at(block):end]; rest != ""; {
		n := int(rest[0])
		rest = rest[1:]
		for {
			letter := rest[0]
			rest = rest[1:]
			known[n] = letter &^ last
			n++
			if letter&last != 0 {
				break
			}
		}
		postings := 1
		for rest[postings-1]&lastPosting == 0 {
			postings++
		}
		if string(known[:n]) == string(word) {
			return rest[:postings]
		}
		rest = rest[postings:]
	}
	return ""
}

// A Posting is how often one language has a word.
type Posting struct {
	Language int // its place in the table's codes
	Level    Level
}

var errSpoken = errors.New(
	"dictionary: a table has 1 to 31 languages and 127 letters, the first of which are a to z, " +
		"and words of 1 to 64 letters, each with a posting")

// EncodeSpoken writes the table of words by language: the magic, the number of languages (one byte) and their codes, the
// size of the alphabet in bytes and its letters in ascending order, the number of words, where each block of sixteen
// begins among the texts (all 32 bits, little endian), and the texts. A text is as in Encode, of the letters' numbers in
// the alphabet from 1, and is followed by its postings.
func EncodeSpoken(codes []string, words map[string][]Posting) ([]byte, error) {
	if len(codes) == 0 || len(codes) > maxSpoken {
		return nil, errSpoken
	}
	letters := map[rune]bool{}
	for r := 'a'; r <= 'z'; r++ {
		letters[r] = true
	}
	for word := range words {
		for _, r := range word {
			letters[r] = true
		}
	}
	var alphabet []rune
	for r := range letters {
		alphabet = append(alphabet, r)
	}
	slices.Sort(alphabet)
	if len(alphabet) > maxAlphabet || alphabet[0] != 'a' {
		return nil, errSpoken
	}
	table := append([]byte(spokenMagic), byte(len(codes)))
	for _, code := range codes {
		if len(code) != codeSize {
			return nil, errSpoken
		}
		table = append(table, code...)
	}
	table = put(table, len(string(alphabet)))
	table = append(table, string(alphabet)...)
	table = put(table, len(words))
	texts, index, err := encodeTexts(alphabet, words, len(codes))
	if err != nil {
		return nil, err
	}
	return append(append(table, index...), texts...), nil
}

func encodeTexts(alphabet []rune, words map[string][]Posting, languages int) (texts, index []byte, err error) {
	var sorted []string
	for word := range words {
		sorted = append(sorted, word)
	}
	slices.Sort(sorted) // by runes, as by their numbers
	before := ""
	for i, word := range sorted {
		coded := strings.Map(func(r rune) rune {
			number, _ := slices.BinarySearch(alphabet, r)
			return rune(number) + 1
		}, word)
		if coded == "" || len(coded) > longest || !utf8.ValidString(word) || len(words[word]) == 0 {
			return nil, nil, errSpoken
		}
		shared := 0
		if i%spokenBlock == 0 {
			index = put(index, len(texts))
		} else {
			for shared < min(len(before), len(coded)-1) && before[shared] == coded[shared] {
				shared++
			}
		}
		texts = append(append(texts, byte(shared)), coded[shared:]...)
		texts[len(texts)-1] |= last
		for _, p := range words[word] {
			if p.Language < 0 || p.Language >= languages || p.Level < Listed || p.Level > Commonest {
				return nil, nil, errSpoken
			}
			texts = append(texts, byte(p.Language)<<3|byte(p.Level-1)<<1)
		}
		texts[len(texts)-1] |= lastPosting
		before = coded
	}
	return texts, index, nil
}
