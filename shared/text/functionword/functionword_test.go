package functionword_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/shared/text/functionword"
)

func TestIn(t *testing.T) {
	for _, language := range functionword.Languages() {
		words := functionword.In(language)
		if len(words) < 20 {
			t.Errorf("In(%q) has %d words only", language, len(words))
		}
		for i, word := range words {
			if word != strings.ToLower(word) || slices.Contains(words[:i], word) {
				t.Errorf("In(%q): %q is not in lowercase, or there twice", language, word)
			}
		}
	}
	for language, word := range map[string]string{
		"english": "the", "german": "die", "dutch": "het", "hindi": "के", "polish": "że", "swedish": "och",
	} {
		if !slices.Contains(functionword.In(language), word) {
			t.Errorf("In(%q) has no %q", language, word)
		}
	}
	if slices.Contains(functionword.In("polish"), "och") {
		t.Error("Polish has Swedish words")
	}
	if slices.Contains(functionword.In("english"), "die") || len(functionword.In("")) > 0 {
		t.Error("a language has words of another, or an unknown one has some")
	}
}

// Who changes a list that was returned changes it for nobody else.
func TestIn_OwnCopy(t *testing.T) {
	functionword.In("english")[0] = "changed"
	if functionword.In("english")[0] != "a" {
		t.Error("In returned a shared list")
	}
}
