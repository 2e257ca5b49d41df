// Package keyword is the domain of what a workspace listens for: its keywords, and the filters that hold for all of
// them ("keywords" and "filters" in the contract). It holds values, limits and validation, and does not match:
// shared/match decides which posts a keyword matches.
//
// Functions, the stores, the matcher, the judges and the setup engine import it.
package keyword

import "time"

// A Keyword is one thing that a workspace listens for. Its fields are the setup proposal's own.
type Keyword struct {
	ID   int64  // unique in its workspace, 1 to mention.MaxID
	Text string // 1 to MaxText characters of plain text, without operators
	// a sentence for the judge: whose keyword it is and what it should catch; at most MaxContext characters
	Context              string
	AdditionalTerms      []string
	AdditionalTermsLogic Logic // Any when empty
	ExactMatch           bool  // whole words; otherwise substrings
	CaseSensitive        bool
	Platforms            []string // nil: every source that the plan allows
	ExcludeWords         []string // whole words
	WildcardExcludeWords []string // prefixes of words, with or without the asterisk at their end
	ExcludeAuthors       []string // handles, with or without the @ before them
	Tag                  Tag
	Paused               bool // collects and matches nothing
	CreatedAt, UpdatedAt time.Time
	Revision             int64 // counts its changes, from 1
}

// Bounds of a keyword.
const (
	MaxText    = 100 // characters of the keyword, and of each term
	MaxContext = 200 // characters
	MaxTerms   = 100 // terms of each list
)

// Logic is how many of the additional terms must occur.
type Logic string

// The logics.
const (
	Any Logic = "any"
	All Logic = "all"
)

// Values lists the logics.
func (Logic) Values() []Logic { return []Logic{Any, All} }

// Tag is what a keyword is about.
type Tag string

// The tags. The empty tag means none.
const (
	OwnBrand     Tag = "own_brand"
	Competitor   Tag = "competitor"
	IndustryTerm Tag = "industry_term"
)

// Values lists the tags. The empty one is none of them.
func (Tag) Values() []Tag { return []Tag{OwnBrand, Competitor, IndustryTerm} }

// Filters hold for every keyword of a workspace ("Global filters"). Their values ignore case.
type Filters struct {
	NegativeKeywords   []string // whole words or phrases: a post that has one is out
	NegativeAuthors    []string // handles, with or without the @
	NegativeSubreddits []string // names, with or without "r/"
	PositiveSubreddits []string // when there are any, posts on Reddit come from these alone
	NegativeRepos      []string // "owner/name", or "owner" for all of an owner's
}

// Platforms lists the platforms that a keyword can be narrowed to ("Keyword platform values" in the description).
func Platforms() []string {
	return []string{
		"dev", "github", "hackernews", "linkedin", "producthunt", "reddit", "stackoverflow", "twitter", "youtube",
		"tiktok", "medium", "reddit_comment", "bluesky", "newsletter", "podcasts", "news", "firehose", "instagram",
	}
}
