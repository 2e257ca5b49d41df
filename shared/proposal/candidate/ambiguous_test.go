package candidate_test

import (
	"testing"

	"earshot/shared/proposal/candidate"
)

// Every day is enough in any language. What is rarer counts where the language is spoken, unless the sample clears it.
func TestAmbiguous_OtherLanguages(t *testing.T) {
	for _, c := range []struct {
		name              string
		relevant, sampled int
		languages         []string
		common, confirmed bool
	}{
		{"Vivo", 30, 30, []string{"portuguese"}, true, false}, // said every day, whatever the judge makes of it
		{"Vivo", 30, 30, nil, true, false},
		{"Vivo", 3, 30, []string{"portuguese"}, true, true},
		{"Boulanger", 0, 0, []string{"french"}, true, false},
		{"Boulanger", 9, 9, []string{"french"}, true, false},    // too few
		{"Boulanger", 27, 30, []string{"french"}, false, false}, // most mean the company
		{"Boulanger", 10, 30, []string{"french"}, true, true},
		{"Boulanger", 0, 0, []string{"german"}, false, false},
		{"Boulanger", 0, 0, nil, false, false},
	} {
		if common, confirmed := candidate.Ambiguous(c.name, c.relevant, c.sampled, c.languages...); common != c.common ||
			confirmed != c.confirmed {
			t.Errorf("%s in %q, %d of %d: common %v, confirmed %v", c.name, c.languages, c.relevant, c.sampled, common, confirmed)
		}
	}
}

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
		{"Twitter", 25, 30, false, false}, // known, though its list has left it out
		{"Yahoo", 25, 30, false, false},   // so is one that is listed with a mark
		{"HP", 0, 0, true, false},         // initials, and nothing seen
		{"HP", 9, 9, true, false},         // too few
		{"HP", 24, 30, false, false},      // most mean the company
		{"3M", 24, 30, false, false},
		{"GE", 24, 30, false, false}, // the dictionary has it
		{"HP", 20, 30, true, false},  // many do not
		{"HP", 10, 30, true, true},
		{"Up", 30, 30, true, false}, // a word
		{"hp", 30, 30, true, false},
		{"X", 30, 30, true, false}, // one character
		{"42", 30, 30, true, false},
		{"Kubernautix", 0, 0, false, false},
		{"Kubernautix", 2, 5, false, false}, // under half, by chance
		{"Kubernautix", 0, 5, true, true},   // beyond it
		{"Kubernautix", 4, 10, true, true},
		{"Kubernautix", 5, 10, false, false},
	} {
		if common, confirmed := candidate.Ambiguous(c.name, c.relevant, c.sampled); common != c.common ||
			confirmed != c.confirmed {
			t.Errorf("%s, %d of %d: common %v, confirmed %v", c.name, c.relevant, c.sampled, common, confirmed)
		}
	}
}
