package compose_test

import (
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// Something of the own brand is listened for (rule K1), also where its name brings more than can be read (rule V2) and what else there is
// cannot be selected.
func TestOwnBrandIsSelected(t *testing.T) {
	for name, prepare := range map[string]func(w *world){
		"an account where nothing can be listened to": func(w *world) {
			w.add(proposal.Candidate{Ref: "handle_linkedin", Text: "@acmely", Tag: keyword.OwnBrand, Route: proposal.HandleVariant,
				Platforms: []string{"linkedin"}}, -1, -1)
		},
		"the name is tracked, and there is no room": func(w *world) {
			w.Plan.Tracked, w.Plan.Keywords = []string{"Acmely"}, 0
		},
		"all is tracked": func(w *world) {
			w.add(proposal.Candidate{Ref: "brand_domain", Text: "acmely.example", Tag: keyword.OwnBrand, Route: proposal.DomainVariant}, 400_000, 7)
			w.Plan.Tracked = []string{"Acmely", "acmely.example"}
		},
		"the least cannot be split": func(w *world) {
			w.add(proposal.Candidate{Ref: "handle_github", Text: "@acmely", Tag: keyword.OwnBrand, Route: proposal.HandleVariant,
				Platforms: []string{"hackernews"}}, 9_000, 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.Profile.Handles = []proposal.Handle{{Platform: "github", Handle: "acmely", Linked: true}, {Platform: "linkedin", Handle: "acmely", Linked: true}}
			w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 400_000, 12)
			w.Plan.Allowance = 10_000_000 // nothing is narrowed for the total to fit
			prepare(w)
			_, p := narrow(w.Evidence)
			holds(t, p, w.Evidence)
		})
	}
}

// A domain that is selected though there is no room stays, where the name covers it (rule K3) and brings more than can be listened to.
func TestSelectedForWantOfRoomIsNotCovered(t *testing.T) {
	w := newWorld()
	w.Plan.Keywords = 0
	w.add(proposal.Candidate{Ref: "brand", Text: "Acmely", Tag: keyword.OwnBrand, Route: proposal.Bare}, 400_000, 400_000)
	w.add(proposal.Candidate{Ref: "brand_domain", Text: "acmely.example", Tag: keyword.OwnBrand, Route: proposal.DomainVariant}, 3, 1)
	if v := w.Measured.Volumes["brand"]; !v.Open || v.Band != proposal.BandTopEnd {
		t.Fatalf("the name brings %+v", v)
	}
	_, p := made(t, w)
	if brand := keywordOf(t, p, "brand"); brand.SelectedByDefault {
		t.Error("a name that brings more than can be listened to is selected")
	}
	if domain := keywordOf(t, p, "brand_domain"); !domain.SelectedByDefault {
		t.Errorf("the domain is not selected: %s", domain.Explanation)
	}
}
