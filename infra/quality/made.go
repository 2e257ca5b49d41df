package main

import (
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/workspace"
)

// A made is a company's proposal, with its evidence and its cost.
type made struct {
	company
	candidates proposal.Candidates
	measured   proposal.Measured
	sampled    proposal.Sampled
	agent      proposal.Composed // zero without a model
	status     proposal.Status   // at the run's end
	proposal   proposal.Proposal
	cost       cost
}

// brand returns the own brand's keywords that the proposal selects, as they listen in the end.
func (m made) brand() []keyword.Keyword {
	var own []keyword.Keyword
	for _, k := range m.proposal.Keywords {
		if k.Tag == keyword.OwnBrand && k.SelectedByDefault {
			tracked := k.Tracked()
			tracked.ID = int64(len(own) + 1)
			own = append(own, tracked)
		}
	}
	return own
}

// baseline is the bare name, in whole words, without punctuation at its end: few people write "Yahoo!".
func (c company) baseline() keyword.Keyword {
	return keyword.Keyword{ID: 1, Text: strings.TrimRight(c.name(), "!?."), ExactMatch: true, Tag: keyword.OwnBrand}
}

// bare returns the keywords of a user who tracks the bare name.
func bare(c company) []keyword.Keyword { return []keyword.Keyword{c.baseline()} }

// workspace is the company as the judge of live mentions knows it.
func (c company) workspace() workspace.Company {
	return workspace.Company{
		Name:        c.name(),
		Domain:      c.Domain,
		Description: c.Profile.Description,
		Products:    c.Profile.Products,
		Audience:    c.Profile.Audience,
		Handles:     c.Profile.OwnHandles(),
	}
}

// route returns how the name itself is tracked.
func (m made) route() string {
	i := slices.IndexFunc(m.proposal.Keywords, func(k proposal.Keyword) bool { return k.Ref == candidate.RefBrand })
	switch {
	case i < 0:
		return "not proposed"
	case !m.proposal.Keywords[i].SelectedByDefault:
		return "not selected"
	case m.proposal.Keywords[i].CaseSensitive:
		return "by capital"
	}
	return strings.ReplaceAll(string(m.proposal.Keywords[i].Route), "_", " ")
}
