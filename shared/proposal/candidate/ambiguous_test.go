package candidate_test

import (
	"testing"

	"earshot/shared/proposal/candidate"
)

// What the lists say, and what a sample may say against them.
func TestAmbiguous(t *testing.T) {
	for _, c := range []struct {
		name              string
		relevant, sampled int
		common, confirmed bool
	}{
		{"Trowel", 0, 0, true, false},   // nothing is known but the word
		{"Trowel", 30, 30, true, false}, // a word that is no known brand stays one
		{"Trowel", 14, 30, true, true},  // under half
		{"Apple", 0, 0, true, false},    // a known brand, and nothing seen
		{"Apple", 9, 9, true, false},    // too few
		{"apple", 27, 30, false, false}, // most mean the brand
		{"Apple", 10, 30, true, true},
		{"Twitter", 25, 30, false, false}, // known, though its list leaves it out
		{"Kubernautix", 0, 0, false, false},
		{"Kubernautix", 2, 5, false, false}, // under half, by chance
		{"Kubernautix", 0, 5, true, true},   // beyond it
		{"Kubernautix", 4, 10, true, true},
		{"Kubernautix", 5, 10, false, false},
	} {
		if common, confirmed := candidate.Ambiguous(c.name, c.relevant, c.sampled); common != c.common || confirmed != c.confirmed {
			t.Errorf("%s, %d of %d: common %v, confirmed %v", c.name, c.relevant, c.sampled, common, confirmed)
		}
	}
}
