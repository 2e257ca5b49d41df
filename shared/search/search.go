// Package search is the domain of on-demand search: a question that is answered now, over what the platforms and the
// archive have, without tracking anything. It holds the states of a search, what counts as the same post, and the order
// of results. It asks no platform and knows no store.
//
// A search is queued as running and ends once: completed, failed or quota_exhausted. Its results belong to it and not
// to the workspace's mentions. A search that ends failed or quota_exhausted costs nothing: no mention of the month, and
// no search of a plan that has a number of them for life.
//
// The functions search and searches import it, and searchstore.
package search

import (
	"maps"
	"slices"
	"time"

	"earshot/shared/mention"
)

// Bounds of a search.
const (
	MaxResults = 500
	// Kept is how long a search and its results can be read.
	Kept = 30 * 24 * time.Hour
	// GivenUp is when a search that did not end counts as failed: longer than all attempts at it take together.
	GivenUp = time.Hour
)

// Window is how far back a search looks, by the contract's names.
type Window string

// The windows.
const (
	Day   Window = "1d"
	Week  Window = "7d"
	Month Window = "30d"
)

// Windows lists the windows, shortest first.
func Windows() []Window { return []Window{Day, Week, Month} }

// Length returns how long a window is; 0 for an unknown one.
func (w Window) Length() time.Duration {
	switch w {
	case Day:
		return 24 * time.Hour
	case Week:
		return 7 * 24 * time.Hour
	case Month:
		return 30 * 24 * time.Hour
	}
	return 0
}

// Status is the state of a search, by the contract's names.
type Status string

// The statuses.
const (
	Running        Status = "running" // queued ones too
	Completed      Status = "completed"
	Failed         Status = "failed"
	QuotaExhausted Status = "quota_exhausted"
)

// Statuses lists the statuses.
func Statuses() []Status { return []Status{Running, Completed, Failed, QuotaExhausted} }

// Ended reports whether a search has ended. What has ended never changes.
func (s Status) Ended() bool { return s == Completed || s == Failed || s == QuotaExhausted }

// A Request is what a caller asks.
type Request struct {
	Query        string   // in package query's language; it has no faults
	Window       Window   //
	Sources      []string // platforms; empty: all
	MaxResults   int      // 1 to MaxResults
	MinRelevance mention.Score
}

// A Search is a request, and how far it is.
type Search struct {
	ID          string // srch_…
	WorkspaceID string
	Request
	Status  Status
	Problem string // why it did not complete, for people
	Stats   Stats
	// Attempt names the stored results of a completed search: a worker that died may have left others. Parts is how
	// many rows hold them.
	Attempt     string
	Parts       int
	CreatedAt   time.Time
	CompletedAt time.Time // when it ended; zero while it runs
	ExpiresAt   time.Time
}

// Stats count what became of the posts that a search found.
type Stats struct {
	RawMatches     int               `json:"rawMatches"`     // posts that match the query among those that were read
	AfterDedup     int               `json:"afterDedup"`     // without repeats
	AfterRelevance int               `json:"afterRelevance"` // as relevant as asked for; maxResults does not cut this number
	Consumed       int               `json:"consumed"`       // mentions of the month that the search cost
	PerSource      map[string]int    `json:"perSource"`      // of RawMatches, by platform
	Skipped        map[string]string `json:"skipped"`        // platforms that were not asked or did not answer, and why
}

// Clone returns a copy that shares nothing.
func (s Stats) Clone() Stats {
	s.PerSource, s.Skipped = maps.Clone(s.PerSource), maps.Clone(s.Skipped)
	return s
}

// A Result is a post that a search found, as a mention.
type Result struct {
	Mention mention.Mention
	// Known says that the workspace has the mention.
	Known bool
}

// Rank sorts results: the more relevant first, and among those of one relevance the newer first. Results of one moment
// are in the order of their SourceIDs, so that the same results always have the same order.
func Rank(results []Result) {
	slices.SortFunc(results, func(a, b Result) int { return compare(&a.Mention, &b.Mention) })
}
