package candidate_test

import (
	"slices"
	"strings"
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

// What is left out because of another keyword is said to bring what it would bring: all posts of a narrower one, or some
// of a wider one. A page that shows next to no text may still have a title with the company's name.
func TestOf_NoticesAreTrue(t *testing.T) {
	for term, c := range map[string]struct {
		profile proposal.Profile
		said    string
	}{
		"Quibblefrost": {
			proposal.Profile{
				Company: "Zelphor", IndustryTerms: []string{"Quibblefrost"},
				Handles: []proposal.Handle{{Platform: "twitter", Handle: "quibblefrost", Linked: true}},
			},
			"“Quibblefrost” would bring all posts of “@quibblefrost” again, so it is left out.",
		},
		"Zelphor Rentals": {
			proposal.Profile{Company: "Zelphor", Competitors: []string{"Zelphor Rentals"}},
			"“Zelphor Rentals” would bring no posts that “Zelphor” does not bring, so it is left out.",
		},
		"zelphor": {
			proposal.Profile{Company: "Zelphor", Competitors: []string{"zelphor"}, Products: []string{"Zelphor"}},
			"“zelphor” is in the profile as your own brand too, so it is not looked into as a competitor.",
		},
	} {
		found := candidate.Of("zelphor.example", c.profile)
		for _, w := range found.Warnings {
			if w.Code == candidate.WarnCovered && w.Keyword != term {
				t.Errorf("%s: another warning is %+v", term, w)
			}
		}
		if !slices.ContainsFunc(found.Warnings, func(w proposal.Warning) bool { return w.Keyword == term && w.Message == c.said }) {
			t.Errorf("%s: %+v", term, found.Warnings)
		}
	}
	for _, w := range candidate.Of("acme.com", proposal.Profile{Company: "Silver Acme", Notice: proposal.NoticeEmpty}).Warnings {
		if strings.Contains(w.Message, "name is taken") {
			t.Errorf("%+v", w)
		}
	}
}
