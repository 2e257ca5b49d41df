package setup

import (
	"earshot/shared/keyword"
	"earshot/shared/proposal"
	"earshot/shared/web"
)

// describe names the types of a proposal in the document, and lists its vocabularies.
func describe(api *web.API) {
	web.DescribeEnum[proposal.Archetype](api)
	web.DescribeEnum[keyword.Tag](api)
	web.DescribeEnum[proposal.Route](api)
	web.DescribeEnum[keyword.Logic](api)
	web.DescribeEnum[proposal.Band](api)
	web.DescribeEnum[proposal.Basis](api)
	web.DescribeEnum[proposal.Window](api)
	web.DescribeEnum[proposal.ReasonBasis](api)
	web.DescribeEnum[proposal.Flag](api)
	web.DescribeEnum[proposal.Setting](api)
	web.DescribeEnum[proposal.Approves](api)
	web.DescribeEnum[proposal.Purpose](api)
	web.DescribeEnum[proposal.FeedSource](api)
	web.DescribeEnum[proposal.TotalsBand](api)
	web.DescribeEnum[proposal.NarrowingStep](api)
	web.DescribeEnum[proposal.Stage](api)
	web.DescribeEnum[proposal.StepStatus](api)
	web.DescribeEnum[proposal.DegradationCode](api)

	web.Describe[proposal.Volume, ProposedVolume](api)
	web.Describe[proposal.SourceCount, SourceVolume](api)
	web.Describe[proposal.Sample, ProposedSample](api)
	web.Describe[proposal.Cluster, SampleCluster](api)
	web.Describe[proposal.Reason, ProposalReason](api)
	web.Describe[proposal.Approval, SettingApproval](api)
	web.Describe[proposal.Option, ScopingOption](api)
	web.Describe[proposal.Feed, ProposedFeed](api)
	web.Describe[proposal.FeedGate, ProposedGate](api)
	web.Describe[proposal.Platforms, ProposedPlatforms](api)
	web.Describe[proposal.Totals, SetupTotals](api)
	web.Describe[proposal.Narrowing, SetupNarrowing](api)
	web.Describe[proposal.Warning, SetupWarning](api)
	web.Describe[proposal.Degradation, SetupDegradation](api)
}

// Types of the domain by their names in the document.
type (
	// ProposedVolume is a range of posts a month, with what it rests on.
	ProposedVolume proposal.Volume
	// SourceVolume is what one source answered.
	SourceVolume proposal.SourceCount
	// ProposedSample is what a keyword's posts look like.
	ProposedSample proposal.Sample
	// SampleCluster is posts that speak of one thing.
	SampleCluster proposal.Cluster
	// ProposalReason is a sentence with what it rests on.
	ProposalReason proposal.Reason
	// SettingApproval says of values of a setting when they are written.
	SettingApproval proposal.Approval
	// ScopingOption is another scoping of a keyword, for a person to choose.
	ScopingOption proposal.Option
	// ProposedFeed shows the mentions of some keywords.
	ProposedFeed proposal.Feed
	// ProposedGate is what decides whether a feed is visible.
	ProposedGate proposal.FeedGate
	// ProposedPlatforms are where is listened and where not.
	ProposedPlatforms proposal.Platforms
	// SetupTotals are what the selected keywords come to, in mentions a month.
	SetupTotals proposal.Totals
	// SetupNarrowing is a step that was taken for the total to fit.
	SetupNarrowing proposal.Narrowing
	// SetupWarning is something to know.
	SetupWarning proposal.Warning
	// SetupDegradation is what a proposal had to do without.
	SetupDegradation proposal.Degradation
)
