package feature

import (
	"encoding/binary"
	"errors"
	"math"
)

// Classes are the sentiments in the order of the weights.
const (
	Negative = iota
	Neutral
	Positive
	Classes
)

// Weights are a trained classifier: for each class a bias, a weight for each dense feature and one for each bucket of
// the hashed ones. The file is used where it lies; numbers are little-endian:
//
//	"SNT1"
//	u32                   bits of the number of buckets
//	f32                   step: what 1 in a bucket is worth
//	3 × f32               biases
//	Dense × 3 × f32       weights of the dense features
//	2^bits × 3 × i8       weights of the buckets, in steps
type Weights struct {
	Bits    uint
	Step    float32
	Bias    [Classes]float32
	Dense   [Dense][Classes]float32
	buckets string
}

const (
	weightsMagic = "SNT1"
	weightsHead  = 4 + 4 + 4 + Classes*4 + Dense*Classes*4
)

// OpenWeights reads a file's head.
func OpenWeights(file string) (Weights, error) {
	if len(file) < weightsHead || file[:4] != weightsMagic {
		return Weights{}, errors.New("feature: not a file of weights")
	}
	at := 8
	next := func() float32 { at += 4; return math.Float32frombits(u32(file[at-4:])) }
	w := Weights{Bits: uint(u32(file[4:])), Step: next()}
	if w.Bits < 1 || w.Bits > MaxBits || len(file) != weightsHead+Classes<<w.Bits {
		return Weights{}, errors.New("feature: the weights are truncated or have a wrong size")
	}
	for c := range w.Bias {
		w.Bias[c] = next()
	}
	for d := range w.Dense {
		for c := range w.Dense[d] {
			w.Dense[d][c] = next()
		}
	}
	w.buckets = file[at:]
	return w, nil
}

// BuildWeights writes a file. buckets holds the classes' weights of each bucket in turn, in steps.
func BuildWeights(w Weights, buckets []int8) []byte {
	file := binary.LittleEndian.AppendUint32([]byte(weightsMagic), uint32(w.Bits))
	put := func(f float32) { file = binary.LittleEndian.AppendUint32(file, math.Float32bits(f)) }
	put(w.Step)
	for _, b := range w.Bias {
		put(b)
	}
	for _, d := range w.Dense {
		for _, v := range d {
			put(v)
		}
	}
	for _, b := range buckets {
		file = append(file, byte(b))
	}
	return file
}

// Seen tells about a text besides its odds.
type Seen struct {
	Tokens int              // words, emoticons and emoji
	Known  int              // words that have a tone
	Faces  float32          // sum of the valences of emoticons and emoji
	Heard  bool             // a phrase that tells
	Lean   [Classes]float32 // what phrases added to the odds
}

// Odds returns the logarithms of the classes' odds for a text, up to a constant that they share. Its bounds are
// Extract's. Unlike Extract it turns ironic praise and hears phrases, of which the training texts have too few to
// learn from.
func (w *Weights) Odds(t *Tables, language Language, scope Scope, text string) (odds [Classes]float32, seen Seen) {
	var r reading
	r.split(&t.Lexicon, language, scope, text)
	r.turn(language)
	r.mock(language)
	whole := r.count
	lean, heard := r.hear(&t.Phrases, language)
	seen.Heard, seen.Lean = heard, lean
	r.listen(&t.Tones, language)
	var words, chars sum
	if scope == Whole {
		r.words(w.Bits, func(b uint32) { words.add(w, b) })
		r.chars(w.Bits, func(b uint32) { chars.add(w, b) })
	}
	dense := r.dense()
	for i := range r.tokens[:r.count] {
		if r.tokens[i].kind != mark {
			seen.Tokens++
		}
		if r.tokens[i].kind == face {
			seen.Faces += r.tokens[i].valence
		}
	}
	seen.Known = r.known
	for c := range odds {
		odds[c] = w.Bias[c] + w.Step*(words.share(c)+chars.share(c))
		for d, value := range dense {
			odds[c] += value * w.Dense[d][c]
		}
	}
	if scope == Whole {
		other, known := t.Net.judge(&r)
		share := float32(known * netShare)
		if r.count < whole {
			share = float32(known * restShare)
		}
		for c := range odds {
			odds[c] += float32((other[c] - odds[c]) * share)
		}
	}
	for c := range odds {
		odds[c] += lean[c]
	}
	if heard && language == English {
		for c := range odds {
			odds[c] *= doubt
		}
	}
	return odds, seen
}

// netShare is how much of the odds of a text the net tells if it knows all of its words.
const netShare = 0.7

// restShare is the same for what a phrase leaves of a text. The net learned from whole texts.
const restShare = 0.4

// doubt tempers the odds of an English text that has a phrase, so that its chances are those that dev shows.
const doubt = 0.8

// A sum adds the buckets of one group of features, in steps.
type sum struct {
	classes [Classes]int32
	count   int32
}

func (s *sum) add(w *Weights, bucket uint32) {
	at := Classes * int(bucket)
	held := w.buckets[at : at+Classes]
	for c := range s.classes {
		s.classes[c] += int32(int8(held[c]))
	}
	s.count++
}

func (s *sum) share(class int) float32 {
	if s.count == 0 {
		return 0
	}
	return float32(s.classes[class]) / float32(math.Sqrt(float64(s.count)))
}

// Best returns the class with the best odds, or Neutral if several are best.
func Best(odds [Classes]float32) int {
	best := Neutral
	for c, o := range odds {
		if o > odds[best] {
			best = c
		}
	}
	return best
}
