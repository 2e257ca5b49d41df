package filter

import (
	"encoding/binary"
	"slices"
	"strings"

	"earshot/shared/text/fold"
)

// phrases are the values of the conditions on Text.
type phrases struct {
	literals []literal           // the values without a word, such as "???"
	byWord   map[string][]phrase // by the first word
	// present has a bit for each hash of a first word. Few rows have any of them, which this shows without a lookup.
	present []uint64
	byHash  map[uint16][]phrase
	terms   []uint32 // of all words, sorted
}

// A phrase is one or more words, side by side.
type phrase struct {
	words  []string
	hashes []uint16
	bit    int
}

// A literal is a sequence of folded characters that may occur anywhere.
type literal struct {
	text string
	bit  int
}

func (s *phrases) add(text string, bit int) {
	words := words(text)
	if len(words) == 0 {
		if text = fold.Canonical(text); text != "" {
			s.literals = append(s.literals, literal{text, bit})
		}
		return
	}
	if s.byWord == nil {
		s.byWord = map[string][]phrase{}
	}
	added := phrase{words: words, bit: bit}
	for _, word := range words {
		added.hashes = append(added.hashes, hash(word))
	}
	s.byWord[words[0]] = append(s.byWord[words[0]], added)
}

// settle makes the index by hashes.
func (s *phrases) settle() {
	if s.byWord == nil {
		return
	}
	s.present, s.byHash = make([]uint64, 1<<16/64), map[uint16][]phrase{}
	for _, starting := range s.byWord {
		for _, one := range starting {
			for _, word := range one.words {
				s.terms = append(s.terms, termOf(word))
			}
		}
		first := starting[0].hashes[0]
		s.present[first/64] |= 1 << (first % 64)
		s.byHash[first] = append(s.byHash[first], starting...)
	}
	slices.Sort(s.terms)
	s.terms = slices.Compact(s.terms)
}

// inDigest adds to bits the conditions whose words may all be in a text with this digest.
func (s *phrases) inDigest(sorted []byte, bits set) {
	for _, l := range s.literals {
		bits.add(l.bit)
	}
	if s.present == nil {
		return
	}
	for i := 0; i < len(sorted); i += 2 {
		h := binary.BigEndian.Uint16(sorted[i:])
		if s.present[h/64]>>(h%64)&1 == 0 {
			continue
		}
	search:
		for _, candidate := range s.byHash[h] {
			for _, other := range candidate.hashes[1:] {
				if !holds(sorted, other) {
					continue search
				}
			}
			bits.add(candidate.bit)
		}
	}
}

// inText adds to bits the conditions whose words are in a text.
func (s *phrases) inText(text string, bits set) {
	text = fold.Canonical(text)
	for _, l := range s.literals {
		if strings.Contains(text, l.text) {
			bits.add(l.bit)
		}
	}
	s.side(split(text), bits)
}

// side adds to bits the conditions whose words are side by side among those found.
func (s *phrases) side(found []string, bits set) {
	for i, word := range found {
	search:
		for _, candidate := range s.byWord[word] {
			if len(candidate.words) > len(found)-i {
				continue
			}
			for j, other := range candidate.words {
				if found[i+j] != other {
					continue search
				}
			}
			bits.add(candidate.bit)
		}
	}
}
