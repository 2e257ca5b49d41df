// Package proposal is the domain of the setup engine, which turns what a company's site says into a configuration of
// its workspace with measured reasons ("Setup proposal status" and "SetupProposal" in the description). It holds the
// engine's objects, vocabularies and constants. Nothing in it reads a clock, a network or a store.
//
// Its nouns:
//
//   - A Draft is a request for a configuration, a run is one attempt to make a proposal for it, and a stage is one step
//     of a run.
//   - A profile is what a company's site says (package site). A candidate is a keyword under consideration (package
//     candidate).
//   - Counts of posts become ranges of volume (package measure, over package survey), and posts become a sample
//     (package sampling).
//   - A Proposal is the result. Decisions are the part that a model (package agent) or code (package compose) decides.
//   - A rule is a condition that a proposal must meet (package rule). The Pipeline is the order of the stages.
//   - Clean-up weighs settings again after they were applied (package cleanup).
//
// The setup functions, the stages, infra and the stores import it.
package proposal

import "time"

// A Proposal is a workspace's proposed configuration. Its JSON is how it is stored. The API returns its parts as they
// are: their tags are the description's limits, and rule.Schema holds proposals to them. A form of "term", which the
// description does not have, is a text that a keyword can have, or a list of such texts.
type Proposal struct {
	ID              string      `json:"id" minLength:"1"`
	DraftID         string      `json:"draftId" minLength:"1"`
	Domain          string      `json:"domain" minLength:"1"`
	SkillVersion    string      `json:"skillVersion"`
	Model           string      `json:"model"` // NoModel when code composed it with none configured
	Archetype       Archetype   `json:"archetype"`
	ArchetypeReason string      `json:"archetypeReason"`
	Keywords        []Keyword   `json:"keywords"`
	Options         []Option    `json:"options"`
	Feeds           []Feed      `json:"feeds"`
	Platforms       Platforms   `json:"platforms"`
	Totals          Totals      `json:"totals"`
	Warnings        []Warning   `json:"warnings"`
	Measurement     Measurement `json:"measurement"`
	Confidence      float64     `json:"confidence" minimum:"0" maximum:"1"`
	AgentFallback   bool        `json:"agentFallback"`
}

// A Keyword is a keyword that is proposed, with how it is to be scoped and why.
type Keyword struct {
	// Ref is the candidate's.
	Ref                  string               `json:"ref" minLength:"1" doc:"Ref of the keyword. It is stable in the proposal."`
	Keyword              string               `json:"keyword" form:"term"`
	Tag                  Tag                  `json:"tag"`
	Route                Route                `json:"route"`
	ExactMatch           bool                 `json:"exactMatch"`
	CaseSensitive        bool                 `json:"caseSensitive"`
	AdditionalTerms      []string             `json:"additionalTerms" form:"term"`
	AdditionalTermsLogic Logic                `json:"additionalTermsLogic"`
	ExcludeWords         []string             `json:"excludeWords" form:"term"`
	WildcardExcludeWords []string             `json:"wildcardExcludeWords" form:"term"`
	ExcludeAuthors       []string             `json:"excludeAuthors" form:"term"`
	Platforms            []string             `json:"platforms" nullable:"true" doc:"The platforms to collect on. null: every source that the plan allows."`
	Context              string               `json:"context" maxLength:"200"` // one sentence, at most MaxContext characters
	Volume               Volume               `json:"volume"`
	Sample               *Sample              `json:"sample"`
	FeedRef              string               `json:"feedRef" minLength:"1"`
	Explanation          string               `json:"explanation"` // 1 to 3 sentences, second person, no rule ids
	Reasons              []Reason             `json:"reasons"`
	Confidence           float64              `json:"confidence" minimum:"0" maximum:"1"`
	Flags                []Flag               `json:"flags"`
	SelectedByDefault    bool                 `json:"selectedByDefault"`
	OptionGroup          string               `json:"optionGroup,omitempty"`
	Approvals            []Approval           `json:"approvals"`
	Approval             map[Setting]Approves `json:"approval"`
}

// A Volume is how many posts a month a keyword brings: a range with a basis, never a point.
type Volume struct {
	Low               float64       `json:"low" minimum:"0"`
	High              float64       `json:"high" minimum:"0"` // at least Low
	Band              Band          `json:"band"`
	Basis             Basis         `json:"basis"`
	Window            Window        `json:"window"` // the shortest that a source was counted over
	PerSource         []SourceCount `json:"perSource"`
	UnverifiedSources []string      `json:"unverifiedSources"` // that failed, or that the run's budget did not reach
	UnmeasuredSources []string      `json:"unmeasuredSources"` // that cannot be searched
	// Open says that a source shows no more than a part of a day: the upper end is an estimate, not a bound. It is no
	// key of the wire.
	Open bool `json:"open,omitempty" hidden:"true"`
}

// Mid is the middle of the range.
func (v Volume) Mid() float64 { return (v.Low + v.High) / 2 }

