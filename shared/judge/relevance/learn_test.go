package relevance_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"earshot/shared/judge/relevance"
	"earshot/shared/judge/words"
)

// senses are words around the two senses of "seal", and words that tell nothing.
var senses = [2][]string{
	strings.Fields("valve pump engine pressure pipe leak rubber metal oil bolt machine repair mechanic steel water tank"),
	strings.Fields("ocean whale beach pup coast island swim fish rescue arctic ice wildlife colony dolphin hunting water"),
}

var filler = strings.Fields("yesterday people new found report thing place week small long many really good told year")

// drawn returns a post about a sense: few telling words, one of them sometimes of the other sense.
func drawn(random *rand.Rand, sense int) string {
	text := []string{"the seal"}
	for range 6 {
		switch list := senses[sense]; random.IntN(8) {
		case 0, 1, 2, 3:
			text = append(text, list[random.IntN(len(list))])
		case 4:
			text = append(text, senses[1-sense][random.IntN(len(senses[1-sense]))])
		default:
			text = append(text, filler[random.IntN(len(filler))])
		}
	}
	return strings.Join(text, " ")
}

// learning returns how much of the accuracy on other posts n labels of a kind take away; below 0 they add.
func learning(s *relevance.Space, kind string, n int, seed uint64) (fall float64) {
	const held = 100
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	w := wish
	for i := range n {
		sense := random.IntN(2)
		label := relevance.Label{Relevant: sense == 1, Vector: s.Vector(s.Read(words.Cut(drawn(random, sense))))}
		switch {
		case kind == "noisy" && random.IntN(5) == 0:
			label.Relevant = !label.Relevant
		case kind == "random":
			label.Relevant = random.IntN(2) == 0
		case kind == "contradictory" && i%2 == 1:
			label = relevance.Label{Relevant: !w.Labels[i-1].Relevant, Vector: w.Labels[i-1].Vector}
		}
		w.Labels = append(w.Labels, label)
	}
	before, after := s.Subject(wish), s.Subject(w)
	for i := range held {
		text := s.Read(words.Cut(drawn(random, i%2)))
		if s.Judge(before, text, relevance.English).LogOdds > 0 == (i%2 == 1) {
			fall += 1.0 / held
		}
		if s.Judge(after, text, relevance.English).LogOdds > 0 == (i%2 == 1) {
			fall -= 1.0 / held
		}
	}
	return fall
}

// Whatever the labels, the judgement of other posts stays as good as without them, but for the sample's error. Labels
// that are right make it better.
func TestLearning_NeverWorse(t *testing.T) {
	s := space(t)
	const seeds = 10
	for kind, most := range map[string]float64{"true": -0.05, "noisy": 0.01, "random": 0.01, "contradictory": 0} {
		mean := 0.0
		for _, n := range []int{1, 3, 6, 12, 25, 50} {
			for seed := range uint64(seeds) {
				mean += learning(s, kind, n, seed) / (6 * seeds)
			}
		}
		t.Logf("%s labels lower the accuracy by %.3f", kind, mean)
		if mean > most {
			t.Errorf("%s labels lower the accuracy by %.3f in the mean, want at most %.3f", kind, mean, most)
		}
	}
}

// Labels that contradict each other and the profile change nothing, however clearly they do so.
func TestLearning_Contradictory(t *testing.T) {
	s := space(t)
	for seed := range uint64(20) {
		for _, n := range []int{12, 20, 50} {
			random := rand.New(rand.NewPCG(seed, uint64(n)))
			w := wish
			for range n / 2 {
				vector := s.Vector(s.Read(words.Cut(drawn(random, random.IntN(2)))))
				w.Labels = append(w.Labels, relevance.Label{Relevant: true, Vector: vector}, relevance.Label{Vector: vector})
			}
			before, after := s.Subject(wish), s.Subject(w)
			for i := range 20 {
				text := s.Read(words.Cut(drawn(random, i%2)))
				want, got := s.Judge(before, text, relevance.English).LogOdds, s.Judge(after, text, relevance.English).LogOdds
				if got != want {
					t.Fatalf("%d labels turn %.2f into %.2f", n, want, got)
				}
			}
		}
	}
}
