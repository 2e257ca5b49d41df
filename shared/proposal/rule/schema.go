package rule

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// Schema is what the description bounds ("SetupProposal" and its sub-objects): ranges of numbers, enums, least lengths, lists that are
// there, refs that are unique and resolve, valid UTF-8; and what a keyword that is applied has room for. It needs no evidence.
func Schema(p proposal.Proposal) (found []Finding) {
	b := bounds{byCode: p.AgentFallback}
	b.text("id", p.ID, 1, 0)
	b.text("draftId", p.DraftID, 1, 0)
	b.text("domain", p.Domain, 1, 0)
	b.text("skillVersion", p.SkillVersion, 0, 0)
	b.text("model", p.Model, 0, 0)
	b.text("archetypeReason", p.ArchetypeReason, 0, 0)
	b.number("confidence", p.Confidence, 0, 1)
	one(&b, "archetype", p.Archetype, p.Archetype.Values())
	there(&b, "keywords", p.Keywords, proposal.MaxKeywords)
	there(&b, "options", p.Options, proposal.MaxOptions)
	there(&b, "feeds", p.Feeds, proposal.MaxFeeds)
	there(&b, "warnings", p.Warnings, 0)

	refs := map[string]bool{}
	for n, k := range p.Keywords {
		b.ref = k.Ref
		b.unique(at(n, "ref"), k.Ref, refs)
		b.keyword(n, k)
	}
	ids := map[string]bool{}
	for n, o := range p.Options {
		b.ref = o.ID
		b.unique(path("options", n, "id"), o.ID, ids)
		b.option(n, o, refs)
	}
	feeds := map[string]bool{}
	for n, f := range p.Feeds {
		b.ref = f.Ref
		b.unique(path("feeds", n, "ref"), f.Ref, feeds)
		b.feed(n, f)
	}
	b.ref = ""
	b.rest(p)
	return b.found
}

// bounds collects what is out of them.
type bounds struct {
	found  report
	ref    string
	byCode bool // code composed the proposal
}

func (b *bounds) add(place, format string, args ...any) {
	b.found.add(InSchema, place, b.ref, format, args...)
}

// text has at least so many characters, at most so many where most is not 0, and is UTF-8 without control characters.
func (b *bounds) text(place, s string, least, most int) {
	switch n := utf8.RuneCountInString(s); {
	case !utf8.ValidString(s):
		b.add(place, "The text is not valid UTF-8.")
	case n < least:
		b.add(place, "The text is missing: at least %d character.", least)
	case most > 0 && n > most:
		b.add(place, "The text has %d characters: at most %d.", n, most)
	case strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r >= 0x7f && r < 0xa0 }):
		b.add(place, "The text has control characters: leave them out.")
	}
}

// term is a text of which something is left without the blanks around it.
func (b *bounds) term(place, s string) {
	b.text(place, s, 1, keyword.MaxText)
	if s != "" && blank(s) {
		b.add(place, "The text is blank.")
	}
}

// number is finite and within its ends.
func (b *bounds) number(place string, x, least, most float64) {
	if !(x >= least && x <= most) || math.IsInf(x, 0) {
		if math.IsInf(most, 1) {
			b.add(place, "The number is %v: it is finite and at least %v.", x, least)
			return
		}
		b.add(place, "The number is %v: it is %v to %v.", x, least, most)
	}
}

func (b *bounds) count(place string, x float64) { b.number(place, x, 0, math.Inf(1)) }

// above is a number that is not 0.
func (b *bounds) above(place string, x float64) {
	if !(x > 0) || math.IsInf(x, 0) {
		b.add(place, "The number is %v: it is finite and above 0.", x)
	}
}

func (b *bounds) unique(place, ref string, seen map[string]bool) {
	b.text(place, ref, 1, 0)
	if ref != "" && seen[ref] {
		b.add(place, "%s is there twice: refs are unique.", quote(ref))
	}
	seen[ref] = true
}

// one is a value of a vocabulary.
func one[T ~string](b *bounds, place string, value T, all []T) {
	if !slices.Contains(all, value) {
		b.add(place, "%s is not one of %q.", quote(string(value)), all)
	}
}

// there is a list, be it empty, of at most so many where most is not 0.
func there[T any](b *bounds, place string, list []T, most int) {
	switch {
	case list == nil:
		b.add(place, "The list is missing: an empty one says that there is none.")
	case most > 0 && len(list) > most:
		b.add(place, "The list has %d entries: at most %d.", len(list), most)
	}
}

