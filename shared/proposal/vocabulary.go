package proposal

import "earshot/shared/keyword"

// Tag and Logic are the keywords' own.
type (
	Tag   = keyword.Tag
	Logic = keyword.Logic
)

// A Route is the way in which a keyword finds what is meant.
type Route string

// The routes.
const (
	Bare          Route = "bare"           // the name by itself
	Anchored      Route = "anchored"       // the name beside one of some terms
	DomainVariant Route = "domain_variant" // the company's domain
	HandleVariant Route = "handle_variant" // an account's handle
	BrandCopy     Route = "brand_copy"     // the name written another way
)

// Routes lists them.
func Routes() []Route { return []Route{Bare, Anchored, DomainVariant, HandleVariant, BrandCopy} }

// Values returns Routes.
func (Route) Values() []Route { return Routes() }

// An Archetype is the kind of workspace: the brand's route with its monthly volume.
type Archetype string

// The archetypes.
const (
	Quiet      Archetype = "quiet"       // at most 30 a month
	Standard   Archetype = "standard"    // 31 to 300
	HighVolume Archetype = "high_volume" // over 300
	CommonWord Archetype = "common_word" // a confirmed common word
	HardCase   Archetype = "hard_case"   // a common word whose relevant volume is over TopEnd a month
)

// Values lists them.
func (Archetype) Values() []Archetype {
	return []Archetype{Quiet, Standard, HighVolume, CommonWord, HardCase}
}

// A Band is a volume's order.
type Band string

// The bands, by posts a month.
const (
	BandQuiet    Band = "quiet"    // at most QuietMost
	BandStandard Band = "standard" // up to StandardMost
	BandHigh     Band = "high"     // above
	BandTopEnd   Band = "top_end"  // above TopEnd, or open at its upper end
)

// Values lists them.
func (Band) Values() []Band {
	return []Band{BandQuiet, BandStandard, BandHigh, BandTopEnd}
}

// A Basis is what a volume rests on.
type Basis string

// The bases.
const (
	BasisAnalog  Basis = "analog"  // the string is already tracked bare: its own recent counts
	BasisSampled Basis = "sampled" // counts, capped ones at adaptive windows
	BasisPrior   Basis = "prior"   // no measurement
	BasisSparse  Basis = "sparse"  // fewer than SparseBelow raw matches
)

// Values lists them.
func (Basis) Values() []Basis {
	return []Basis{BasisAnalog, BasisSampled, BasisPrior, BasisSparse}
}

// A Window is how far back something was counted.
type Window string

// The windows, longest first.
const (
	Month Window = "30d"
	Week  Window = "7d"
	Day   Window = "1d"
)

// Windows lists them, longest first.
func Windows() []Window { return []Window{Month, Week, Day} }

// Values returns Windows.
func (Window) Values() []Window { return Windows() }

// Days is how long it is.
func (w Window) Days() float64 {
	switch w {
	case Month:
		return 30
	case Week:
		return 7
	}
	return 1
}

// A ReasonBasis is what a reason rests on.
type ReasonBasis string

// The bases of reasons.
const (
	ByRule        ReasonBasis = "rule"
	ByGuide       ReasonBasis = "guide"
	ByMeasurement ReasonBasis = "measurement"
	ByJudgement   ReasonBasis = "judgement" // the agent's, labelled as such
)

// Values lists them.
func (ReasonBasis) Values() []ReasonBasis {
	return []ReasonBasis{ByRule, ByGuide, ByMeasurement, ByJudgement}
}

// A Flag is something to see at a glance.
type Flag string

// The flags.
const (
	FlagHighVolume      Flag = "high_volume"
	FlagMustSplit       Flag = "must_split"
	FlagConfirmHandle   Flag = "confirm_handle"
	FlagUnverified      Flag = "unverified"
	FlagSparse          Flag = "sparse"
	FlagJobSpamWall     Flag = "job_spam_wall"
	FlagLanguageWall    Flag = "language_wall"
	FlagGenericRejected Flag = "generic_anchor_rejected"
)

