// Package vocabulary holds the 60,000 commonest English words with their ranks, from GloVe (Pennington, Socher and
// Manning 2014, https://nlp.stanford.edu/projects/glove/). It reads the words in place from the program: opening them
// copies nothing and builds no map. All methods are safe for concurrent use.
//
// judge/embedding, which has the words' vectors, imports it. The function organization and the setup engine import it
// to tell common words from names.
package vocabulary

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"math"
)

// blob is the output of embedding/convert, in the layout of Encode.
//
//go:embed words.bin
var blob string

const (
	magic      = "VOC1"
	headerSize = len(magic) + 2*4
	none       = 0 // an empty slot
)

// Words are different words, commonest first.
type Words struct {
	count   int
	mask    uint32
	slots   string // 2 bytes each: the word's rank + 1
	offsets string // 4 bytes each, count+1 of them
	text    string
}

// Open opens the embedded words.
func Open() (Words, error) { return Decode(blob) }

var errWords = errors.New("vocabulary: the words are damaged")

// Decode opens the output of Encode. It checks the layout, not the words.
func Decode(blob string) (Words, error) {
	if len(blob) < headerSize || blob[:len(magic)] != magic {
		return Words{}, errWords
	}
	count, slots := int(u32(blob, len(magic))), int(u32(blob, len(magic)+4))
	rest := blob[headerSize:]
	if count > math.MaxUint16-1 || slots <= count || slots&(slots-1) != 0 || len(rest) < 2*slots+4*(count+1) {
		return Words{}, errWords
	}
	w := Words{
		count:   count,
		mask:    uint32(slots - 1),
		slots:   rest[:2*slots],
		offsets: rest[2*slots : 2*slots+4*(count+1)],
	}
	if w.text = rest[2*slots+4*(count+1):]; len(w.text) != int(u32(w.offsets, 4*count)) {
		return Words{}, errWords
	}
	return w, nil
}

// Encode writes at most 65,534 different words, commonest first. The layout has the magic, the number of words and of
// slots (a power of two), and the slots of an open hash by FNV-1a with linear probing (rank + 1, 0 for empty; 16 bits).
// Then come the beginnings of the words' texts and the end of the last (32 bits), and the texts. Numbers are little
// endian.
func Encode(words []string) []byte {
	slots := 1
	for slots < 2*len(words) {
		slots *= 2
	}
	out := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(words)))
	out = binary.LittleEndian.AppendUint32(out, uint32(slots))
	index := make([]uint16, slots)
	for rank, word := range words {
		slot := hash(word) & uint32(slots-1)
		for index[slot] != none {
			slot = (slot + 1) & uint32(slots-1)
		}
		index[slot] = uint16(rank + 1)
	}
	for _, entry := range index {
		out = binary.LittleEndian.AppendUint16(out, entry)
	}
	size := 0
	for _, word := range words {
		out = binary.LittleEndian.AppendUint32(out, uint32(size))
		size += len(word)
	}
	out = binary.LittleEndian.AppendUint32(out, uint32(size))
	for _, word := range words {
		out = append(out, word...)
	}
	return out
}

// Len returns the number of words.
func (w *Words) Len() int { return w.count }

// Rank returns a lowercase word's rank by frequency, from 0. It reports false if the word is not among them.
func (w *Words) Rank(word string) (int, bool) {
	for slot := hash(word) & w.mask; ; slot = (slot + 1) & w.mask {
		rank := int(w.slots[2*slot]) | int(w.slots[2*slot+1])<<8
		if rank == none {
			return 0, false
		}
		if w.Word(rank-1) == word {
			return rank - 1, true
		}
	}
}

// Word returns the word of a rank below Len.
func (w *Words) Word(rank int) string {
	return w.text[u32(w.offsets, 4*rank):u32(w.offsets, 4*rank+4)]
}

func u32(s string, at int) uint32 {
	return uint32(s[at]) | uint32(s[at+1])<<8 | uint32(s[at+2])<<16 | uint32(s[at+3])<<24
}

// hash returns the FNV-1a hash of 32 bits.
func hash(word string) uint32 {
	h := uint32(2166136261)
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * 16777619
	}
	return h
}
