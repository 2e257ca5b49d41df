package proposal

import (
	"time"

	"earshot/shared/keyword"
)

// What the stages hand on: each is kept under draft and run, so that a stage that runs twice gives the same. Refs are
// the candidates'.

// A Candidate is a keyword that is considered.
type Candidate struct {
	Ref             string   `json:"ref"`  // stable for a profile: "brand", "brand_domain", "competitor_1" …
	Text            string   `json:"text"` // plain, 1 to keyword.MaxText characters
	Tag             Tag      `json:"tag"`
	Route           Route    `json:"route"`     // by the name alone; the sample may change it
	Common          bool     `json:"common"`    // its text is a common word
	Class           Class    `json:"class"`     // for the prior
	Exact           bool     `json:"exact"`     // whole words
	Cased           bool     `json:"cased"`     // case counts
	Anchors         []string `json:"anchors"`   // that the profile offers, best first; never generic ones
	RejectedAnchors []string `json:"rejected"`  // generic words that were offered
	Context         string   `json:"context"`   // as Keyword.Context
	Confirm         bool     `json:"confirm"`   // a handle that nobody linked: rule K4
	Platforms       []string `json:"platforms"` // nil: all; a handle's own
	Reasons         []Reason `json:"reasons"`
}

// A Class is a kind of name; a prior of volume goes by it.
type Class string

// The classes.
const (
	ClassDistinctive Class = "distinctive" // a made-up name
	ClassCommon      Class = "common"      // a word that people use
	ClassPhrase      Class = "phrase"      // two words or more
	ClassDomain      Class = "domain"
	ClassHandle      Class = "handle"
)

// Candidates is the outcome of the stage of that name.
type Candidates struct {
	Candidates []Candidate `json:"candidates"` // own brand first; at most MaxKeywords
	Warnings   []Warning   `json:"warnings"`
}

// Of finds a candidate.
func (c Candidates) Of(ref string) (Candidate, bool) {
	for _, candidate := range c.Candidates {
		if candidate.Ref == ref {
			return candidate, true
		}
	}
	return Candidate{}, false
}

// Brand finds the candidate that is the brand itself. That is the company's name, which is tracked by itself (bare) or
// beside anchors. A domain, a handle or another writing of the name does not stand for the brand: most who speak of a
// company write none of them. The company's name comes first among the candidates.
func (c Candidates) Brand() (Candidate, bool) {
	for _, candidate := range c.Candidates {
		if candidate.Tag == keyword.OwnBrand && (candidate.Route == Bare || candidate.Route == Anchored) {
			return candidate, true
		}
	}
	return Candidate{}, false
}

// A SourceState is what became of asking a source.
type SourceState string

// The states of a source.
const (
	SourceAnswered   SourceState = "answered"   // all that it was asked
	SourceFailed     SourceState = "failed"     // at something
	SourceSpent      SourceState = "spent"      // the run's budget was used up before it had answered all
	SourceUnmeasured SourceState = "unmeasured" // it cannot be searched here
)

// Counts are what one source answered: the outcome of a branch of the stage measure.
type Counts struct {
	Source    string           `json:"source"`
	State     SourceState      `json:"state"`
	Reason    string           `json:"reason"` // for people, when it is not SourceAnswered
	Counts    map[string]Count `json:"counts"` // by ref; what it did not answer is not there
	Requests  int              `json:"requests"`
	CountedAt time.Time        `json:"countedAt"`
}

// A Count is of posts that a candidate's text matches bare, whatever its route: what a scoping keeps of them, the
// sample says.
type Count struct {
	Posts  int64  `json:"posts"`
	Window Window `json:"window"`
	Capped bool   `json:"capped"` // there are more in a day than the source shows: the count is the least
	// Told, Read and Matched are set when the platform told how many posts its search finds and only a page of them was
	// looked at: Posts is Told times Matched of Read. All 0: every post was looked at.
	Told    int64 `json:"told,omitempty"`
	Read    int   `json:"read,omitempty"`
	Matched int   `json:"matched,omitempty"`
	// Hours is, of a capped count, how much of the day the posts that were shown span; 0: not known.
	Hours float64 `json:"hours,omitempty"`
}

