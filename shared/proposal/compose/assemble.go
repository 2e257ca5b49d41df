package compose

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/proposal/sampling"
)

// built is a keyword of the proposal with what it rests on.
type built struct {
	proposal.Keyword
	*study
	kept set
	ids  []string // of what it keeps of its sample
	// decided is what it was built of, scoping how it listens.
	decided proposal.Decision
	scoping string
}

// build fills in what nobody may claim of one keyword. What was built of the same decision before is at hand.
func (r *reading) build(d proposal.Decision) *built {
	if last, ok := r.builds[d.Ref]; !ok || !reflect.DeepEqual(last.decided, d) {
		r.builds[d.Ref] = r.construct(d)
	}
	b := *r.builds[d.Ref]
	return &b
}

func (r *reading) construct(d proposal.Decision) *built {
	s := r.of(d.Ref)
	scoped := asKeyword(s.Candidate, d)
	b := &built{study: s, kept: s.keeps(scoped)[0], decided: d, scoping: scoping(scoped)}
	for i := range s.posts {
		if b.kept.has(i) {
			b.ids = append(b.ids, s.posts[i].ID)
		}
	}
	b.Keyword = proposal.Keyword{
		Ref:                  d.Ref,
		Keyword:              s.Text,
		Tag:                  s.Tag,
		Route:                d.Route,
		ExactMatch:           d.ExactMatch,
		CaseSensitive:        d.CaseSensitive,
		AdditionalTerms:      list(d.AdditionalTerms),
		AdditionalTermsLogic: d.AdditionalTermsLogic,
		ExcludeWords:         list(d.ExcludeWords),
		WildcardExcludeWords: list(d.WildcardExcludeWords),
		ExcludeAuthors:       list(d.ExcludeAuthors),
		Platforms:            slices.Clone(d.Platforms),
		Context:              d.Context,
		Explanation:          d.Explanation,
		Confidence:           share(d.Confidence),
		SelectedByDefault:    d.SelectedByDefault,
		OptionGroup:          d.OptionGroup,
		Approvals:            approvals(s.Tag, d),
		Approval:             map[proposal.Setting]proposal.Approves{},
	}
	if b.AdditionalTermsLogic == "" {
		b.AdditionalTermsLogic = keyword.Any
	}
	for _, a := range b.Approvals {
		if b.Approval[a.Setting] != proposal.InCleanup {
			b.Approval[a.Setting] = a.Approval
		}
	}
	b.Volume = r.scopedVolume(s, d, b.kept)
	b.Keyword.Sample = r.sampleOf(b)
	b.Flags = r.flags(b)
	b.Keyword.Reasons = append(ruleOnly(d.Reasons), r.measuredReasons(b)...)
	return b
}

func list(values []string) []string { return append([]string{}, values...) }

// share is a figure from 0 to 1, in hundredths.
func share(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return math.Round(min(max(x, 0), 1)*100) / 100
}

// approvals are those that were decided, each with its values, and those that the engine's defaults would get wrong.
func approvals(tag proposal.Tag, d proposal.Decision) []proposal.Approval {
	all := []proposal.Approval{}
	for _, a := range d.Approvals {
		a.Terms = list(a.Terms)
		all = append(all, a)
	}
	p := plan{study: &study{Candidate: proposal.Candidate{Tag: tag}}, Decision: d}
	p.Approvals = nil
	p.approve()
	for _, a := range p.Approvals {
		if !slices.ContainsFunc(all, func(other proposal.Approval) bool { return other.Setting == a.Setting }) {
			all = append(all, a)
		}
	}
	return all
}

// ruleOnly are reasons that whoever decides may give: what was measured, the engine says itself.
func ruleOnly(reasons []proposal.Reason) []proposal.Reason {
	given := []proposal.Reason{}
	for _, reason := range reasons {
		if reason.Basis != proposal.ByMeasurement && !slices.Contains(given, reason) {
			given = append(given, reason)
		}
	}
	return given
}

// sampleOf returns what the posts that the keyword keeps look like, its clusters included; nil if no post was read.
func (r *reading) sampleOf(b *built) *proposal.Sample {
	if len(b.posts) == 0 {
		return nil
	}
	out := &proposal.Sample{Scored: b.kept.count(), Clusters: b.clusters()}
	if out.Scored > 0 {
		out.RelevanceRate = share(float64(b.kept.both(b.relevant)) / float64(out.Scored))
	}
	return out
}

// clusters are what the kept posts speak of, the largest first. A cluster of which fewer than sampling.LeastCluster
// posts are kept is left out. Of a sighting whose clusters do not name their posts, nothing is known unless all posts
// are kept.
func (b *built) clusters() []proposal.Cluster {
	scored, clusters := b.kept.count(), []proposal.Cluster{}
	for _, sighted := range b.sighting.Clusters {
		if sighted.Posts == nil && scored == len(b.posts) {
			clusters = append(clusters, proposal.Cluster{Label: sighted.Label, Share: share(sighted.Share)})
			continue
		}
		kept := 0
		for _, at := range sighted.Posts {
			if at >= 0 && at < len(b.posts) && b.kept.has(at) {
				kept++
			}
		}
		if kept >= sampling.LeastCluster {
			clusters = append(
				clusters, proposal.Cluster{Label: sighted.Label, Share: share(float64(kept) / float64(scored))},
			)
		}
	}
	slices.SortStableFunc(clusters, func(a, b proposal.Cluster) int { return cmp.Compare(b.Share, a.Share) })
	return clusters[:min(len(clusters), sampling.MaxClusters)]
}

