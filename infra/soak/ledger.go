package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// An outcome is what a response says about a write.
type outcome int

const (
	acknowledged outcome = iota // done
	refused                     // not done
	unknown                     // done or not: it failed on the other side, or died with it
)

// A change is the state that a write brings a thing to. An empty state means that the thing is absent.
type change struct{ kind, name, state string }

// anyState stands for any state of an existing thing that the client cannot know.
const anyState = "*"

// bare is the state of an existing thing that is shown without distinguishing fields, such as a feed without an icon.
const bare = "bare"

// A ledger holds what the API may show of one workspace, thing by thing. It is safe for concurrent use.
type ledger struct {
	mu     sync.Mutex
	things map[string]map[string]*thing // by kind and name
}

// A thing is an entry of the ledger. It lists the states that it may be in: one if that is certain.
type thing struct {
	may  map[string]bool
	end  string // the state that it comes to once everything is done; see eventually
	ends bool
	open bool   // whether it may come to one of its states without being written; see later
	by   string // the last request that wrote it, and its answer
	id   string // by which the API names it; empty until it was shown
}

func newLedger() *ledger { return &ledger{things: map[string]map[string]*thing{}} }

// at returns a thing. It is absent until somebody writes it.
func (l *ledger) at(kind, name string) *thing {
	if l.things[kind] == nil {
		l.things[kind] = map[string]*thing{}
	}
	if l.things[kind][name] == nil {
		l.things[kind][name] = &thing{may: map[string]bool{"": true}}
	}
	return l.things[kind][name]
}

// told enters the outcome of a write. by describes the write for the reader of a finding.
func (l *ledger) told(o outcome, by string, changes ...change) {
	if o == refused {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range changes {
		t := l.at(c.kind, c.name)
		if o == acknowledged {
			clear(t.may)
			t.ends, t.open = false, false
		}
		t.may[c.state], t.by = true, by
	}
}

// eventually enters that a thing is in a state or comes to it: an acknowledged write may be done later.
func (l *ledger) eventually(kind, name, state, by string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.at(kind, name)
	t.may[state], t.end, t.ends, t.by = true, state, true, by
}

// later enters that a thing may come to a state at any time from now on: an unacknowledged write may go on in the
// background.
func (l *ledger) later(kind, name, state, by string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.at(kind, name)
	t.may[state], t.open, t.by = true, true, by
}

// certain lists the things of a kind that are certainly in a state; with anyState, those that certainly exist.
func (l *ledger) certain(kind, state string) (names []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, t := range l.things[kind] {
		if len(t.may) == 1 && (t.may[state] || state == anyState && !t.may[""]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// stateOf returns the certain state of a thing. Empty if the thing is absent, or its state is unknown.
func (l *ledger) stateOf(kind, name string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.at(kind, name)
	for state := range t.may {
		if len(t.may) == 1 {
			return state
		}
	}
	return ""
}

// named stores the id that the API gave a thing.
func (l *ledger) named(kind, name, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at(kind, name).id = id
}

// idOf returns the id of a thing. Empty if it is unknown.
func (l *ledger) idOf(kind, name string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.at(kind, name).id
}

// A sight is a thing as the API shows it.
type sight struct{ name, state, id string }

// compare compares everything that the API shows of a kind with the ledger. It returns what is wrong: lost, deleted
// and back again, doubled, in a state that nobody wrote, or from nowhere. Because no request is under way, what is
// seen is certain from then on, except what goes on in the background. At the end that is over too, and everything
// expected must have come.
func (l *ledger) compare(kind string, seen []sight, atEnd bool) (wrong []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	shown := map[string]sight{}
	for _, s := range seen {
		if _, twice := shown[s.name]; twice {
			wrong = append(wrong, fmt.Sprintf("%s %s stands twice; %s", kind, s.name, l.entry(kind, s.name)))
		}
		if s.state == "" {
			s.state = bare
		}
		shown[s.name] = s
		if l.things[kind][s.name] == nil {
			wrong = append(wrong, fmt.Sprintf("%s %s (%s) is there, and nobody made it", kind, s.name, s.state))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.things[kind])) {
		t, s := l.things[kind][name], shown[name]
		if fault := t.holds(s.state, atEnd); fault != "" {
			wrong = append(wrong, fmt.Sprintf("%s %s %s; %s", kind, name, fault, l.entry(kind, name)))
		}
		if s.id != "" {
			t.id = s.id
		}
		if t.open = t.open && !atEnd; !t.ends && !t.open || atEnd {
			clear(t.may)
			t.may[s.state] = true
		}
	}
	return wrong
}

// observe is compare for one thing.
func (l *ledger) observe(kind, name, state string) (wrong []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.things[kind][name]
	if t == nil {
		return nil
	}
	if fault := t.holds(state, true); fault != "" {
		wrong = []string{fmt.Sprintf("%s of %s %s; %s", kind, name, fault, l.entry(kind, name))}
	}
	clear(t.may)
	t.may[state] = true
	return wrong
}

// holds returns what is wrong with a thing in a state. Empty if nothing is.
func (t *thing) holds(state string, atEnd bool) string {
	may := t.may
	if atEnd && t.ends {
		may = map[string]bool{t.end: true}
	}
	switch {
	case may[state] || state != "" && may[anyState]:
		return ""
	case state == "":
		return "was acknowledged and is lost"
	case len(may) == 1 && may[""]:
		return "was deleted, or never made, and is there: " + state
	}
	return "is " + state
}

// entry shows an entry.
func (l *ledger) entry(kind, name string) string {
	t := l.things[kind][name]
	if t == nil {
		return "the ledger has no entry"
	}
	states := make([]string, 0, len(t.may))
	for _, state := range slices.Sorted(maps.Keys(t.may)) {
		if state == "" {
			state = "absent"
		}
		states = append(states, state)
	}
	text := "the ledger has: " + strings.Join(states, " or ")
	if t.ends {
		text += ", in the end " + t.end
	}
	return text + "; last written by " + t.by
}

// count returns how many things of a kind are certainly in one of the states, and how many may be.
func (l *ledger) count(kind string, counted func(state string) bool) (least, most int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.things[kind] {
		all, some := true, false
		for state := range t.may {
			all, some = all && counted(state), some || counted(state)
		}
		if all {
			least++
		}
		if some {
			most++
		}
	}
	return least, most
}
