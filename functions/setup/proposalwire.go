package setup

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/web"
)

// SetupProposal is a proposed configuration ("SetupProposal" in the description).
type SetupProposal struct {
	ID              string              `json:"id" minLength:"1"`
	DraftID         string              `json:"draftId" minLength:"1"`
	Domain          string              `json:"domain" minLength:"1"`
	SkillVersion    string              `json:"skillVersion"`
	Model           string              `json:"model"`
	Archetype       proposal.Archetype  `json:"archetype"`
	ArchetypeReason string              `json:"archetypeReason"`
	Keywords        []ProposedKeyword   `json:"keywords"`
	Options         []proposal.Option   `json:"options"`
	Feeds           []proposal.Feed     `json:"feeds"`
	Platforms       proposal.Platforms  `json:"platforms"`
	Totals          proposal.Totals     `json:"totals"`
	Warnings        []proposal.Warning  `json:"warnings"`
	Measurement     ProposalMeasurement `json:"measurement"`
	Confidence      float64             `json:"confidence" minimum:"0" maximum:"1"`
	AgentFallback   bool                `json:"agentFallback" doc:"Whether code composed the proposal instead of a model."`
}

// ProposedKeyword is a keyword with how it is to be scoped, and why.
type ProposedKeyword struct {
	proposal.Keyword
	Approval ApprovalBySetting `json:"approval"`
}

// TransformSchema says what may be null, and lists approval last, where it is written.
func (ProposedKeyword) TransformSchema(registry huma.Registry, s *huma.Schema) *huma.Schema {
	web.OrNull[[]ProposedPlatform](registry, s, "platforms")
	web.OrNull[ProposedSample](registry, s, "sample")
	s.Required = append(slices.DeleteFunc(s.Required, func(name string) bool { return name == "approval" }), "approval")
	return s
}

// TransformSchema says what may be null.
func (SetupNarrowing) TransformSchema(registry huma.Registry, s *huma.Schema) *huma.Schema {
	web.OrNull[SavedPosts](registry, s, "savedMonthly")
	return s
}

// ProposedPlatform is a platform that a keyword can be narrowed to.
type ProposedPlatform string

// Schema lists its values.
func (ProposedPlatform) Schema(huma.Registry) *huma.Schema {
	return web.OneOf("", keyword.Platforms()...)
}

// SavedPosts is what a step saves, in mentions a month.
type SavedPosts float64

// Schema describes it.
func (SavedPosts) Schema(huma.Registry) *huma.Schema {
	least := 0.0
	return &huma.Schema{Type: huma.TypeNumber, Minimum: &least}
}

// ApprovalBySetting says when a keyword's settings are written. One that is not here takes the default: additionalTerms
// of an own_brand keyword are cleanup, everything else is quiet.
type ApprovalBySetting struct {
	Tag                  proposal.Approves `json:"tag,omitempty"`
	ExactMatch           proposal.Approves `json:"exactMatch,omitempty"`
	AdditionalTerms      proposal.Approves `json:"additionalTerms,omitempty"`
	ExcludeWords         proposal.Approves `json:"excludeWords,omitempty"`
	WildcardExcludeWords proposal.Approves `json:"wildcardExcludeWords,omitempty"`
	ExcludeAuthors       proposal.Approves `json:"excludeAuthors,omitempty"`
	Platforms            proposal.Approves `json:"platforms,omitempty"`
	Context              proposal.Approves `json:"context,omitempty"`
}

// ProposalMeasurement is what was asked, and when.
type ProposalMeasurement struct {
	MeasuredAt string   `json:"measuredAt"`
	Sources    []string `json:"sources"`
	Unmeasured []string `json:"unmeasured"`
}

// fromProposal returns a proposal as the wire has it: no list is null, and times have milliseconds.
func fromProposal(p proposal.Proposal) SetupProposal {
	return SetupProposal{
		ID:              p.ID,
		DraftID:         p.DraftID,
		Domain:          p.Domain,
		SkillVersion:    p.SkillVersion,
		Model:           p.Model,
		Archetype:       p.Archetype,
		ArchetypeReason: p.ArchetypeReason,
		Keywords:        each(p.Keywords, fromKeyword),
		Options: each(p.Options, func(o proposal.Option) proposal.Option {
			o.AdditionalTerms, o.Platforms = there(o.AdditionalTerms), nil
			return o
		}),
		Feeds: each(p.Feeds, func(f proposal.Feed) proposal.Feed {
			f.KeywordRefs = there(f.KeywordRefs)
			return f
		}),
		Platforms: proposal.Platforms{On: there(p.Platforms.On), Off: there(p.Platforms.Off)},
		Totals:    fromTotals(p.Totals),
		Warnings:  there(p.Warnings),
		Measurement: ProposalMeasurement{
			MeasuredAt: web.FormatTime(p.Measurement.MeasuredAt),
			Sources:    there(p.Measurement.Sources),
			Unmeasured: there(p.Measurement.Unmeasured),
		},
		Confidence:    p.Confidence,
		AgentFallback: p.AgentFallback,
	}
}

func fromTotals(t proposal.Totals) proposal.Totals {
	t.NarrowingApplied = there(t.NarrowingApplied)
	return t
}

func fromKeyword(k proposal.Keyword) ProposedKeyword {
	for _, list := range []*[]string{
		&k.AdditionalTerms, &k.ExcludeWords, &k.WildcardExcludeWords, &k.ExcludeAuthors,
		&k.Volume.UnverifiedSources, &k.Volume.UnmeasuredSources,
	} {
		*list = there(*list)
	}
	if k.AdditionalTermsLogic == "" {
		k.AdditionalTermsLogic = keyword.Any
	}
	k.Volume.Open = false
	k.Volume.PerSource = each(k.Volume.PerSource, func(s proposal.SourceCount) proposal.SourceCount {
		s.Open = false
		return s
	})
	if s := k.Sample; s != nil {
		k.Sample = &proposal.Sample{Scored: s.Scored, RelevanceRate: s.RelevanceRate, Clusters: there(s.Clusters)}
	}
	k.Reasons, k.Flags = there(k.Reasons), there(k.Flags)
	k.Approvals = each(k.Approvals, func(a proposal.Approval) proposal.Approval {
		a.Terms = there(a.Terms)
		return a
	})
	by := k.Approval
	return ProposedKeyword{k, ApprovalBySetting{
		Tag:                  by[proposal.SettingTag],
		ExactMatch:           by[proposal.SettingExactMatch],
		AdditionalTerms:      by[proposal.SettingAdditionalTerms],
		ExcludeWords:         by[proposal.SettingExcludeWords],
		WildcardExcludeWords: by[proposal.SettingWildcardExcludeWords],
		ExcludeAuthors:       by[proposal.SettingExcludeAuthors],
		Platforms:            by[proposal.SettingPlatforms],
		Context:              by[proposal.SettingContext],
	}}
}
