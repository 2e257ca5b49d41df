package rule

import (
	"slices"
	"strings"

	"earshot/shared/proposal"
)

// tagFeed (F1): such a feed shows what a filter shows; it is kept readable only for this refusal.
func tagFeed(p proposal.Proposal, _ proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	for n, f := range p.Feeds {
		if f.Purpose == proposal.ByTag {
			r.add(
				"F1", path("feeds", n, "purpose"), f.Ref,
				"No feed is made for a tag: put its keywords into a feed of purpose brand, competitors or topic.",
			)
		}
	}
	return found
}

// feedOfEach (F2). A keyword that is only offered has a feedRef that resolves, and may be in that feed; in no other. A
// feed that is merged into another keeps its keywords: they are in it, and in it alone, while its target shows them.
// Merging ends at a feed that is not merged.
func feedOfEach(p proposal.Proposal, _ proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	keywords, feeds := map[string]bool{}, map[string]int{}
	for _, k := range p.Keywords {
		keywords[k.Ref] = true
	}
	in := map[string][]string{} // the feeds of each keyword
	for n, f := range p.Feeds {
		if _, twice := feeds[f.Ref]; !twice {
			feeds[f.Ref] = n
		}
		if len(f.KeywordRefs) == 0 {
			r.add("F2", path("feeds", n, "keywordRefs"), f.Ref, "A feed has a keyword: drop the feed, or give it one.")
		}
		for _, ref := range f.KeywordRefs {
			if !keywords[ref] {
				r.add(
					"F2", path("feeds", n, "keywordRefs"), f.Ref, "No keyword has the ref %s: take it out.", quote(ref),
				)
				continue
			}
			in[ref] = append(in[ref], f.Ref)
		}
	}
	for n, k := range p.Keywords {
		of := in[k.Ref]
		_, known := feeds[k.FeedRef]
		switch {
		case !known:
			r.add(
				"F2", at(n, "feedRef"), k.Ref, "No feed has the ref %s: name the feed that the keyword is in.",
				quote(k.FeedRef),
			)
		case len(of) == 0 && k.SelectedByDefault:
			r.add(
				"F2", at(n, "feedRef"), k.Ref, "No feed has this keyword: add it to keywordRefs of %s.",
				quote(k.FeedRef),
			)
		case len(of) > 1:
			r.add(
				"F2", at(n, "feedRef"), k.Ref, "%d feeds have this keyword: leave it in %s alone.", len(of),
				quote(k.FeedRef),
			)
		case len(of) == 1 && of[0] != k.FeedRef:
			r.add(
				"F2", at(n, "feedRef"), k.Ref, "The keyword is in %s but names %s: make them agree.", quote(of[0]),
				quote(k.FeedRef),
			)
		}
	}
	for n, f := range p.Feeds {
		if _, known := feeds[f.Gate.DuplicateOf]; f.Gate.DuplicateOf != "" && (!known || f.Gate.DuplicateOf == f.Ref) {
			r.add(
				"F2", path("feeds", n, "gate.duplicateOf"), f.Ref, "No other feed has the ref %s.",
				quote(f.Gate.DuplicateOf),
			)
		}
		if f.MergedIntoRef == "" {
			continue
		}
		if _, known := feeds[f.MergedIntoRef]; !known {
			r.add(
				"F2", path("feeds", n, "mergedIntoRef"), f.Ref,
				"No feed has the ref %s: name the feed that it is merged into.", quote(f.MergedIntoRef),
			)
			continue
		}
		next := n
		for range p.Feeds {
			to, known := feeds[p.Feeds[next].MergedIntoRef]
			if !known {
				next = -1
				break
			}
			next = to
		}
		if next >= 0 {
			r.add(
				"F2", path("feeds", n, "mergedIntoRef"), f.Ref,
				"Merging goes in a circle: one feed of it must stay by itself.",
			)
		}
	}
	return found
}

