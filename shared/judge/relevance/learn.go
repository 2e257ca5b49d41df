package relevance

import (
	"math"

	"earshot/shared/judge/embedding"
)

// A correction is what labels add to the evidence of profile and exclude terms. It is a logistic regression on the
// meaning of posts, with that evidence as its offset. Without labels it changes nothing, and each label changes
// something.
type correction struct {
	direction vector
	bias      float32
	labels    int
}

const (
	sharpness = 8   // of the evidence, as log odds a unit of cosine
	decay     = 0.1 // L2 of the direction
	biasDecay = 1   // and of the bias: what labels have in common is mostly their keyword
	rounds    = 400
)

func (s *Space) learn(subject *Subject, labels []Label) (c correction) {
	type example struct {
		meaning  vector
		offset   float32
		relevant bool
	}
	examples, relevant := make([]example, 0, len(labels)), 0
	for _, label := range labels {
		meaning, ok := readVector(label.Vector)
		if !ok {
			continue
		}
		subject.withoutKeyword(s, &meaning)
		meaning.unit()
		e := example{meaning: meaning, relevant: label.Relevant}
		// the evidence without labels, which the labels correct
		e.offset = subject.prior(true) + subject.belief(&meaning, subject.handle)
		examples = append(examples, e)
		if e.relevant {
			relevant++
		}
	}
	if len(examples) == 0 {
		return c
	}
	// Relevant and other labels count alike, whatever their numbers, because users mark what annoys them.
	n := float32(len(examples))
	share := map[bool]float32{true: (n + 2) / float32(2*relevant+2), false: (n + 2) / (2*(n-float32(relevant)) + 2)}
	// This step keeps gradient descent from diverging. It is the inverse of the loss's steepest curvature: a quarter of
	// the weights for the direction, as much for the bias, and the penalties.
	weights := share[true]*float32(relevant) + share[false]*(n-float32(relevant))
	rate := 1 / (biasDecay + weights/2)
	for range rounds {
		var gradient vector
		bias := float32(0)
		for i := range examples {
			e := &examples[i]
			miss := -probability(e.offset + c.direction.dot(&e.meaning) + c.bias)
			if e.relevant {
				miss++
			}
			miss *= share[e.relevant]
			gradient.add(&e.meaning, miss)
			bias += miss
		}
		for i := range gradient {
			c.direction[i] += rate * (gradient[i] - decay*c.direction[i])
		}
		c.bias += rate * (bias - biasDecay*c.bias)
	}
	c.labels = len(examples)
	return c
}

// withoutKeyword takes the keyword out of the meaning of a post that contains it once.
func (subject *Subject) withoutKeyword(s *Space, meaning *vector) {
	for _, word := range subject.phrase {
		if rank, ok := s.rank(word); ok {
			own := s.word(rank)
			meaning.add(&own, -embedding.Weight(rank))
		}
	}
}

func probability(logOdds float32) float32 { return float32(1 / (1 + math.Exp(-float64(logOdds)))) }
