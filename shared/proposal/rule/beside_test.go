package rule_test

import (
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/rule"
)

func TestBeside(t *testing.T) {
	brand := func(change func(*proposal.Keyword)) proposal.Proposal {
		k := proposal.Keyword{
			Ref: "brand", Keyword: "Harbor", Tag: keyword.OwnBrand, Route: proposal.Anchored, ExactMatch: true,
			AdditionalTerms: []string{"email", "inbox"}, AdditionalTermsLogic: keyword.Any, SelectedByDefault: true,
		}
		if change != nil {
			change(&k)
		}
		return proposal.Proposal{Keywords: []proposal.Keyword{k}}
	}
	var posts []proposal.SampledPost
	for i := range 20 {
		p := proposal.SampledPost{Source: "hackernews", Title: "The harbor froze", Body: "over"}
		if i < 10 {
			p = proposal.SampledPost{Source: "hackernews", Title: "Harbor sorts my inbox", Relevant: true}
		}
		if i >= 8 && i < 10 {
			p.Title = "Harbor snoozes"
		}
		posts = append(posts, p)
	}
	for name, c := range map[string]struct {
		change func(*proposal.Keyword)
		posts  []proposal.SampledPost
		finds  int
	}{
		"the same":             {nil, posts, 0},
		"better":               {func(k *proposal.Keyword) { k.AdditionalTerms = []string{"inbox", "snoozes"} }, posts, 0},
		"bare":                 {func(k *proposal.Keyword) { k.AdditionalTerms = nil }, posts, 1},
		"other anchors":        {func(k *proposal.Keyword) { k.AdditionalTerms = []string{"snoozes"} }, posts, 1},
		"excludes them":        {func(k *proposal.Keyword) { k.ExcludeWords = []string{"sorts"} }, posts, 1},
		"elsewhere":            {func(k *proposal.Keyword) { k.Platforms = []string{"podcasts"} }, posts, 1},
		"elsewhere, no sample": {func(k *proposal.Keyword) { k.Platforms = []string{"podcasts"} }, nil, 1},
		"case, no sample":      {func(k *proposal.Keyword) { k.CaseSensitive = true }, nil, 1},
		"same, no sample":      {nil, nil, 0},
		"dropped":              {func(k *proposal.Keyword) { k.SelectedByDefault = false }, posts, 0}, // K1 itself
	} {
		e := proposal.Evidence{Sampled: proposal.Sampled{Sightings: map[string]proposal.Sighting{"brand": {Posts: c.posts}}}}
		found := rule.Beside(brand(c.change), brand(nil), e)
		if len(found) != c.finds || len(found) > 0 && (found[0].Rule != "K1" || found[0].Ref != "brand") {
			t.Errorf("%s: Beside = %+v, want %d findings", name, found, c.finds)
		}
	}
}
