package relevance

import (
	"encoding/binary"
	"math"
	"strings"

	"earshot/shared/judge/dictionary"
	"earshot/shared/judge/embedding"
	"earshot/shared/judge/words"
)

// A Space gives words their meaning.
type Space struct {
	table  embedding.Table
	mean   vector   // in units of embedding.Step
	common []vector // directions that tell nothing of a subject, of length 1
}

// New opens the space.
func New() (*Space, error) {
	table, err := embedding.Open()
	if err != nil {
		return nil, err
	}
	s := &Space{table: table, mean: table.Mean()}
	for _, direction := range table.Common() {
		s.common = append(s.common, direction)
	}
	return s, nil
}

// A Text is a post's words with their ranks in the space.
type Text struct {
	words  []words.Word
	ranks  []int32 // -1: the space lacks the word
	spoken int     // words of letters
	known  int     // those of them that the space has
}

// Read looks up a post's words.
func (s *Space) Read(cut []words.Word) Text {
	t := Text{words: cut, ranks: make([]int32, len(cut))}
	for i, word := range cut {
		t.ranks[i] = -1
		if word.Kind != words.Letters {
			continue
		}
		t.spoken++
		if rank, ok := s.rank(word.Text); ok {
			t.ranks[i] = int32(rank)
			t.known++
		}
	}
	return t
}

// rank looks up a word. For a genitive it looks up the word itself. It finds no contractions ("don't"), which have no
// meaning and would pass for names.
func (s *Space) rank(word string) (int, bool) {
	if at := strings.IndexByte(word, '\''); at >= 0 {
		if word[at:] != "'s" {
			return 0, false
		}
		word = word[:at]
	}
	return s.table.Rank(word)
}

// English reports whether most words are English. It is for a text of unknown language.
func (t Text) English() bool { return t.known > 0 && 10*t.known >= 6*t.spoken }

// speaks reports whether a text has a word of a language that English lacks. A few English words may pass for another
// language.
func (t Text) speaks(language string) bool {
	for i := range t.words {
		word := &t.words[i]
		if word.Kind == words.Letters && dictionary.Frequency(word.Text, language) > dictionary.Unlisted &&
			!dictionary.Has(word.Text) {
			return true
		}
	}
	return false
}

type vector [embedding.Dimensions]float32

// dot has four sums, which do not wait for one another.
func (v *vector) dot(w *vector) float32 {
	var sums [4]float32
	for i := 0; i < embedding.Dimensions; i += 4 {
		sums[0] += v[i] * w[i]
		sums[1] += v[i+1] * w[i+1]
		sums[2] += v[i+2] * w[i+2]
		sums[3] += v[i+3] * w[i+3]
	}
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// unit scales v to length 1. A zero vector stays as it is.
func (v *vector) unit() {
	length := float32(math.Sqrt(float64(v.dot(v))))
	if length == 0 {
		return
	}
	for i := range v {
		v[i] /= length
	}
}

func (v *vector) add(w *vector, share float32) {
	for i := range v {
		v[i] += share * w[i]
	}
}

// leaveCommon takes out of v what is common to all words.
func (s *Space) leaveCommon(v *vector) {
	for i := range s.common {
		v.add(&s.common[i], -s.common[i].dot(v))
	}
}

// word returns the meaning of the word of a rank, without what is common to all words. Its length is not 1.
func (s *Space) word(rank int) (v vector) {
	v = s.whole(rank)
	s.leaveCommon(&v)
	return v
}

// whole returns the vector of the word of a rank, without the mean of all words.
func (s *Space) whole(rank int) (v vector) {
	coordinates := s.table.Vector(rank)
	for i := range v {
		v[i] = float32(int8(coordinates[i])) - s.mean[i]
	}
	return v
}

// A sum adds words by their weights, in whole numbers, because that is most of the work.
type sum struct {
	parts [embedding.Dimensions]int32
	total int32 // of the weights
}

// weightParts is the unit of a weight. With maxWords words of 8 bits a sum keeps within 32 bits.
const weightParts = 1024

func (a *sum) add(coordinates string, weight float32) {
	w := int32(weight*weightParts + 0.5)
	a.total += w
	_ = coordinates[embedding.Dimensions-1]
	for i := range a.parts {
		a.parts[i] += w * int32(int8(coordinates[i]))
	}
}

// vector returns the sum without the mean of all words. Its length is not 1. What is kept of a post is this vector, so
// that it does not depend on what is common to all words.
func (a *sum) vector(mean *vector) (v vector) {
	for i, part := range a.parts {
		v[i] = (float32(part) - float32(a.total)*mean[i]) / weightParts
	}
	return v
}

// weight returns the sum of the weights, about the number of telling words.
func (a *sum) weight() float32 { return float32(a.total) / weightParts }

const (
	maxWords   = 256 // words of a text that are weighed
	vectorForm = 1
	vectorSize = 1 + 4 + embedding.Dimensions
)

// Vector returns the meaning of the whole text in the form that is stored for learning: a version, the step (32 bits of
// a float, little endian), and the coordinates in steps, one byte each. It returns nil if the space has none of the
// words.
func (s *Space) Vector(t Text) []byte {
	total := s.sumWords(t, nil)
	meaning, largest := total.vector(&s.mean), float32(0)
	for _, value := range meaning {
		largest = max(largest, value, -value)
	}
	if total.total == 0 || largest == 0 {
		return nil
	}
	out := make([]byte, vectorSize)
	out[0] = vectorForm
	step := largest / 127
	binary.LittleEndian.PutUint32(out[1:], math.Float32bits(step))
	for i, value := range meaning {
		out[5+i] = byte(int8(math.RoundToEven(float64(value / step))))
	}
	return out
}

// readVector reads the output of Vector. It reports false for anything else.
func readVector(kept []byte) (v vector, ok bool) {
	if len(kept) != vectorSize || kept[0] != vectorForm {
		return v, false
	}
	step := math.Float32frombits(binary.LittleEndian.Uint32(kept[1:]))
	if !(step > 0 && step < 1e6) {
		return v, false
	}
	for i := range v {
		v[i] = step * float32(int8(kept[5+i]))
	}
	return v, true
}

// sumWords sums the first words of a text by their Weight, without those to skip.
func (s *Space) sumWords(t Text, skip []int32) (a sum) {
	for _, rank := range t.ranks[:min(len(t.ranks), maxWords)] {
		if rank >= 0 && !among(rank, skip) {
			a.add(s.table.Vector(int(rank)), embedding.Weight(int(rank)))
		}
	}
	return a
}

func among(rank int32, ranks []int32) bool {
	for _, r := range ranks {
		if r == rank {
			return true
		}
	}
	return false
}
