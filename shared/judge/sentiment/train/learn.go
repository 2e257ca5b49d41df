package main

import (
	"math"

	"earshot/shared/judge/sentiment/feature"
)

// A sample is one labelled text.
type sample struct {
	class int
	text  string
}

// settings were tuned on the dev parts of the data: comments, tweets and sentences about products.
type settings struct {
	scope  feature.Scope
	bits   uint
	epochs int
	rate   float64 // of AdaGrad
	decay  float64 // of a weight, an epoch
	clip   float64 // of a weight, in the range of int8
	lean   float64 // added to the bias of the negative class
	warmth float64 // divides the odds, so that the chances are those that dev shows
}

var (
	english = settings{
		scope:  feature.Whole,
		bits:   16,
		epochs: 6,
		rate:   0.05,
		decay:  0.1,
		clip:   1.5,
		lean:   0.4,
		warmth: 1,
	}
	others = settings{
		scope:  feature.Toned,
		bits:   1, // no hashed features
		epochs: 6,
		rate:   0.05,
		clip:   1.5,
		lean:   0.3,
		warmth: 1,
	}
)

// A model is the classifier in training. Each class has a bias, dense weights and bucket weights.
type model struct {
	settings
	bias    [feature.Classes]float64
	dense   [feature.Dense][feature.Classes]float64
	buckets [][feature.Classes]float32

	biasSeen    [feature.Classes]float64 // sums of squared gradients
	denseSeen   [feature.Dense][feature.Classes]float64
	bucketsSeen [][feature.Classes]float32
}

// learn fits a multinomial logistic regression by AdaGrad (Duchi, Hazan and Singer, JMLR 2011), one text after the
// other. It shuffles the order with its own generator, and rounds every product before adding it. The result is
// therefore the same in every run and on every machine.
func learn(samples []sample, vectors []feature.Vector, s settings) *model {
	m := &model{
		settings:    s,
		buckets:     make([][feature.Classes]float32, 1<<s.bits),
		bucketsSeen: make([][feature.Classes]float32, 1<<s.bits),
	}
	var frequency [feature.Classes]float64
	for _, x := range samples {
		frequency[x.class]++
	}
	var worth [feature.Classes]float64 // of one text, so that all classes count the same, however rare
	for c := range worth {
		worth[c] = float64(len(samples)) / (feature.Classes * max(frequency[c], 1))
	}
	order := make([]int, len(samples))
	for i := range order {
		order[i] = i
	}
	random := uint64(1)
	for range s.epochs {
		for i := len(order) - 1; i > 0; i-- {
			random = random*6364136223846793005 + 1442695040888963407
			j := int((random >> 33) % uint64(i+1))
			order[i], order[j] = order[j], order[i]
		}
		for _, i := range order {
			m.step(samples[i].class, &vectors[i], worth[samples[i].class])
		}
		keep := float32(1 - s.decay)
		for b := range m.buckets {
			for c := range m.buckets[b] {
				m.buckets[b][c] *= keep
			}
		}
	}
	return m
}

// step corrects the weights by one text.
func (m *model) step(class int, v *feature.Vector, worth float64) {
	words, chars := share(len(v.Words)), share(len(v.Chars))
	odds := m.odds(v, words, chars)
	chances := softmax(odds)
	var slope [feature.Classes]float64
	for c := range slope {
		slope[c] = float64(chances[c] * worth)
		if c == class {
			slope[c] -= worth
		}
		correct(&m.bias[c], &m.biasSeen[c], slope[c], m.rate)
	}
	for d, value := range v.Dense {
		for c := range slope {
			correct(&m.dense[d][c], &m.denseSeen[d][c], float64(slope[c]*float64(value)), m.rate)
		}
	}
	m.correctAll(v.Words, slope, words)
	m.correctAll(v.Chars, slope, chars)
}

func (m *model) correctAll(buckets []uint32, slope [feature.Classes]float64, share float64) {
	var gradient, squared [feature.Classes]float32
	for c := range slope {
		gradient[c] = float32(float64(slope[c] * share))
		squared[c] = float32(gradient[c] * gradient[c])
	}
	rate := float32(m.rate)
	for _, b := range buckets {
		weights, seen := &m.buckets[b], &m.bucketsSeen[b]
		for c := range weights {
			seen[c] += squared[c]
			weights[c] -= float32(rate*gradient[c]) / (float32(math.Sqrt(float64(seen[c]))) + 1e-6)
		}
	}
}

func correct(weight, seen *float64, gradient, rate float64) {
	*seen += float64(gradient * gradient)
	*weight -= float64(rate*gradient) / (math.Sqrt(*seen) + 1e-6)
}

func (m *model) odds(v *feature.Vector, words, chars float64) (odds [feature.Classes]float64) {
	var inWords, inChars [feature.Classes]float64
	for _, b := range v.Words {
		for c, w := range m.buckets[b] {
			inWords[c] += float64(w)
		}
	}
	for _, b := range v.Chars {
		for c, w := range m.buckets[b] {
			inChars[c] += float64(w)
		}
	}
	for c := range odds {
		odds[c] = m.bias[c] + float64(inWords[c]*words) + float64(inChars[c]*chars)
		for d, value := range v.Dense {
			odds[c] += float64(m.dense[d][c] * float64(value))
		}
	}
	return odds
}

func share(features int) float64 {
	if features == 0 {
		return 0
	}
	return 1 / math.Sqrt(float64(features))
}

func softmax(odds [feature.Classes]float64) (chances [feature.Classes]float64) {
	most := max(odds[0], odds[1], odds[2])
	total := 0.0
	for c, o := range odds {
		chances[c] = exp(o - most)
		total += chances[c]
	}
	for c := range chances {
		chances[c] /= total
	}
	return chances
}

// exp returns e to the x, for x of at most 0. math.Exp differs in its last bits between machines.
func exp(x float64) float64 {
	if x < -40 {
		return 0
	}
	const halvings = 10
	x /= 1 << halvings
	y := 1 + float64(x*(1+float64(x/2*(1+float64(x/3*(1+float64(x/4*(1+x/5))))))))
	for range halvings {
		y = float64(y * y)
	}
	return y
}

// file returns a model in the classifier's format.
func (m *model) file() []byte {
	w := feature.Weights{Bits: m.bits, Step: float32(m.clip / 127 / m.warmth)}
	for c := range w.Bias {
		bias := m.bias[c]
		if c == feature.Negative {
			bias += m.lean
		}
		w.Bias[c] = float32(bias / m.warmth)
		for d := range w.Dense {
			w.Dense[d][c] = float32(m.dense[d][c] / m.warmth)
		}
	}
	buckets := make([]int8, 0, feature.Classes*len(m.buckets))
	for _, b := range m.buckets {
		for _, v := range b {
			buckets = append(buckets, int8(max(-127, min(127, math.Round(float64(v)*127/m.clip)))))
		}
	}
	return feature.BuildWeights(w, buckets)
}
