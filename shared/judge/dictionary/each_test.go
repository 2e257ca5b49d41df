package dictionary_test

import (
	"testing"

	"earshot/shared/judge/dictionary"
)

func TestAll(t *testing.T) {
	words := 0
	for word := range dictionary.All() {
		if words++; !dictionary.Has(word) {
			t.Fatalf("All yields %q, which Has does not know", word)
		}
	}
	if words != dictionary.Len() {
		t.Errorf("All yields %d words, want %d", words, dictionary.Len())
	}
}

func TestLevels(t *testing.T) {
	const least = 5_000 // words
	for _, language := range dictionary.Spoken() {
		words := 0
		for word, level := range dictionary.Levels(language) {
			if words++; dictionary.Frequency(word, language) != level {
				t.Fatalf("Levels(%s) yields %q at %d, and Frequency says %d", language, word, level,
					dictionary.Frequency(word, language))
			}
		}
		if words < least {
			t.Errorf("Levels(%s) yields %d words", language, words)
		}
	}
	for word := range dictionary.Levels("klingon") {
		t.Errorf("Levels yields %q of an unknown language", word)
	}
}
