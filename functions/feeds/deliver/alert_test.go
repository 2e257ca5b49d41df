package deliver_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/alert"
	"earshot/shared/delivery"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/web/deliverywire"
	"earshot/shared/worldtest"
)

// watch stores an alert that tells a webhook, and stops the clock at a full hour.
func (d *desk) watch(t testing.TB, a alert.Alert) alert.Alert {
	t.Helper()
	d.Clock.Freeze(worldtest.Now.Truncate(time.Hour))
	a.Name, a.Enabled = "Complaints", true
	if a.Destinations == nil {
		a.Destinations = []feed.Destination{hook("https://alert.example/")}
	}
	made, err := d.Store.CreateAlert(t.Context(), d.Main.ID, a, "")
	must(t, err)
	return made.Alert
}

// postedNow are n mentions that are posted now, from a number on.
func (d *desk) postedNow(from, n int) []mention.Mention {
	found := posts(from, n)
	for i := range found {
		found[i].PostedAt = d.Clock.Now()
	}
	return found
}

// told are the events that an alert's webhook got, each once: "fired 3 2" is of a window with 3 mentions that quotes 2.
func told(t testing.TB, events []event) (all []string) {
	t.Helper()
	seen := map[string]bool{}
	for _, e := range events {
		var read deliverywire.AlertEvent
		must(t, json.Unmarshal(e.Body, &read))
		if seen[e.ID] {
			continue
		}
		seen[e.ID] = true
		what := strings.TrimPrefix(read.Type, "alert.")
		if read.Data.Reminder {
			what = "reminded"
		}
		all = append(all, fmt.Sprint(what, " ", read.Data.Counted, " ", len(read.Data.Mentions)))
		if read.Data.Alert.ID != 1 || read.Data.Alert.Name != "Complaints" {
			t.Errorf("%s", e.Body)
		}
	}
	return all
}

var moreThanTwo = alert.Condition{Metric: alert.Mentions, Comparison: alert.Above, Value: 2, Window: alert.Hour}

// An alert fires once, is told again as often as it asks, and resolves, with its reason in figures.
func TestAlert(t *testing.T) {
	for remind, want := range map[alert.Remind][]string{
		alert.Never:  {"fired 4 3", "resolved 1 1", "fired 3 3", "resolved 0 0"},
		alert.Hourly: {"fired 4 3", "reminded 3 3", "resolved 1 1", "fired 3 3", "resolved 0 0"},
	} {
		d := newDesk(t)
		f := d.feed(t, d.Main.ID, feed.Feed{Name: "All"})
		d.watch(t, alert.Alert{FeedID: f.ID, Condition: moreThanTwo, Remind: remind})
		for hour, n := range []int{2, 4, 3, 1, 3} {
			if n > 0 {
				d.mustCollect(t, d.postedNow(hour*10, n)...)
			}
			d.pass(t, time.Hour, 10*time.Minute)
		}
		d.pass(t, 3*time.Hour, 10*time.Minute)
		if got := told(t, d.events); !slices.Equal(got, want) {
			t.Errorf("remind %s: %v, want %v", remind, got, want)
		}
		now, err := d.Store.Alert(t.Context(), d.Main.ID, 1)
		must(t, err)
		if now.State.Firing || now.State.Value != 3 {
			t.Errorf("%+v", now.State)
		}
		for _, e := range d.events {
			secrets, err := delivery.SecretsOf(now.Signing, d.Main.Secret, delivery.OfAlert(1), d.Clock.Now())
			must(t, err)
			verify(t, secrets.Current, e.Message)
		}
	}
}

// People get the figures, and the mentions that say the most: here those with the most followers.
func TestAlert_Letter(t *testing.T) {
	d := newDesk(t)
	d.watch(t, alert.Alert{
		Filters: []byte(`{"language":["english"]}`), Destinations: []feed.Destination{letters("a@northwind.example")},
		Condition: alert.Condition{Metric: alert.Reach, Comparison: alert.RisesBy, Value: 50, Window: alert.Hour, Baseline: alert.Previous},
	})
	for hour := range 2 {
		found := d.postedNow(hour*10, 5)
		for i := range found {
			found[i].Author, found[i].AuthorFollowers = new(fmt.Sprint("author", i)), new(int64((hour+1)*(i+1)*100))
		}
		d.mustCollect(t, found...)
		d.pass(t, time.Hour, 10*time.Minute)
	}
	d.pass(t, 10*time.Minute, 10*time.Minute)
	sent, err := d.Outbox().List(t.Context(), 10)
	must(t, err)
	// The hour before the first had no reach, so that the first rises too, and the second is the same episode.
	if len(sent) != 1 {
		t.Fatalf("%d letters", len(sent))
	}
	for _, want := range []string{"Alert “Complaints”: reach of 1500 in an hour against 0", "author4 on", "author2 on", "and 2 more"} {
		if !strings.Contains(sent[0].Text, want) {
			t.Errorf("no %q in %s", want, sent[0].Text)
		}
	}
	if strings.Contains(sent[0].Text, "author1 on") {
		t.Error("it quotes a mention of less reach")
	}
}

