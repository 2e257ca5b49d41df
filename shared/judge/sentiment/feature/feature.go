// Package feature turns a text into the features that the sentiment classifiers add up: hashed word 1- to 3-grams with
// negation marked, hashed character 3- to 5-grams, and a few dense features of valence and tone. It also defines the
// layouts of the four kinds of table, weights, lexicon, tones and phrases, which it reads in place.
//
// Only the classifier and its training program import it, so that both see the same features.
package feature

import "math"

// Dense is the number of dense features.
const Dense = 14

// MaxBits bounds the number of buckets, 2^bits.
const MaxBits = 16

// A Vector holds a text's features. Words and Chars hold the buckets of the hashed features, each once. Each bucket is
// worth one over the square root of their number.
type Vector struct {
	Dense [Dense]float32
	Words []uint32
	Chars []uint32
}

// Tables give the words, emoticons and emoji of a text their values.
type Tables struct {
	Lexicon Lexicon
	Tones   Tones
	Phrases Phrases
	Net     Net // judges English texts beside the weights, if there is one
}

// A Scope tells which features of a text count.
type Scope uint8

const (
	// Whole is for English: all features.
	Whole Scope = iota
	// Toned is for any language of the tones. The lexicon's words and the hashed features, which are English, are left
	// out. A classifier that learned from English texts in this scope therefore judges every language of the table.
	Toned
)

// Extract writes the features of a text into v, for 2^bits buckets. It reads the first maxScanned bytes, and at most
// maxBytes of tokens. It overwrites the vector's slices.
func Extract(t *Tables, language Language, scope Scope, text string, bits uint, v *Vector) {
	var r reading
	r.read(t, language, scope, text)
	v.Words, v.Chars = v.Words[:0], v.Chars[:0]
	if scope == Whole {
		r.words(bits, func(b uint32) { v.Words = append(v.Words, b) })
		r.chars(bits, func(b uint32) { v.Chars = append(v.Chars, b) })
	}
	v.Dense = r.dense()
}

const (
	salt1     = 0x243f6a8885a308d3 // pi's digits: words, pairs, triples and negated words are different features
	salt2     = 0x13198a2e03707344
	salt3     = 0xa4093822299f31d0
	saltNot   = 0x082efa98ec4e6c89
	saltChars = 0x452821e638d01377
)

// scope is the number of words that a negation reaches. Punctuation ends it earlier.
const scope = 3

// words calls give with the buckets of the word n-grams.
func (r *reading) words(bits uint, give func(bucket uint32)) {
	var s set
	put := func(hash uint64) {
		if b := bucket(hash, bits); s.add(b) {
			give(b)
		}
	}
	var before, before2 uint64
	reach := 0
	for i := range r.tokens[:r.count] {
		t := &r.tokens[i]
		if t.turned {
			before, before2, reach = 0, 0, 0
			put(t.hash ^ saltNot)
			continue
		}
		put(t.hash ^ salt1)
		if before != 0 {
			put((before*3 + t.hash) ^ salt2)
		}
		if before2 != 0 {
			put((before2*9 + before*3 + t.hash) ^ salt3)
		}
		before2, before = before, t.hash
		switch {
		case t.kind == mark:
			reach = 0
		case t.negates:
			reach = scope
		case reach > 0:
			reach--
			put(t.hash ^ saltNot)
		}
	}
}

// chars calls give with the buckets of the character n-grams. It takes bytes for characters, as they are in English. It
// leaves out what stands before the end of turned words.
func (r *reading) chars(bits uint, give func(bucket uint32)) {
	var s set
	put := func(hash uint64) {
		if b := bucket(hash, bits); s.add(b) {
			give(b)
		}
	}
	b := r.bytes[r.turned:r.length]
	for i := 0; i+3 <= len(b); i++ {
		hash := add(add(add(basis, b[i]), b[i+1]), b[i+2])
		put(hash ^ saltChars)
		if i+4 <= len(b) {
			hash = add(hash, b[i+3])
			put(hash ^ saltChars)
		}
		if i+5 <= len(b) {
			hash = add(hash, b[i+4])
			put(hash ^ saltChars)
		}
	}
}

// dense sums the valences as VADER does. The three words before a word boost and negate it. So do capitals, if fewer
// than half of the words are in capitals. The sides of a "but" have different weights.
func (r *reading) dense() (d [Dense]float32) {
	words, capitals, exclaims, asks := 0, 0, 0, 0
	var faces float32
	for i := range r.tokens[:r.count] {
		t := &r.tokens[i]
		switch {
		case t.kind == word:
			words++
			if t.capital {
				capitals++
			}
		case t.kind == face:
			faces += t.valence
		case r.bytes[t.start] == '!':
			exclaims++
		case r.bytes[t.start] == '?':
			asks++
		}
	}
	mixed := capitals*2 < words
	var positive, negative, highest, lowest float32
	weight := float32(1)
	for i := range r.tokens[:r.count] {
		t := &r.tokens[i]
		if t.kind == word && string(r.bytes[t.start:t.end]) == "but" {
			positive, negative, weight = positive/2, negative/2, 1.5
		}
		v := t.valence
		if v == 0 {
			continue
		}
		sign := float32(1)
		if v < 0 {
			sign = -1
		}
		if t.kind == word {
			if t.capital && mixed {
				v += float32(sign * capitalsBoost)
			}
			damp, turned := float32(1), false
			for back := 1; back <= 3 && i-back >= 0; back++ {
				p := &r.tokens[i-back]
				if p.kind == mark {
					break
				}
				v += float32(float32(sign*p.boosts) * damp)
				damp -= 0.05
				turned = turned || p.negates
			}
			if turned || t.turned {
				v = float32(v * negated)
			}
		}
		v = float32(v * weight)
		if v > 0 {
			positive += v
		} else {
			negative += v
		}
		highest, lowest = max(highest, v), min(lowest, v)
	}
	share := float32(words) + 1
	tones := r.tones()
	return [Dense]float32{
		squash(positive + negative), squash(positive), squash(negative), highest / 4, lowest / 4,
		float32(min(exclaims, 3)) / 3, float32(min(asks, 2)) / 2, float32(capitals) / share,
		float32(words) / (share + 10),
		tones.sum.Negative, tones.sum.Positive, tones.highest, tones.lowest, squash(faces),
	}
}

// toned sums up the tones of a text's words.
type toned struct {
	sum             Tone    // over the square root of the number of words that the table has
	highest, lowest float32 // of positive less negative
}

func (r *reading) tones() (sum toned) {
	if r.known == 0 {
		return sum
	}
	for i := range r.tokens[:r.count] {
		t := &r.tokens[i]
		sum.sum.Negative += t.tone.Negative
		sum.sum.Positive += t.tone.Positive
		side := t.tone.Positive - t.tone.Negative
		sum.highest, sum.lowest = max(sum.highest, side), min(sum.lowest, side)
	}
	share := float32(math.Sqrt(float64(r.known)))
	sum.sum.Negative /= share
	sum.sum.Positive /= share
	return sum
}

func squash(sum float32) float32 {
	return sum / float32(math.Sqrt(float64(float32(sum*sum)+spread)))
}
