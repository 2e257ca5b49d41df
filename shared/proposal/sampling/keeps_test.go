package sampling_test

import (
	"slices"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/sampling"
)

func sampled(id, source, author, body string) proposal.SampledPost {
	return proposal.SampledPost{ID: id, Source: source, Author: author, Body: body, PostedAt: noon}
}

func TestKeeps(t *testing.T) {
	posts := []proposal.SampledPost{
		sampled("1", "reddit", "ann", "Acme billing is slow"), sampled("2", "hackernews", "bob", "the acme of taste"),
		sampled("3", "reddit", "bot", "Acme jobs, apply"), sampled("4", "reddit", "cy", "see https://docs.acme.example/x"),
		sampled("5", "reddit", "", "nothing"),
	}
	posts[1].IsReply = true
	acme := keyword.Keyword{Text: "Acme", ExactMatch: true}
	with := func(change func(k *keyword.Keyword)) keyword.Keyword { k := acme; change(&k); return k }
	for _, c := range []struct {
		name    string
		keyword keyword.Keyword
		want    []int
	}{
		{"bare", acme, []int{0, 1, 2, 3}},
		{"cased", with(func(k *keyword.Keyword) { k.CaseSensitive = true }), []int{0, 2}},
		{"anchored", with(func(k *keyword.Keyword) { k.AdditionalTerms = []string{"billing", "see"} }), []int{0, 3}},
		{"excluded", with(func(k *keyword.Keyword) { k.ExcludeWords = []string{"JOBS"} }), []int{0, 1, 3}},
		{"prefix", with(func(k *keyword.Keyword) { k.WildcardExcludeWords = []string{"tast*"} }), []int{0, 2, 3}},
		{"author", with(func(k *keyword.Keyword) { k.ExcludeAuthors = []string{"@Bot"} }), []int{0, 1, 3}},
		{"platform", with(func(k *keyword.Keyword) { k.Platforms = []string{"reddit"} }), []int{0, 2, 3}},
		{"paused", with(func(k *keyword.Keyword) { k.Paused = true }), []int{0, 1, 2, 3}},
		{"no text", keyword.Keyword{Text: " "}, []int{}},
		{"no characters", with(func(k *keyword.Keyword) { k.AdditionalTerms = []string{"\xff"} }), []int{}},
	} {
		if got := sampling.Keeps(c.keyword, posts); got == nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := sampling.KeepsEach(nil, posts); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
