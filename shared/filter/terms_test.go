package filter_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// parts returns all parts of a set.
func parts(set *filter.TermSet) (all [][]byte) {
	for part := range filter.TermParts {
		all = append(all, set.Append(nil, part))
	}
	return all
}

// A filter that refuses a set of terms takes none of the set's mentions.
func TestTerms_RefuseNoMatch(t *testing.T) {
	refuseNoMatch(t, func(t *rapid.T, predicate *filter.Predicate) (within []*mention.Mention, refused bool) {
		var set filter.TermSet
		for n := range rapid.IntRange(0, 4).Draw(t, "mentions") {
			m := drawMention(t)
			set.Add(m.Title, m.Body)
			within = append(within, m)
			if n == 1 {
				set.Append(nil, 0) // a set may be written, and go on
			}
		}
		var wanted [][]byte
		for _, part := range predicate.TermParts() {
			wanted = append(wanted, set.Append(nil, part))
		}
		if all := predicate.Terms(parts(&set)...); all != predicate.Terms(wanted...) {
			t.Fatalf("Terms(all parts) = %v, and of those that the filter wants it is not", all)
		}
		some := rapid.SliceOf(rapid.SampledFrom(parts(&set))).Draw(t, "some parts")
		return within, !predicate.Terms(wanted...) || !predicate.Terms(some...)
	})
}

// Sets of few and of very many words have every word that was added, and hardly another.
func TestTerms_ManyWords(t *testing.T) {
	has := func(set [][]byte, word string) bool {
		f, err := filter.ParseSimple([]byte(fmt.Sprintf(`{"text":[%q]}`, word)))
		if err != nil {
			t.Fatal(err)
		}
		return filter.Compile(f).Terms(set...)
	}
	for _, words := range []int{0, 1, 2, 100, 25_000, 300_000} {
		var set filter.TermSet
		for n := range words {
			text := fmt.Sprint("word", n)
			set.Add(nil, &text)
		}
		written := parts(&set)
		if size := len(slices.Concat(written...)); words >= 25_000 && size*8 > 12*words {
			t.Errorf("%d words take %d bytes", words, size)
		}
		for n := 0; n < words; n += 1 + words/50 {
			if !has(written, fmt.Sprint("word", n)) {
				t.Fatalf("a set of %d words lacks the word %d", words, n)
			}
		}
		wrong := 0
		for n := range 100 {
			if has(written, fmt.Sprint("other", n)) {
				wrong++
			}
		}
		if wrong > 10 {
			t.Errorf("a set of %d words has %d of 100 others", words, wrong)
		}
	}
}

// A set that is cut off, or of another version, refuses nothing.
func TestTerms_Damaged(t *testing.T) {
	f, _ := filter.ParseSimple([]byte(`{"text":["zeppelin"]}`))
	predicate := filter.Compile(f)
	text := ""
	for n := range 200 {
		text += fmt.Sprint(" word", n)
	}
	var set filter.TermSet
	set.Add(&text, nil)
	part := predicate.TermParts()[0]
	whole := set.Append(nil, part)
	if predicate.Terms(whole) {
		t.Error("Terms(set) = true, want false for a word that is not in it")
	}
	for cut := range whole {
		if !predicate.Terms(whole[:cut]) {
			t.Errorf("Terms(the first %d of %d bytes) = false, want true", cut, len(whole))
		}
	}
	if other := append([]byte{whole[0] + 1}, whole[1:]...); !predicate.Terms(other) {
		t.Error("Terms(another version) = false, want true")
	}
	if !predicate.Terms(whole, whole[:len(whole)-1]) || !predicate.Terms(whole[:len(whole)-1], whole) {
		t.Error("Terms(a set, a damaged one) = false, want true")
	}
	if !predicate.Terms(set.Append(nil, (part+1)%filter.TermParts)) || !predicate.Terms() {
		t.Error("Terms(another part) = false, want true")
	}
	rapid.Check(t, func(t *rapid.T) { // any bytes end
		predicate.Terms(append([]byte{whole[0], whole[1]}, rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")...))
	})
}
