package suggest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/keyword/suggest"
	"earshot/shared/mention"
)

var now = time.Date(2026, 11, 20, 10, 15, 0, 0, time.UTC)

// A group is mentions of one kind in a small world.
type group struct {
	n        int
	text     string // "%d" in it is the mention's number
	kind     string // signal, noise, up, down, unknown
	source   string // hackernews when empty
	reply    bool
	language string // english when empty
	authors  int    // how many wrote them in turn; 0: each its own
}

func (g group) mentions(from int, k keyword.Keyword) (all []mention.Mention) {
	for i := range g.n {
		id := from + i
		body, author := g.text, fmt.Sprintf("author%d", id)
		if strings.Contains(body, "%d") {
			body = fmt.Sprintf(body, id)
		}
		if g.authors > 0 {
			author = fmt.Sprintf("%s%d", g.kind, i%g.authors)
		}
		high, low, thumb := mention.High, mention.Low, 1
		m := mention.Mention{
			ID:       int64(id),
			SourceID: fmt.Sprintf("m_%d", id),
			Source:   g.source,
			Body:     &body,
			Author:   &author,
			IsReply:  g.reply,
			PostedAt: now.Add(-time.Duration(id) * time.Minute),
			Keywords: []mention.Keyword{{ID: k.ID, Text: k.Text}},
		}
		if m.Language = g.language; m.Language == "" {
			m.Language = "english"
		}
		if m.Source == "" {
			m.Source = "hackernews"
		}
		switch g.kind {
		case "signal", "up":
			m.Relevant, m.RelevanceScore = true, &high
		case "noise", "down":
			m.RelevanceScore = &low
		}
		if g.kind == "up" {
			m.FeedbackRelevant = &thumb
		}
		if g.kind == "down" {
			thumb = -1
			m.FeedbackRelevant = &thumb
		}
		all = append(all, m)
	}
	return all
}

func world(k keyword.Keyword, groups ...group) (all []mention.Mention) {
	for _, g := range groups {
		all = append(all, g.mentions(len(all)+1, k)...)
	}
	return all
}