// flags are what is to be seen at a glance, in the vocabulary's order.
func (r *reading) flags(b *built) []proposal.Flag {
	flags := []proposal.Flag{}
	for _, f := range []struct {
		flag proposal.Flag
		on   bool
	}{
		{proposal.FlagHighVolume, b.Volume.Band == proposal.BandHigh || b.Volume.Band == proposal.BandTopEnd},
		{proposal.FlagMustSplit, b.Volume.Band == proposal.BandTopEnd},
		{proposal.FlagConfirmHandle, b.Confirm},
		{proposal.FlagUnverified, r.unverified(b.Volume) || b.unproven && len(b.AdditionalTerms) > 0},
		{proposal.FlagSparse, b.Volume.Basis == proposal.BasisSparse},
		{proposal.FlagJobSpamWall, b.sighting.JobShare > proposal.JobWall},
		{proposal.FlagLanguageWall, b.sighting.Foreign > proposal.LanguageWall},
		{proposal.FlagGenericRejected, len(b.RejectedAnchors) > 0 && len(b.AdditionalTerms) > 0},
	} {
		if f.on {
			flags = append(flags, f.flag)
		}
	}
	return flags
}

// unverified says whether most sources say nothing of a volume (rule V3), or none does.
func (r *reading) unverified(v proposal.Volume) bool {
	silent := len(v.UnverifiedSources) + len(v.UnmeasuredSources)
	return r.Interrupted || r.Measured.At.IsZero() || v.Basis == proposal.BasisPrior || silent > len(v.PerSource)
}

func (r *reading) assemble(d proposal.Decisions) proposal.Proposal {
	p := proposal.Proposal{
		AgentFallback: d.ByCode,
		ID:            fmt.Sprintf("%s.%d", r.DraftID, r.Run),
		DraftID:       r.DraftID,
		Domain:        r.Domain,
		SkillVersion:  proposal.SkillVersion,
		Model:         proposal.NoModel,
		Keywords:      []proposal.Keyword{},
		Options:       []proposal.Option{},
		Feeds:         []proposal.Feed{},
		Warnings:      []proposal.Warning{},
		Measurement: proposal.Measurement{
			MeasuredAt: r.Measured.At,
			Sources:    list(r.Measured.Sources),
			Unmeasured: list(slices.Concat(r.Measured.Failed, r.Measured.Unmeasured)),
		},
	}
	if p.Measurement.MeasuredAt.IsZero() {
		p.Measurement.MeasuredAt = r.Now
	}
	of := map[string]*built{}
	var all []*built
	for _, decision := range d.Keywords {
		if r.of(decision.Ref) == nil || of[decision.Ref] != nil {
			continue
		}
		b := r.build(decision)
		of[decision.Ref], all = b, append(all, b)
		p.Keywords = append(p.Keywords, b.Keyword)
	}
	p.Warnings = append(p.Warnings, r.foreseen(all)...)
	p.Options = r.weigh(d, of)
	r.show(&p, d.Feeds, of)
	for i, b := range all {
		p.Keywords[i].FeedRef = b.FeedRef
	}
	p.Platforms = r.platformsOn(all)
	p.Totals = r.totals(all)
	p.Archetype, p.ArchetypeReason = r.archetype(all)
	p.Warnings = append(p.Warnings, r.warnings(all)...)
	p.Warnings = append(p.Warnings, totalWarnings(p)...)
	p.Confidence = overall(all)
	return p
}

// weigh is each option with what its keyword would bring with it.
func (r *reading) weigh(d proposal.Decisions, of map[string]*built) []proposal.Option {
	options := []proposal.Option{}
	for _, o := range d.Options {
		b := of[o.KeywordRef]
		if b == nil {
			continue
		}
		at := slices.IndexFunc(d.Keywords, func(k proposal.Decision) bool { return k.Ref == o.KeywordRef })
		monthly := tenths(r.optionVolume(d.Keywords[at], o).Mid())
		if r.byCode {
			o.Description = fmt.Sprintf("%s: about %s a month.", strings.TrimSuffix(o.Description, "."), posts(monthly))
		}
		options = append(options, proposal.Option{
			ID:                o.ID,
			KeywordRef:        o.KeywordRef,
			Label:             o.Label,
			Description:       o.Description,
			Explanation:       o.Explanation,
			AdditionalTerms:   list(o.AdditionalTerms),
			ProjectedMonthly:  monthly,
			SelectedByDefault: o.SelectedByDefault,
			Platforms:         o.Platforms,
		})
	}
	return options
}
