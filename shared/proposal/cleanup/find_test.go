package cleanup_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/proposal"
	"earshot/shared/proposal/cleanup"
)

// many returns n mentions whose texts end in their numbers, of an author each.
func many(n int, text, author string, score mention.Score) (all []mention.Mention) {
	for i := range n {
		all = append(all, said(fmt.Sprintf("%s nr%d", text, i), fmt.Sprintf("%s%d", author, i), score, 0))
	}
	return all
}

// by gives all mentions one author.
func by(author string, mentions []mention.Mention) []mention.Mention {
	for i := range mentions {
		mentions[i].Author = &author
	}
	return mentions
}

func TestFind(t *testing.T) {
	k := keyword.Keyword{Text: "acme", ExactMatch: true, Context: "Acme, which makes anvils."}
	relevant := many(40, "acme anvil arrived", "fan", mention.High)
	for i := range relevant {
		relevant[i].Language = "english"
	}
	words := func(terms ...string) cleanup.Change {
		return cleanup.Change{Setting: proposal.SettingExcludeWords, Terms: terms}
	}
	authors := func(terms ...string) cleanup.Change {
		return cleanup.Change{Setting: proposal.SettingExcludeAuthors, Terms: terms}
	}
	for what, c := range map[string]struct {
		noise []mention.Mention
		waits []cleanup.Change
		want  []cleanup.Change
	}{
		"no noise": {},
		"an author who floods": {
			noise: by("@Flood", many(5, "acme", "", mention.Low)),
			want:  []cleanup.Change{authors("flood")},
		},
		"an author with four posts": {noise: by("flood", many(4, "acme", "", mention.Low))},
		"an author with a relevant post": {noise: append(by("flood", many(9, "acme", "", mention.Low)),
			said("acme", "Flood", mention.High, 0))},
		"an author with an unjudged post": {noise: append(by("flood", many(9, "acme", "", mention.Low)),
			by("flood", []mention.Mention{{Body: ptr("acme")}})...)},
		"an author whom a user marked as noise": {noise: slices.Concat(by("flood", many(4, "acme", "", mention.Low)),
			[]mention.Mention{said("acme", "flood", mention.High, -1)}), want: []cleanup.Change{authors("flood")}},
		"an author who waits already": {
			noise: by("flood", many(5, "acme", "", mention.Low)),
			waits: []cleanup.Change{authors("@FLOOD")},
		},
		"a word of several authors": {
			noise: many(5, "acme hiring", "rec", mention.Low),
			want:  []cleanup.Change{words("hiring")},
		},
		"a word of four posts": {noise: many(4, "acme hiring", "rec", mention.Low)},
		"a word that a relevant post has": {noise: append(many(9, "acme hiring", "rec", mention.Low),
			said("acme Hiring", "x", mention.High, 0))},
		"a word of two authors": {noise: slices.Concat(by("a", many(4, "acme hiring", "", mention.Low)),
			by("b", many(4, "acme hiring", "", mention.Low)))},
		"another language": {
			noise: many(6, "acme es para ti", "es", mention.Low),
			want:  []cleanup.Change{words("para")},
		},
		"a word of the keyword's context": {noise: many(9, "acme makes", "rec", mention.Low)},
		"a word that waits already": {
			noise: many(5, "acme hiring", "rec", mention.Low),
			waits: []cleanup.Change{words("Hiring")},
		},
		"a function word of what is relevant": {noise: many(9, "acme with", "rec", mention.Low)},
		"noise that waiting words exclude": {
			noise: many(9, "acme hiring rocketry", "rec", mention.Low),
			waits: []cleanup.Change{words("hiring")},
		},
		"waiting words that exclude others too": {
			noise: many(9, "acme hiring", "rec", mention.Low),
			waits: []cleanup.Change{words("anvil", "acme")},
			want:  []cleanup.Change{words("hiring")},
		},
		"two kinds": {noise: slices.Concat(many(5, "acme hiring now", "rec", mention.Low),
			many(7, "acme rocket", "pad", mention.Low)), want: []cleanup.Change{words("rocket", "hiring")}},
		"a word of the author who floods anyway": {
			noise: by("flood", many(9, "acme rocket", "", mention.Low)),
			want:  []cleanup.Change{authors("flood")},
		},
	} {
		if got := cleanup.Find(k, c.waits, slices.Concat(relevant, c.noise)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", what, got, c.want)
		}
	}
	// Among noise alone no word tells anything, and with few relevant mentions it may be luck.
	if got := cleanup.Find(k, nil, many(30, "acme hiring", "rec", mention.Low)); got != nil {
		t.Errorf("all is noise: %+v", got)
	}
	if got := cleanup.Find(k, nil, slices.Concat(relevant[:3], many(5, "acme hiring", "rec", mention.Low))); got != nil {
		t.Errorf("three relevant mentions: %+v", got)
	}
	k.ExcludeWords, k.ExcludeAuthors = make([]string, keyword.MaxTerms), make([]string, keyword.MaxTerms)
	noise := slices.Concat(many(5, "acme hiring", "rec", mention.Low), by("flood", many(5, "acme", "", mention.Low)))
	if got := cleanup.Find(k, nil, slices.Concat(relevant, noise)); got != nil {
		t.Errorf("there is no room: %+v", got)
	}
}

