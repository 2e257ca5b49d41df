package rule

import (
	"maps"
	"reflect"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// Schema returns how a proposal is out of the description's limits ("SetupProposal" and its sub-objects), which are the
// tags of its type. Besides, refs are unique and resolve, and a keyword that is applied has room. It needs no evidence.
func Schema(p proposal.Proposal) (found []Finding) {
	b := bounds{byCode: p.AgentFallback}
	b.room("keywords", len(p.Keywords), proposal.MaxKeywords)
	b.room("options", len(p.Options), proposal.MaxOptions)
	b.room("feeds", len(p.Feeds), proposal.MaxFeeds)
	rest := p // what is neither a keyword, an option nor a feed
	rest.Keywords, rest.Options, rest.Feeds = p.Keywords[:0], p.Options[:0], p.Feeds[:0]
	b.hold("", reflect.ValueOf(rest), "")
	refs, ids, feeds := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for n, k := range p.Keywords {
		b.ref = k.Ref
		b.unique(at(n, "ref"), k.Ref, refs)
		b.hold(at(n, ""), reflect.ValueOf(k), "")
		b.keyword(n, k)
	}
	for n, o := range p.Options {
		b.ref = o.ID
		b.unique(path("options", n, "id"), o.ID, ids)
		b.hold(path("options", n, ""), reflect.ValueOf(o), "")
		if o.KeywordRef != "" && !refs[o.KeywordRef] {
			b.add(path("options", n, "keywordRef"), "No keyword has the ref %s.", quote(o.KeywordRef))
		}
	}
	for n, f := range p.Feeds {
		b.ref = f.Ref
		b.unique(path("feeds", n, "ref"), f.Ref, feeds)
		b.hold(path("feeds", n, ""), reflect.ValueOf(f), "")
	}
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

func (b *bounds) room(place string, entries, most int) {
	if entries > most {
		b.add(place, "The list has %d entries: at most %d.", entries, most)
	}
}

func (b *bounds) unique(place, ref string, seen map[string]bool) {
	if ref != "" && seen[ref] {
		b.add(place, "%s is there twice: refs are unique.", quote(ref))
	}
	seen[ref] = true
}

// one checks that a value is one of a vocabulary.
func one[T ~string](b *bounds, place string, value T, all []T) {
	if !slices.Contains(all, value) {
		b.add(place, "%s is not one of %q.", quote(string(value)), all)
	}
}

// keyword checks what no tag says.
func (b *bounds) keyword(n int, k proposal.Keyword) {
	for i, platform := range k.Platforms {
		one(b, path(at(n, "platforms"), i, ""), platform, keyword.Platforms())
	}
	sources := map[string]bool{}
	for i, s := range k.Volume.PerSource {
		place := path(at(n, "volume.perSource"), i, "")
		if sources[s.Source] {
			b.add(place+".source", "The source %s is there twice.", quote(s.Source))
		}
		sources[s.Source] = true
		if s.Low > s.High {
			b.add(place+".high", "high is below low.")
		}
	}
	for i, reason := range k.Reasons {
		place := path(at(n, "reasons"), i, "")
		if b.byCode && reason.Basis != proposal.ByRule {
			b.add(
				place+".basis", "%s is no basis for a reason of code: it has rules only.", quote(string(reason.Basis)),
			)
		}
		if reason.Basis == proposal.ByRule && reason.Ref != "" && !inCatalogue(reason.Ref) {
			b.add(place+".ref", "%s is no rule of the catalogue.", quote(reason.Ref))
		}
	}
	for i, flag := range k.Flags {
		if slices.Contains(k.Flags[:i], flag) {
			b.add(path(at(n, "flags"), i, ""), "The flag %s is there twice: keep one.", quote(string(flag)))
		}
	}
	if k.Approval == nil {
		b.add(at(n, "approval"), "The approvals by setting are missing: {} says that the defaults hold.")
	}
	for _, setting := range slices.Sorted(maps.Keys(k.Approval)) {
		one(b, at(n, "approval"), setting, proposal.Settings())
		class := k.Approval[setting]
		one(b, at(n, "approval."+printable(setting)), class, class.Values())
	}
}

// printable returns a setting's name for a place, or a question mark if there is no such setting.
func printable(s proposal.Setting) string {
	if slices.Contains(proposal.Settings(), s) {
		return string(s)
	}
	return "?"
}

func inCatalogue(id string) bool {
	return slices.ContainsFunc(Catalogue(), func(r Rule) bool { return r.ID == id })
}
