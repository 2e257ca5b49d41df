package text_test

import (
	"slices"
	"strings"
	"testing"

	"earshot/shared/text"
	"earshot/shared/text/fold"
)

func TestFunctionWords(t *testing.T) {
	for _, language := range text.FunctionWordLanguages() {
		words := text.FunctionWords(language)
		if len(words) < 20 {
			t.Errorf("FunctionWords(%q) has %d words only", language, len(words))
		}
		for i, word := range words {
			if word != strings.ToLower(word) || slices.Contains(words[:i], word) {
				t.Errorf("FunctionWords(%q): %q is not in lowercase, or there twice", language, word)
			}
			if form := fold.Form(word); word != form {
				t.Errorf("FunctionWords(%q): %q is not folded: Form returns %q", language, word, form)
			}
		}
	}
	for language, word := range map[string]string{
		"english": "the", "german": "die", "dutch": "het", "hindi": "के", "polish": "że", "swedish": "och",
	} {
		if !slices.Contains(text.FunctionWords(language), word) {
			t.Errorf("FunctionWords(%q) has no %q", language, word)
		}
	}
	if slices.Contains(text.FunctionWords("polish"), "och") {
		t.Error("Polish has Swedish words")
	}
	if slices.Contains(text.FunctionWords("english"), "die") || len(text.FunctionWords("")) > 0 {
		t.Error("a language has words of another, or an unknown one has some")
	}
}

// Who changes a list that was returned changes it for nobody else.
func TestFunctionWords_OwnCopy(t *testing.T) {
	text.FunctionWords("english")[0] = "changed"
	if text.FunctionWords("english")[0] != "a" {
		t.Error("FunctionWords returned a shared list")
	}
}
