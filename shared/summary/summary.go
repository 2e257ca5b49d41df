// Package summary is the domain of summaries: what the mentions of a period say, by theme, with exact figures and with
// the mentions that every sentence rests on. Package compose writes them. This package knows no store and no model.
//
// A summary is queued as running and ends once: completed or failed. What has ended never changes.
//
// Functions, summarystore and the packages that show a summary import it.
package summary

import "time"

// Prefix begins the IDs of summaries.
const Prefix = "sum_"

// Bounds of a summary.
const (
	MaxDays      = 365 // of its period, as of analytics
	UsualDays    = 7   // of its period if the request gives no start
	MaxThemes    = 5
	MaxSentences = 3 // of a theme
	MaxSentence  = 300
	// Kept is how long a summary can be read.
	Kept = 90 * 24 * time.Hour
	// GivenUp is when a summary that did not end counts as failed: longer than all attempts at it take together.
	GivenUp = time.Hour
)

// Status is the state of a summary, by the contract's names.
type Status string

// The statuses.
const (
	Running   Status = "running" // queued ones too
	Completed Status = "completed"
	Failed    Status = "failed"
)

// Statuses lists the statuses.
func Statuses() []Status { return []Status{Running, Completed, Failed} }

// Ended reports whether a summary has ended.
func (s Status) Ended() bool { return s == Completed || s == Failed }

// A Summary is a request, and what came of it.
type Summary struct {
	ID          string // sum_…
	WorkspaceID string
	FeedID      int64 // whose mentions are summarized; 0: none
	// Selecting are the filters, in JSON, that a mention must all pass: the one of the request, as the client wrote it, or
	// those that the feed had when the summary was asked for.
	Selecting   []string
	Start, End  time.Time // the end is not part of the period
	Status      Status
	Problem     string // why it failed, for people
	Content            // of a completed summary
	CreatedAt   time.Time
	CompletedAt time.Time // when it ended; zero while it runs
	ExpiresAt   time.Time
}

// Filters returns the filter of the request; empty for none.
func (s Summary) Filters() string {
	if s.FeedID != 0 || len(s.Selecting) == 0 {
		return ""
	}
	return s.Selecting[0]
}

// Content is what a summary says.
type Content struct {
	Model    string  `json:"model,omitempty"` // that wrote sentences; empty: all are quotes
	Headline string  `json:"headline"`
	Figures  Figures `json:"figures"`
	Themes   []Theme `json:"themes"` // the largest first
}

// Figures count the mentions of the period.
type Figures struct {
	Mentions  int64  `json:"mentions"`
	Before    int64  `json:"before"` // mentions of the period of the same length before
	Sentiment Tones  `json:"sentiment"`
	Why       string `json:"why,omitempty"` // why they are not exact; empty if they are
}

// Change returns how much the number of mentions grew, as a share of the number before. ok is false if that is 0.
func (f Figures) Change() (change float64, ok bool) {
	if f.Before == 0 {
		return 0, false
	}
	return float64(f.Mentions-f.Before) / float64(f.Before), true
}

// Tones count mentions by sentiment.
type Tones struct {
	Positive int64 `json:"positive"`
	Neutral  int64 `json:"neutral"`
	Negative int64 `json:"negative"`
	Unknown  int64 `json:"unknown"` // not judged yet
}

// A Theme is what several mentions speak of.
type Theme struct {
	Title     string     `json:"title"`
	Count     int64      `json:"count"` // mentions among those that were read
	Share     float64    `json:"share"` // of the stories that were read, 0 to 1
	Sentiment Tones      `json:"sentiment"`
	Sentences []Sentence `json:"sentences"`
}

// A Sentence is a claim, or a quote of one mention between “ and ”.
type Sentence struct {
	Text       string  `json:"text"`
	MentionIDs []int64 `json:"mentionIds"` // the mentions that it rests on, at least one
}