// A SourceCount is what one source answered.
type SourceCount struct {
	Source string  `json:"source"`
	Count  float64 `json:"count" minimum:"0"` // posts in the window
	Window Window  `json:"window"`
	Factor float64 `json:"factor" exclusiveMinimum:"0"` // of coverage, above 0: see Coverage
	Low    float64 `json:"low" minimum:"0"`             // a month
	High   float64 `json:"high" minimum:"0"`
	Open   bool    `json:"open,omitempty" hidden:"true"` // as Volume.Open
}

// A Sample is what the posts of a keyword look like.
type Sample struct {
	Scored        int       `json:"scored" minimum:"0"`
	RelevanceRate float64   `json:"relevanceRate" minimum:"0" maximum:"1"` // 0 to 1
	Clusters      []Cluster `json:"clusters"`
}

// A Cluster is posts that speak of one thing.
type Cluster struct {
	Label string  `json:"label"`
	Share float64 `json:"share" minimum:"0" maximum:"1"` // of the posts that were scored, 0 to 1
}

// A Reason is one quotable sentence with what it rests on.
type Reason struct {
	Basis ReasonBasis `json:"basis"`
	Ref   string      `json:"ref" minLength:"1"` // a rule's id, an anchor of the guide or a measurement's name
	Text  string      `json:"text" minLength:"1"`
}

// An Approval says of values of a setting when they are written.
type Approval struct {
	Setting  Setting  `json:"setting"`
	Terms    []string `json:"terms"` // the values that are meant
	Approval Approves `json:"approval"`
	Reason   string   `json:"reason" doc:"Internal reason, not for people to read."`
}

// An Option is another scoping of a keyword, for a person to choose.
type Option struct {
	ID                string   `json:"id" minLength:"1"`
	KeywordRef        string   `json:"keywordRef" minLength:"1"`
	Label             string   `json:"label" minLength:"1"`
	Description       string   `json:"description"`
	Explanation       string   `json:"explanation"`
	AdditionalTerms   []string `json:"additionalTerms" form:"term"` // that the keyword has in place of its own when the option is chosen
	ProjectedMonthly  float64  `json:"projectedMonthly" minimum:"0"`
	SelectedByDefault bool     `json:"selectedByDefault"`
	// Platforms are those that the keyword has in place of its own when the option is chosen; nil: its own. It is no key
	// of the wire.
	Platforms []string `json:"platforms,omitempty" hidden:"true"`
}

// A Feed shows the mentions of some keywords.
type Feed struct {
	Ref           string     `json:"ref" minLength:"1"`
	Name          string     `json:"name"`
	Purpose       Purpose    `json:"purpose"`
	KeywordRefs   []string   `json:"keywordRefs"`
	ContentTerms  []string   `json:"contentTerms,omitempty"`
	Visible       bool       `json:"visible"`
	MergedIntoRef string     `json:"mergedIntoRef,omitempty"`
	Source        FeedSource `json:"source"`
	Gate          FeedGate   `json:"gate"`
}

// A FeedGate is what decides whether a feed is shown.
type FeedGate struct {
	WeeklySample         float64 `json:"weeklySample" minimum:"0"`
	RelevanceRate        float64 `json:"relevanceRate" minimum:"0" maximum:"1"`        // 0 to 1
	DominantClusterShare float64 `json:"dominantClusterShare" minimum:"0" maximum:"1"` // 0 to 1
	DuplicateOf          string  `json:"duplicateOf,omitempty"`
}

// Platforms are where is listened and where not.
type Platforms struct {
	On  []string      `json:"on"`
	Off []PlatformOff `json:"off"`
}

// A PlatformOff is a platform that is not listened on, and why.
type PlatformOff struct {
	Source string `json:"source"`
	Reason string `json:"reason"`
}

// Totals are what the selected keywords come to.
type Totals struct {
	ProjectedMonthly float64     `json:"projectedMonthly" minimum:"0"`
	DedupedMonthly   float64     `json:"dedupedMonthly" minimum:"0"` // at most ProjectedMonthly
	Allowance        float64     `json:"allowance" exclusiveMinimum:"0" doc:"The plan's allowance."`
	Band             TotalsBand  `json:"band"`
	NarrowingApplied []Narrowing `json:"narrowingApplied"`
}

// A Narrowing is a step that was taken for the total to fit.
type Narrowing struct {
	Step         NarrowingStep `json:"step"`
	Target       string        `json:"target"`
	SavedMonthly *float64      `json:"savedMonthly" minimum:"0"` // nil: not known
	Reason       string        `json:"reason"`
}

// A Warning is something that a person should know.
type Warning struct {
	Code    string `json:"code"`
	Keyword string `json:"keyword,omitempty"`
	Message string `json:"message"`
}

// A Measurement is what was asked, and when.
type Measurement struct {
	MeasuredAt time.Time `json:"measuredAt"`
	Sources    []string  `json:"sources"`    // that answered
	Unmeasured []string  `json:"unmeasured"` // that did not, or cannot be searched
}
