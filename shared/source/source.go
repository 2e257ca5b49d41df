// Package source is the interface to the platforms that posts come from. Each platform has an adapter in a package
// below. An adapter knows its platform's published API. It knows no keywords, workspaces or queues.
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

// A Source is a platform that Earshot searches or reads as a stream. It is safe for concurrent use.
type Source interface {
	About() About
	// Search returns at most Query.Max posts of the query's window, newest first where the platform can. A platform's
	// search is coarser than a keyword, so its posts are matched again. A stream ignores Query.Text.
	//
	// Errors: *Unavailable if the platform fails, refuses or asks to wait; ErrNoCredentials; the context's own.
	Search(ctx context.Context, q Query) (Page, error)
}

// A Counter counts posts without fetching them.
type Counter interface {
	// Count returns the number of posts in the window, and whether the platform's number is exact.
	Count(ctx context.Context, q Query) (Count, error)
}

// An Observer looks up the public engagement counters of posts found before.
type Observer interface {
	// Engagement returns the counters by sourceId, for at most About.Observes ids. Posts that are deleted or unknown
	// are missing.
	Engagement(ctx context.Context, sourceIDs []string) (map[string]map[string]int64, error)
}

// A Completer looks up what the posts of a stream lack. That costs requests, so it is called for posts that a keyword
// matches.
type Completer interface {
	// Complete fills in what is missing, in place. What it cannot learn stays as it is. Errors: as Search's.
	Complete(ctx context.Context, posts []post.Post) error
}

// About describes a source. It takes no request to the platform.
type About struct {
	Name        string        // the platform, as posts name it
	Stream      bool          // read whole, once for all keywords; if false, searched once a keyword
	Pace        time.Duration // the least time between two requests, from the platform's published limits
	Daily       int           // at most so many searches and lookups a day, from the same limits; 0: no bound
	Cursor      bool          // of a stream: a Page's Next stays valid at any later time
	Late        time.Duration // how long after its date a post may still appear; 0: the collector decides
	Every       time.Duration // how long a stream rests between two reads; 0: the collector decides
	Max         int           // at most so many posts in one Search
	Also        int           // the platform searches for so many texts beside Query.Text at once
	Reach       time.Duration // how far back the platform can be searched; 0: no bound
	Observes    int           // at most so many ids in one Engagement; 0: it is no Observer
	Credentials []Credential  // empty if the source is open to all
}

// A Credential is a secret that a source needs or can use.
type Credential struct {
	Name     string // its name in Parameter Store, below the stage's path: "reddit/client-id"
	Optional bool   // the source works without it, within narrower limits
}

// A Query is a request for posts.
type Query struct {
	Text  string    // a keyword's text; the adapter quotes it where the platform would split it
	Also  []string  // texts that a post must have too, at most About.Also; empty for a keyword
	Exact bool      // whole words, where the platform can search for them
	Whole string    // a query in the language of package query, in place of the others; only an archive takes one
	Since time.Time // inclusive
	Until time.Time // exclusive
	Max   int       // 1 to About.Max
	After string    // a Page's Next; empty: from the start
}

// Holds reports whether a time is in the window.
func (q Query) Holds(at time.Time) bool { return !at.Before(q.Since) && at.Before(q.Until) }

// Limit returns Max, but no more than a source's maximum. A Max below 1 stands for the maximum.
func (q Query) Limit(about About) int {
	if q.Max < 1 || q.Max > about.Max {
		return about.Max
	}
	return q.Max
}

// A Page is a page of a search's posts.
type Page struct {
	Posts []post.Post
	Next  string // the After of the next page; empty if this was the last page of the window
}

// A Count is a number of posts.
type Count struct {
	Posts int64
	Exact bool // false if the platform estimates
}

// Unavailable is the error of a platform that did not respond as it should. It contains nothing of the request's
// secrets.
type Unavailable struct {
	Source     string
	Reason     string        // for people: "answered 503", "answered HTML where JSON was expected"
	RetryAfter time.Duration // how long the platform asked to wait; 0: it did not ask
	Network    bool          // the platform was not reached
	Refused    bool          // the platform refused the credentials: waiting does not help
}

func (u *Unavailable) Error() string {
	if u.RetryAfter > 0 {
		return fmt.Sprintf("source %s: %s; asks to wait %v", u.Source, u.Reason, u.RetryAfter)
	}
	return fmt.Sprintf("source %s: %s", u.Source, u.Reason)
}

// ErrNoCredentials means that a source's credentials are not configured.
var ErrNoCredentials = errors.New("source: its credentials are not configured")
