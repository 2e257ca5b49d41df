package proposal

import "time"

// The constants of the engine, each with its reason. The rules, the agent's instructions and the tests read them here.
const (
	// Bounds of what a proposal says.
	MaxContext     = 200 // characters: the description's, and keyword.MaxContext
	MaxExplanation = 3   // sentences: more is not read in a wizard
	MaxKeywords    = 24  // of a proposal: one transaction writes them all, and nobody reads more
	MaxOptions     = 24
	MaxFeeds       = 12

	// Volume, posts a month ("Volume object" in the description).
	QuietMost    = 30
	StandardMost = 300
	TopEnd       = 2500
	SparseBelow  = 10 // raw matches in all: the 90 % interval of fewer is wider than its middle

	// Totals, of the allowance ("Measurement").
	PassShare = 0.8

	// Anchors (rule A2): fewer than three lose what says it otherwise, more than twelve let anything in.
	MinAnchors, MaxAnchors = 3, 12

	// A common word (rule K2): in the word list up to this SCOWL size, measured on labelled names in the data's README.
	CommonLevel = 70
	// ConfirmBelow is the relevance of a bare sample under which a name is a common word whatever the lists say, and SpecificFrom the one
	// from which an industry term of one word is specific (rule K7).
	ConfirmBelow, SpecificFrom = 0.5, 0.5

	// Feeds (rule F3).
	FeedWeekly, FeedRelevance, FeedDominant = 3, 0.5, 0.8

	// Walls: the share of a sample from which noise of one kind is named.
	JobWall, LanguageWall, AuthorWall = 0.3, 0.5, 0.3

	// Enough posts of a sample to decide by: below, one post would turn a decision.
	SampleEnough = 5

	// NoisyPlatform: below this relevance over SampleEnough posts, a platform is mostly noise (rule P1).
	NoisyPlatform = 0.25

	// A run's requests to sources, of all its stages and tools together: some 20 candidates in 10 sources, half of them asked again at a
	// shorter window.
	SourceBudget = 300
	// CachedFor is how long an answer of a source is good for all runs.
	CachedFor = time.Hour
	// CoverageConfidence is that of the volume's interval.
	CoverageConfidence = 0.9

	// Versions of the rules that a proposal was made by.
	GuideVersion = "2026-11-20"
	SkillVersion = "1.0.0"
	// NoModel is a proposal's model when none took part.
	NoModel = "none"
)

// A Tier is how thorough a run is.
type Tier string

// The tiers.
const (
	Balanced Tier = "balanced"
	Thorough Tier = "thorough"
)

// Tiers lists them.
func Tiers() []Tier { return []Tier{Balanced, Thorough} }

// A Depth is what a tier allows.
type Depth struct {
	Posts     int           // of a keyword's sample, at most
	ToolCalls int           // of the agent
	Agent     time.Duration // of the agent, in all
	Tokens    int           // of the model, in and out
}

// Depth is what the tier allows; an unknown one is Balanced.
func (t Tier) Depth() Depth {
	if t == Thorough {
		return Depth{Posts: 60, ToolCalls: 30, Agent: 180 * time.Second, Tokens: 400_000}
	}
	return Depth{Posts: 30, ToolCalls: 12, Agent: 60 * time.Second, Tokens: 150_000}
}
