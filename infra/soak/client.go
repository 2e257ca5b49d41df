package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A client works in a workspace that is its own, one operation after the other, and keeps the ledger of it.
type client struct {
	home
	api      *api
	findings *findings
	tally    *tally
	ledger   *ledger
	random   *rand.Rand
	number   int
	made     int // names that it has made up

	setup         bool                 // whether it goes through the setup engine
	large         bool                 // whether its workspace has more than an export answers at once
	drafts        []*draft             // that it has made
	tokens        map[string]string    // of keys that it has made, by their names
	revoked       []string             // tokens that must open nothing any more
	exports       []export             // that are written in the background
	searches      map[string]bool      // ids of the acknowledged ones
	summaries     map[string]bool      // ids of the acknowledged ones
	summariesMost int                  // how many it has asked for
	ended         map[string]string    // what summaries have ended as, by id
	backfill      bool                 // whether one of the home's keyword was acknowledged
	mails         map[string]mailed    // by address
	posted        map[string]mentioned // mentions that it may have, by sourceId
	pending       *write               // what was under way when the process died, and is to be sent again
	app           string               // client_id of its OAuth program; empty until it is registered
	grants        map[string]*granted  // with known tokens, by id
	givers        map[string]string    // addresses of the members who gave grants, by id
	closed        []*granted           // grants whose tokens must open nothing any more
	waits         string               // what it has under way, in words, as of the last look
	look          time.Time            // when it looks again whether all is over
	pause         time.Duration        // between its looks: each is many requests, of which an hour has few
	over          bool                 // whether all was over at its last look
	ending        bool                 // whether the check is one of the end
	began         time.Time
	bound         string      // id of the feed that the notifications are of, which stays
	sequence      []operation // what is drawn from

	hears        bool                          // whether it has webhooks
	owners       map[string]owner              // of its webhooks, by what they are told; see hear
	received     map[string]map[string]receipt // what the webhooks got, by what they are told and the event's id
	heard        map[string]int                // events that the webhooks were sent, by type, as of the last check
	greeted      time.Time                     // when it greeted last, by the workbench's clock
	unsubscribed bool                          // whether a reader's leaving was acknowledged
	leftPerhaps  bool                          // whether it was sent
	thumbed      map[string]bool               // sourceIds of mentions whose relevance it may have changed
	prompt       map[string]bool               // sourceIds of posts that were acknowledged in the hour of their timestamps
}

// mailed is how many mails an address has had, at least and at most.
type mailed struct {
	least, most int
	doubtful    bool // whether a request for it has failed
}

// mentioned is what a client knows of a mention of its own.
type mentioned struct {
	source, timestamp string
	id                int64 // 0 until it was shown
}

// A write is a request with what it changes.
type write struct {
	request
	changes []change
	then    func(answer) // what else follows from an answer; nil: nothing
}

func newClient(h home, a *api, number int, seed uint64) *client {
	c := &client{
		home:      h,
		api:       a,
		findings:  a.findings,
		tally:     a.tally,
		ledger:    newLedger(),
		number:    number,
		random:    rand.New(rand.NewPCG(seed, uint64(number))),
		setup:     number%4 == 0,
		large:     number%8 == 0,
		hears:     number%4 == 1 && number < 4*receivers,
		began:     time.Now().UTC(),
		tokens:    map[string]string{},
		searches:  map[string]bool{},
		summaries: map[string]bool{},
		ended:     map[string]string{},
		grants:    map[string]*granted{},
		givers:    map[string]string{},
		mails:     map[string]mailed{},
		posted:    map[string]mentioned{},
		thumbed:   map[string]bool{},
		prompt:    map[string]bool{},
		owners:    map[string]owner{},
		received:  map[string]map[string]receipt{},
	}
	c.ledger.told(
		acknowledged, "the start", change{"keyword", h.keyword, ""},
		change{"organization", "name", "Client " + word(number)}, change{"company", "description", ""},
	)
	c.ledger.told(acknowledged, "the start", change{"keyword", h.keyword, anyState})
	for name, scope := range h.keys {
		c.ledger.told(acknowledged, "the start", change{"key", name, scope})
	}
	c.sequence = operations(c.setup, c.large, c.hears)
	return c
}

// step does one operation.
func (c *client) step(ctx context.Context) {
	if w := c.pending; w != nil {
		c.pending = nil
		if c.chance(0.7) { // others give up
			c.send(ctx, *w)
			return
		}
	}
	c.draw().run(ctx, c)
}

