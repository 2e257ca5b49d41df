package candidate

import (
	"fmt"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/proposal"
)

// chosen are the candidates that go on: none that another makes superfluous (rule K3), and at most
// proposal.MaxKeywords.
func (m *maker) chosen() proposal.Candidates {
	kept := m.different()
	chosen := make([]bool, len(kept))
	total, of := 0, [len(quotas)]int{}
	for i, c := range kept {
		if of[c.kind] < quotas[c.kind] {
			chosen[i] = true
			of[c.kind]++
			total++
		}
	}
	for i := 0; i < len(kept) && total < proposal.MaxKeywords; i++ { // what some kinds leave, in order
		if !chosen[i] {
			chosen[i] = true
			total++
		}
	}
	result := proposal.Candidates{Candidates: []proposal.Candidate{}, Warnings: m.warnings}
	for i, c := range kept {
		if chosen[i] {
			result.Candidates = append(result.Candidates, c.Candidate)
		}
	}
	if left := len(kept) - total; left > 0 {
		m.warn(
			WarnTooMany,
			"",
			fmt.Sprintf(
				"There is more in the profile than a proposal holds: %d of its names and terms were left out.", left,
			),
		)
		result.Warnings = m.warnings
	}
	return result
}

// roles are what a profile has names and terms as.
var roles = map[keyword.Tag]string{
	keyword.OwnBrand: "your own brand", keyword.Competitor: "a competitor", keyword.IndustryTerm: "a term of your field",
}

// different are the candidates without those that match the same posts as one before them, or that one before them
// covers, or that cover one before them: what is before is nearer to the company. The company's domain and accounts
// stay although its name covers them: should the name turn out to mean other things and be anchored, they find what it
// then misses.
func (m *maker) different() []considered {
	var kept []considered
	for _, c := range m.found {
		would := ""
		by := slices.IndexFunc(
			kept, func(other considered) bool { return match.Form(other.Text) == match.Form(c.Text) },
		)
		same := by >= 0
		if by < 0 && !c.stays() {
			by = slices.IndexFunc(kept, func(before considered) bool {
				if asksNoMore(before.Candidate, c.Candidate) && before.written.covers(c.written) {
					would = "bring no posts that %s does not bring"
					return true
				}
				would = "bring all posts of %s again"
				own := c.Tag == keyword.OwnBrand && before.stays() // the domain of a name that is joined or hyphenated
				return !own && asksNoMore(c.Candidate, before.Candidate) && c.written.covers(before.written)
			})
		}
		if by < 0 {
			kept = append(kept, c)
			continue
		}
		switch {
		case c.stays() || c.kind == ofCopies || same && kept[by].Tag == c.Tag:
		case same:
			m.warn(WarnCovered, c.Text, fmt.Sprintf(
				"%s is in the profile as %s too, so it is not looked into as %s.", quote(c.Text), roles[kept[by].Tag], roles[c.Tag],
			))
		default:
			m.warn(
				WarnCovered, c.Text,
				quote(c.Text)+" would "+fmt.Sprintf(would, quote(kept[by].Text))+", so it is left out.",
			)
		}
	}
	return kept
}

// stays says whether a candidate is the company's domain or an account.
func (c considered) stays() bool {
	return c.Route == proposal.DomainVariant || c.Route == proposal.HandleVariant
}
