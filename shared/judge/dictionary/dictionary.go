// Package dictionary holds what English speakers take for a word or a person's name rather than for a brand: the words
// of SCOWL up to proposal.CommonLevel, and people, places and days. It leaves out the brands that such lists have
// picked up; command convert says which. Frequency and Common know the words of other languages too, by how often each
// is written, and Rare knows more of them, by fingerprints. OfCompanies knows words that some languages use of companies,
// and OfSites those that their pages say of anything. The package reads all other words in place from the program:
// opening them copies nothing and does nothing at start.
//
// judge/relevance, proposal/candidate and proposal/sampling import it, and commands convert and proposal/site/lexicon.
package dictionary

import (
	_ "embed"
	"errors"
	"sort"
)

// blob is what convert writes; its layout is Encode's.
//
//go:embed words.bin
var blob string

// brands are those of the words that a brand is called by too, in the same form.
//
//go:embed brands.bin
var brands string

// named are those of the words that are also the name of a person, place, day or the like, in the same form.
//
//go:embed named.bin
var named string

const (
	magic     = "DIC1"
	blockSize = 16   // words that are told from the one before: a larger block saves little and is read longer
	last      = 0x80 // marks the last letter of a word
	longest   = 64   // letters
)

// Has says whether a word, in lowercase, is one. Words are of the letters a to z. It allocates nothing.
func Has(word string) bool { return has(blob, word) }

// Brand says whether a word of the dictionary is a known brand's name too, written as one word.
func Brand(word string) bool { return has(brands, word) }

// Named reports whether a word of the dictionary, in lowercase, is also the name of a person, a place or the like. English
// texts write such a word with a capital, whatever they mean.
func Named(word string) bool { return has(named, word) }

// Len is the number of words.
func Len() int { return number(blob, len(magic)) }

func has(blob, word string) bool {
	if word == "" || len(word) > longest {
		return false
	}
	blocks := (number(blob, len(magic)) + blockSize - 1) / blockSize
	texts := blob[len(magic)+4+4*blocks:]
	at := func(block int) int { return number(blob, len(magic)+4+4*block) }
	block := sort.Search(blocks, func(i int) bool { return first(texts[at(i):], word) > 0 }) - 1
	if block < 0 {
		return false
	}
	end := len(texts)
	if block+1 < blocks {
		end = at(block + 1)
	}
	var known [longest]byte
	for rest := texts[at(block):end]; rest != ""; {
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
		if string(known[:n]) == word {
			return true
		}
	}
	return false
}

// first compares the first word of a block with another: above 0 when it comes behind it.
func first(block, word string) int {
	for i := 0; ; i++ {
		letter := block[1+i]
		switch {
		case i == len(word):
			return 1
		case letter&^last != word[i]:
			return int(letter&^last) - int(word[i])
		case letter&last != 0:
			return i + 1 - len(word)
		}
	}
}

func number(s string, at int) int {
	return int(uint32(s[at]) | uint32(s[at+1])<<8 | uint32(s[at+2])<<16 | uint32(s[at+3])<<24)
}

func put(to []byte, n int) []byte { return append(to, byte(n), byte(n>>8), byte(n>>16), byte(n>>24)) }

var errWords = errors.New("dictionary: words must be sorted, all different and of 1 to 64 letters a to z")

// Encode writes words, which are sorted: the magic, their number, where each block of sixteen begins among the texts
// (both 32 bits, little endian), and the texts. Each is how many letters it shares with the one before in its block
// (one byte, 0 for the first) and the letters behind them, the last of which has its highest bit set.
func Encode(words []string) ([]byte, error) {
	var index, texts []byte
	for i, word := range words {
		if !encodable(word) || i > 0 && words[i-1] >= word {
			return nil, errWords
		}
		shared := 0
		if i%blockSize == 0 {
			index = put(index, len(texts))
		} else {
			for shared < len(words[i-1]) && words[i-1][shared] == word[shared] {
				shared++
			}
		}
		texts = append(append(texts, byte(shared)), word[shared:]...)
		texts[len(texts)-1] |= last
	}
	return append(append(put([]byte(magic), len(words)), index...), texts...), nil
}

func encodable(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return word != "" && len(word) <= longest
}
