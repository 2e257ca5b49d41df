package setup

import (
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
	Archetype       SetupArchetype      `json:"archetype"`
	ArchetypeReason string              `json:"archetypeReason"`
	Keywords        []ProposedKeyword   `json:"keywords"`
	Options         []ScopingOption     `json:"options"`
	Feeds           []ProposedFeed      `json:"feeds"`
	Platforms       ProposedPlatforms   `json:"platforms"`
	Totals          SetupTotals         `json:"totals"`
	Warnings        []SetupWarning      `json:"warnings"`
	Measurement     ProposalMeasurement `json:"measurement"`
	Confidence      float64             `json:"confidence" minimum:"0" maximum:"1"`
	AgentFallback   bool                `json:"agentFallback" doc:"Whether code composed the proposal instead of a model."`
}

// ProposedKeyword is a keyword with how it is to be scoped, and why.
type ProposedKeyword struct {
	Ref                  string                       `json:"ref" minLength:"1" doc:"Ref of the keyword. It is stable in the proposal."`
	Keyword              string                       `json:"keyword"`
	Tag                  ProposedTag                  `json:"tag"`
	Route                ProposedRoute                `json:"route"`
	ExactMatch           bool                         `json:"exactMatch"`
	CaseSensitive        bool                         `json:"caseSensitive"`
	AdditionalTerms      []string                     `json:"additionalTerms"`
	AdditionalTermsLogic ProposedLogic                `json:"additionalTermsLogic"`
	ExcludeWords         []string                     `json:"excludeWords"`
	WildcardExcludeWords []string                     `json:"wildcardExcludeWords"`
	ExcludeAuthors       []string                     `json:"excludeAuthors"`
	Platforms            web.Null[[]ProposedPlatform] `json:"platforms" doc:"The platforms to collect on. null: every source that the plan allows."`
	Context              string                       `json:"context" maxLength:"200"`
	Volume               ProposedVolume               `json:"volume"`
	Sample               web.Null[ProposedSample]     `json:"sample"`
	FeedRef              string                       `json:"feedRef" minLength:"1"`
	Explanation          string                       `json:"explanation"`
	Reasons              []ProposalReason             `json:"reasons"`
	Confidence           float64                      `json:"confidence" minimum:"0" maximum:"1"`
	Flags                []ProposalFlag               `json:"flags"`
	SelectedByDefault    bool                         `json:"selectedByDefault"`
	OptionGroup          string                       `json:"optionGroup,omitempty"`
	Approvals            []SettingApproval            `json:"approvals"`
	Approval             ApprovalBySetting            `json:"approval"`
}

// ProposedVolume is a range of posts a month, with what it rests on.
type ProposedVolume struct {
	Low               float64        `json:"low" minimum:"0"`
	High              float64        `json:"high" minimum:"0"`
	Band              VolumeBand     `json:"band"`
	Basis             VolumeBasis    `json:"basis"`
	Window            VolumeWindow   `json:"window"`
	PerSource         []SourceVolume `json:"perSource"`
	UnverifiedSources []string       `json:"unverifiedSources"`
	UnmeasuredSources []string       `json:"unmeasuredSources"`
}

// SourceVolume is what one source answered.
type SourceVolume struct {
	Source string       `json:"source"`
	Count  float64      `json:"count" minimum:"0"`
	Window VolumeWindow `json:"window"`
	Factor float64      `json:"factor" exclusiveMinimum:"0"`
	Low    float64      `json:"low" minimum:"0"`
	High   float64      `json:"high" minimum:"0"`
}

// ProposedSample is what a keyword's posts look like.
type ProposedSample struct {
	Scored        int             `json:"scored" minimum:"0"`
	RelevanceRate float64         `json:"relevanceRate" minimum:"0" maximum:"1"`
	Clusters      []SampleCluster `json:"clusters"`
}

// SampleCluster is posts that speak of one thing.
type SampleCluster proposal.Cluster

// ProposalReason is a sentence with what it rests on.
type ProposalReason struct {
	Basis ReasonBasis `json:"basis"`
	Ref   string      `json:"ref" minLength:"1"`
	Text  string      `json:"text" minLength:"1"`
}

// SettingApproval says of values of a setting when they are written.
type SettingApproval struct {
	Setting  KeywordSetting `json:"setting"`
	Terms    []string       `json:"terms"`
	Approval ApprovalClass  `json:"approval"`
	Reason   string         `json:"reason" doc:"Internal reason, not for people to read."`
}

