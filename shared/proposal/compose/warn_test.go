package compose_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

// An account is to be confirmed only if it is proposed.
func TestWarnings_HandleCovered(t *testing.T) {
	for handle, proposed := range map[string]bool{"@acmely": false, "@getacmely": true} {
		w := distinctive()
		w.add(proposal.Candidate{
			Ref:     "handle",
			Text:    handle,
			Tag:     keyword.OwnBrand,
			Route:   proposal.HandleVariant,
			Confirm: true,
		}, 0, 0)
		w.Candidates.Warnings = []proposal.Warning{{Code: candidate.WarnHandle, Keyword: handle, Message: "Confirm it."}}
		_, p := made(t, w)
		if proposes(p, "handle") != proposed || warns(p, candidate.WarnHandle) != proposed {
			t.Errorf("%s is proposed: %v, want %v, and the warnings are %+v", handle, proposes(p, "handle"), proposed, p.Warnings)
		}
	}
}

// A name that is left out since another keyword brings the posts that its anchors keep is said to be covered, although
// its text has further posts.
func TestWarnings_CoveredAsAnchored(t *testing.T) {
	w := distinctive()
	w.add(proposal.Candidate{Ref: "product_1", Text: "Ledger", Tag: keyword.OwnBrand, Route: proposal.Anchored}, 20, 20)
	anchors := []string{"payroll", "invoices", "payslips"}
	var posts []proposal.SampledPost
	for i := range 24 {
		text := fmt.Sprintf("Acmely has a Ledger for %s and %d more", anchors[i%3], i)
		if i >= 12 {
			text = fmt.Sprintf("The ledger of a shop in %d", 1800+i)
		}
		posts = append(posts, post(300+i, "reddit", fmt.Sprintf("author%d", i), text, i < 12))
	}
	w.sees("product_1", posts, anchors, nil, nil)
	_, p := made(t, w)
	said := slices.ContainsFunc(p.Warnings, func(one proposal.Warning) bool {
		return one.Code == "covered" && one.Keyword == "Ledger" && strings.HasSuffix(one.Message, ": Acmely")
	})
	if proposes(p, "product_1") || !said {
		t.Errorf("it is proposed: %v, want false, and the warnings are %+v", proposes(p, "product_1"), p.Warnings)
	}
}
