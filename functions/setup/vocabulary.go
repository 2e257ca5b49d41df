package setup

import (
	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/keyword"
	"earshot/shared/proposal"
)

// The vocabularies of a proposal.
type (
	// SetupArchetype is the kind of workspace.
	SetupArchetype string
	// ProposedTag is what a keyword is about.
	ProposedTag string
	// ProposedRoute is the way in which a keyword finds what is meant.
	ProposedRoute string
	// ProposedLogic is how many of the additional terms must occur.
	ProposedLogic string
	// ProposedPlatform is a platform that a keyword can be narrowed to.
	ProposedPlatform string
	// VolumeBand is a volume's order.
	VolumeBand string
	// VolumeBasis is what a volume rests on.
	VolumeBasis string
	// VolumeWindow is how far back something was counted.
	VolumeWindow string
	// ReasonBasis is what a reason rests on.
	ReasonBasis string
	// ProposalFlag is something to see at a glance.
	ProposalFlag string
	// KeywordSetting is a setting of a keyword.
	KeywordSetting string
	// ApprovalClass is when a setting is written.
	ApprovalClass string
	// FeedPurpose is what a feed is for.
	FeedPurpose string
	// FeedOrigin is where a feed comes from.
	FeedOrigin string
	// TotalsBand is how a total stands to the allowance.
	TotalsBand string
	// NarrowingStep is a way to make a total smaller.
	NarrowingStep string
)

// Schema lists its values.
func (SetupArchetype) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.Archetypes()...)
}

// Schema lists its values.
func (ProposedTag) Schema(huma.Registry) *huma.Schema {
	return oneOf("", keyword.OwnBrand, keyword.Competitor, keyword.IndustryTerm)
}

// Schema lists its values.
func (ProposedRoute) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.Routes()...)
}

// Schema lists its values.
func (ProposedLogic) Schema(huma.Registry) *huma.Schema {
	return oneOf("", keyword.Any, keyword.All)
}

// Schema lists its values.
func (ProposedPlatform) Schema(huma.Registry) *huma.Schema {
	return oneOf("", keyword.Platforms()...)
}

// Schema lists its values.
func (VolumeBand) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.BandQuiet, proposal.BandStandard, proposal.BandHigh, proposal.BandTopEnd)
}

// Schema lists its values.
func (VolumeBasis) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.BasisAnalog, proposal.BasisSampled, proposal.BasisPrior, proposal.BasisSparse)
}

// Schema lists its values.
func (VolumeWindow) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.Windows()...)
}

// Schema lists its values.
func (ReasonBasis) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.ByRule, proposal.ByGuide, proposal.ByMeasurement, proposal.ByJudgement)
}

// Schema lists its values.
func (ProposalFlag) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.FlagHighVolume, proposal.FlagMustSplit, proposal.FlagConfirmHandle, proposal.FlagUnverified, proposal.FlagSparse,
		proposal.FlagJobSpamWall, proposal.FlagLanguageWall, proposal.FlagGenericRejected)
}

// Schema lists its values.
func (KeywordSetting) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.Settings()...)
}

// Schema lists its values.
func (ApprovalClass) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.Quietly, proposal.InCleanup)
}

// Schema lists its values.
func (FeedPurpose) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.ForBrand, proposal.ForCompetitors, proposal.ForTopic, proposal.Merged, proposal.ByTag)
}

// Schema lists its values.
func (FeedOrigin) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.FromSetup, proposal.FromMentions)
}

// Schema lists its values.
func (TotalsBand) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.Pass, proposal.Confirm, proposal.Blocked)
}

// Schema lists its values.
func (NarrowingStep) Schema(huma.Registry) *huma.Schema {
	return oneOf("", proposal.NarrowingSteps()...)
}