// ApprovalBySetting says when a keyword's settings are written. One that is not here takes the default: additionalTerms of an own_brand
// keyword are cleanup, everything else is quiet.
type ApprovalBySetting struct {
	Tag                  ApprovalClass `json:"tag,omitempty"`
	ExactMatch           ApprovalClass `json:"exactMatch,omitempty"`
	AdditionalTerms      ApprovalClass `json:"additionalTerms,omitempty"`
	ExcludeWords         ApprovalClass `json:"excludeWords,omitempty"`
	WildcardExcludeWords ApprovalClass `json:"wildcardExcludeWords,omitempty"`
	ExcludeAuthors       ApprovalClass `json:"excludeAuthors,omitempty"`
	Platforms            ApprovalClass `json:"platforms,omitempty"`
	Context              ApprovalClass `json:"context,omitempty"`
}

// ScopingOption is another scoping of a keyword, for a person to choose.
type ScopingOption proposal.Option

// ProposedFeed shows the mentions of some keywords.
type ProposedFeed struct {
	Ref           string       `json:"ref" minLength:"1"`
	Name          string       `json:"name"`
	Purpose       FeedPurpose  `json:"purpose"`
	KeywordRefs   []string     `json:"keywordRefs"`
	ContentTerms  []string     `json:"contentTerms,omitempty"`
	Visible       bool         `json:"visible"`
	MergedIntoRef string       `json:"mergedIntoRef,omitempty"`
	Source        FeedOrigin   `json:"source"`
	Gate          ProposedGate `json:"gate"`
}

// ProposedGate is what decides whether a feed is visible.
type ProposedGate proposal.FeedGate

// ProposedPlatforms are where is listened and where not.
type ProposedPlatforms proposal.Platforms

// PlatformOff is a platform that is off, and why.
type PlatformOff = proposal.PlatformOff

// SetupTotals are what the selected keywords come to, in mentions a month.
type SetupTotals struct {
	ProjectedMonthly float64          `json:"projectedMonthly" minimum:"0"`
	DedupedMonthly   float64          `json:"dedupedMonthly" minimum:"0"`
	Allowance        float64          `json:"allowance" exclusiveMinimum:"0" doc:"The plan's allowance."`
	Band             TotalsBand       `json:"band"`
	NarrowingApplied []SetupNarrowing `json:"narrowingApplied"`
}

// SetupNarrowing is a step that was taken for the total to fit.
type SetupNarrowing struct {
	Step         NarrowingStep        `json:"step"`
	Target       string               `json:"target"`
	SavedMonthly web.Null[SavedPosts] `json:"savedMonthly"`
	Reason       string               `json:"reason"`
}

// SetupWarning is something to know.
type SetupWarning proposal.Warning

// ProposalMeasurement is what was asked, and when.
type ProposalMeasurement struct {
	MeasuredAt string   `json:"measuredAt"`
	Sources    []string `json:"sources"`
	Unmeasured []string `json:"unmeasured"`
}

func fromProposal(p proposal.Proposal) SetupProposal {
	return SetupProposal{
		ID: p.ID, DraftID: p.DraftID, Domain: p.Domain, SkillVersion: p.SkillVersion, Model: p.Model, Archetype: SetupArchetype(p.Archetype),
		ArchetypeReason: p.ArchetypeReason, Keywords: each(p.Keywords, fromKeyword),
		Options: each(p.Options, func(o proposal.Option) ScopingOption {
			o.AdditionalTerms = there(o.AdditionalTerms)
			return ScopingOption(o)
		}),
		Feeds:     each(p.Feeds, fromFeed),
		Platforms: ProposedPlatforms{On: there(p.Platforms.On), Off: append([]PlatformOff{}, p.Platforms.Off...)},
		Totals:    fromTotals(p.Totals),
		Warnings:  each(p.Warnings, func(w proposal.Warning) SetupWarning { return SetupWarning(w) }),
		Measurement: ProposalMeasurement{MeasuredAt: web.FormatTime(p.Measurement.MeasuredAt), Sources: there(p.Measurement.Sources),
			Unmeasured: there(p.Measurement.Unmeasured)},
		Confidence: p.Confidence, AgentFallback: p.AgentFallback,
	}
}

