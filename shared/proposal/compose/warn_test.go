package compose_test

import (
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
