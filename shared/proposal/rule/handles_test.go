package rule

import (
	"testing"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

// However a person writes a linked account, it is the one that the keyword of its candidate is of.
func TestLinkedHandlesHoweverWritten(t *testing.T) {
	for _, written := range []string{"acme", "@acme", "acme@mastodon.social", "https://twitter.com/acme", "r/acme",
		"company/acme", "acme/", "acme.", "-x"} {
		profile := proposal.Profile{
			Company: "Kubernautix",
			Handles: []proposal.Handle{{Platform: "twitter", Handle: written, Linked: true}},
		}
		e := proposal.Evidence{
			Domain:     "kubernautix.example",
			Profile:    profile,
			Candidates: candidate.Of("kubernautix.example", profile),
		}
		p := proposal.Proposal{}
		for _, c := range e.Candidates.Candidates {
			if c.Route == proposal.HandleVariant && !c.Confirm {
				p.Keywords = append(p.Keywords,
					proposal.Keyword{Ref: c.Ref, Keyword: c.Text, Tag: keyword.OwnBrand, Route: c.Route, SelectedByDefault: true})
			}
		}
		for _, f := range Check(p, e) {
			if f.Rule == "K4" {
				t.Errorf("%q, which is tracked as %v: %s", written, p.Keywords, f.Text)
			}
		}
	}
}
