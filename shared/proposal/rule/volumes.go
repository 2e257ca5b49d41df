package rule

import (
	"slices"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/measure"
)

// volumeRange (V1): the ends differ, the band is the range's (top_end when its upper end is open), and the basis is one
// that the description knows. What is sampled or sparse has at least one source's count; an estimate may stand beside
// counts that it goes before.
func volumeRange(p proposal.Proposal, _ proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	for n, k := range p.Keywords {
		v := k.Volume
		if !(v.High > v.Low) {
			r.add(
				"V1", at(n, "volume.high"), k.Ref,
				"The volume is no range: high must be above low, as the interval of what was counted is.",
			)
		}
		if band := measure.Band(v.Low, v.High, v.Open); v.Band != band {
			r.add(
				"V1", at(n, "volume.band"), k.Ref, "The band %s is not that of the range, which is %s.",
				quote(string(v.Band)), band,
			)
		}
		switch v.Basis {
		case proposal.BasisSampled, proposal.BasisSparse:
			if len(v.PerSource) == 0 {
				r.add(
					"V1", at(n, "volume.basis"), k.Ref,
					"The basis is %s but no source has a count: without one it is prior.", v.Basis,
				)
			}
		case proposal.BasisAnalog, proposal.BasisPrior:
		default:
			r.add("V1", at(n, "volume.basis"), k.Ref, "A volume rests on a basis: analog, sampled, prior or sparse.")
		}
	}
	return found
}

// topEnd (V2): a keyword of that band that nothing anchors says must_split, and is selected only when a narrowing step
// split it. The brand itself is selected all the same: where the plan has no room for it, a person narrows it (T3).
func topEnd(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	brand := brandRef(p, e)
	for n, k := range p.Keywords {
		if k.Volume.Band != proposal.BandTopEnd || k.Route == proposal.Anchored && len(terms(k.AdditionalTerms)) > 0 {
			continue
		}
		if !k.Has(proposal.FlagMustSplit) {
			r.add(
				"V2", at(n, "flags"), k.Ref, "%s brings more than can be read: add the flag must_split, or anchor it.",
				quote(k.Keyword),
			)
		}
		if k.SelectedByDefault && k.Ref != brand && !(brand == "" && k.Tag == keyword.OwnBrand) && !wasSplit(p, k) {
			r.add(
				"V2", at(n, "selectedByDefault"), k.Ref,
				"%s brings more than can be read: anchor or split it before it is selected.", quote(k.Keyword),
			)
		}
	}
	return found
}

func wasSplit(p proposal.Proposal, k proposal.Keyword) bool {
	return slices.ContainsFunc(p.Totals.NarrowingApplied, func(step proposal.Narrowing) bool {
		return step.Step == proposal.Split && step.Target == k.Ref
	})
}

// unverified (V3): what failed and what cannot be searched is in the lists of those, but for a source that answered for
// this keyword before it failed, and for those that the keyword, or its candidate, is narrowed away from. A volume by
// the store's own counts (analog) asked no source, nor does an interrupted run's estimate go by any. Without any count
// at all, the missing are the majority.
func unverified(p proposal.Proposal, e proposal.Evidence) (found []Finding) {
	r := (*report)(&found)
	for n, k := range p.Keywords {
		v := k.Volume
		of, _ := e.Candidates.Of(k.Ref)
		counted := map[string]bool{}
		for _, source := range v.PerSource {
			counted[source.Source] = true
		}
		name := func(sources, list []string, field string) {
			for _, source := range sources {
				if !counted[source] && !slices.Contains(list, source) && keyword.TakesSome(k.Platforms, source) &&
					keyword.TakesSome(of.Platforms, source) {
					r.add(
						"V3", at(n, "volume."+field), k.Ref, "The source %s is missing: name it in %s.", quote(source),
						field,
					)
				}
			}
		}
		if v.Basis != proposal.BasisAnalog && !e.Interrupted {
			name(e.Measured.Failed, v.UnverifiedSources, "unverifiedSources")
			name(e.Measured.Unmeasured, v.UnmeasuredSources, "unmeasuredSources")
		}
		missing := map[string]bool{}
		for _, source := range slices.Concat(v.UnverifiedSources, v.UnmeasuredSources) {
			if !counted[source] {
				missing[source] = true
			}
		}
		if (len(missing) > len(counted) || len(counted) == 0 && v.Basis == proposal.BasisPrior) &&
			!k.Has(proposal.FlagUnverified) {
			r.add(
				"V3", at(n, "flags"), k.Ref, "%d sources were not measured and %d were: add the flag unverified.",
				len(missing), len(counted),
			)
		}
	}
	for _, source := range slices.Concat(e.Measured.Failed, e.Measured.Unmeasured) {
		if !slices.Contains(p.Measurement.Unmeasured, source) && !slices.Contains(p.Measurement.Sources, source) {
			r.add("V3", "measurement.unmeasured", "", "The source %s did not answer: name it.", quote(source))
		}
	}
	return found
}