// Whatever comes in, what Look found takes no relevant mention away, and at least LeastFound that are not relevant.
func TestLook_FoundTakesNothingRelevant(t *testing.T) {
	vocabulary := []string{"acme", "Ácme", "anvil", "hiring", "acme-hiring", "can't", "para", "ROCKET", "rocket\u0301",
		"ノート", "\xff", "a", "1234"}
	rapid.Check(t, func(t *rapid.T) {
		k := keyword.Keyword{
			ID:            3,
			Text:          "acme",
			ExactMatch:    rapid.Bool().Draw(t, "exact"),
			CaseSensitive: rapid.Bool().Draw(t, "cased"),
		}
		var mentions []mention.Mention
		for range rapid.IntRange(0, 60).Draw(t, "mentions") {
			body := "acme " + strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 0, 4).Draw(t, "words"), " ")
			author := rapid.SampledFrom([]string{"", "a", "@A", "b", "c", "d", "e f", "\xff"}).Draw(t, "author")
			score := rapid.SampledFrom([]mention.Score{mention.High, mention.Low, mention.Low}).Draw(t, "score")
			mentions = append(mentions, said(body, author, score, rapid.SampledFrom([]int{0, 0, 0, 1, -1}).Draw(t, "feedback")))
		}
		for _, item := range cleanup.Look(k, nil, mentions, true) {
			e := item.Evidence
			if !item.Found || !item.Recommended || e.WouldRemoveRelevant != 0 || e.WouldRemove < cleanup.LeastFound ||
				e.Mentions != e.Relevant+e.NotRelevant {
				t.Fatalf("%+v", item)
			}
		}
	})
}

// A long text has the word of the noise at its end: that it is relevant is seen when the exclusion is tried.
func TestLook_FoundInALongText(t *testing.T) {
	k := keyword.Keyword{ID: 3, Text: "acme", ExactMatch: true}
	mentions := slices.Concat(many(20, "acme anvil", "fan", mention.High), many(5, "acme hiring", "rec", mention.Low))
	if items := cleanup.Look(k, nil, mentions, true); len(items) != 1 || !items[0].Found {
		t.Errorf("%+v, want the word", items)
	}
	mentions[0].Body = ptr("acme anvil " + strings.Repeat("x ", 4000) + "hiring")
	if items := cleanup.Look(k, nil, mentions, true); len(items) != 0 {
		t.Errorf("%+v, want none", items)
	}
}

// Two thousand mentions with a thousand words in common take as long as their texts, and not as the square of it.
func BenchmarkFind_Hostile(b *testing.B) {
	k := keyword.Keyword{Text: "acme", ExactMatch: true}
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, " word%d", i)
	}
	mentions := slices.Concat(many(1000, "acme"+text.String(), "a", mention.Low),
		many(1000, "acme anvil", "b", mention.High))
	for b.Loop() {
		if got := cleanup.Find(k, nil, mentions); len(got) != 1 {
			b.Fatal(got)
		}
	}
}
