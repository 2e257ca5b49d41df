// Package source is the interface to the platforms that posts come from: one adapter for each platform, in a package of
// its own below. An adapter knows its platform's published API, and nothing of keywords, workspaces or queues.
//
// Adapters import it, and the packages that collect or survey posts.
package source

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/post"
)

// A Source is a platform that can be searched, or read as a stream. It is safe for concurrent use.
type Source interface {
	About() About
	// Search answers posts of the query's window, newest first where the platform can, at most Query.Max. A platform's
	// search is coarser than a keyword: what it answers is matched again. A stream ignores Query.Text.
	//
	// Errors: *Unavailable when the platform fails, refuses or says to wait; ErrNoCredentials; the context's own.
	Search(ctx context.Context, q Query) (Page, error)
}

// A Counter can say how many posts there are without fetching them.
type Counter interface {
	// Count answers the posts of the window, and whether the platform's answer is exact.
	Count(ctx context.Context, q Query) (Count, error)
}

// An Observer can look up the public engagement counters of posts that were found before.
type Observer interface {
	// Engagement answers the counters by sourceId; what is gone or unknown is not there. At most About.Observes ids.
	Engagement(ctx context.Context, sourceIDs []string) (map[string]map[string]int64, error)
}

// A Completer can tell what the posts of a stream lack, at the price of requests: it is asked about those that somebody
// listens for.
type Completer interface {
	// Complete fills in what is missing, in place; what cannot be learned stays as it is. Errors: as Search's.
	Complete(ctx context.Context, posts []post.Post) error
}

// About is what is known of a source without asking it.
type About struct {
	Name        string        // the platform, as posts name it
	Stream      bool          // read whole, once for all keywords; else searched once a keyword
	Pace        time.Duration // the least time between two requests, from the platform's published limits
	Daily       int           // searches and lookups a day at most, from the same; 0: no bound
	Cursor      bool          // of a stream: a Page's Next is a place in it that can be gone on from at any later time
	Late        time.Duration // how long after its date a post may still appear; 0: as soon as whoever collects thinks
	Every       time.Duration // how long a stream rests between two reads; 0: as long as whoever collects thinks
	Max         int           // posts of one Search at most
	Reach       time.Duration // how far back it can be searched; 0: no bound
	Observes    int           // ids of one Engagement at most; 0: it is no Observer
	Credentials []Credential  // what it needs; nothing: it is open to all
}

// A Credential is a secret that a source needs or can use.
type Credential struct {
	Name     string // as in Parameter Store, below the stage's path: "reddit/client-id"
	Optional bool   // it works without, within narrower limits
}

// A Query asks for posts.
type Query struct {
	Text  string    // a keyword's text; quoted by the adapter where the platform would split it
	Exact bool      // whole words, where the platform can tell
	Since time.Time // inclusive
	Until time.Time // exclusive
	Max   int       // 1 to About.Max
	After string    // a Page's Next, to go on; empty: from the start
}

// Holds says whether a time is in the window.
func (q Query) Holds(at time.Time) bool { return !at.Before(q.Since) && at.Before(q.Until) }

// Limit is Max within what a source answers at most; a Max of less than 1 asks for as many as there may be.
func (q Query) Limit(about About) int {
	if q.Max < 1 || q.Max > about.Max {
		return about.Max
	}
	return q.Max
}

// A Page is an answer.
type Page struct {
	Posts []post.Post
	Next  string // what After is to go on; empty: that was all of the window
}

// A Count is an answer.
type Count struct {
	Posts int64
	Exact bool // false: the platform estimates
}

// Unavailable says that a platform did not answer as it should. It tells nothing of the request's secrets.
type Unavailable struct {
	Source     string
	Reason     string        // for people: "answered 503", "answered HTML where JSON was expected"
	RetryAfter time.Duration // how long the platform said to wait; 0: it did not
	Network    bool          // it was not reached at all
	Refused    bool          // it was reached and refused the credentials: waiting does not help
}

func (u *Unavailable) Error() string {
	if u.RetryAfter > 0 {
		return fmt.Sprintf("source %s: %s; asks to wait %v", u.Source, u.Reason, u.RetryAfter)
	}
	return fmt.Sprintf("source %s: %s", u.Source, u.Reason)
}

// ErrNoCredentials means that what a source needs is not configured.
var ErrNoCredentials = errors.New("source: its credentials are not configured")
