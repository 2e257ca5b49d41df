// Package sourcetest is the suite that every source.Source passes. An adapter's testdata holds responses of its
// platform's published API. The suite serves them from 127.0.0.1 and compares requests and results with goldens. Then
// it makes the platform misbehave in every way that a platform does.
//
// Only adapters' tests import it. go test ./shared/source/… -update rewrites the goldens.
package sourcetest

import (
	"flag"
	"io/fs"
	"testing"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/source"
	"earshot/shared/source/fetch"
)

var update = flag.Bool("update", false, "write the goldens of the sources anew")

// Options describe an adapter and its platform.
type Options struct {
	// New makes the adapter over this client, with all credentials that it can use, and with baseURL in its platform's
	// place. The suite calls it often, so it must share nothing between calls.
	New func(client *fetch.Client, baseURL string) (source.Source, error)

	Answers fs.FS    // the recorded responses: os.DirFS("testdata")
	Routes  []Route  // which request gets which response; the first that fits
	SignIn  []string // paths that sign in; in half of the faults they still work
	Secrets []string // secrets in New's credentials and in sessions: they are sent, but never appear in an error

	Cases    []Case     // searches; the faults are tried on the first one
	Counts   []Counting // for a source.Counter
	Observed []string   // sourceIds for a source.Observer; the recorded response has all of them except the last

	// Lists maps a response's file to the place of its items in the JSON: "hits", "data.children". The suite damages
	// the items one by one and checks that the others remain.
	Lists map[string]string
	// None is true if an empty JSON object is the platform's way to say that it found nothing.
	None bool
	// Feed is true if the responses are XML. The suite then skips the checks about JSON's shapes.
	Feed bool
	Now  time.Time // the present for the adapter's client, in whole seconds
	// Golden is a prefix of the goldens' names, for an adapter that passes the suite more than once.
	Golden string
}

// A Route is a request and its response.
type Route struct {
	Method string            // any when empty
	Path   string            // exactly
	Query  map[string]string // parameters that must have these values, or must be missing if the value is ""; meant for cursors
	File   string            // in Answers; empty: no body
	Status int               // 200 when 0
	Header map[string]string // Content-Type is application/json by default, or application/xml for a Feed
}

// A Case is a search, read page by page to its end.
type Case struct {
	Name  string // its golden is testdata/golden/<Golden><Name>.json
	Query source.Query
	Posts int // the number of posts on all pages
}

// Counting is a query for a source.Counter.
type Counting struct {
	Name  string
	Query source.Query
	Want  source.Count
}

// Run checks an adapter against all that source.Source promises.
func Run(t *testing.T, o Options) {
	t.Helper()
	if o.New == nil || o.Answers == nil || len(o.Cases) == 0 || o.Now.IsZero() {
		t.Fatal("New, Answers, Cases and Now are required")
	}
	t.Run("about", func(t *testing.T) { about(t, o) })
	for _, c := range o.Cases {
		t.Run("search/"+c.Name, func(t *testing.T) { search(t, o, c) })
	}
	t.Run("also", func(t *testing.T) { also(t, o) })
	t.Run("bounds", func(t *testing.T) { bounds(t, o) })
	t.Run("together", func(t *testing.T) { together(t, o) })
	counts(t, o)
	engagement(t, o)
	t.Run("faults", func(t *testing.T) { faults(t, o) })
	t.Run("damage", func(t *testing.T) { damages(t, o) })
}

// open makes the adapter over a client with these bounds. The server at baseURL is its platform.
func open(t testing.TB, o Options, baseURL string, bounds fetch.Options) source.Source {
	t.Helper()
	var now clock.Adjustable
	now.Freeze(o.Now)
	bounds.AnyHost, bounds.Unpaced, bounds.Clock = true, true, &now
	bounds.UserAgent = "Earshot/2 (+https://earshot.example)"
	client := fetch.New(bounds)
	t.Cleanup(client.Close)
	opened, err := o.New(client, baseURL)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return opened
}