func fromKeyword(k proposal.Keyword) ProposedKeyword {
	wire := ProposedKeyword{
		Ref: k.Ref, Keyword: k.Keyword, Tag: ProposedTag(k.Tag), Route: ProposedRoute(k.Route), ExactMatch: k.ExactMatch,
		CaseSensitive: k.CaseSensitive, AdditionalTerms: there(k.AdditionalTerms), AdditionalTermsLogic: ProposedLogic(k.AdditionalTermsLogic),
		ExcludeWords: there(k.ExcludeWords), WildcardExcludeWords: there(k.WildcardExcludeWords), ExcludeAuthors: there(k.ExcludeAuthors),
		Context: k.Context, Volume: fromVolume(k.Volume), FeedRef: k.FeedRef, Explanation: k.Explanation,
		Reasons: each(k.Reasons, func(r proposal.Reason) ProposalReason {
			return ProposalReason{ReasonBasis(r.Basis), r.Ref, r.Text}
		}),
		Confidence: k.Confidence, Flags: each(k.Flags, func(f proposal.Flag) ProposalFlag { return ProposalFlag(f) }),
		SelectedByDefault: k.SelectedByDefault, OptionGroup: k.OptionGroup,
		Approvals: each(k.Approvals, func(a proposal.Approval) SettingApproval {
			return SettingApproval{KeywordSetting(a.Setting), there(a.Terms), ApprovalClass(a.Approval), a.Reason}
		}),
		Approval: fromApproval(k.Approval),
	}
	if wire.AdditionalTermsLogic == "" {
		wire.AdditionalTermsLogic = ProposedLogic(keyword.Any)
	}
	if k.Platforms != nil {
		wire.Platforms = web.Some(each(k.Platforms, func(name string) ProposedPlatform { return ProposedPlatform(name) }))
	}
	if s := k.Sample; s != nil {
		wire.Sample = web.Some(ProposedSample{Scored: s.Scored, RelevanceRate: s.RelevanceRate,
			Clusters: each(s.Clusters, func(c proposal.Cluster) SampleCluster { return SampleCluster(c) })})
	}
	return wire
}

func fromApproval(by map[proposal.Setting]proposal.Approves) ApprovalBySetting {
	of := func(s proposal.Setting) ApprovalClass { return ApprovalClass(by[s]) }
	return ApprovalBySetting{
		Tag: of(proposal.SettingTag), ExactMatch: of(proposal.SettingExactMatch), AdditionalTerms: of(proposal.SettingAdditionalTerms),
		ExcludeWords: of(proposal.SettingExcludeWords), WildcardExcludeWords: of(proposal.SettingWildcardExcludeWords),
		ExcludeAuthors: of(proposal.SettingExcludeAuthors), Platforms: of(proposal.SettingPlatforms), Context: of(proposal.SettingContext),
	}
}

func fromVolume(v proposal.Volume) ProposedVolume {
	return ProposedVolume{Low: v.Low, High: v.High, Band: VolumeBand(v.Band), Basis: VolumeBasis(v.Basis), Window: VolumeWindow(v.Window),
		PerSource: each(v.PerSource, func(s proposal.SourceCount) SourceVolume {
			return SourceVolume{s.Source, s.Count, VolumeWindow(s.Window), s.Factor, s.Low, s.High}
		}),
		UnverifiedSources: there(v.UnverifiedSources), UnmeasuredSources: there(v.UnmeasuredSources)}
}

func fromFeed(f proposal.Feed) ProposedFeed {
	return ProposedFeed{Ref: f.Ref, Name: f.Name, Purpose: FeedPurpose(f.Purpose), KeywordRefs: there(f.KeywordRefs), ContentTerms: f.ContentTerms,
		Visible: f.Visible, MergedIntoRef: f.MergedIntoRef, Source: FeedOrigin(f.Source), Gate: ProposedGate(f.Gate)}
}

func fromTotals(t proposal.Totals) SetupTotals {
	return SetupTotals{ProjectedMonthly: t.ProjectedMonthly, DedupedMonthly: t.DedupedMonthly, Allowance: t.Allowance, Band: TotalsBand(t.Band),
		NarrowingApplied: each(t.NarrowingApplied, func(n proposal.Narrowing) SetupNarrowing {
			return SetupNarrowing{NarrowingStep(n.Step), n.Target, web.Null[SavedPosts]{Value: (*SavedPosts)(n.SavedMonthly)}, n.Reason}
		})}
}

// SavedPosts is what a step saves, in mentions a month.
type SavedPosts float64

// Schema describes it.
func (SavedPosts) Schema(huma.Registry) *huma.Schema {
	least := 0.0
	return &huma.Schema{Type: huma.TypeNumber, Minimum: &least}
}