// draw draws an operation by its weight.
func (c *client) draw() operation {
	total := 0
	for _, o := range c.sequence {
		total += o.weight
	}
	at := c.random.IntN(total)
	for _, o := range c.sequence {
		if at -= o.weight; at < 0 {
			return o
		}
	}
	panic("soak: no operation has a weight")
}

func (c *client) chance(p float64) bool { return c.random.Float64() < p }

// name makes up a name that nobody has.
func (c *client) name() string {
	c.made++
	return word(c.number) + word(c.made)
}

func (c *client) pick(names []string) (string, bool) {
	if len(names) == 0 {
		return "", false
	}
	return names[c.random.IntN(len(names))], true
}

// reader is a key that may read: any of the workspace's, or the agency's, which names it.
func (c *client) reader(r request) request {
	switch c.random.IntN(5) {
	case 0:
		r.key = c.write
	case 1:
		r.key = c.admin
	case 2:
		r.key, r.workspace = c.master, c.home.workspace
	default:
		r.key = c.read
	}
	return r
}

// get reads, and answers what came.
func (c *client) get(ctx context.Context, target string) answer {
	return c.api.send(ctx, c.reader(request{method: http.MethodGet, target: target}))
}

// Shares of the writes that are sent as clients in doubt do.
const (
	withKey     = 0.4 // with an Idempotency-Key
	repeated    = 0.2 // of those with one that were acknowledged: sent again all the same
	tried       = 0.7 // of those with one that failed: sent again
	repeatBound = 2   // repeats of a failure
)

// change writes. The ledger knows of it, and now and then the request is sent again, as one who has not heard the
// answer would.
func (c *client) change(ctx context.Context, w write) answer {
	if w.method == "" {
		w.method = http.MethodPost
	}
	if w.key == "" {
		w.key = c.home.write
	}
	if c.chance(withKey) {
		c.made++
		w.again = fmt.Sprintf("soak-%d-%d", c.number, c.made)
	}
	got := c.send(ctx, w)
	if w.again == "" {
		return got
	}
	if got.ok() && c.chance(repeated) {
		c.repeat(ctx, w, got)
		return got
	}
	for n := 0; n < repeatBound && got.outcome() == unknown && !got.broken && c.chance(tried); n++ {
		if then := c.send(ctx, w); then.ok() {
			return then
		}
	}
	return got
}

// send sends a write once and enters its outcome.
func (c *client) send(ctx context.Context, w write) answer {
	got := c.api.send(ctx, w.request)
	c.enter(w, got)
	if got.broken && w.again != "" {
		c.pending = &w
	}
	return got
}

func (c *client) enter(w write, got answer) {
	c.ledger.told(got.outcome(), fmt.Sprintf("%s → %s", w.request, got), w.changes...)
	for _, changed := range w.changes {
		if changed.kind == "thumb" {
			c.thumbed[changed.name] = true
		}
	}
	if w.then != nil {
		w.then(got)
	}
}

// repeat sends what was acknowledged again: it must be told the same, or that the first one is not over, and nothing
// happens twice.
func (c *client) repeat(ctx context.Context, w write, first answer) {
	again := c.api.send(ctx, w.request)
	replayed := again.Header.Get("Idempotent-Replayed") != ""
	switch {
	case again.outcome() == unknown, again.Status == http.StatusConflict, again.Status == http.StatusTooManyRequests:
		return
	case again.Status == first.Status && (!replayed || string(again.Body) == string(first.Body)):
		return
	}
	c.findings.add(
		"a request that was acknowledged is answered otherwise when it is sent again\n  request  %s\n  first    %s\n  then     %s",
		w.request,
		first,
		again,
	)
}

// crowd sends several writes at the same moment, and enters their outcomes: what failed may have come before what did
// not.
func (c *client) crowd(ctx context.Context, writes ...write) []answer {
	answers := make([]answer, len(writes))
	var group sync.WaitGroup
	for n, w := range writes {
		group.Go(func() { answers[n] = c.api.send(ctx, w.request) })
	}
	group.Wait()
	order := make([]int, len(writes))
	for n := range order {
		order[n] = n
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(answers[b].outcome()) - int(answers[a].outcome()) })
	for _, n := range order {
		c.enter(writes[n], answers[n])
	}
	return answers
}

// now is the present as a mention's timestamp has it.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.000") }
