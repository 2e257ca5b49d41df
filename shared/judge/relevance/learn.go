package relevance

import (
	"math"

	"earshot/shared/judge/embedding"
)

// A correction is what labels add to the evidence of profile and exclude terms. It is a logistic regression on the
// meaning of posts, with that evidence as its offset. Without labels it changes nothing. Its strength is what
// cross-validation supports, down to none for labels that contradict each other.
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

	folds      = 5   // of cross-validation
	foldRounds = 100 // enough for the sign of a judgement
	fewest     = 6   // labels from which on they are cross-validated
	chance     = 0.5 // balanced accuracy of labels that follow from nothing
	certain    = 0.5 // standard errors of the accuracy that may be luck
	noLuck     = 1.8 // standard errors of what is mended, beyond which it is no luck
	supported  = 0.8 // balanced accuracy from which on a correction counts in full
)

// An example is a label with the evidence that it corrects.
type example struct {
	meaning  vector
	offset   float32
	relevant bool
}

func (s *Space) learn(subject *Subject, labels []Label) correction {
	examples := make([]example, 0, len(labels))
	for _, label := range labels {
		meaning, ok := readVector(label.Vector)
		if !ok {
			continue
		}
		s.leaveCommon(&meaning)
		subject.withoutKeyword(s, &meaning)
		meaning.unit()
		e := example{meaning: meaning, relevant: label.Relevant}
		// the evidence without labels, which the labels correct
		e.offset = subject.prior(subject.distinctive, true, false) + subject.belief(&meaning, subject.handle)
		examples = append(examples, e)
	}
	strength := support(examples)
	if strength == 0 {
		return correction{}
	}
	c := fit(examples, rounds)
	c.bias *= strength
	for i := range c.direction {
		c.direction[i] *= strength
	}
	return c
}

// support returns how much of a correction by the examples is supported by cross-validation, 0 to 1. Contradictory
// labels predict one another no better than chance. Labels that make the judgement of others worse than it is without
// them are not supported either.
func support(examples []example) float32 {
	if len(examples) < fewest { // too few to tell: they may draw, but not decide
		return float32(len(examples)) / (2 * fewest)
	}
	var right, all [2]float32 // by class
	better, worse := 0, 0
	rest := make([]example, 0, len(examples))
	for fold := range folds {
		rest = rest[:0]
		for i, e := range examples {
			if i%folds != fold {
				rest = append(rest, e)
			}
		}
		c := fit(rest, foldRounds)
		for i := fold; i < len(examples); i += folds {
			e, class := &examples[i], 0
			if e.relevant {
				class = 1
			}
			all[class]++
			before := e.offset > 0 == e.relevant
			after := e.offset+c.direction.dot(&e.meaning)+c.bias > 0 == e.relevant
			if after {
				right[class]++
			}
			switch {
			case after && !before:
				better++
			case before && !after:
				worse++
			}
		}
	}
	accuracy, variance, classes := float32(0), float32(0), float32(0)
	for class := range all {
		if all[class] > 0 {
			accuracy += right[class] / all[class]
			variance += chance * (1 - chance) / all[class] // of labels that follow from nothing
			classes++
		}
	}
	luck := float32(math.Sqrt(float64(variance))) / classes
	strength := max(0, (accuracy/classes-certain*luck-chance)/(supported-chance))
	if worse+better > 0 {
		gain := float32(better-worse) / float32(math.Sqrt(float64(worse+better))) // in standard errors
		strength = max(strength*max(0, min(1+gain, 1)), gain-noLuck)
	}
	return min(max(strength, 0), 1)
}

// fit returns the correction that explains the examples.
func fit(examples []example, rounds int) (c correction) {
	relevant := 0
	for i := range examples {
		if examples[i].relevant {
			relevant++
		}
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
