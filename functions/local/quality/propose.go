package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"earshot/functions/setupstages"
	"earshot/shared/keyword"
	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/proposal/measure"
	"earshot/shared/proposal/sampling"
	"earshot/shared/score"
	"earshot/shared/source"
	"earshot/shared/survey"
	"earshot/shared/workspace"
)

// plan is the one that companies are set up on.
const plan = workspace.Pro

// room is that of an empty workspace of the plan.
func room() proposal.Room {
	limits := plan.Limits()
	return proposal.Room{Allowance: float64(limits.Mentions), Keywords: limits.Keywords, Platforms: keyword.Platforms()}
}

// A made is a company's proposal with what it rests on.
type made struct {
	company
	evidence proposal.Evidence
	proposal proposal.Proposal
}

// propose takes the stages' steps without the store between them: what the stages make of the same posts is the same (TestTheStagesMakeThis).
func propose(ctx context.Context, judge *score.Judge, sources []source.Source, c company) (made, error) {
	surveyed := survey.New(survey.Options{Sources: sources})
	e := proposal.Evidence{DraftID: "quality", Run: 1, Domain: c.Domain, Profile: c.Profile, Tier: proposal.Balanced, Plan: room()}
	e.Candidates = candidate.Of(c.Domain, c.Profile)
	var counts []proposal.Counts
	for _, name := range surveyed.Names() {
		counts = append(counts, surveyed.Branch(ctx, name, e.Candidates))
	}
	var newest = e.Now
	for _, each := range counts {
		newest = each.CountedAt
	}
	e.Measured = measure.Join(e.Candidates, counts, nil, keyword.Platforms(), newest)
	e.Sampled.Sightings = map[string]proposal.Sighting{}
	sampler := sampling.New(judge, c.Profile, c.Domain)
	for _, each := range e.Candidates.Candidates {
		posts, err := sample(ctx, surveyed, e, each)
		if err != nil {
			return made{}, fmt.Errorf("%s: sample %s: %w", c.name(), each.Ref, err)
		}
		e.Sampled.Sightings[each.Ref] = sampler.Look(each, posts, e.Tier.Depth().Posts)
	}
	end, _ := setupstages.Compose(e, nil, "")
	if end.Proposal == nil {
		return made{}, fmt.Errorf("%s: there is no proposal: %s", c.name(), end.Message)
	}
	return made{c, e, *end.Proposal}, nil
}

// sample asks all platforms for posts of a candidate.
func sample(ctx context.Context, surveyed *survey.Survey, e proposal.Evidence, c proposal.Candidate) (all []post.Post, err error) {
	for _, name := range surveyed.Names() {
		posts, err := surveyed.Posts(ctx, name, c, e.Tier.Depth().Posts)
		if err != nil && !errors.Is(err, survey.ErrNotThere) {
			return nil, err
		}
		all = append(all, posts...)
	}
	return all, nil
}

// brand are the keywords of the own brand that the proposal selects, as they listen in the end.
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

// shown are the posts that the engine read of the own brand.
func (m made) shown() map[string]bool {
	shown := map[string]bool{}
	for _, c := range m.evidence.Candidates.Candidates {
		if c.Tag != keyword.OwnBrand {
			continue
		}
		for _, p := range m.evidence.Sampled.Sightings[c.Ref].Posts {
			shown[p.ID] = true
		}
	}
	return shown
}

// baseline is the bare name, in whole words.
func (c company) baseline() keyword.Keyword {
	return keyword.Keyword{ID: 1, Text: c.name(), ExactMatch: true, Tag: keyword.OwnBrand}
}

// workspace is the company as the judge of live mentions knows it.
func (c company) workspace() workspace.Company {
	return workspace.Company{Name: c.name(), Domain: c.Domain, Description: c.Profile.Description, Products: c.Profile.Products, Audience: c.Profile.Audience}
}

// route says how the name itself is tracked.
func (m made) route() string {
	i := slices.IndexFunc(m.proposal.Keywords, func(k proposal.Keyword) bool { return k.Ref == candidate.RefBrand })
	switch {
	case i < 0:
		return "not proposed"
	case !m.proposal.Keywords[i].SelectedByDefault:
		return "not selected"
	}
	return strings.ReplaceAll(string(m.proposal.Keywords[i].Route), "_", " ")
}
