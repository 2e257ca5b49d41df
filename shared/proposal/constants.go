package proposal

import "time"

// The constants of the engine, each with its reason. The rules, the agent's instructions and the tests read them here.
const (
	// Bounds of what a proposal says.
	MaxContext     = 200 // characters: the description's, and keyword.MaxContext
	MaxExplanation = 3   // sentences: more is not read in a wizard
	// MaxExplanationText is how many characters an explanation has at most: three sentences of a length that is read.
	MaxExplanationText = 600
	MaxKeywords        = 24 // of a proposal: one transaction writes them all, and nobody reads more
	MaxOptions         = 24
	MaxFeeds           = 12

	// Volume, posts a month ("Volume object" in the description).
	QuietMost    = 30
	StandardMost = 300
	TopEnd       = 2500
	SparseBelow  = 10 // raw matches in all: the 90 % interval of fewer is wider than its middle

	// DefaultAllowance is that of a plan that states none, mentions a month ("Setup monthly allowance" in the
	// description).
	DefaultAllowance = 5_000

	// Totals, of the allowance ("Measurement").
	PassShare = 0.8

	// Anchors (rule A2): fewer than three lose what says it otherwise, more than twelve let anything in.
	MinAnchors, MaxAnchors = 3, 12

	// A common word (rule K2): in the word list up to this SCOWL size, measured on labelled names in the data's README.
	CommonLevel = 70
	// ConfirmBelow is the relevance of a bare sample under which a name is a common word whatever the lists say, and
	// SpecificFrom the one from which an industry term of one word is specific (rule K7).
	ConfirmBelow, SpecificFrom = 0.5, 0.5

	// CasedOut is the share of a sample's noise that the capital of a common word's name leaves out before it is tracked
	// by its capital: less is what beginnings of sentences and titles leave out by chance.
	CasedOut = 0.5
	// CasedShare is the share of a sample's relevant posts that write such a name with its capital, at least. Of the
	// others the judge is often wrong: they write the word.
	CasedShare = 2.0 / 3
	// AnchoredShare is the share of the relevant posts with the capital that anchors keep to be preferred to it: all but
	// what the judge gets wrong.
	AnchoredShare = 0.9
	// CatchShare of the relevant posts is what anchors are to keep at least ("Figures to reach" of the setup engine).
	CatchShare = 0.8
	// What code excludes by itself: a word or an author that stands in one post of noise says nothing, and a longer
	// list than this is not read before it is agreed to.
	LeastExcluded, MostExcluded = 2, 10
	// LeastByAuthor is how many posts of noise an author wrote, and no relevant one, before code excludes the author:
	// the judge is wrong about one post in five, and four such posts may well all be relevant.
	LeastByAuthor = 5

	// FeedDuplicate is from which share of a feed's sampled posts on, that an earlier feed shows too, it shows nothing
	// of its own.
	FeedDuplicate = 0.8
	// ClearedFrom is of how many posts a sample must be to say that a word of the lists is a known brand's name first
	// of all, or to confirm by its bare share that a name is used for something else: the judge is right in some seven
	// of ten.
	ClearedFrom = 10
	// MeantFrom is the share of the posts with a common word's capital from which the capital tells the company although
	// the sample has too little noise to show what it leaves out. Anchors would lose many of the relevant posts there.
	MeantFrom = 0.75
	// MonogramFrom is the share of a sample from which a name of two capitals or digits is tracked by itself, as "3M"
	// and "HP" are. It is more than a half: everybody writes such a name for other things too.
	MonogramFrom = 0.75

	// Feeds (rule F3).
	FeedWeekly, FeedRelevance, FeedDominant = 3, 0.5, 0.8

	// Walls: the share of a sample from which noise of one kind is named.
	JobWall, LanguageWall, AuthorWall = 0.3, 0.5, 0.3

	// AuthorMost is the share of a sample that one author may have while others have posts too: above AuthorWall, so
	// that the wall is still seen, and below a half, so that nobody decides alone what a name means.
	AuthorMost = 0.4

	// Enough posts of a sample to decide by: below, one post would turn a decision.
	SampleEnough = 5

	// NoisyPlatform: below this relevance over SampleEnough posts, a platform is mostly noise (rule P1).
	NoisyPlatform = 0.25

	// ModelsBrand is the least share of code's F1 on the brand's sample that a model's scoping of the brand must reach
	// (rule K1). The sample is small, so that a scoping that is better in truth may look a little worse.
	ModelsBrand = 0.8

	// A run's requests to sources, of all its stages and tools together. CountBudget of them are for counting, in equal
	// parts for all sources, so that those that come last are asked too: MaxKeywords candidates once in each of the 18
	// platforms. What is left is for reading posts, without which nobody knows what a name means, and for the agent's
	// questions.
	SourceBudget, CountBudget = 600, 432
	// CachedFor is how long an answer of a source is good for all runs.
	CachedFor = time.Hour
	// ScanLimit is when a scan is taken for dead: a minute in the queue, and a few deliveries of a fetch that takes
	// seconds.
	ScanLimit = 5 * time.Minute
	// AnalogDays is how many whole days a keyword must have listened as it does now before its counts say what its text
	// brings: a week, since weekdays and weekends differ.
	AnalogDays = 7
	// CoverageConfidence is that of the volume's interval.
	CoverageConfidence = 0.9

	// A volume whose upper end is open states as its upper end the pace of the posts that were shown times OpenPace,
	// since a platform's busy hours have some twice the posts of its quiet ones, and where the pace is not known
	// OpenUnknown times the least: an order.
	OpenPace, OpenUnknown = 2, 10
	// OpenLeast is the shortest time, in hours, that a pace is told from: posts of one minute are a burst.
	OpenLeast = 1.0 / 60

	// AgentDaily is how many tokens the agents of a workspace may spend on a day of UTC, each run's whole budget taken
	// at its start: some thirty balanced runs. The limit of requests alone would let a client spend a hundred times as
	// much.
	AgentDaily = 4_500_000

	// Versions of the rules that a proposal was made by.
	GuideVersion = "2026-11-28"
	// FirstGuideVersion is that of runs which do not say theirs.
	FirstGuideVersion = "2026-11-20"
	SkillVersion      = "1.0.0"
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

const (
	// LookBack is how far back posts of a sample may be when the month has too few: what a name means changes slower
	// than how often it is said.
	LookBack = 365 * 24 * time.Hour
	// LookBackBelow is the number of posts under which a sample looks back, and LookBackSources in how many sources at
	// most, those first that had most: a request each.
	LookBackBelow, LookBackSources = 2 * SampleEnough, 3
)
