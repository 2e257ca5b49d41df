package rule

import (
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/proposal"
)

// brandRef returns the ref of the keyword that is the brand itself (proposal.Candidates.Brand). Where the candidates
// have none, it is the first own_brand keyword that is tracked bare or anchored. It is empty where there is none either:
// then any keyword of the own brand stands for it.
func brandRef(p proposal.Proposal, e proposal.Evidence) string {
	if c, found := e.Candidates.Brand(); found {
		return c.Ref
	}
	for _, k := range p.Keywords {
		if k.Tag == keyword.OwnBrand && (k.Route == proposal.Bare || k.Route == proposal.Anchored) {
			return k.Ref
		}
	}
	return ""
}

// lastOfBrand reports whether a platform that is mostly noise is all that speaks of the brand: the brand listens there,
// was counted there, and was counted on no platform that is on and no noise.
func lastOfBrand(p proposal.Proposal, e proposal.Evidence, platform string, noise []string) bool {
	ref := brandRef(p, e)
	at := slices.IndexFunc(p.Keywords, func(k proposal.Keyword) bool { return k.Ref == ref && k.SelectedByDefault })
	if at < 0 {
		return false
	}
	counted, of := e.Measured.Volumes[ref], p.Keywords[at].Platforms
	heard := func(platform string) bool {
		return (of == nil || slices.Contains(of, platform)) && counted.Spoken(platform)
	}
	return heard(platform) && !slices.ContainsFunc(p.Platforms.On, func(other string) bool {
		return !slices.Contains(noise, other) && heard(other)
	})
}

// unprovable reports whether a keyword is the brand, says of itself that it is unverified, and can have no anchors that
// its sample proves: fewer than proposal.MinAnchors of all terms that the run knows keep a relevant post. A brand that
// is a common word is then tracked beside unproven words, because nothing else would track it.
func unprovable(p proposal.Proposal, e proposal.Evidence, k proposal.Keyword) bool {
	if k.Ref != brandRef(p, e) || !k.Has(proposal.FlagUnverified) {
		return false
	}
	sighting := e.Sampled.Sightings[k.Ref]
	var known []string
	offer := func(term string) {
		form := match.Form(term)
		if !generic(term) && !slices.ContainsFunc(known, func(other string) bool { return match.Form(other) == form }) {
			known = append(known, term)
		}
	}
	for _, figure := range sighting.Anchors {
		offer(figure.Term)
	}
	if c, found := e.Candidates.Of(k.Ref); found {
		for _, term := range c.Anchors {
			offer(term)
		}
	}
	works := 0
	for _, idle := range idleAnchors(k.Tracked(), known, nil, sighting) {
		if idle == "" {
			works++
		}
	}
	return works < proposal.MinAnchors
}
