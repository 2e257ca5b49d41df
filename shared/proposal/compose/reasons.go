package compose

import (
	"fmt"
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/candidate"
)

// reasons returns why code decided as it did, all by rule and at least one. The candidate's own sentences come first,
// because they name it. The decision's sentence replaces the candidate's on the rules of ofDecision.
func (r *reading) reasons(p *plan) []proposal.Reason {
	ofDecision := func(rule string) bool { return rule == "K2" || rule == "K3" }
	about := func(all []proposal.Reason, rule string) bool {
		return slices.ContainsFunc(all, func(r proposal.Reason) bool { return r.Ref == rule })
	}
	decided := r.ruleReasons(p)
	anchored := func(route proposal.Route) bool { return route == proposal.Anchored }
	reasons := []proposal.Reason{}
	for _, reason := range p.Candidate.Reasons {
		switch {
		case reason.Basis != proposal.ByRule: // candidates kept by an earlier version have reasons by guide
		case reason.Ref == "K2" && anchored(p.Candidate.Route) != anchored(p.Route): // it argues for the other route
		case ofDecision(reason.Ref) && about(decided, reason.Ref):
		default:
			reasons = append(reasons, reason)
		}
	}
	for _, reason := range decided {
		if !about(reasons, reason.Ref) {
			reasons = append(reasons, reason)
		}
	}
	if len(reasons) == 0 {
		text := quoted(p.Text, "The name") + " brings posts that no other keyword of the proposal brings."
		reasons = append(reasons, proposal.Reason{Basis: proposal.ByRule, Ref: "K3", Text: text})
	}
	return reasons
}

// ruleReasons returns what the rules say of a decision.
func (r *reading) ruleReasons(p *plan) []proposal.Reason {
	var reasons []proposal.Reason
	add := func(id, format string, args ...any) {
		reasons = append(reasons, proposal.Reason{Basis: proposal.ByRule, Ref: id, Text: fmt.Sprintf(format, args...)})
	}
	name := quoted(p.Text, "The name")
	switch {
	case p.Route == proposal.Anchored && p.confirmed:
		add(
			"K2", "%s is anchored: only %d of %d sampled posts with it alone %s relevant.", name, p.relevant.count(),
			len(p.posts), verb(p.relevant.count(), "is", "are"),
		)
	case p.Route == proposal.Anchored && p.common && p.madeOfWords():
		add("K2", "%s is anchored: it is made of common words.", name)
	case p.Route == proposal.Anchored && p.common:
		add("K2", "%s is anchored: it is a common word%s.", name, ofLanguage(candidate.WordOf(p.Text, p.speech...)))
	case p.Route == proposal.Anchored:
		add("V2", "%s is anchored: by itself it brings more than %s posts a month.", name, whole(proposal.TopEnd))
	case p.cased():
		add("K2", "%s is a common word and is told by its capital: %d of %d sampled posts that write it so are relevant.",
			name, p.kept.both(p.relevant), p.kept.count())
	case p.cleared():
		add("K2", "%s is a word too, and yet tracked by itself: %d of %d sampled posts with it are relevant.",
			name, p.relevant.count(), len(p.posts))
	}
	switch {
	case p.Tag == keyword.OwnBrand && p.why == selected:
		add("K1", "Your own brand is always tracked.")
	case p.Tag == keyword.IndustryTerm && words(p.Text) > 1:
		add("K7", "%s is specific: it has %d words.", name, words(p.Text))
	case p.Tag == keyword.IndustryTerm:
		add("K7", "%s is specific: %d of %d sampled posts are relevant.", name, p.relevant.count(), len(p.posts))
	}
	if p.unproven && p.Route == proposal.Anchored {
		add("A2", "%s stands beside words that no sampled post proves: fewer than %d could be proven.", name, proposal.MinAnchors)
	}
	if p.brand && p.why == selected && p.Route != proposal.Anchored && p.built.Volume.Band == proposal.BandTopEnd {
		add(
			"V2",
			"%s brings more than %s a month, and nothing narrows it without losing posts of yours.",
			name,
			posts(proposal.TopEnd),
		)
	}
	if len(p.ExcludeWords)+len(p.Decision.ExcludeAuthors) > 0 {
		add("X1", "What is excluded takes away noise and no relevant post of the sample.")
	}
	if p.Decision.Platforms != nil && p.Candidate.Platforms == nil {
		add("P1", "Platforms where the sample is mostly noise are left out.")
	}
	switch p.why {
	case unconfirmed:
		add("K4", "The site does not link this handle, so it waits to be confirmed.")
	case tracked:
		if !r.tracked(p.Text) {
			add("K3", "A keyword that the workspace tracks brings its posts already.")
			break
		}
		add("K3", "The workspace tracks this text already.")
	case unsplit:
		add("V2", "It brings more than %s posts a month and nothing narrows it.", whole(proposal.TopEnd))
	case noisy, deaf:
		add("P1", "What it would bring is mostly noise, or on platforms that are off.")
	case full:
		if r.Plan.Keywords > 0 {
			add("T1", "The plan's room goes to keywords that come first.")
			break
		}
		add("T1", "The plan has no room for more keywords.")
	case dear:
		add("T1", "It costs %s a month, and with it the total is over the allowance.", figures(p.built.Volume))
	case dropped:
		add("T2", "It is left for later so that the total fits the allowance.")
	}
	return reasons
}

