package vocabulary_test

import (
	"os"
	"testing"

	"earshot/shared/judge/vocabulary"
)

func open(t testing.TB) vocabulary.Words {
	t.Helper()
	words, err := vocabulary.Open()
	if err != nil {
		t.Fatal(err)
	}
	return words
}

// Rank finds every word at its rank, and no other text.
func TestRank(t *testing.T) {
	words := open(t)
	if words.Len() != 60_000 {
		t.Fatalf("%d words", words.Len())
	}
	for rank := range words.Len() {
		word := words.Word(rank)
		if got, ok := words.Rank(word); !ok || got != rank {
			t.Fatalf("%q: %d %v, want %d", word, got, ok, rank)
		}
		if _, ok := words.Rank(word + "0"); ok {
			t.Fatalf("%q is found", word+"0")
		}
	}
	for _, other := range []string{"", "The", "\x00", "zorblatt", "don't", "ä"} {
		if _, ok := words.Rank(other); ok {
			t.Errorf("%q is found", other)
		}
	}
	if words.Word(0) != "the" {
		t.Errorf("the commonest word is %q", words.Word(0))
	}
}

func TestDecode_Encoded(t *testing.T) {
	list := []string{"b", "a", "long"}
	blob := string(vocabulary.Encode(list))
	words, err := vocabulary.Decode(blob)
	if err != nil || words.Len() != 3 {
		t.Fatalf("Decode() = %d words, %v, want 3", words.Len(), err)
	}
	for rank, word := range list {
		if got, ok := words.Rank(word); !ok || got != rank || words.Word(rank) != word {
			t.Errorf("%q: %d %v", word, got, ok)
		}
	}
	for _, damaged := range []string{"", "VOC1", "VOC2" + blob[4:], blob[:len(blob)-1], blob + "x", blob[:20]} {
		if _, err := vocabulary.Decode(damaged); err == nil {
			t.Errorf("%d bytes are words", len(damaged))
		}
	}
}

// The file is used as it ships: no copy, no map. It is small enough for a function that needs no vectors.
func TestOpen_NoAllocation(t *testing.T) {
	if n := testing.AllocsPerRun(10, func() { open(t) }); n > 1 {
		t.Errorf("%v allocations", n)
	}
	if info, err := os.Stat("words.bin"); err != nil || info.Size() > 1<<20 {
		t.Errorf("Stat(words.bin) = %v, %v, want at most 1 MiB", info, err)
	}
}
