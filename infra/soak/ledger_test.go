package main

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// compared tells a ledger the writes and compares it with what is shown.
func compared(atEnd bool, tell func(*ledger), seen ...sight) []string {
	l := newLedger()
	tell(l)
	return l.compare("feed", seen, atEnd)
}

func told(outcomes ...any) func(*ledger) {
	return func(l *ledger) {
		for pair := range slices.Chunk(outcomes, 2) {
			l.told(pair[0].(outcome), "a write", change{"feed", "a", pair[1].(string)})
		}
	}
}

// What the ledger must find, and what it must let pass.
func TestLedger(t *testing.T) {
	a := func(state string) sight { return sight{"a", state, "1"} }
	for name, c := range map[string]struct {
		wrong string // empty: nothing
		found []string
	}{
		"an acknowledged write is there":      {"", compared(false, told(acknowledged, "x"), a("x"))},
		"an acknowledged write is lost":       {"is lost", compared(false, told(acknowledged, "x"))},
		"an acknowledged change is lost":      {"is x", compared(false, told(acknowledged, "x", acknowledged, "y"), a("x"))},
		"what was deleted is there":           {"was deleted", compared(false, told(acknowledged, "x", acknowledged, ""), a("x"))},
		"what was deleted is not":             {"", compared(false, told(acknowledged, "x", acknowledged, ""))},
		"what failed is done":                 {"", compared(false, told(acknowledged, "x", unknown, "y"), a("y"))},
		"what failed is not done":             {"", compared(false, told(acknowledged, "x", unknown, "y"), a("x"))},
		"what failed is done by halves":       {"is z", compared(false, told(acknowledged, "x", unknown, "y"), a("z"))},
		"what was there when a change failed": {"is lost", compared(false, told(acknowledged, "x", unknown, "y"))},
		"what was refused is done":            {"is y", compared(false, told(acknowledged, "x", refused, "y"), a("y"))},
		"a write after one that failed":       {"is y", compared(false, told(unknown, "y", acknowledged, "x"), a("y"))},
		"it stands twice":                     {"stands twice", compared(false, told(acknowledged, "x"), a("x"), a("x"))},
		"nobody made it":                      {"nobody made it", compared(false, told(acknowledged, "x"), a("x"), sight{"b", "x", ""})},
		"whatever it is like":                 {"", compared(false, told(acknowledged, anyState), a("z"))},
		"it is like nothing, and there":       {"", compared(false, told(acknowledged, anyState), a(""))},
		"it was deleted, is like nothing, and there": {"was deleted",
			compared(false, told(acknowledged, "x", acknowledged, ""), a(""))},
		"whatever it is like, it is there": {"is lost", compared(false, told(acknowledged, anyState))},
		"what comes later has not come": {"",
			compared(false, func(l *ledger) { told(acknowledged, "x")(l); l.eventually("feed", "a", "y", "") }, a("x"))},
		"what comes later has come": {"",
			compared(true, func(l *ledger) { told(acknowledged, "x")(l); l.eventually("feed", "a", "y", "") }, a("y"))},
		"what comes later has not come in the end": {"is x",
			compared(true, func(l *ledger) { told(acknowledged, "x")(l); l.eventually("feed", "a", "y", "") }, a("x"))},
	} {
		text := strings.Join(c.found, "\n")
		if c.wrong == "" && text != "" || !strings.Contains(text, c.wrong) || c.wrong != "" && len(c.found) != 1 {
			t.Errorf("%s: %q, want %q", name, c.found, c.wrong)
		}
	}
}

// What was seen once is certain: it cannot be otherwise later.
func TestSeenIsCertain(t *testing.T) {
	l := newLedger()
	told(unknown, "x")(l)
	if wrong := l.compare("feed", nil, false); wrong != nil {
		t.Error(wrong)
	}
	l.later("feed", "b", "y", "a write")
	shown := []sight{{"a", "x", ""}}
	wrong := l.compare("feed", shown, false)
	if len(wrong) != 1 {
		t.Errorf("what was not done is done later, and passes: %q", wrong)
	}
	if wrong := l.compare("feed", append(shown, sight{"b", "y", ""}), false); wrong != nil {
		t.Errorf("what may come later comes, and does not pass: %q", wrong)
	}
	told(acknowledged, "y")(l)
	if wrong := l.observe("feed", "a", "x"); len(wrong) != 1 {
		t.Errorf("%q", wrong)
	}
}

// A store passes if it keeps what it acknowledged and nothing that it refused. It may keep a write that failed, or not. A
// store that forgets the last acknowledged write never passes.
func TestLedgerOfAnyStore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, held := newLedger(), map[string]string{}
		names := rapid.SampledFrom([]string{"a", "b", "c"})
		last, lastState := "", ""
		for range rapid.IntRange(1, 30).Draw(t, "writes") {
			name, state := names.Draw(t, "name"), rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "state")
			o := rapid.SampledFrom([]outcome{acknowledged, refused, unknown}).Draw(t, "outcome")
			l.told(o, "a write", change{"feed", name, state})
			if o == acknowledged || o == unknown && rapid.Bool().Draw(t, "done") {
				held[name] = state
			}
			if o == acknowledged {
				last, lastState = name, state
			} else if name == last && o == unknown {
				last = ""
			}
		}
		show := func() (seen []sight) {
			for name, state := range held {
				if state != "" {
					seen = append(seen, sight{name, state, ""})
				}
			}
			return seen
		}
		forgets := last != "" && lastState != ""
		if forgets {
			delete(held, last)
			if wrong := l.compare("feed", show(), false); len(wrong) != 1 {
				t.Fatalf("a write that was forgotten gives %q", wrong)
			}
			return
		}
		if wrong := l.compare("feed", show(), false); len(wrong) > 0 {
			t.Fatalf("%q", wrong)
		}
	})
}
