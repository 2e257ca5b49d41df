package ngram_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/judge/language/ngram"
)

func hash(gram string) uint64 {
	h := ngram.Basis
	for i := range len(gram) {
		h = ngram.Add(h, gram[i])
	}
	return ngram.Mix(h)
}

// Find returns every built entry with its weights, however full the table is, and no other.
func TestBuild_Find(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfNDistinct(rapid.StringN(1, 6, 12), 2, 120, rapid.ID[string]).Draw(t, "n-grams")
		absent, texts := texts[0], texts[1:]
		var entries []ngram.Entry
		for i, text := range texts {
			weights := []ngram.Weight{{Language: uint8(i % 3), Weight: uint8(i)}, {Language: 2, Weight: 255}}
			entries = append(entries, ngram.Entry{Bytes: text, Posting: weights})
		}
		file, err := ngram.Build([]string{"aa", "bb", "cc"}, 7, entries)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ngram.Build([]string{"aa", "bb", "cc"}, 7, entries); err != nil || !bytes.Equal(file, again) {
			t.Fatalf("the same entries made other bytes: %v", err)
		}
		table, err := ngram.Open(string(file))
		if err != nil || table.Languages() != 3 || table.Code(1) != "bb" {
			t.Fatalf("%d languages, %v", table.Languages(), err)
		}
		slots := map[uint32]bool{}
		for _, e := range entries {
			slot, posting := table.Find(hash(e.Bytes))
			want := string([]byte{e.Posting[0].Language, e.Posting[0].Weight, 2, 255})
			if posting != want || slots[slot] {
				t.Fatalf("%q: posting %q, not %q; slot %d twice: %v", e.Bytes, posting, want, slot, slots[slot])
			}
			slots[slot] = true
		}
		if _, posting := table.Find(hash(absent)); posting != "" {
			t.Fatalf("%q is not there, and has %q", absent, posting)
		}
	})
}

func TestBuild_EqualPostings(t *testing.T) {
	one := []ngram.Weight{{Language: 0, Weight: 7}}
	few, err := ngram.Build([]string{"aa"}, 4, []ngram.Entry{{Bytes: "x", Posting: one}})
	if err != nil {
		t.Fatal(err)
	}
	many, err := ngram.Build([]string{"aa"}, 4,
		[]ngram.Entry{{Bytes: "x", Posting: one}, {Bytes: "y", Posting: one}, {Bytes: "z", Posting: one}})
	if err != nil || len(many) != len(few) {
		t.Errorf("%d bytes for three, %d for one: %v", len(many), len(few), err)
	}
}

func TestBuild_Invalid(t *testing.T) {
	good := []ngram.Weight{{Language: 0, Weight: 1}}
	for _, c := range []struct {
		what    string
		codes   []string
		bits    int
		entries []ngram.Entry
	}{
		{"no languages", nil, 4, nil},
		{"a code of three letters", []string{"aaa"}, 4, nil},
		{"no slots", []string{"aa"}, 0, nil},
		{"too many slots", []string{"aa"}, 25, nil},
		{"no slot left empty", []string{"aa"}, 1, []ngram.Entry{{Bytes: "x", Posting: good}, {Bytes: "y", Posting: good}}},
		{"no weights", []string{"aa"}, 4, []ngram.Entry{{Bytes: "x"}}},
		{"a language that is not there", []string{"aa"}, 4,
			[]ngram.Entry{{Bytes: "x", Posting: []ngram.Weight{{Language: 1}}}}},
		{"an n-gram twice", []string{"aa"}, 4, []ngram.Entry{{Bytes: "x", Posting: good}, {Bytes: "x", Posting: good}}},
	} {
		if _, err := ngram.Build(c.codes, c.bits, c.entries); err == nil {
			t.Errorf("%s is built", c.what)
		}
	}
}

func TestOpen_Invalid(t *testing.T) {
	file, err := ngram.Build([]string{"aa"}, 4,
		[]ngram.Entry{{Bytes: "x", Posting: []ngram.Weight{{Language: 0, Weight: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	for end := range 4 + 3 + 4 + 8<<4 {
		if _, err := ngram.Open(string(file[:end])); err == nil {
			t.Errorf("the first %d bytes are a table", end)
		}
	}
	if _, err := ngram.Open(strings.Repeat("\xff", 4096)); err == nil {
		t.Error("anything is a table")
	}
	// A truncated posting is empty.
	table, err := ngram.Open(string(file[:len(file)-1]))
	if err != nil {
		t.Fatal(err)
	}
	if _, posting := table.Find(hash("x")); posting != "" {
		t.Errorf("a posting that is cut off: %q", posting)
	}
}
