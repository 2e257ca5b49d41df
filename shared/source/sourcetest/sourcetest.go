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
	// New makes the adapter over this client, with all credentials that it can use, asking baseURL in its platform's
	// place. It is called often and must share nothing between calls.
	New func(client *fetch.Client, baseURL string) (source.Source, error)

	Answers fs.FS    // the recorded answers: os.DirFS("testdata")
	Routes  []Route  // which request gets which of them; the first that fits
	SignIn  []string // paths that give a session; in half of the faults they still work
	Secrets []string // whatever is secret in New's credentials and in sessions: sent, but never in an error

	Cases    []Case     // searches; the first one is what the faults are tried on
	Counts   []Counting // for a source.Counter
	Observed []string   // sourceIds for a source.Observer, all of them in the recorded answer but for the last, which is not

	// Lists names, by answer's file, where in the JSON its items are: "hits", "data.children". The suite damages them
	// one by one and looks that the others are still there.
	Lists map[string]string
	// None: an empty JSON object is the platform's way to say that it found nothing.
	None bool
	// Feed: the answers are XML; what is about JSON's shapes is left out.
	Feed bool
	Now  time.Time // the present for the adapter's client, in whole seconds
	// Golden stands before the names of the goldens, where an adapter passes the suite more than once.
	Golden string
}

// A Route is a request and its answer.
type Route struct {
	Method string            // any when empty
	Path   string            // exactly
	Query  map[string]string // parameters that must have these values, "" for those that must not be there; meant for cursors
	File   string            // in Answers; empty: no body
	Status int               // 200 when 0
	Header map[string]string // application/json, or application/xml of a Feed, unless it says something else
}

// A Case is a search, read page by page to its end.
type Case struct {
	Name  string // its golden is testdata/golden/<Golden><Name>.json
	Query source.Query
	Posts int // how many there are in all
}

// Counting is a source.Counter's question.
type Counting struct {
	Name  string
	Query source.Query
	Want  source.Count
}

// Run holds an adapter to all that source.Source promises.
func Run(t *testing.T, o Options) {
	t.Helper()
	if o.New == nil || o.Answers == nil || len(o.Cases) == 0 || o.Now.IsZero() {
		t.Fatal("New, Answers, Cases and Now are required")
	}
	t.Run("about", func(t *testing.T) { about(t, o) })
	for _, c := range o.Cases {
		t.Run("search/"+c.Name, func(t *testing.T) { search(t, o, c) })
	}
	t.Run("bounds", func(t *testing.T) { bounds(t, o) })
	t.Run("together", func(t *testing.T) { together(t, o) })
	counts(t, o)
	engagement(t, o)
	t.Run("faults", func(t *testing.T) { faults(t, o) })
	t.Run("damage", func(t *testing.T) { damages(t, o) })
}

// open makes the adapter over a client of these bounds, its platform being this server.
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
