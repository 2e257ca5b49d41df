package candidate_test

import (
	"slices"
	"testing"

	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

func TestOf_Notice(t *testing.T) {
	for _, notice := range proposal.Notices() {
		found := candidate.Of("acme.com", proposal.Profile{Company: "Acme", Notice: notice})
		if !slices.ContainsFunc(found.Warnings, func(w proposal.Warning) bool { return w.Code == "page_"+string(notice) }) {
			t.Errorf("Of(notice %s) warns %+v", notice, found.Warnings)
		}
	}
	for _, notice := range []proposal.Notice{"", "unknown"} {
		for _, w := range candidate.Of("acme.com", proposal.Profile{Company: "Acme", Notice: notice}).Warnings {
			if w.Code == "page_"+string(notice) {
				t.Errorf("Of(notice %q) warns %+v", notice, w)
			}
		}
	}
}
