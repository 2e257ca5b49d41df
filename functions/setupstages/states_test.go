package setupstages_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"earshot/functions/setup"
	"earshot/functions/setupstages/setuptest"
	"earshot/shared/port/model/modeltest"
	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store"
	"earshot/shared/store/allstores"
	"earshot/shared/web"
	"earshot/shared/workspace"
	"earshot/shared/worldtest"
)

// A polled is the part of a response that the States table of the description speaks of.
type polled struct {
	Status     string
	FinishedAt *string
	Steps      []struct {
		Stage, Status string
		MS            *int
	}
	Timeline []struct{ Kind, Name, Status string }
	Proposal json.RawMessage
}

// during is the draft's status while a stage runs ("States and transitions" in the description).
var during = map[string]string{
	"candidates": "proposing", "measure": "measuring", "sample": "sampling", "agent": "proposing", "validate": "proposing",
}

// transitions are those of the table, and a poll that finds nothing new. A second run begins from any end.
var transitions = map[string][]string{
	"proposing": {"proposing", "measuring", "ready", "needs_narrowing", "failed"},
	"measuring": {"measuring", "sampling"},
	"sampling":  {"sampling", "proposing"},
	"ready":     {"ready"},
	"failed":    {"failed"},
}

// faults returns what the States table does not allow in one response.
func (p polled) faults() (faults []string) {
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	last, settled := "", slices.Contains([]string{"ready", "needs_narrowing", "failed"}, p.Status)
	for i, step := range p.Steps {
		if i >= len(proposal.Stages()) || step.Stage != string(proposal.Stages()[i]) {
			add("step %d is %s", i, step.Stage)
		}
		running := step.Status == "running"
		if running && (settled || i < len(p.Steps)-1) {
			add("%s is running, and is followed by other steps or by the run's end", step.Stage)
		}
		if running != (step.MS == nil) {
			add("%s is %s, and has ms: %t", step.Stage, step.Status, step.MS != nil)
		}
		if !slices.ContainsFunc(p.Timeline, func(e struct{ Kind, Name, Status string }) bool {
			return e.Kind == "stage" && e.Name == step.Stage && e.Status == step.Status
		}) {
			add("%s is %s, and the timeline has it otherwise", step.Stage, step.Status)
		}
		last = step.Stage
	}
	shown := string(p.Proposal) != "null"
	switch p.Status {
	case "proposing", "measuring", "sampling":
		if want := during[last]; last != "" && p.Status != want || last == "" && p.Status != "proposing" {
			add("the status is %s, and the last step is %q", p.Status, last)
		}
		if shown || p.FinishedAt != nil {
			add("%s, with a proposal: %t, and an end: %t", p.Status, shown, p.FinishedAt != nil)
		}
		if last == "validate" && p.Steps[len(p.Steps)-1].Status != "running" {
			add("the last stage has ended, and the status is %s", p.Status)
		}
	case "ready", "needs_narrowing":
		if !shown || p.FinishedAt == nil || last != "validate" {
			add("%s, with a proposal: %t, an end: %t, the last step %q", p.Status, shown, p.FinishedAt != nil, last)
		}
	case "failed":
		if shown || p.FinishedAt == nil {
			add("failed, with a proposal: %t, and an end: %t", shown, p.FinishedAt != nil)
		}
	default:
		add("the status is %q", p.Status)
	}
	return faults
}

// itemized is a table as isolated as DynamoDB: each item that a query reads may be of a later moment than the one
// before. before is called before every read of one item.
type itemized struct {
	table.Table
	before func()
}

func (i itemized) Get(ctx context.Context, get table.Get) (table.Item, error) {
	i.before()
	return i.Table.Get(ctx, get)
}

func (i itemized) Query(ctx context.Context, query table.Query) (table.Page, error) {
	i.before()
	query.Limit = 1
	return i.Table.Query(ctx, query)
}

// unlimited counts no requests.
type unlimited struct{}

func (unlimited) Take(context.Context, string, time.Time, int) (int, bool, error) {
	return 1, true, nil
}

