package dictionary_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/judge/dictionary"
)

func TestHas(t *testing.T) {
	for _, word := range []string{"aah", "box", "the", "zymurgy", "claude", "monday", "oslo", "colour",
		"antidisestablishmentarianism"} {
		if !dictionary.Has(word) {
			t.Errorf("%q is none", word)
		}
	}
	for _, word := range []string{"", "Box", "b\u00f6x", "figma", "zzzzzz", "aaaaaa", "google", "typescript", "siemens",
		"a", "\x00", "\xff", "bo", strings.Repeat("a", 1000)} {
		if dictionary.Has(word) {
			t.Errorf("%q is one", word)
		}
	}
	if n := dictionary.Len(); n < 100_000 || n > 150_000 {
		t.Errorf("%d words", n)
	}
}

// Whatever words are encoded, they are found and no others are.
func TestEncode(t *testing.T) {
	word := rapid.StringMatching(`[a-d]{1,6}|[a-z]{1,64}`)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(word, 0, 100).Draw(t, "words")
		slices.Sort(words)
		words = slices.Compact(words)
		blob, err := dictionary.Encode(words)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range append(rapid.SliceOfN(word, 0, 20).Draw(t, "others"), words...) {
			if _, want := slices.BinarySearch(words, one); dictionary.In(string(blob), one) != want {
				t.Fatalf("%q: %v", one, !want)
			}
		}
	})
	for _, refused := range [][]string{{"b", "a"}, {"a", "a"}, {""}, {"A"}, {"é"}, {strings.Repeat("a", 65)}} {
		if _, err := dictionary.Encode(refused); err == nil {
			t.Errorf("%q are encoded", refused)
		}
	}
}

// They ship as they are read, small enough for every function that proposes.
func TestNothingIsLoaded(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { dictionary.Has("harbor") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if info, err := os.Stat("words.bin"); err != nil || info.Size() > 512<<10 {
		t.Error(info.Size(), err)
	}
}

func BenchmarkHas(b *testing.B) {
	words := []string{"aardvark", "harbor", "zymurgy", "figma", "monday"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		dictionary.Has(words[i%len(words)])
	}
}

func TestNamed(t *testing.T) {
	for word, want := range map[string]bool{"java": true, "amazon": true, "jordan": true, "monday": true, "stripe": false,
		"apple": false, "zorblatt": false} {
		if got := dictionary.Named(word); got != want {
			t.Errorf("Named(%q) = %v, want %v", word, got, want)
		}
	}
}