// madeOfWords reports whether a common name is common for the words in it: no list has the name as a word. A single word
// that no list has is another writing of a common word, such as one without its accents.
func (s *study) madeOfWords() bool {
	return words(strings.ReplaceAll(s.Text, "-", " ")) != 1 && !candidate.CommonIn(s.Text, s.speech...)
}

// ofLanguage is how a sentence says whose word it speaks of; empty if no language is given.
func ofLanguage(name string) string {
	if name == "" {
		return ""
	}
	return " of " + strings.ToUpper(name[:1]) + name[1:]
}

// The names of measurements that reasons refer to.
const (
	refCount  = "count"
	refSample = "sample"
	refScope  = "scope"
)

// measuredReasons quote what was counted, what the sample showed, and what the scoping keeps of it. In a proposal that
// a model decided they are by measurement. In one that code decided they are by the rule that the figure is for.
func (r *reading) measuredReasons(b *built) []proposal.Reason {
	reasons := []proposal.Reason{}
	add := func(measurement, rule, format string, args ...any) {
		reason := proposal.Reason{Basis: proposal.ByMeasurement, Ref: measurement, Text: fmt.Sprintf(format, args...)}
		if r.byCode {
			reason.Basis, reason.Ref = proposal.ByRule, rule
		}
		reasons = append(reasons, reason)
	}
	name := quoted(b.Keyword.Keyword, "The name")
	if counted := b.study.volume; b.measured && len(counted.PerSource) > 0 {
		add(refCount, "V1", "%s alone: %s, which is %s a month.", name, countsOf(counted.PerSource), figures(counted))
	} else if b.measured {
		add(refCount, "V1", "%s alone: %s a month.", name, figures(counted))
	}
	if failed := b.Volume.UnverifiedSources; len(failed) > 0 {
		so := ", so that the range is wider for it"
		switch b.Volume.Basis { // widened leaves these as they are
		case proposal.BasisPrior:
			so = ", so that the range is an estimate"
		case proposal.BasisAnalog:
			so = ""
		}
		add(refCount, "V3", "Not measured, and not zero: %s failed%s.", titlesOf(failed, len(failed)), so)
	}
	all, relevant := len(b.posts), b.relevant.count()
	if all == 0 {
		return reasons
	}
	older := ""
	if b.measured && looksBack(b.study.volume, b.posts) {
		older = " of the past year"
	}
	add(
		refSample, b.ruleOfSample(), "%s alone: %d of %d sampled posts%s %s relevant (%.0f%%).", name, relevant, all,
		older, verb(relevant, "is", "are"), 100*float64(relevant)/float64(all),
	)
	switch kept, good := b.kept.count(), b.kept.both(b.relevant); {
	case kept == all:
	case relevant == all:
		add(refScope, b.ruleOfScope(), "As it is scoped it keeps %d of these %d posts.", kept, all)
	case relevant == 0:
		add(refScope, b.ruleOfScope(), "As it is scoped it keeps %d of these %d posts, none of which is relevant.", kept, all)
	default:
		add(refScope, b.ruleOfScope(), "As it is scoped it keeps %d of the %d relevant posts and %d of the %d others.",
			good, relevant, kept-good, all-relevant)
	}
	return reasons
}

// ruleOfSample is the rule that the relevance of the bare sample is for.
func (b *built) ruleOfSample() string {
	switch {
	case b.study.Tag == keyword.IndustryTerm:
		return "K7"
	case b.study.Route == proposal.DomainVariant, b.study.Route == proposal.HandleVariant: // no words
		return "P1"
	}
	return "K2"
}

// ruleOfScope is the rule that asks what a scoping keeps of the sample.
func (b *built) ruleOfScope() string {
	switch k := b.Keyword; {
	case len(k.AdditionalTerms) > 0:
		return "A2"
	case len(k.ExcludeWords)+len(k.WildcardExcludeWords)+len(k.ExcludeAuthors) > 0:
		return "X1"
	case k.CaseSensitive:
		return "K2"
	}
	return "P1"
}