// Values lists them.
func (Flag) Values() []Flag {
	return []Flag{
		FlagHighVolume, FlagMustSplit, FlagConfirmHandle, FlagUnverified, FlagSparse,
		FlagJobSpamWall, FlagLanguageWall, FlagGenericRejected,
	}
}

// A Setting is one of a keyword's settings that are approved by themselves.
type Setting string

// The settings.
const (
	SettingTag                  Setting = "tag"
	SettingExactMatch           Setting = "exactMatch"
	SettingAdditionalTerms      Setting = "additionalTerms"
	SettingExcludeWords         Setting = "excludeWords"
	SettingWildcardExcludeWords Setting = "wildcardExcludeWords"
	SettingExcludeAuthors       Setting = "excludeAuthors"
	SettingPlatforms            Setting = "platforms"
	SettingContext              Setting = "context"
)

// Settings lists them.
func Settings() []Setting {
	return []Setting{
		SettingTag, SettingExactMatch, SettingAdditionalTerms, SettingExcludeWords, SettingWildcardExcludeWords,
		SettingExcludeAuthors, SettingPlatforms, SettingContext,
	}
}

// Values returns Settings.
func (Setting) Values() []Setting { return Settings() }

// Approves is when a setting is written.
type Approves string

// The classes.
const (
	Quietly   Approves = "quiet"   // at apply, with no approval
	InCleanup Approves = "cleanup" // proposed again by the clean-up step after the first collection
)

// Values lists them.
func (Approves) Values() []Approves {
	return []Approves{Quietly, InCleanup}
}

// Approved says when a keyword's setting is written: as its approval names it, or else by the engine's default
// ("Proposed keyword" in the description).
func (k Keyword) Approved(s Setting) Approves {
	if class, named := k.Approval[s]; named {
		return class
	}
	if s == SettingAdditionalTerms && k.Tag == keyword.OwnBrand {
		return InCleanup
	}
	return Quietly
}

// Has says whether a keyword carries a flag.
func (k Keyword) Has(f Flag) bool {
	for _, flag := range k.Flags {
		if flag == f {
			return true
		}
	}
	return false
}

// A Purpose is what a feed is for.
type Purpose string

// The purposes. ByTag is kept so that the gate can name its refusal: it fails rule F1.
const (
	ForBrand       Purpose = "brand"
	ForCompetitors Purpose = "competitors"
	ForTopic       Purpose = "topic"
	Merged         Purpose = "merged"
	ByTag          Purpose = "tag"
)

// Values lists them.
func (Purpose) Values() []Purpose {
	return []Purpose{ForBrand, ForCompetitors, ForTopic, Merged, ByTag}
}

// A FeedSource is where a feed comes from.
type FeedSource string

// The sources of feeds.
const (
	FromSetup    FeedSource = "setup"    // of keywords
	FromMentions FeedSource = "mentions" // a topic found in the good mentions of the first collection
)

// Values lists them.
func (FeedSource) Values() []FeedSource {
	return []FeedSource{FromSetup, FromMentions}
}

// A TotalsBand is how a total stands to the allowance.
type TotalsBand string

// The bands of a total.
const (
	Pass    TotalsBand = "pass"    // at most PassShare of it
	Confirm TotalsBand = "confirm" // at most all of it
	Blocked TotalsBand = "blocked" // above
)

// Values lists them.
func (TotalsBand) Values() []TotalsBand {
	return []TotalsBand{Pass, Confirm, Blocked}
}

// A NarrowingStep is a way to make a total smaller.
type NarrowingStep string

// The steps, in the order in which they are taken (rule T2).
const (
	DropIndustryAnchorSet NarrowingStep = "drop_industry_anchor_set"
	TightenAnchors        NarrowingStep = "tighten_anchors"
	SourceOff             NarrowingStep = "source_off"
	Split                 NarrowingStep = "split"
)

// NarrowingSteps lists them in their order.
func NarrowingSteps() []NarrowingStep {
	return []NarrowingStep{DropIndustryAnchorSet, TightenAnchors, SourceOff, Split}
}

// Values returns NarrowingSteps.
func (NarrowingStep) Values() []NarrowingStep { return NarrowingSteps() }
