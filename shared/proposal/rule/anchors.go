package rule

import (
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
	"earshot/shared/text"
)

// genericAnchor (A1) looks at every additional term, whatever the route, and at those of the options. A term of several
// words is generic when each of them is ("software platform").
func genericAnchor(p proposal.Proposal, _ proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	check := func(place, ref string, terms []string) {
		for _, term := range terms {
			if generic(term) {
				r.add(
					"A1", place, ref,
					"The term %s is generic and anchors nothing: use a word that only this company's field has.",
					quote(term),
				)
			}
		}
	}
	for n, k := range p.Keywords {
		check(at(n, "additionalTerms"), k.Ref, k.AdditionalTerms)
	}
	for n, option := range p.Options {
		check(path("options", n, "additionalTerms"), option.ID, option.AdditionalTerms)
	}
	return found
}

func generic(term string) bool {
	term = text.First(term, keyword.MaxText) // what is longer is Schema's to refuse
	if candidate.Generic(term) {
		return true
	}
	fields := strings.Fields(term)
	for _, word := range fields {
		if !candidate.Generic(word) {
			return false
		}
	}
	return len(fields) > 0
}

// workingAnchors (A2) means the keywords whose route is anchored; a keyword of another route has no terms at all, since
// they would anchor it. Terms are the same when the matcher compares them so, and one that the keyword's own text has
// anchors nothing. A term works when the keyword's text beside this term alone finds a relevant post of the sample, or
// when the stage sample found one among all posts that it read. A term of the profile also works when the sample has no
// post with it. Where the sample has fewer than proposal.SampleEnough relevant posts, which prove nothing of a term,
// only the number is asked for. The brand of which no three terms can be proven is excused (unprovable).
func workingAnchors(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	for n, k := range p.Keywords {
		place := at(n, "additionalTerms")
		said := terms(k.AdditionalTerms)
		if k.Route != proposal.Anchored {
			if len(said) > 0 {
				r.add(
					"A2", place, k.Ref,
					"The route is %s but additional terms anchor the keyword: route it as anchored, or drop the terms.",
					quote(string(k.Route)),
				)
			}
			continue
		}
		if k.AdditionalTermsLogic != keyword.Any {
			r.add(
				"A2", at(n, "additionalTermsLogic"), k.Ref,
				"A post has one anchor, not all of them: set additionalTermsLogic to any.",
			)
		}
		seen := map[string]bool{}
		for _, term := range said {
			form := match.Form(term)
			if seen[form] {
				r.add("A2", place, k.Ref, "The term %s is there twice: keep one.", quote(term))
			}
			seen[form] = true
		}
		if len(seen) < proposal.MinAnchors || len(seen) > proposal.MaxAnchors {
			r.add("A2", place, k.Ref, "An anchored keyword has %d to %d different additional terms, and %s has %d.",
				proposal.MinAnchors, proposal.MaxAnchors, quote(k.Keyword), len(seen))
		}
		c, _ := e.Candidates.Of(k.Ref)
		idle := idleAnchors(k.Tracked(), said, c.Anchors, e.Sampled.Sightings[k.Ref])
		unproven := slices.Contains(idle, provesNothing) && unprovable(p, e, k)
		for i, why := range idle {
			if why != "" && !(why == provesNothing && unproven) {
				r.add("A2", place, k.Ref, "The term %s %s: replace it.", quote(said[i]), why)
			}
		}
	}
	return found
}

// provesNothing is why a term that the sample does not prove does not work.
const provesNothing = "keeps no relevant post of the sample"

// maxJudged bounds how many terms of a keyword are tried; Schema refuses more.
const maxJudged = keyword.MaxTerms

// idleAnchors say of each term why it does not work; empty: it does. profile are the terms that the profile offers.
func idleAnchors(k keyword.Keyword, terms, profile []string, s proposal.Sighting) []string {
	terms = terms[:min(len(terms), maxJudged)]
	why := make([]string, len(terms))
	beside := make([]keyword.Keyword, len(terms))
	for i, term := range terms {
		beside[i] = bare(k)
		beside[i].AdditionalTerms = []string{term}
	}
	l := listen(beside...)
	for i, within := range l.hears(saying("", k.Text)) {
		if within {
			why[i] = "is in the keyword itself and anchors nothing"
		}
	}
	relevant := 0
	meant, noise := make([]int, len(terms)), make([]int, len(terms))
	for _, p := range s.Posts {
		into := noise
		if p.Relevant {
			relevant++
			into = meant
		}
		for i, heard := range l.hears(sampled(p)) {
			if heard {
				into[i]++
			}
		}
	}
	for _, f := range s.Anchors {
		for i, term := range terms {
			if match.Form(term) == match.Form(f.Term) {
				meant[i], noise[i] = max(meant[i], f.Relevant), max(noise[i], f.Noise)
			}
		}
	}
	offered := map[string]bool{}
	for _, term := range profile {
		offered[match.Form(term)] = true
	}
	for i, term := range terms {
		unread := offered[match.Form(term)] && noise[i] == 0
		if why[i] == "" && relevant >= proposal.SampleEnough && meant[i] == 0 && !unread {
			why[i] = provesNothing
		}
	}
	return why
}
