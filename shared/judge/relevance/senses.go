package relevance

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"earshot/shared/judge/embedding"
)

// The neighbours of a word are those that stand nearest to it in the space. They tell its senses: those of "java" are
// of software, of coffee and of an island. The numbers are the best of some seventy settings on the train part of eight
// senses (judge/accuracy).
const (
	mostNeighbours = 40
	firstNeighbour = 200 // ranks: commoner words stand near any word
	lastNeighbour  = 30_000
	leastNearness  = 0.3 // cosine
	shortest       = 80  // no neighbour's vector is shorter, without what is common to all words

	kinShare      = 0.4 // of the nearness to what is meant, that of kin
	usualNearness = 0.2 // of a text to the others
	groundRise    = 0.5 // how much the background rises with the nearness to the others
	nearest       = 6   // sharpness of the soft maximum
	enoughTerms   = 8   // exclude terms from which on the middle counts in full
)

// senses are the neighbours of a subject's word, of length 1, by what they speak for.
type senses struct {
	kin    []vector // nearer to the profile than to anything else
	others []vector
	middle float32 // evidence that is even, with exclude terms
}

// sensesOf finds the senses of a subject that has a profile and whose keyword is a word with several. It takes a few
// milliseconds.
func (s *Space) sensesOf(subject *Subject) (found senses) {
	rank, known := s.rank(subject.word)
	if !known || !subject.profiled || subject.distinctive {
		return senses{}
	}
	name := s.word(rank)
	name.unit()
	middle := name.dot(&s.mean)
	type neighbour struct {
		rank   int
		cosine float32
	}
	var near []neighbour
	for rank := firstNeighbour; rank < min(lastNeighbour, s.table.Len()); rank++ {
		length := along(&name, s.table.Vector(rank)) - middle
		if length <= leastNearness*shortest { // as nearly all
			continue
		}
		meaning := s.word(rank)
		cosine := length / float32(math.Sqrt(float64(meaning.dot(&meaning))))
		if cosine <= leastNearness {
			continue
		}
		if word := s.table.Word(rank); !strings.HasPrefix(word, subject.word) && !strings.HasPrefix(subject.word, word) {
			near = append(near, neighbour{rank, cosine})
		}
	}
	slices.SortStableFunc(near, func(a, b neighbour) int { return cmp.Compare(b.cosine, a.cosine) })
	for _, n := range near[:min(len(near), mostNeighbours)] {
		meaning := s.word(n.rank)
		meaning.unit()
		other := float32(background)
		if len(subject.excludes) > 0 {
			other = max(other, subject.nearnessToExcludes(&meaning))
		}
		if profileShare*subject.profile.dot(&meaning) > other {
			found.kin = append(found.kin, meaning)
		} else {
			found.others = append(found.others, meaning)
		}
	}
	return found
}

// middle returns the evidence halfway between that on the words of the profile and that on the exclude terms, each
// judged by the others. Words of one profile are nearer to each other than those of another, and so are exclude terms,
// which may be of one sense or of five. The fewer they are, the less they tell.
func (s *Space) middle(subject Subject, found senses, profile []part) float32 {
	if len(subject.excludes) == 0 || !subject.profiled || subject.distinctive {
		return 0
	}
	subject.senses = func() senses { return found }
	var wanted, unwanted, weights float32
	terms := slices.Clone(subject.excludes)
	for i := range terms {
		terms[0], terms[i] = terms[i], terms[0]
		subject.excludes = terms[1:]
		unwanted += terms[0].share * subject.evidence(&terms[0].meaning)
	}
	subject.excludes = terms
	var whole vector
	for _, p := range profile {
		word := s.word(p.rank)
		whole.add(&word, p.share)
	}
	for _, p := range profile {
		word, weight := s.word(p.rank), embedding.Weight(p.rank)
		subject.profile = whole
		subject.profile.add(&word, -p.share)
		subject.profile.unit()
		word.unit()
		wanted += weight * subject.evidence(&word)
		weights += weight
	}
	return min(1, float32(len(terms))/enoughTerms) * (wanted/weights + unwanted) / 2
}

// along returns the length of a word's vector along a direction. Four sums do not wait for one another.
func along(direction *vector, coordinates string) float32 {
	var sums [4]float32
	_ = coordinates[embedding.Dimensions-1]
	for i := 0; i < embedding.Dimensions; i += 4 {
		sums[0] += direction[i] * float32(int8(coordinates[i]))
		sums[1] += direction[i+1] * float32(int8(coordinates[i+1]))
		sums[2] += direction[i+2] * float32(int8(coordinates[i+2]))
		sums[3] += direction[i+3] * float32(int8(coordinates[i+3]))
	}
	return sums[0] + sums[1] + sums[2] + sums[3]
}

// nearness is that of a meaning of length 1 to a list, in cosines, of which the nearest counts most.
func nearness(list []vector, meaning *vector) float32 {
	mass := 0.0
	for i := range list {
		mass += math.Exp(nearest * float64(list[i].dot(meaning)))
	}
	return float32(math.Log(mass/float64(len(list))) / nearest)
}