// However the worker or the schedule dies, an episode is told of once.
func TestAlert_KilledAtEachStep(t *testing.T) {
	faulttest.EachStep(t, 12, func(t *testing.T, step *faulttest.Step) {
		d := newDesk(t)
		f := d.feed(t, d.Main.ID, feed.Feed{Name: "All"})
		d.watch(t, alert.Alert{FeedID: f.ID, Condition: moreThanTwo})
		d.mustCollect(t, d.postedNow(1, 3)...)
		_ = step.Die(t, d.Life, func() error {
			d.Clock.Freeze(d.Clock.Now().Add(65 * time.Minute))
			if err := d.tick(t.Context()); err != nil {
				return err
			}
			d.Clock.Freeze(d.Clock.Now().Add(time.Hour))
			return d.tick(t.Context())
		})
		d.Sent.Take(queue.Deliveries)
		d.pass(t, 3*time.Hour, 10*time.Minute)
		if got := told(t, d.events); !slices.Equal(got, []string{"fired 3 3", "resolved 0 0"}) {
			t.Errorf("%v", got)
		}
	})
}

// Several evaluate an alert at the same moment: it is told of once.
func TestAlert_AtOnce(t *testing.T) {
	d := newDesk(t)
	f := d.feed(t, d.Main.ID, feed.Feed{Name: "All"})
	d.watch(t, alert.Alert{FeedID: f.ID, Condition: moreThanTwo})
	d.mustCollect(t, d.postedNow(1, 3)...)
	d.Clock.Freeze(d.Clock.Now().Add(65 * time.Minute))
	handle := d.handler()
	faulttest.AtOnce(6, func(int) { must(t, handle(t.Context(), `{"workspaceId":"`+d.Main.ID+`","alert":1}`)) })
	must(t, d.tick(t.Context()))
	if got := told(t, d.events); !slices.Equal(got, []string{"fired 3 3"}) || len(d.all(t)) != 1 {
		t.Errorf("%v, %d deliveries", got, len(d.all(t)))
	}
}

// A change of something else than what is watched, after the hour that fires and before its evaluation or long after it
// was due, loses no event.
func TestAlert_ChangedBeforeEvaluation(t *testing.T) {
	for name, change := range map[string]func(*alert.Alert){
		"nothing":        func(*alert.Alert) {},
		"remind":         func(a *alert.Alert) { a.Remind = alert.Daily },
		"enabled":        func(a *alert.Alert) { a.Enabled = true },
		"signing secret": func(a *alert.Alert) { a.Signing = a.Signing.Rotated(worldtest.Now) },
	} {
		for _, late := range []time.Duration{time.Hour + 2*time.Minute, time.Hour + 20*time.Minute, 5 * time.Hour} {
			d := newDesk(t)
			f := d.feed(t, d.Main.ID, feed.Feed{Name: "All"})
			a := d.watch(t, alert.Alert{FeedID: f.ID, Condition: moreThanTwo})
			d.mustCollect(t, d.postedNow(1, 3)...)
			d.Clock.Freeze(d.Clock.Now().Add(late))
			_, err := d.Store.ChangeAlert(t.Context(), d.Main.ID, a.ID, "", func(a *alert.Alert) error { change(a); return nil })
			must(t, err)
			d.pass(t, 10*time.Minute, 10*time.Minute)
			if got := told(t, d.seen); !slices.Contains(got, "fired 3 3") {
				t.Errorf("changed %s after %s: told %v, want fired 3 3 among them", name, late, got)
			}
		}
	}
}

// An alert that is switched off, deleted, or watches a feed that is gone, tells nothing. One that is changed looks back at
// nothing.
func TestAlert_Changes(t *testing.T) {
	for name, change := range map[string]func(d *desk, a alert.Alert) error{
		"off": func(d *desk, a alert.Alert) error {
			_, err := d.Store.ChangeAlert(t.Context(), d.Main.ID, a.ID, "", func(a *alert.Alert) error { a.Enabled = false; return nil })
			return err
		},
		"deleted": func(d *desk, a alert.Alert) error { return d.Store.DeleteAlert(t.Context(), d.Main.ID, a.ID, "") },
		"no feed": func(d *desk, a alert.Alert) error { return d.Store.DeleteFeed(t.Context(), d.Main.ID, a.FeedID, "") },
		"changed in the next hour": func(d *desk, a alert.Alert) error {
			d.Clock.Freeze(d.Clock.Now().Add(time.Hour))
			_, err := d.Store.ChangeAlert(t.Context(), d.Main.ID, a.ID, "", func(a *alert.Alert) error { a.Condition.Value = 1; return nil })
			return err
		},
		"a destination that is gone": func(d *desk, a alert.Alert) error {
			_, err := d.Store.ChangeAlert(t.Context(), d.Main.ID, a.ID, "", func(a *alert.Alert) error { a.Destinations = nil; return nil })
			return err
		},
	} {
		d := newDesk(t)
		f := d.feed(t, d.Main.ID, feed.Feed{Name: "All"})
		a := d.watch(t, alert.Alert{FeedID: f.ID, Condition: moreThanTwo})
		d.mustCollect(t, d.postedNow(1, 3)...)
		must(t, change(d, a))
		d.pass(t, 4*time.Hour, 10*time.Minute)
		if len(d.seen) > 0 {
			t.Errorf("%s: %v", name, told(t, d.seen))
		}
		if due, err := d.Store.DueAlerts(t.Context(), 10); err != nil || len(due) > 0 {
			t.Errorf("%s: %v is due, %v", name, due, err)
		}
		if name != "no feed" {
			continue
		}
		if w, err := d.Store.Alert(t.Context(), d.Main.ID, a.ID); err != nil || w.Enabled || w.Paused != alert.FeedDeleted {
			t.Errorf("%s: enabled %t, paused because of %q, %v", name, w.Enabled, w.Paused, err)
		}
	}
}