// feedGate (F3) is asked of the figures that the gate shows, which are the reason why a feed is visible or not. A feed
// that is merged is not visible by itself, whatever its figures, and one without a selected keyword may be hidden,
// since nothing would come in. When no sample was drawn, or the run died, there are no figures to go by: then the
// brand's feed is visible and no other is.
//
// The brand's feed is visible however quiet it is and however much of one subject, unless it is mostly noise and another
// feed is visible. A proposal of which every feed is hidden would show nothing.
func feedGate(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	unsampled := e.Sampled.Sightings == nil || e.Interrupted
	visible := func(f proposal.Feed) bool { return f.Visible }
	if len(p.Feeds) > 0 && !slices.ContainsFunc(p.Feeds, visible) {
		r.add("F3", "feeds", "", "Every feed is hidden, so nothing would be shown: make the brand's visible.")
	}
	for n, f := range p.Feeds {
		place := path("feeds", n, "visible")
		failures := f.Gate.Fails()
		switch {
		case f.Visible && f.MergedIntoRef != "":
			r.add("F3", place, f.Ref, "A feed that is merged into another is not visible by itself: hide it.")
		case f.MergedIntoRef != "":
			to := slices.IndexFunc(p.Feeds, func(other proposal.Feed) bool { return other.Ref == f.MergedIntoRef })
			if f.Purpose == proposal.ForBrand && listens(p, f) && to >= 0 && !p.Feeds[to].Visible {
				r.add("F3", place, f.Ref, "The brand's feed is merged into one that is hidden: make it visible.")
			}
		case f.Purpose == proposal.ForBrand:
			noise := !unsampled && f.Gate.Noise(scored(p, f))
			others := slices.ContainsFunc(
				p.Feeds, func(other proposal.Feed) bool { return other.Visible && other.Ref != f.Ref },
			)
			switch {
			case f.Visible && noise && others:
				r.add("F3", place, f.Ref, "The brand's feed is mostly noise and another feed is visible: hide it.")
			case !f.Visible && !(noise && others) && listens(p, f):
				r.add("F3", place, f.Ref, "The brand's feed is not mostly noise: make it visible.")
			}
		case unsampled && f.Visible:
			r.add("F3", place, f.Ref, "Nothing was sampled, so only the brand's feed is visible: hide this one.")
		case f.Visible && len(failures) > 0:
			r.add(
				"F3", place, f.Ref, "The gate fails (%s): hide the feed, or merge it into another.",
				strings.Join(failures, ", "),
			)
		case !f.Visible && !unsampled && len(failures) == 0 && listens(p, f):
			r.add("F3", place, f.Ref, "The gate passes and the feed is not merged: make it visible.")
		}
	}
	return found
}

// scored counts the sampled posts of a feed's selected keywords.
func scored(p proposal.Proposal, f proposal.Feed) (posts int) {
	for _, k := range p.Keywords {
		if k.SelectedByDefault && k.Sample != nil && slices.Contains(f.KeywordRefs, k.Ref) {
			posts += k.Sample.Scored
		}
	}
	return posts
}

// listens says whether a keyword of a feed is selected.
func listens(p proposal.Proposal, f proposal.Feed) bool {
	return slices.ContainsFunc(
		p.Keywords,
		func(k proposal.Keyword) bool { return k.SelectedByDefault && slices.Contains(f.KeywordRefs, k.Ref) },
	)
}

// contentTerms (E8): a feed found in mentions has no keywords of its own that tell it from others, so its words do.
func contentTerms(p proposal.Proposal, _ proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	for n, f := range p.Feeds {
		if f.Source == proposal.FromMentions &&
			!slices.ContainsFunc(f.ContentTerms, func(term string) bool { return !blank(term) }) {
			r.add(
				"E8", path("feeds", n, "contentTerms"), f.Ref,
				"A feed found in mentions filters by content: give it contentTerms.",
			)
		}
	}
	return found
}
