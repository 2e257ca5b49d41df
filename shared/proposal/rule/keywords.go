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

// ownBrand (K1) asks for what is selected by default: a brand that is only offered is not tracked. A domain, a handle or
// another writing of the name does not stand for the brand, unless the company's name can be no keyword.
func ownBrand(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	brand := brandRef(p, e)
	for _, k := range p.Keywords {
		if k.SelectedByDefault && k.Tag == keyword.OwnBrand && (brand == "" || k.Ref == brand) {
			return nil
		}
	}
	r := (*report)(&found)
	r.add(
		"K1", "keywords", brand,
		"The brand itself is not selected by default: select the keyword of the company's name. Its domain or its "+
			"handle does not stand for it.",
	)
	return found
}

// commonWord (K2) holds for every keyword, selected or not, and for each of its options, since a person may apply any
// of them. A text is a common word by the lists, or when its bare sample of at least proposal.SampleEnough posts is
// less than proposal.ConfirmBelow relevant, whatever the lists say; a good sample does not clear a word of the lists.
// The sample says nothing of domains and handles: they are no words, and nothing could anchor them better.
//
// Tracked bare is what the route calls so (bare, brand_copy), and what finds its text by itself as it is written at
// apply: without terms, with terms that the text itself has, or with terms that wait for the clean-up, as an own_brand
// keyword's do by default. The brand that listens for its capital alone is not, if its sample proves that the capital
// tells it from the word (ToldByCase), or that the capital hardly means anything else (MeantByCase).
func commonWord(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	brand := brandRef(p, e)
	for n, k := range p.Keywords {
		why := whyCommon(k, e)
		if why == "" {
			continue
		}
		if k.Ref == brand && k.Route == proposal.Bare {
			cased, posts := k.Initially(), e.Sampled.Sightings[k.Ref].Posts
			if ToldByCase(cased, posts) || MeantByCase(cased, posts) {
				continue
			}
		}
		if k.Route == proposal.Bare || k.Route == proposal.BrandCopy {
			r.add(
				"K2", at(n, "route"), k.Ref,
				"%s %s: route it as anchored, with additional terms that are approved as quiet, or drop it.",
				quote(k.Keyword), why,
			)
			continue
		}
		for _, s := range scopings(p, n) {
			switch {
			case !alone(s.keyword.Initially()):
			case alone(s.keyword.Tracked()):
				r.add(
					"K2", s.place, s.ref,
					"%s %s, and no additional term anchors it: give it terms that its own text does not have.",
					quote(k.Keyword), why,
				)
			default:
				r.add(
					"K2", s.place, s.ref,
					"%s %s, and its additional terms wait for the clean-up: approve additionalTerms as quiet.",
					quote(k.Keyword), why,
				)
			}
		}
	}
	return found
}

func whyCommon(k proposal.Keyword, e proposal.Evidence) string {
	if strings.HasPrefix(match.Form(k.Keyword), "@") {
		return ""
	}
	seen := e.Sampled.Sightings[k.Ref]
	speech := candidate.Spoken(e.Profile.Language, seen.Languages)
	if k.Route == proposal.DomainVariant || k.Route == proposal.HandleVariant {
		if candidate.CommonIn(k.Keyword, speech...) {
			return "is a common word"
		}
		return ""
	}
	meant, read := seen.Meant()
	switch common, _ := candidate.Ambiguous(k.Keyword, meant, read, speech...); {
	case common && candidate.CommonIn(k.Keyword, speech...):
		return "is a common word"
	case common:
		return "is mostly said of something else (less than half of its bare sample is relevant)"
	}
	return ""
}

