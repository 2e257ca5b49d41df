package tags

import (
	"maps"
	"slices"
	"testing"
)

// The index, which reads the beginning of a pattern alone, agrees with the compiled patterns.
func TestNew_IndexAgreesWithPatterns(t *testing.T) {
	tagger := New()
	words := map[*pattern][]string{}
	for word, patterns := range tagger.begins {
		for _, p := range patterns {
			words[p] = append(words[p], word)
		}
	}
	for _, p := range slices.Concat(tagger.number, slices.Collect(maps.Keys(words))) {
		p.compile()
		first := p.elements[0]
		if numeric := first.kind == number || first.kind == money || first.kind == percent; numeric != (words[p] == nil) {
			t.Errorf("pattern %q begins with a number: %v, and is found by %q", p.text, numeric, words[p])
		}
		if slices.Sort(words[p]); !slices.Equal(words[p], slices.Sorted(slices.Values(first.words))) {
			t.Errorf("pattern %q is found by %q, want %q", p.text, words[p], first.words)
		}
	}
	want := 0
	for _, rule := range rules {
		want += len(rule.strong) + len(rule.weak) + len(rule.against)
	}
	if got := len(tagger.number) + len(words); got != want {
		t.Errorf("the index has %d patterns, want %d", got, want)
	}
}
