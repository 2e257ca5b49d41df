package filter_test

import (
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// A filter that refuses a set of words takes none of the set's mentions.
func TestWords_RefuseNoMatch(t *testing.T) {
	refuseNoMatch(t, func(t *rapid.T, predicate *filter.Predicate) (within []*mention.Mention, refused bool) {
		var set filter.WordSet
		for range rapid.IntRange(0, 4).Draw(t, "mentions") {
			m := drawMention(t)
			if digest := filter.Digest(m.Title, m.Body); filter.Telling(digest) {
				set.Add(digest)
				within = append(within, m)
			}
		}
		return within, !predicate.Words(set.Append(nil))
	})
}

// refuseNoMatch draws filters, and with each sets of mentions' words and whether the filter refuses them. None of the
// mentions within a set that is refused may match. Few filters decide by words, so it draws until sets were refused.
func refuseNoMatch(
	t *testing.T, draw func(*rapid.T, *filter.Predicate) (within []*mention.Mention, refused bool),
) {
	t.Helper()
	const each, enough, most = 8, 4, 20 // sets of a filter, sets that are refused, rounds
	sets := 0
	for round := 0; round < most && sets < enough && !t.Failed(); round++ {
		rapid.Check(t, func(t *rapid.T) {
			predicate := filter.Compile(compact(t, drawForm(t)))
			for range each {
				within, refused := draw(t, predicate)
				if !refused {
					continue
				}
				sets++
				if !predicate.Decides() {
					t.Fatal("a filter that words do not decide refuses some")
				}
				for _, m := range within {
					if predicate.Mention(m) {
						t.Fatalf("the words of %+v are refused, and it matches", m)
					}
				}
			}
		})
	}
	if sets < enough {
		t.Errorf("%d sets were refused, want %d", sets, enough)
	}
}

// A set that is cut off, or of another version, refuses nothing.
func TestWords_Damaged(t *testing.T) {
	f, _ := filter.ParseSimple([]byte(`{"text":["zeppelin"]}`))
	predicate := filter.Compile(f)
	text := "some words"
	var set filter.WordSet
	set.Add(filter.Digest(&text, nil))
	whole := set.Append(nil)
	if predicate.Words(whole) {
		t.Error("Words(set) = true, want false for a word that is not in it")
	}
	other := append([]byte{whole[0] + 1}, whole[1:]...)
	for name, damaged := range map[string][]byte{"empty": nil, "of another version": other, "cut": whole[:len(whole)-1],
		"past the last hash": append(whole[:len(whole):len(whole)], 0xff, 0xff, 0x03)} {
		if !predicate.Words(damaged) {
			t.Errorf("Words(%s) = false, want true", name)
		}
	}
}