// shown writes suggestions as type[values] removed/relevant.
func shown(found []suggest.Suggestion) string {
	var lines []string
	for _, s := range found {
		lines = append(lines, fmt.Sprintf("%s%v %d/%d", s.Type, s.Values, s.Evidence.WouldRemove,
			s.Evidence.WouldRemoveRelevant))
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

var seal = keyword.Keyword{ID: 3, Text: "seal", ExactMatch: true, AdditionalTermsLogic: keyword.Any}

func with(change func(*keyword.Keyword)) keyword.Keyword {
	k := seal
	change(&k)
	return k
}

// To add a case, describe mentions and say what is found in them.
func TestFind(t *testing.T) {
	loose := with(func(k *keyword.Keyword) { k.ExactMatch = false })
	talk := group{n: 40, text: "the seal of the door %d", kind: "signal"}
	some := group{n: 10, text: "a seal is %d", kind: "noise"}
	navy := group{n: 20, text: "a Navy seal %d", kind: "noise"}
	cases := []struct {
		name    string
		keyword keyword.Keyword
		groups  []group
		want    string
	}{
		{"a word of the noise", seal, []group{talk, some, navy},
			"add_additional_terms[door] 30/0; add_exclude_words[navy] 20/0"},
		{"three mentions condemn no word", seal,
			[]group{{n: 400, text: "the seal of %d", kind: "signal"}, {n: 3, text: "a navy seal", kind: "noise"}}, ""},
		{"nor do four of a few", seal,
			[]group{{n: 6, text: "the seal of %d", kind: "signal"}, {n: 4, text: "a navy seal", kind: "down"}}, ""},
		{"five of a few may be chance", seal,
			[]group{{n: 5, text: "the seal of %d", kind: "signal"}, {n: 5, text: "a navy seal", kind: "noise"},
				{n: 8, text: "another seal of %d", kind: "noise"}}, ""},
		{"without anything relevant nothing is known", seal, []group{navy, some}, ""},
		{"without noise nothing is", seal, []group{talk}, ""},
		{"a word that is in relevant mentions too", seal, []group{{n: 20, text: "the seal of the ship %d", kind: "signal"},
			{n: 20, text: "the seal on the ice %d", kind: "signal"},
			{n: 20, text: "a seal on the ship", kind: "noise"}, {n: 20, text: "a seal and the band", kind: "noise"}},
			"add_exclude_words[band] 20/0"},
		{"one thumb up protects a word", seal,
			[]group{talk, some, navy, {n: 1, text: "the navy seal of the door", kind: "up"}}, "add_additional_terms[door] 30/0"},
		{"and a thumb up without the term protects from terms", seal,
			[]group{talk, some, navy, {n: 1, text: "the seal is great", kind: "up"}}, "add_exclude_words[navy] 20/0"},
		{"a thumb down counts against the judge", seal, []group{talk, some, {n: 20, text: "a navy seal %d", kind: "down"}},
			"add_additional_terms[door] 30/0; add_exclude_words[navy] 20/0"},
		{"what nobody judged is not noise", seal, []group{talk, some, {n: 20, text: "a navy seal %d", kind: "unknown"}}, ""},
		{"several words, what leaves out most first", seal,
			[]group{talk, navy, {n: 10, text: "a seal in the zoo %d", kind: "noise"},
				{n: 15, text: "seal sang kiss from a rose %d", kind: "noise"}},
			"add_additional_terms[door] 45/0; add_exclude_words[navy kiss zoo] 45/0"},
		{"stop words of any language are left alone", seal,
			[]group{talk, {n: 20, text: "der seal und die nicht %d", kind: "noise", language: "german"}},
			"add_additional_terms[door] 20/0"},
		{"numbers and short words are", seal,
			[]group{{n: 40, text: "seal", kind: "signal"}, {n: 20, text: "seal 2024 x ☃ \u202e", kind: "noise"}}, ""},
		{"excluded already", with(func(k *keyword.Keyword) { k.ExcludeWords = []string{"Navy"} }), []group{talk, some, navy},
			"add_additional_terms[door] 10/0"},
		{"a keyword's own word", with(func(k *keyword.Keyword) { k.Text = "navy seal" }),
			[]group{{n: 40, text: "navy seal at the door %d", kind: "signal"},
				{n: 20, text: "navy seal of war %d", kind: "noise"}},
			"add_additional_terms[door] 20/0; add_exclude_words[war] 20/0"},
		{"an author", seal, []group{{n: 40, text: "seal %d", kind: "signal"},
			{n: 12, text: "seal %d", kind: "noise", authors: 1}, {n: 10, text: "seal %d", kind: "noise"}},
			"add_exclude_authors[noise0] 12/0"},
		{"a word of one author is the author's", seal,
			[]group{{n: 40, text: "seal %d", kind: "signal"}, {n: 12, text: "seal shop %d", kind: "noise", authors: 1}},
			"add_exclude_authors[noise0] 12/0"},
		{"an author whom a user likes", seal,
			[]group{{n: 40, text: "seal %d", kind: "signal"}, {n: 12, text: "seal %d", kind: "noise", authors: 1},
				{n: 10, text: "seal %d", kind: "noise"},
				{n: 1, text: "seal", kind: "up"}}, "add_exclude_authors[noise0] 12/0"},
		{"inside longer words", loose, []group{{n: 40, text: "the seal of %d", kind: "signal"},
			{n: 10, text: "a sealant for %d", kind: "noise"}, {n: 10, text: "they unsealed it %d", kind: "noise"}},
			"set_exact_match[true] 20/0"},
		{"inside longer words that one author writes", loose,
			[]group{{n: 40, text: "the seal of %d", kind: "signal"}, {n: 10, text: "a seal of %d", kind: "noise"},
				{n: 20, text: "a sealant for %d", kind: "noise", authors: 1}}, "add_exclude_authors[noise0] 20/0"},
		{"beside so few relevant ones it may be chance", loose,
			[]group{{n: 5, text: "the seal of %d", kind: "signal"}, {n: 70, text: "a seal of %d", kind: "noise"},
				{n: 30, text: "a sealant for %d", kind: "noise"}}, ""},
		{"but also of what is relevant", loose,
			[]group{{n: 40, text: "the seals of %d", kind: "signal"}, {n: 20, text: "a sealant for %d", kind: "noise"}},
			"add_additional_terms[seals] 20/0; add_exclude_words[sealant] 20/0"},
		{"all of the terms", with(func(k *keyword.Keyword) { k.AdditionalTerms = []string{"door", "car"} }),
			[]group{{n: 40, text: "seal of the car door %d", kind: "signal"},
				{n: 10, text: "seal and car %d", kind: "noise"}, {n: 10, text: "seal and door %d", kind: "noise"}},
			"change_additional_terms_logic[all] 20/0"},
		{"not where it loses what is relevant",
			with(func(k *keyword.Keyword) { k.AdditionalTerms = []string{"door", "car"} }),
			[]group{{n: 40, text: "seal of the door %d", kind: "signal"},
				{n: 20, text: "seal and car %d", kind: "noise"}}, ""},
		{"one more of terms that must all occur",
			with(func(k *keyword.Keyword) {
				k.AdditionalTerms, k.AdditionalTermsLogic = []string{"car"}, keyword.All
			}),
			[]group{{n: 40, text: "seal of the car door %d", kind: "signal"},
				{n: 20, text: "seal and car %d", kind: "noise"}}, "add_additional_terms[door] 20/0"},
		{"terms that do it together", seal,
			[]group{{n: 25, text: "seal of the door %d", kind: "signal"},
				{n: 25, text: "seal of a gasket %d", kind: "signal"}, {n: 40, text: "seal %d", kind: "noise"}},
			"add_additional_terms[door gasket] 40/0"},
		{"a source", seal, []group{{n: 40, text: "seal %d", kind: "signal"},
			{n: 30, text: "seal %d", kind: "noise", source: "twitter"}}, "disable_source[twitter] 30/0"},
		{"comments on Reddit alone", seal,
			[]group{{n: 40, text: "seal %d", kind: "signal", source: "reddit"},
				{n: 30, text: "seal %d", kind: "noise", source: "REDDIT", reply: true}},
			"disable_source[reddit_comment] 30/0"},
		{"both ways to Bluesky", seal, []group{{n: 40, text: "seal %d", kind: "signal"},
			{n: 15, text: "seal %d", kind: "noise", source: "firehose"},
			{n: 15, text: "seal %d", kind: "noise", source: "bluesky"}},
			"disable_source[bluesky] 30/0"},
		{"a source without which forums would go too", seal,
			[]group{{n: 40, text: "seal %d", kind: "signal", source: "lobsters"},
				{n: 30, text: "seal %d", kind: "noise", source: "twitter"}}, ""},
		{"a source that is no platform", seal,
			[]group{{n: 40, text: "seal %d", kind: "signal"},
				{n: 30, text: "seal %d", kind: "noise", source: "lobsters"}}, ""},
		{"the only platform", with(func(k *keyword.Keyword) { k.Platforms = []string{"twitter"} }),
			[]group{{n: 20, text: "seal %d", kind: "signal", source: "twitter"},
				{n: 30, text: "seal %d", kind: "noise", source: "twitter"}}, ""},
		{"sources that are all bad", seal,
			[]group{{n: 10, text: "seal %d", kind: "signal"}, {n: 30, text: "seal %d", kind: "noise"},
				{n: 30, text: "seal %d", kind: "noise", source: "twitter"}}, ""},
		{"what the keyword does not match today teaches nothing", seal,
			[]group{talk, some, {n: 20, text: "the navy %d", kind: "noise"}}, "add_additional_terms[door] 10/0"},
		{"paused", with(func(k *keyword.Keyword) { k.Paused = true }), []group{talk, some, navy}, ""},
		{"minding case", with(func(k *keyword.Keyword) { k.CaseSensitive = true }),
			[]group{{n: 40, text: "seal navy %d", kind: "signal"}, {n: 20, text: "seal Navy %d", kind: "noise"}},
			"add_additional_terms[navy] 20/0; add_exclude_words[Navy] 20/0"},
		{"a full list", with(func(k *keyword.Keyword) { k.ExcludeWords = manyWords(keyword.MaxTerms) }),
			[]group{talk, some, navy}, "add_additional_terms[door] 30/0"},
		{"a list with room for one",
			with(func(k *keyword.Keyword) { k.ExcludeWords = manyWords(keyword.MaxTerms - 1) }),
			[]group{talk, navy, {n: 15, text: "seal in a zoo %d", kind: "noise"}},
			"add_additional_terms[door] 35/0; add_exclude_words[navy] 20/0"},
	}
	for _, c := range cases {
		mentions := world(c.keyword, c.groups...)
		found := suggest.Find([]keyword.Keyword{c.keyword}, mentions, nil)
		if got := shown(found); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		for _, s := range found {
			if !suggest.IsID(s.ID) || s.Reason == "" || len(s.Examples) == 0 || len(s.Examples) > suggest.MaxExamples {
				t.Errorf("%s: %+v", c.name, s)
			}
			again := suggest.Find([]keyword.Keyword{c.keyword}, mentions,
				[]suggest.Refused{{KeywordID: c.keyword.ID, Type: s.Type, Values: s.Values}})
			if slices.ContainsFunc(again, func(other suggest.Suggestion) bool {
				return other.Type == s.Type &&
					slices.ContainsFunc(s.Values, func(value string) bool { return slices.Contains(other.Values, value) })
			}) {
				t.Errorf("%s: %s is found though it was rejected", c.name, shown(again))
			}
			k := c.keyword
			if !s.Apply(&k) || !s.InPlace(k) || s.Open(k) || s.Apply(&k) {
				t.Errorf("%s: %s does not come to stand", c.name, s.Type)
			}
		}
	}
}

func manyWords(n int) (words []string) {
	for i := range n {
		words = append(words, fmt.Sprintf("word%d", i))
	}
	return words
}

// Of mentions that are long beyond measure the newest are looked at.
func TestFind_LongTexts(t *testing.T) {
	mentions := world(seal, group{n: 40, text: "the seal of the door %d", kind: "signal"},
		group{n: 20, text: "a navy seal", kind: "noise"},
		group{n: 40, text: "a navy seal " + strings.Repeat("very ", 40_000), kind: "noise"})
	for _, s := range suggest.Find([]keyword.Keyword{seal}, mentions, nil) {
		if s.Evidence.Mentions < 60 || s.Evidence.Mentions > 71 {
			t.Errorf("%+v", s)
		}
	}
}
