package collect_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"earshot/shared/mention"
	"earshot/shared/source"
	"earshot/shared/worldtest"
)

func (w *world) found(t *testing.T, name string, keyword int64, at time.Time) {
	t.Helper()
	m := worldtest.Mention(0, name, at)
	m.Keywords = []mention.Keyword{{ID: keyword, Text: "northwind"}}
	m.Engagement, m.EngagementObservedAt = map[string]int64{"points": 1}, at
	_, err := w.Store.Ingest(t.Context(), w.Main.ID, 1_000, []mention.Mention{m})
	must(t, err)
}

// Every six hours the counters of a keyword's mentions of the last three days are looked up.
func TestEngagement(t *testing.T) {
	w := newWorld(t)
	k := w.keyword(t, northwind)
	for hours := 2; hours < 100; hours += 10 {
		w.found(t, fmt.Sprintf("old%02d", hours), k.ID, worldtest.Now.Add(-time.Duration(hours)*time.Hour))
	}
	w.found(t, "fresh", k.ID, worldtest.Now.Add(-time.Minute))
	w.found(t, "of another keyword", 99, worldtest.Now.Add(-time.Hour))
	from := observed{searched("hackernews")}
	from.about.Observes = 5
	from.metrics = map[string]map[string]int64{"old62": {"points": 44, "comments": 5}, "old52": {"points": 1},
		"of another keyword": {"points": 9}}
	c := w.collector(from)
	w.tick(t, c)
	if got := fmt.Sprint(from.looked); got != "[[old72 old62 old52 old42 old32]]" { // those that were looked up the longest ago
		t.Error(got)
	}
	m, err := w.Store.Mention(t.Context(), w.Main.ID, "old62")
	if err != nil || m.Engagement["points"] != 44 || m.Engagement["comments"] != 5 ||
		!m.EngagementObservedAt.Equal(worldtest.Now) {
		t.Errorf("%+v %v", m, err)
	}
	if m, err := w.Store.Mention(t.Context(), w.Main.ID, "of another keyword"); err != nil || m.Engagement["points"] != 1 {
		t.Errorf("%+v %v", m, err)
	}
	lookups := 0
	for range 12 {
		w.Clock.Freeze(w.Clock.Now().Add(time.Hour))
		from.forget()
		w.tick(t, c)
		lookups += len(from.looked)
	}
	if lookups != 2 {
		t.Errorf("looked up %d times in 12 hours", lookups)
	}
}

// A lookup that fails in any way fails no fetch, and is tried again with the next one.
func TestEngagementFails(t *testing.T) {
	for name, unwell := range map[string]error{"500": &source.Unavailable{Reason: "answered 500"},
		"429": &source.Unavailable{Reason: "answered 429", RetryAfter: time.Minute}, "its own": errors.New("no")} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			k := w.keyword(t, northwind)
			w.found(t, "old", k.ID, worldtest.Now.Add(-5*time.Hour))
			from := observed{searched("hackernews", every("hackernews", 3, worldtest.Now, time.Hour)...)}
			from.about.Observes, from.unwell = 5, unwell
			c := w.collector(from)
			w.tick(t, c)
			task := w.task(t, w.Main.ID)
			if len(w.posts(t)) != 3 || task.Failures != 0 || !task.Since.Equal(worldtest.Now) || !task.ObservedAt.IsZero() ||
				len(from.looked) != 1 {
				t.Errorf("%+v, looked up %v", task, from.looked)
			}
			from.unwell = nil
			w.Clock.Freeze(task.DueAt)
			w.tick(t, c)
			if task := w.task(t, w.Main.ID); len(from.looked) != 2 || !task.ObservedAt.Equal(w.Clock.Now()) {
				t.Errorf("%+v, looked up %v", task, from.looked)
			}
		})
	}
}

// A store that fails to keep counters fails no fetch either.
func TestObserve(t *testing.T) {
	w := newWorld(t)
	w.found(t, "old", 1, worldtest.Now.Add(-5*time.Hour))
	observe := func(at time.Time, counters map[string]int64, want bool) {
		t.Helper()
		if changed, err := w.Store.Observe(t.Context(), w.Main.ID, "old", counters, at); err != nil || changed != want {
			t.Errorf("%v %v", changed, err)
		}
	}
	observe(worldtest.Now, map[string]int64{"points": 5}, true)
	observe(worldtest.Now, map[string]int64{"points": 6}, false)                     // not newer
	observe(worldtest.Now.Add(time.Minute), map[string]int64{"points": 5}, false)    // no news
	observe(worldtest.Now.Add(-time.Minute), map[string]int64{"points": 9}, false)   // older
	observe(worldtest.Now.Add(2*time.Minute), map[string]int64{"comments": 1}, true) // another counter
	observe(worldtest.Now.Add(2*time.Hour), nil, false)                              // nothing known
	observe(worldtest.Now.Add(3*time.Hour), map[string]int64{"comments": 1}, true)   // the same, much later
	if changed, err := w.Store.Observe(t.Context(), w.Main.ID, "gone", map[string]int64{"points": 1},
		worldtest.Now); err != nil || changed {
		t.Error(changed, err)
	}
	m, err := w.Store.Mention(t.Context(), w.Main.ID, "old")
	if err != nil || m.Engagement["points"] != 5 || m.Engagement["comments"] != 1 {
		t.Errorf("%+v %v", m, err)
	}
}