// A poller polls the one draft of a World between all writes of its run, which are transactions. Its readers pause
// before one of their reads while writes happen.
type poller struct {
	*allstores.Store // what a poll reads by; set before each poll begins
	t                testing.TB
	w                *setuptest.World
	client           worldtest.Client
	draft            string
	across           []int  // writes for which readers pause
	in               string // the call whose writes are polled behind, and two more; empty: every call

	mu       sync.Mutex
	writes   int
	previous string
	paused   map[int][]func() // what resumes readers, by the number of the write after which
	polls    int
	seen     map[string]int // responses by status
	left     int            // writes of other calls to poll behind
}

// Setup hides which store the poll began with from those that begin later.
func (p *poller) Setup(ctx context.Context, orgID, draftID string) (proposal.Draft, proposal.Run, error) {
	return p.Store.Setup(ctx, orgID, draftID)
}

func newPoller(t testing.TB, w *setuptest.World) *poller {
	t.Helper()
	p := &poller{
		t:      t,
		w:      w,
		Store:  w.Store,
		draft:  w.Draft(t),
		across: []int{1, 5},
		paused: map[int][]func(){},
		seen:   map[string]int{},
	}
	err := w.Store.ChangeWorkspace(t.Context(), w.Main.ID, func(o *workspace.Workspace) error {
		o.Flags = []string{workspace.FlagSetupOnboarding}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	undisturbed := allstores.New(w.Table, w.Clock)
	api := web.New(web.Options{Credentials: undisturbed, Windows: unlimited{}, Replays: undisturbed, Clock: w.Clock,
		Log: slog.New(slog.DiscardHandler)})
	setup.Register(api, setup.Options{Store: p})
	p.client = worldtest.Client{Handler: api.LambdaHandler(), Token: w.Write}
	return p
}

// poll reads the status through a store over the table, and checks it. It may be called by several at once.
func (p *poller) poll(over table.Table, when string) (status string) {
	p.Store = allstores.New(over, p.w.Clock)
	answer := p.client.Get(p.t, "/api/v2/setup/proposals/"+p.draft)
	var found polled
	if err := json.Unmarshal(answer.Body, &found); err != nil || answer.Status != 200 {
		p.t.Errorf("%s: %d %s", when, answer.Status, answer.Body)
		return ""
	}
	for _, fault := range found.faults() {
		p.t.Errorf("%s: %s: %+v", when, fault, found.Steps)
	}
	return found.Status
}

// hook polls behind every write that it watches. One poll is at once; others begin there, pause before their nth read and
// end some writes later.
func (p *poller) hook(ctx context.Context, in, operation string, do func(context.Context) error) error {
	if operation != "transact" { // what the stages keep of sources; no poll reads it
		return do(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	err := do(ctx)
	p.writes++
	p.resume(p.writes)
	if !p.watches(in) {
		p.previous = "" // what was between is not seen
		return err
	}
	p.transit(fmt.Sprintf("behind write %d", p.writes))
	for _, more := range p.across {
		for at := 1; p.begin(at, more); at++ {
		}
	}
	return err
}

// watches reports whether polls are made behind a write of a call.
func (p *poller) watches(call string) bool {
	switch {
	case p.in == "":
	case p.in == call:
		p.left = 2
	case p.left == 0:
		return false
	default:
		p.left--
	}
	return true
}

// transit polls at once, and checks the step from what the last such poll found.
func (p *poller) transit(when string) {
	status := p.poll(p.w.Table, when)
	if p.previous != "" && !slices.Contains(transitions[p.previous], status) {
		p.t.Errorf("%s: %s after %s", when, status, p.previous)
	}
	p.previous = status
	p.polls++
	p.seen[status]++
}

// begin begins a poll that pauses before its read of that number, counted from 1, until more writes have happened. It
// reports whether the poll came to that read.
func (p *poller) begin(at, more int) bool {
	reads, paused, resumed, done := 0, make(chan struct{}), make(chan struct{}), make(chan struct{})
	before := func() {
		if reads++; reads == at {
			close(paused)
			<-resumed
		}
	}
	when := fmt.Sprintf("from write %d to %d, across read %d", p.writes, p.writes+more, at)
	go func() {
		defer close(done)
		p.poll(itemized{p.w.Table, before}, when)
	}()
	p.polls++
	select {
	case <-paused:
		p.paused[p.writes+more] = append(p.paused[p.writes+more], func() { close(resumed); <-done })
		return true
	case <-done:
		return false
	}
}

func (p *poller) resume(upTo int) {
	for write, readers := range p.paused {
		if write <= upTo {
			for _, resume := range readers {
				resume()
			}
			delete(p.paused, write)
		}
	}
}

// end resumes all readers and polls the end.
func (p *poller) end() {
	p.w.SetHook(nil)
	p.resume(p.writes + 10)
	p.transit("at the end")
}

// Every response of the poll satisfies the States table, whatever is written while it reads. crash_test.go and
// interrupt_test.go hold the same of runs whose stages are killed, and that die, behind each write.
func TestPoll_DuringEveryWrite(t *testing.T) {
	seen := map[string]int{}
	watched := func(name string, run func(t *testing.T, p *poller)) {
		bubble(t, name, func(t *testing.T, w *setuptest.World) {
			w.Model = modeltest.Good()
			p := newPoller(t, w)
			w.Begin(t, p.draft)
			w.SetHook(p.hook)
			run(t, p)
			p.end()
			if p.writes == 0 || p.polls < 3*p.writes {
				t.Errorf("%d polls of %d writes", p.polls, p.writes)
			}
			for status, n := range p.seen {
				seen[status] += n
			}
			w.Settled(t, p.draft)
		})
	}
	run := func(t *testing.T, p *poller) {
		_, last := p.w.Setup(t, p.draft)
		p.w.Run(t, proposal.Key{WorkspaceID: p.w.Main.ID, DraftID: p.draft, Number: last.Number})
	}
	watched("undisturbed", run)
	watched("without a model", func(t *testing.T, p *poller) { p.w.Model = nil; run(t, p) })
	for _, c := range []struct {
		name  string
		fails []string
		how   string
	}{
		{"no measurement ever begins", []string{"measure/hackernews", "measure/reddit", "measure"}, "panics"},
		{"nothing but the last stage", calls[:len(calls)-1], "fails"},
		{"nothing at all", calls, "fails"},
	} {
		watched(c.name, func(t *testing.T, p *poller) { failing(c.how, c.fails...)(p.w); run(t, p) })
	}
	for _, status := range []string{"proposing", "measuring", "sampling", "ready"} {
		if seen[status] == 0 {
			t.Errorf("no poll found %s: %v", status, seen)
		}
	}
}

// around polls behind the writes of a call in which the run is disturbed by another hook, if the disturbance follows a
// write that a poll reads.
func (p *poller) around(call, operation string, disturb setuptest.Hook) setuptest.Hook {
	if operation != "transact" {
		return disturb
	}
	p.in, p.across = call, []int{2}
	return func(ctx context.Context, in, operation string, do func(context.Context) error) error {
		return disturb(ctx, in, operation, func(ctx context.Context) error { return p.hook(ctx, in, operation, do) })
	}
}

// A run that cannot be finished fails as a whole: no step of it stays running.
func TestPoll_GivenUp(t *testing.T) {
	bubble(t, "an outcome is gone", func(t *testing.T, w *setuptest.World) {
		p := newPoller(t, w)
		key := w.Begin(t, p.draft)
		hanging := hangIn(w, "sample")
		f := w.Flow(t, setuptest.Hurried(), func(string) {}, true)
		start(t, f, "run", w.Payload(t, key))
		<-hanging
		f.Close()
		w.SetHook(nil)
		if err := w.Options().GiveUp(t.Context(), key, store.ErrNotFound); err == nil {
			t.Error("the cause is not returned")
		}
		if status := p.poll(w.Table, "given up"); status != "failed" {
			t.Errorf("it is %s", status)
		}
	})
}
