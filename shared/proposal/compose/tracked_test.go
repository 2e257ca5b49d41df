package compose_test

import (
	"fmt"
	"slices"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// What a keyword brings that the workspace tracks bare is not selected beside it; the brand, which is tracked, is what
// K1 asks for.
func TestTrackedBareBringsOthers(t *testing.T) {
	w := distinctive()
	w.Plan.Tracked = []string{"Acmely", "unrelated"}
	for _, bare := range [][]string{{"Acmely"}, nil} {
		w.Plan.Bare = bare
		_, p := made(t, w)
		if brand := keywordOf(t, p, "brand"); bare != nil && !brand.SelectedByDefault {
			t.Errorf("the brand, which is tracked, is not selected")
		}
		selected := proposes(p, "brand_domain") && keywordOf(t, p, "brand_domain").SelectedByDefault
		if selected != (bare == nil) {
			t.Errorf("with %v tracked bare, the domain is selected: %v", bare, selected)
		}
	}
}

// What the brand covers by its sample is left out of the first proposal. It is left out of the next one too, when the
// workspace tracks the brand bare.
func TestTrackedBareCoversBySample(t *testing.T) {
	w := distinctive()
	w.add(proposal.Candidate{Ref: "product_1", Text: "Ledgerbox", Tag: keyword.OwnBrand, Route: proposal.Bare}, 4, 4)
	var posts []proposal.SampledPost
	for i := range 8 {
		posts = append(posts, post(300+i, "reddit", "di", fmt.Sprintf("Ledgerbox by Acmely closed our books %d times", i), true))
	}
	w.sees("product_1", posts, nil, nil, nil)
	w.Plan.Tracked, w.Plan.Bare = []string{"Acmely"}, []string{"Acmely"}
	if _, p := made(t, w); proposes(p, "product_1") || !warns(p, "covered") ||
		!keywordOf(t, p, "brand").SelectedByDefault {
		t.Errorf("Ledgerbox is proposed beside the tracked brand, or nothing says why not: %+v", p.Warnings)
	}
	w.Plan.Bare = nil // the tracked keyword is narrower, and what it brings is not known
	if _, p := made(t, w); !proposes(p, "product_1") {
		t.Error("Ledgerbox is left out for a keyword of which nobody knows what it brings")
	}
}

// What the tracked brand brings is not known if it is narrower there. It covers nothing, also without room for more.
func TestTracked_NoRoom(t *testing.T) {
	w := distinctive()
	w.Plan.Tracked, w.Plan.Keywords = []string{"Acmely"}, 0
	_, p := made(t, w)
	if !proposes(p, "brand_domain") || keywordOf(t, p, "brand_domain").SelectedByDefault || warns(p, "covered") {
		t.Errorf("the domain is left out for the tracked brand: %+v", p.Warnings)
	}
}

// A candidate that the workspace tracks is said to be tracked, also if another covers it by its sample. What a keyword
// that is not selected would bring is not said to come in.
func TestTracked_Covered(t *testing.T) {
	w := distinctive()
	w.add(proposal.Candidate{Ref: "competitor_2", Text: "Fennix", Tag: keyword.Competitor, Route: proposal.Bare}, 4, 4)
	var posts []proposal.SampledPost
	for i := range 8 {
		posts = append(posts, post(300+i, "reddit", "di", fmt.Sprintf("Fennix or Zendrix, number %d?", i), true))
	}
	w.sees("competitor_2", posts, nil, nil, nil)
	w.Plan.Tracked = []string{"FENNIX"}
	_, p := made(t, w)
	says(t, p, []string{"You track this keyword already, so it is not proposed."}, "already: Zendrix")
	w.Plan.Tracked, w.Plan.Bare = []string{"Zendrix"}, []string{"Zendrix"} // as the first proposal has it
	if _, p = made(t, w); proposes(p, "competitor_2") {
		t.Errorf("Fennix is proposed beside a tracked keyword that brings its posts: %+v", p.Warnings)
	}
	says(t, p, []string{"Another keyword brings its posts already: Zendrix"})
	w.Plan.Tracked, w.Plan.Bare, w.Plan.Keywords = nil, nil, 1
	_, p = made(t, w)
	says(t, p, []string{"Another keyword, which is not selected, would bring its posts: Zendrix"}, "already: Zendrix")
}

// A paused keyword brings nothing, so nobody is told that it is tracked.
func TestTracked_Paused(t *testing.T) {
	w := distinctive()
	w.Plan.Tracked = []string{"Acmely", "Zendrix"}
	w.Plan.Paused = w.Plan.Tracked
	_, p := made(t, w)
	for _, text := range w.Plan.Paused {
		if !slices.ContainsFunc(p.Warnings, func(w proposal.Warning) bool {
			return w.Keyword == text &&
				w.Message == "You have this keyword already, and it is paused. Resume it to get its posts."
		}) {
			t.Errorf("nothing says that %s is paused: %+v", text, p.Warnings)
		}
	}
	says(t, p, nil, "You track this keyword already")
}

// A feed of keywords that the workspace tracks is not said to have none.
func TestTracked_Feed(t *testing.T) {
	w := distinctive()
	w.Plan.Tracked = []string{"Zendrix"}
	_, p := made(t, w)
	says(t, p, []string{"The feed “Competitors” is hidden: you track its keywords already."})
}

// The total of a selection has a tracked brand in it, which brings what its domain does.
func TestTrackedBrand_HasItsDomain(t *testing.T) {
	w := newWorld()
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 1, 1)
	w.add(proposal.Candidate{
		Ref:   "brand_domain",
		Text:  "acmely.example",
		Tag:   keyword.OwnBrand,
		Route: proposal.DomainVariant,
	}, 40, 40)
	w.add(proposal.Candidate{Ref: "competitor_1", Text: "Zendrix", Tag: keyword.Competitor, Route: proposal.Bare}, 3, 1)
	both := []proposal.SampledPost{post(1, "hackernews", "ann", "we moved to Acmely at acmely.example", true)}
	w.sees("brand", both, nil, nil, nil)
	w.sees("brand_domain", both, nil, nil, nil)
	w.Plan.Tracked, w.Plan.Allowance = []string{"Acmely"}, 10
	_, p := made(t, w)
	if k := keywordOf(t, p, "competitor_1"); !k.SelectedByDefault || p.Totals.DedupedMonthly > p.Totals.Allowance {
		t.Errorf("with a total of %.1f of %.0f: %s", p.Totals.DedupedMonthly, p.Totals.Allowance, k.Explanation)
	}
}