// samePosts (K3) compares the keywords that are selected by default, as they are once everything is written, by Covers:
// one that is only offered finds nothing until somebody chooses it. The same text twice is refused whatever is
// selected, since a workspace has a text once.
//
// A text that the workspace tracks already stays as it is there, scoped in a way that the proposal does not know: it
// covers nothing.
func samePosts(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	first := map[string]int{}
	twice := map[int]bool{}
	for n, k := range p.Keywords {
		form := match.Form(k.Keyword)
		if form == "" {
			continue
		}
		if other, ok := first[form]; ok {
			twice[n] = true
			r.add(
				"K3", at(n, "keyword"), k.Ref, "%s is the text of %s too: merge the two.", quote(k.Keyword),
				quote(p.Keywords[other].Ref),
			)
			continue
		}
		first[form] = n
	}
	var chosen []int
	var tracked []keyword.Keyword
	for n, k := range p.Keywords {
		if k.SelectedByDefault && !twice[n] {
			chosen, tracked = append(chosen, n), append(tracked, k.Tracked())
		}
	}
	there := func(k proposal.Keyword) bool {
		return slices.ContainsFunc(e.Plan.Tracked,
			func(text string) bool { return match.Form(text) == match.Form(k.Keyword) })
	}
	by := covered(tracked)
	for b, all := range by {
		for _, a := range all {
			if there(p.Keywords[chosen[a]]) {
				continue
			}
			if a > b && slices.Contains(by[a], b) {
				continue // each covers the other: the later one is said
			}
			k, other := p.Keywords[chosen[b]], p.Keywords[chosen[a]]
			r.add(
				"K3", at(chosen[b], "keyword"), k.Ref,
				"Every post that %s (%s) finds, %s (%s) finds too: drop it, merge the two or do not select it.",
				quote(k.Keyword), quote(k.Ref), quote(other.Keyword), quote(other.Ref),
			)
			break
		}
	}
	return found
}

// unlinkedHandle (K4) means what is routed as a handle, and what is written as one. A handle is linked when the profile
// has it so, on whatever platform: the site's word is for who it is, not for where.
func unlinkedHandle(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	linked := map[string]bool{}
	for _, h := range e.Profile.Handles {
		if h.Linked {
			linked[handle(candidate.Handle(h.Handle))] = true
		}
	}
	for n, k := range p.Keywords {
		if k.Route != proposal.HandleVariant && !strings.HasPrefix(match.Form(k.Keyword), "@") ||
			linked[handle(k.Keyword)] {
			continue
		}
		if !k.Has(proposal.FlagConfirmHandle) {
			r.add(
				"K4", at(n, "flags"), k.Ref, "The site does not link the handle %s: add the flag confirm_handle.",
				quote(k.Keyword),
			)
		}
		if k.SelectedByDefault {
			r.add(
				"K4", at(n, "selectedByDefault"), k.Ref,
				"The site does not link the handle %s: do not select it by default.", quote(k.Keyword),
			)
		}
	}
	return found
}

// plainText (K5) holds for everything that is matched literally: the keyword, its terms and its excluded words, and the
// options' terms. An asterisk at the end of a wildcard is not in its middle.
func plainText(p proposal.Proposal, _ proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	check := func(place, ref string, texts ...string) {
		for _, phrase := range texts {
			beginning := text.First(phrase, keyword.MaxText) // what is longer is Schema's to refuse
			if operators, suggestion, _, _ := keyword.Operators(beginning); operators && suggestion != "" {
				r.add(
					"K5", place, ref,
					"%s has the syntax of a search engine, which would be matched to the letter: write %s.",
					quote(phrase), quote(suggestion),
				)
			} else if operators {
				r.add(
					"K5", place, ref,
					"%s has the syntax of a search engine, which would be matched to the letter: leave it out.",
					quote(phrase),
				)
			}
		}
	}
	for n, k := range p.Keywords {
		check(at(n, "keyword"), k.Ref, k.Keyword)
		check(at(n, "additionalTerms"), k.Ref, k.AdditionalTerms...)
		check(at(n, "excludeWords"), k.Ref, k.ExcludeWords...)
		check(at(n, "wildcardExcludeWords"), k.Ref, k.WildcardExcludeWords...)
	}
	for n, option := range p.Options {
		check(path("options", n, "additionalTerms"), option.ID, option.AdditionalTerms...)
	}
	return found
}

// specificTerm (K7) counts as words what blanks set apart and has a letter or a digit: "on-call" is one, as "&" is
// none. The sample is the bare one, of at least proposal.SampleEnough posts: terms that are anchored are to be specific
// as well, since the anchors are for the meaning, not for the field.
func specificTerm(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	for n, k := range p.Keywords {
		if k.Tag != keyword.IndustryTerm || len(text.Words(match.Form(k.Keyword))) >= 2 {
			continue
		}
		s := e.Sampled.Sightings[k.Ref]
		if len(s.Posts) >= proposal.SampleEnough && s.Rate() >= proposal.SpecificFrom {
			continue
		}
		r.add(
			"K7",
			at(n, "keyword"),
			k.Ref,
			"The industry term %s is one word and not proven by a sample at least half of which is relevant: "+
				"use a term of two words or more, or drop it.",
			quote(k.Keyword),
		)
	}
	return found
}
