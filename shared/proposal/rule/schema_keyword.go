package rule

import (
	"maps"
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

func (b *bounds) keyword(n int, k proposal.Keyword) {
	b.term(at(n, "keyword"), k.Keyword)
	one(b, at(n, "tag"), k.Tag, []proposal.Tag{keyword.OwnBrand, keyword.Competitor, keyword.IndustryTerm})
	one(b, at(n, "route"), k.Route, proposal.Routes())
	b.terms(at(n, "additionalTerms"), k.AdditionalTerms)
	one(b, at(n, "additionalTermsLogic"), k.AdditionalTermsLogic, []proposal.Logic{keyword.Any, keyword.All})
	b.terms(at(n, "excludeWords"), k.ExcludeWords)
	b.terms(at(n, "wildcardExcludeWords"), k.WildcardExcludeWords)
	b.terms(at(n, "excludeAuthors"), k.ExcludeAuthors)
	if k.Platforms != nil {
		b.texts(at(n, "platforms"), k.Platforms)
		for i, platform := range k.Platforms {
			one(b, path(at(n, "platforms"), i, ""), platform, keyword.Platforms())
		}
	}
	b.text(at(n, "context"), k.Context, 0, proposal.MaxContext)
	b.volume(n, k.Volume)
	if k.Sample != nil {
		b.sample(n, *k.Sample)
	}
	b.text(at(n, "feedRef"), k.FeedRef, 1, 0)
	b.text(at(n, "explanation"), k.Explanation, 0, 0)
	b.reasons(n, k.Reasons)
	b.number(at(n, "confidence"), k.Confidence, 0, 1)
	there(b, at(n, "flags"), k.Flags, 0)
	for i, flag := range k.Flags {
		one(b, path(at(n, "flags"), i, ""), flag, flags())
		if slices.Contains(k.Flags[:i], flag) {
			b.add(path(at(n, "flags"), i, ""), "The flag %s is there twice: keep one.", quote(string(flag)))
		}
	}
	b.text(at(n, "optionGroup"), k.OptionGroup, 0, 0)
	there(b, at(n, "approvals"), k.Approvals, 0)
	for i, a := range k.Approvals {
		place := path(at(n, "approvals"), i, "")
		one(b, place+".setting", a.Setting, proposal.Settings())
		b.texts(place+".terms", a.Terms)
		one(b, place+".approval", a.Approval, classes())
		b.text(place+".reason", a.Reason, 0, 0)
	}
	if k.Approval == nil {
		b.add(at(n, "approval"), "The approvals by setting are missing: {} says that the defaults hold.")
	}
	for _, setting := range slices.Sorted(maps.Keys(k.Approval)) {
		one(b, at(n, "approval"), setting, proposal.Settings())
		one(b, at(n, "approval."+printable(setting)), k.Approval[setting], classes())
	}
}

// printable is a setting's name in a place; one that is none has no name.
func printable(s proposal.Setting) string {
	if slices.Contains(proposal.Settings(), s) {
		return string(s)
	}
	return "?"
}

func (b *bounds) volume(n int, v proposal.Volume) {
	b.count(at(n, "volume.low"), v.Low)
	b.count(at(n, "volume.high"), v.High)
	one(b, at(n, "volume.band"), v.Band, []proposal.Band{proposal.BandQuiet, proposal.BandStandard, proposal.BandHigh, proposal.BandTopEnd})
	one(b, at(n, "volume.basis"), v.Basis, []proposal.Basis{proposal.BasisAnalog, proposal.BasisSampled, proposal.BasisPrior, proposal.BasisSparse})
	one(b, at(n, "volume.window"), v.Window, proposal.Windows())
	there(b, at(n, "volume.perSource"), v.PerSource, 0)
	sources := map[string]bool{}
	for i, s := range v.PerSource {
		place := path(at(n, "volume.perSource"), i, "")
		b.text(place+".source", s.Source, 0, 0)
		if sources[s.Source] {
			b.add(place+".source", "The source %s is there twice.", quote(s.Source))
		}
		sources[s.Source] = true
		b.count(place+".count", s.Count)
		one(b, place+".window", s.Window, proposal.Windows())
		b.above(place+".factor", s.Factor)
		b.count(place+".low", s.Low)
		b.count(place+".high", s.High)
		if s.Low > s.High {
			b.add(place+".high", "high is below low.")
		}
	}
	b.texts(at(n, "volume.unverifiedSources"), v.UnverifiedSources)
	b.texts(at(n, "volume.unmeasuredSources"), v.UnmeasuredSources)
}

func (b *bounds) sample(n int, s proposal.Sample) {
	b.count(at(n, "sample.scored"), float64(s.Scored))
	b.number(at(n, "sample.relevanceRate"), s.RelevanceRate, 0, 1)
	there(b, at(n, "sample.clusters"), s.Clusters, 0)
	for i, c := range s.Clusters {
		b.text(path(at(n, "sample.clusters"), i, "label"), c.Label, 0, 0)
		b.number(path(at(n, "sample.clusters"), i, "share"), c.Share, 0, 1)
	}
}

// reasons by rule refer to the catalogue. A proposal that code composed has no others.
func (b *bounds) reasons(n int, reasons []proposal.Reason) {
	there(b, at(n, "reasons"), reasons, 0)
	for i, reason := range reasons {
		place := path(at(n, "reasons"), i, "")
		one(b, place+".basis", reason.Basis, []proposal.ReasonBasis{proposal.ByRule, proposal.ByGuide, proposal.ByMeasurement, proposal.ByJudgement})
		b.text(place+".ref", reason.Ref, 1, 0)
		b.text(place+".text", reason.Text, 1, 0)
		if b.byCode && reason.Basis != proposal.ByRule {
			b.add(place+".basis", "%s is no basis for a reason of code: it has rules only.", quote(string(reason.Basis)))
		}
		if reason.Basis == proposal.ByRule && reason.Ref != "" && !inCatalogue(reason.Ref) {
			b.add(place+".ref", "%s is no rule of the catalogue.", quote(reason.Ref))
		}
	}
}

func inCatalogue(id string) bool {
	return slices.ContainsFunc(Catalogue(), func(r Rule) bool { return r.ID == id })
}

func flags() []proposal.Flag {
	return []proposal.Flag{proposal.FlagHighVolume, proposal.FlagMustSplit, proposal.FlagConfirmHandle, proposal.FlagUnverified, proposal.FlagSparse,
		proposal.FlagJobSpamWall, proposal.FlagLanguageWall, proposal.FlagGenericRejected}
}

func classes() []proposal.Approves { return []proposal.Approves{proposal.Quietly, proposal.InCleanup} }