// texts are a list of texts.
func (b *bounds) texts(place string, list []string) {
	there(b, place, list, 0)
	for i, s := range list {
		b.text(path(place, i, ""), s, 0, 0)
	}
}

// terms are a list as a keyword has it.
func (b *bounds) terms(place string, list []string) {
	there(b, place, list, keyword.MaxTerms)
	for i, s := range list[:min(len(list), keyword.MaxTerms)] {
		b.term(path(place, i, ""), s)
	}
}

func (b *bounds) option(n int, o proposal.Option, refs map[string]bool) {
	b.text(path("options", n, "keywordRef"), o.KeywordRef, 1, 0)
	if o.KeywordRef != "" && !refs[o.KeywordRef] {
		b.add(path("options", n, "keywordRef"), "No keyword has the ref %s.", quote(o.KeywordRef))
	}
	b.text(path("options", n, "label"), o.Label, 1, 0)
	b.text(path("options", n, "description"), o.Description, 0, 0)
	b.text(path("options", n, "explanation"), o.Explanation, 0, 0)
	b.terms(path("options", n, "additionalTerms"), o.AdditionalTerms)
	b.count(path("options", n, "projectedMonthly"), o.ProjectedMonthly)
}

func (b *bounds) feed(n int, f proposal.Feed) {
	b.text(path("feeds", n, "name"), f.Name, 0, 0)
	one(b, path("feeds", n, "purpose"), f.Purpose,
		[]proposal.Purpose{proposal.ForBrand, proposal.ForCompetitors, proposal.ForTopic, proposal.Merged, proposal.ByTag})
	b.texts(path("feeds", n, "keywordRefs"), f.KeywordRefs)
	if f.ContentTerms != nil {
		b.texts(path("feeds", n, "contentTerms"), f.ContentTerms)
	}
	b.text(path("feeds", n, "mergedIntoRef"), f.MergedIntoRef, 0, 0)
	one(b, path("feeds", n, "source"), f.Source, []proposal.FeedSource{proposal.FromSetup, proposal.FromMentions})
	b.count(path("feeds", n, "gate.weeklySample"), f.Gate.WeeklySample)
	b.number(path("feeds", n, "gate.relevanceRate"), f.Gate.RelevanceRate, 0, 1)
	b.number(path("feeds", n, "gate.dominantClusterShare"), f.Gate.DominantClusterShare, 0, 1)
	b.text(path("feeds", n, "gate.duplicateOf"), f.Gate.DuplicateOf, 0, 0)
}

// rest is what is neither a keyword, an option nor a feed.
func (b *bounds) rest(p proposal.Proposal) {
	b.texts("platforms.on", p.Platforms.On)
	there(b, "platforms.off", p.Platforms.Off, 0)
	for n, off := range p.Platforms.Off {
		b.text(path("platforms.off", n, "source"), off.Source, 0, 0)
		b.text(path("platforms.off", n, "reason"), off.Reason, 0, 0)
	}
	t := p.Totals
	b.count("totals.projectedMonthly", t.ProjectedMonthly)
	b.count("totals.dedupedMonthly", t.DedupedMonthly)
	b.above("totals.allowance", t.Allowance)
	one(b, "totals.band", t.Band, []proposal.TotalsBand{proposal.Pass, proposal.Confirm, proposal.Blocked})
	there(b, "totals.narrowingApplied", t.NarrowingApplied, 0)
	for n, step := range t.NarrowingApplied {
		place := path("totals.narrowingApplied", n, "")
		one(b, place+".step", step.Step, proposal.NarrowingSteps())
		b.text(place+".target", step.Target, 0, 0)
		b.text(place+".reason", step.Reason, 0, 0)
		if step.SavedMonthly != nil {
			b.count(place+".savedMonthly", *step.SavedMonthly)
		}
	}
	for n, w := range p.Warnings {
		b.text(path("warnings", n, "code"), w.Code, 0, 0)
		b.text(path("warnings", n, "keyword"), w.Keyword, 0, 0)
		b.text(path("warnings", n, "message"), w.Message, 0, 0)
	}
	b.texts("measurement.sources", p.Measurement.Sources)
	b.texts("measurement.unmeasured", p.Measurement.Unmeasured)
}