// Measured is the outcome of the stage measure.
type Measured struct {
	At         time.Time         `json:"at"`
	Sources    []string          `json:"sources"`    // that answered all or a part
	Failed     []string          `json:"failed"`     // that failed, or were not reached within the budget
	Unmeasured []string          `json:"unmeasured"` // that cannot be searched
	Reasons    map[string]string `json:"reasons"`    // by source, for Failed and Unmeasured
	Volumes    map[string]Volume `json:"volumes"`    // by ref, of the bare text
	Requests   int               `json:"requests"`
}

// A SampledPost is a post of a sample, clipped. Its text is hostile.
type SampledPost struct {
	ID       string    `json:"id"` // sourceId
	Source   string    `json:"source"`
	PostedAt time.Time `json:"postedAt"`
	Author   string    `json:"author"`
	URL      string    `json:"url"`
	Title    string    `json:"title"`
	Body     string    `json:"body"`
	Language string    `json:"language"`
	IsReply  bool      `json:"isReply"`
	Relevant bool      `json:"relevant"`
	Job      bool      `json:"job"` // it offers or seeks work
}

// A TermFigure is what a term does to the posts that were read: how many relevant ones and how many of noise have it.
type TermFigure struct {
	Term     string `json:"term"`
	Relevant int    `json:"relevant"`
	Noise    int    `json:"noise"`
}

// A Sighting is what a sample showed of one candidate, tracked bare.
type Sighting struct {
	Posts     []SampledPost           `json:"posts"`
	Relevant  int                     `json:"relevant"` // of Posts
	Clusters  []SightedCluster        `json:"clusters"` // the largest first
	Anchors   []TermFigure            `json:"anchors"`  // of the profile's and of what relevant posts say, best first
	Excludes  []TermFigure            `json:"excludes"` // words of the noise, best first; X1 holds for each
	Authors   []TermFigure            `json:"authors"`  // who write much of the noise
	JobShare  float64                 `json:"jobShare"`
	Foreign   float64                 `json:"foreign"` // share of posts in another language than the profile's
	Languages map[string]int          `json:"languages"`
	Sources   map[string]SourceSample `json:"sources"`
	// Read is of all posts that were judged to tell an ambiguous name's posts apart. Anchors, Excludes and Authors are of
	// these. It is zero when they are Posts.
	Read SourceSample `json:"read,omitzero"`
}

// Meant returns how many of the posts that were read, and they may be more than Posts, mean the candidate.
func (s Sighting) Meant() (relevant, read int) {
	if s.Read.Scored > 0 {
		return s.Read.Relevant, s.Read.Scored
	}
	return s.Relevant, len(s.Posts)
}

// A SightedCluster is a cluster of a whole sample with its posts, so that a scoping can be told what it keeps of the
// cluster.
type SightedCluster struct {
	Cluster
	Posts []int `json:"posts"` // places in the sighting's Posts; nil in a sighting that an earlier version kept
}

// Rate is the share of relevant posts; 0 when there are none.
func (s Sighting) Rate() float64 {
	if len(s.Posts) == 0 {
		return 0
	}
	return float64(s.Relevant) / float64(len(s.Posts))
}

// A SourceSample is what a sample showed of one source, or of all.
type SourceSample struct {
	Scored   int `json:"scored"`
	Relevant int `json:"relevant"`
}

// Sampled is the outcome of the stage sample.
type Sampled struct {
	Sightings map[string]Sighting `json:"sightings"` // by ref
	Requests  int                 `json:"requests"`
}

// Composed is the outcome of the stage agent: what the model decided, or nothing when code is to compose.
type Composed struct {
	Decisions *Decisions `json:"decisions"`
	Tokens    int        `json:"tokens"`
	Calls     int        `json:"calls"`
}

// Evidence is all that a run knows when a proposal is composed and judged. What a failed stage did not give is zero.
type Evidence struct {
	DraftID    string
	Run        int64
	Domain     string
	Profile    Profile
	Tier       Tier
	Candidates Candidates
	Measured   Measured // zero At: nothing was measured
	Sampled    Sampled  // nil Sightings: nothing was sampled
	// Interrupted says that the run died: prior band, brand feed only.
	Interrupted bool
	Plan        Room
	Now         time.Time
}

// Room is what a workspace has room for.
type Room struct {
	Allowance float64  // mentions a month, above 0
	Keywords  int      // that may still be created
	Tracked   []string // texts of its keywords, paused ones too
	Paused    []string // of them, those that are paused
	Bare      []string // of them, those that bring every post with the text as a word: unpaused, and scoped in no way
	Platforms []string // that the plan allows
}
