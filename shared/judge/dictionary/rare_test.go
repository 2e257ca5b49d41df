package dictionary_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/judge/dictionary"
)

func TestRare(t *testing.T) {
	for _, c := range []struct {
		word, language string
		want           bool
	}{
		{"boussole", "french", true},
		{"boussoles", "french", false}, // rarer still
		{"brújula", "spanish", true},
		{"casa", "spanish", false}, // Frequency lists it
		{"farola", "spanish", true},
		{"latarnie", "polish", true},
		{"kompass", "german", true},
		{"libellula", "italian", true},
		{"veverka", "czech", true},
		{"veleiro", "portuguese", true},
		{"mathilde", "french", true},
		{"doctolib", "french", false},
		{"zalando", "german", false},
		{"glovo", "spanish", false},
		{"boussole", "german", false},
		{"boussole", "english", false},
		{"boussole", "klingon", false},
		{"", "french", false},
		{"\xff", "french", false},
		{strings.Repeat("a", 1000), "french", false},
	} {
		if got := dictionary.Rare(c.word, c.language); got != c.want {
			t.Errorf("Rare(%.20q, %s) = %v, want %v", c.word, c.language, got, c.want)
		}
	}
}

// One in 256 words that nobody has is taken for a word.
func TestRare_FalsePositives(t *testing.T) {
	const words = 100_000
	found := 0
	for i := range words {
		if dictionary.Rare(fmt.Sprintf("zq%dxv", i), "french") {
			found++
		}
	}
	if share := float64(found) / words; share > 1.2/256 {
		t.Errorf("%.4f of words that nobody has are found, want about 1 in 256", share)
	}
}

// Whatever words are encoded are found, in their language.
func TestEncodeRare(t *testing.T) {
	word := rapid.StringMatching(`[a-zéßñ]{1,12}`)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.MapOfN(rapid.IntRange(1, 31), rapid.SliceOfNDistinct(word, 1, 50, rapid.ID), 1, 5).Draw(t, "words")
		table, err := dictionary.EncodeRare(words)
		if err != nil {
			t.Fatal(err)
		}
		for language, all := range words {
			for _, one := range all {
				if !dictionary.InRare(table, one, byte(language)) {
					t.Fatalf("%q of %d is not found", one, language)
				}
			}
		}
	})
	for name, words := range map[string]map[int][]string{
		"no word":             {},
		"English":             {0: {"word"}},
		"an unknown language": {32: {"word"}},
	} {
		if _, err := dictionary.EncodeRare(words); err == nil {
			t.Errorf("%s is encoded", name)
		}
	}
}

func TestRare_NothingIsLoaded(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { dictionary.Rare("boussole", "french") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	if info, err := os.Stat("rare.bin"); err != nil || info.Size() > 512<<10 {
		t.Error(info.Size(), err)
	}
}

func BenchmarkRare(b *testing.B) {
	words := []string{"boussole", "farola", "zzzz", "doctolib", "libellule"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		dictionary.Rare(words[i%len(words)], "french")
	}
}
