package deliver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/alert"
	"earshot/shared/delivery"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/outboxmail"
	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/store"
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
		found[i].PostedAt, found[i].Keywords = d.Clock.Now(), worldtest.KeywordsOf(1, 7)
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

// Hours in which nobody evaluated have episodes, and no reminders: these would all come at once.
func TestAlert_RemindsOnceAfterStandstill(t *testing.T) {
	condition := alert.Condition{Metric: alert.Mentions, Comparison: alert.Above, Value: 2, Window: alert.Week}
	d := newDesk(t)
	d.watch(t, alert.Alert{Filters: []byte(`{}`), Condition: condition, Remind: alert.Hourly})
	d.mustCollect(t, d.postedNow(0, 3)...)
	for _, stands := range []struct {
		hours time.Duration
		want  []string
	}{
		{30, []string{"fired 3 3"}}, // at the first of these hours
		{1, []string{"fired 3 3", "reminded 3 3"}},
		{40, []string{"fired 3 3", "reminded 3 3", "reminded 3 3"}},
		{1, []string{"fired 3 3", "reminded 3 3", "reminded 3 3", "reminded 3 3"}},
	} {
		d.pass(t, stands.hours*time.Hour+10*time.Minute, stands.hours*time.Hour+10*time.Minute)
		if got := told(t, d.events); !slices.Equal(got, stands.want) {
			t.Errorf("after %d hours: %v, want %v", stands.hours, got, stands.want)
		}
	}
}

// People get the figures, and the mentions that say the most: here those with the most followers.
func TestAlert_Letter(t *testing.T) {
	d := newDesk(t)
	d.watch(t, alert.Alert{
		Filters: []byte(`{"language":["english"]}`), Destinations: []feed.Destination{letters("a@northwind.example")},
		Condition: alert.Condition{
			Metric:     alert.Reach,
			Comparison: alert.RisesBy,
			Value:      50,
			Window:     alert.Hour,
			Baseline:   alert.Previous,
		},
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
	for _, want := range []string{"Alert “Complaints”: reach of 1500 in an hour against 0", "author4 on", "author2 on",
		"and 2 more"} {
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
			_, err := d.Store.ChangeAlert(t.Context(), d.Main.ID, a.ID, "",
				func(a *alert.Alert) error { a.Enabled = false; return nil })
			return err
		},
		"deleted": func(d *desk, a alert.Alert) error { return d.Store.DeleteAlert(t.Context(), d.Main.ID, a.ID, "") },
		"no feed": func(d *desk, a alert.Alert) error { return d.Store.DeleteFeed(t.Context(), d.Main.ID, a.FeedID, "") },
		"changed in the next hour": func(d *desk, a alert.Alert) error {
			d.Clock.Freeze(d.Clock.Now().Add(time.Hour))
			_, err := d.Store.ChangeAlert(t.Context(), d.Main.ID, a.ID, "",
				func(a *alert.Alert) error { a.Condition.Value = 1; return nil })
			return err
		},
		"a destination that is gone": func(d *desk, a alert.Alert) error {
			_, err := d.Store.ChangeAlert(t.Context(), d.Main.ID, a.ID, "",
				func(a *alert.Alert) error { a.Destinations = nil; return nil })
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

// fire makes an alert that fires, and returns it.
func (d *desk) fire(t testing.TB, a alert.Alert) alert.Alert {
	t.Helper()
	a.Condition = moreThanTwo
	a = d.watch(t, a)
	d.mustCollect(t, d.postedNow(1, 3)...)
	d.pass(t, 65*time.Minute, 65*time.Minute)
	if got := told(t, d.events); !slices.Equal(got, []string{"fired 3 3"}) {
		t.Fatalf("%v", got)
	}
	return a
}

// edit changes an alert.
func (d *desk) edit(ctx context.Context, id int64, change func(*alert.Alert)) error {
	_, err := d.Store.ChangeAlert(ctx, d.Main.ID, id, "edit", func(a *alert.Alert) error { change(a); return nil })
	return err
}

// endsOf are the ways in which an episode ends for its webhook that is not over by its figures.
var endsOf = map[alert.Because]func(ctx context.Context, d *desk, a alert.Alert) error{
	alert.Deleted: func(ctx context.Context, d *desk, a alert.Alert) error {
		return d.Store.DeleteAlert(ctx, d.Main.ID, a.ID, "delete")
	},
	alert.Disabled: func(ctx context.Context, d *desk, a alert.Alert) error {
		return d.edit(ctx, a.ID, func(a *alert.Alert) { a.Enabled = false })
	},
	alert.Changed: func(ctx context.Context, d *desk, a alert.Alert) error {
		return d.edit(ctx, a.ID, func(a *alert.Alert) {
			a.Name, a.Condition.Value, a.Destinations = "Other", 10, []feed.Destination{letters("a@northwind.example")}
		})
	},
	alert.Removed: func(ctx context.Context, d *desk, a alert.Alert) error {
		return d.edit(ctx, a.ID, func(a *alert.Alert) {
			a.Name, a.Destinations = "Other", []feed.Destination{letters("a@northwind.example")}
		})
	},
	alert.Because(alert.KeywordDeleted): func(ctx context.Context, d *desk, a alert.Alert) error {
		_, err := d.Store.DeleteKeywordOnce(ctx, d.Main.ID, 1, "keyword")
		return err
	},
	alert.Because(alert.FeedDeleted): func(ctx context.Context, d *desk, a alert.Alert) error {
		return d.Store.DeleteFeed(ctx, d.Main.ID, a.FeedID, "feed")
	},
}

// firing returns a desk with an alert that fires, and can end by because.
func firing(t testing.TB, because alert.Because) (*desk, alert.Alert) {
	t.Helper()
	d := newDesk(t)
	if because == alert.Because(alert.KeywordDeleted) {
		k, err := d.Store.CreateKeyword(t.Context(), d.Main.ID, keyword.Keyword{Text: "northwind"}, 10)
		must(t, err)
		return d, d.fire(t, alert.Alert{Filters: fmt.Appendf(nil, `{"keyword":[%d]}`, k.ID)})
	}
	return d, d.fire(t, alert.Alert{FeedID: d.feed(t, d.Main.ID, feed.Feed{Name: "All"}).ID})
}

// checkEnded fails unless the webhook was told once of an episode that it is over, and why.
func (d *desk) checkEnded(t *testing.T, because alert.Because) {
	t.Helper()
	if got := told(t, d.events); !slices.Equal(got, []string{"fired 3 3", "resolved 0 0"}) {
		t.Errorf("%s: told %v, want fired and resolved once", because, got)
		return
	}
	var fired, resolved deliverywire.AlertEvent
	must(t, json.Unmarshal(d.events[0].Body, &fired))
	must(t, json.Unmarshal(d.events[len(d.events)-1].Body, &resolved))
	why := resolved.Data.ResolvedBecause.Value
	if why == nil || *why != string(because) || fired.Data.ResolvedBecause.Value != nil {
		t.Errorf("%s: %s", because, d.events[len(d.events)-1].Body)
	}
	if resolved.Data.Since != fired.Data.Since || resolved.Data.Peak != 3 || resolved.Data.Value.Value != nil {
		t.Errorf("%s: %s is not the end of %s", because, d.events[1].Body, d.events[0].Body)
	}
	secrets, err := delivery.SecretsOf(feed.Signing{}, d.Main.Secret, delivery.OfAlert(1), d.Clock.Now())
	must(t, err)
	verify(t, secrets.Current, d.events[len(d.events)-1].Message)
	for _, one := range d.all(t) {
		if one.State.Status != delivery.Delivered {
			t.Errorf("%s: the log has a delivery of %s that is %s", because, one.Type, one.State.Status)
		}
	}
}

// The receivers of an episode are told once that it has ended, if its alert is deleted, disabled or changed.
func TestAlert_EndsWhileFiring(t *testing.T) {
	for because, end := range endsOf {
		d, a := firing(t, because)
		must(t, end(t.Context(), d, a))
		must(t, end(t.Context(), d, a)) // the request is repeated
		d.pass(t, 3*time.Hour, 10*time.Minute)
		d.checkEnded(t, because)
		if due, err := d.Store.DueAlerts(t.Context(), 10); err != nil || len(due) > 0 {
			t.Errorf("%s: %v is due, %v", because, due, err)
		}
	}
}

// A receiver that is down gets the end of an episode when it is back, although its alert is gone.
func TestAlert_EndsWhileReceiverIsDown(t *testing.T) {
	d, a := firing(t, alert.Deleted)
	d.answers = func(string, delivery.Message) delivery.Outcome { return delivery.Outcome{Status: 503} }
	must(t, endsOf[alert.Deleted](t.Context(), d, a))
	d.pass(t, time.Hour, 10*time.Minute)
	d.answers = nil
	d.pass(t, 3*time.Hour, 10*time.Minute)
	d.checkEnded(t, alert.Deleted)
}

// People read why an episode ended.
func TestAlert_EndsByLetter(t *testing.T) {
	d := newDesk(t)
	f := d.feed(t, d.Main.ID, feed.Feed{Name: "All"})
	to := []feed.Destination{letters("a@northwind.example"), hook("https://alert.example/")}
	a := d.fire(t, alert.Alert{FeedID: f.ID, Destinations: to})
	must(t, d.Store.DeleteAlert(t.Context(), d.Main.ID, a.ID, ""))
	d.pass(t, 10*time.Minute, 10*time.Minute)
	sent, err := d.Outbox().List(t.Context(), 10)
	must(t, err)
	const want = "Alert “Complaints” is over: the alert was deleted"
	if !slices.ContainsFunc(sent, func(m outboxmail.Sent) bool { return strings.Contains(m.Text, want) }) ||
		len(sent) != 2 {
		t.Errorf("%d letters, none with %q", len(sent), want)
	}
}

// A webhook and an address that are removed while the alert fires are told so. Who stays is told when it is over.
func TestAlert_DestinationRemovedWhileFiring(t *testing.T) {
	d := newDesk(t)
	f := d.feed(t, d.Main.ID, feed.Feed{Name: "All"})
	a := d.fire(t, alert.Alert{FeedID: f.ID, Destinations: []feed.Destination{
		letters("a@northwind.example", "b@northwind.example"), hook("https://old.example/"),
	}})
	for range 2 { // the request is repeated
		must(t, d.edit(t.Context(), a.ID, func(a *alert.Alert) {
			a.Destinations = []feed.Destination{letters("A@northwind.example"), hook("https://new.example/")}
		}))
	}
	if w, err := d.Store.Alert(t.Context(), d.Main.ID, a.ID); err != nil || !w.State.Firing {
		t.Errorf("Alert = %+v, %v, want it to fire still", w.State, err)
	}
	d.pass(t, 3*time.Hour, 10*time.Minute)
	for url, want := range map[string][]string{
		"https://old.example/": {"fired 3 3", "resolved 0 0"}, "https://new.example/": {"resolved 0 0"},
	} {
		its := slices.DeleteFunc(slices.Clone(d.events), func(e event) bool { return e.url != url })
		if got := told(t, its); !slices.Equal(got, want) {
			t.Errorf("%s was told %v, want %v", url, got, want)
		}
	}
	sent, err := d.Outbox().List(t.Context(), 10)
	must(t, err)
	letters := map[string]int{}
	for _, m := range sent {
		letters[m.To]++
		const removed = "Alert “Complaints” is still on, but it no longer sends its messages here"
		if strings.Contains(m.Text, removed) {
			letters["removed "+m.To]++
		}
	}
	want := map[string]int{
		"a@northwind.example": 1, "b@northwind.example": 2, "removed b@northwind.example": 1, "A@northwind.example": 1,
	}
	if !maps.Equal(letters, want) {
		t.Errorf("letters to %v, want %v", letters, want)
	}
}

// However the change, the worker or the schedule dies, the end of an episode is told of once.
func TestAlert_EndsAndKilledAtEachStep(t *testing.T) {
	for because, end := range endsOf {
		faulttest.EachStep(t, 3, func(t *testing.T, step *faulttest.Step) {
			d, a := firing(t, because)
			d.Clock.Freeze(d.Clock.Now().Add(time.Hour))
			_ = step.Die(t, d.Life, func() error {
				if err := end(t.Context(), d, a); err != nil {
					return err
				}
				return d.tick(t.Context())
			})
			d.Sent.Take(queue.Deliveries)
			if err := end(t.Context(), d, a); err != nil && !errors.Is(err, store.ErrNotFound) {
				t.Fatal(err)
			}
			d.pass(t, 3*time.Hour, 10*time.Minute)
			got := told(t, d.events)
			if !slices.Equal(got, []string{"fired 3 3", "resolved 0 0"}) {
				t.Errorf("%s: told %v", because, got)
			}
		})
	}
}

// An alert is deleted, disabled or changed at the moment in which it is evaluated. Whichever comes first, what has fired
// ends once.
func TestAlert_EndsAtOnceWithEvaluation(t *testing.T) {
	for because, end := range endsOf {
		for range 5 {
			d := newDesk(t)
			f := d.feed(t, d.Main.ID, feed.Feed{Name: "All"})
			k, err := d.Store.CreateKeyword(t.Context(), d.Main.ID, keyword.Keyword{Text: "northwind"}, 10)
			must(t, err)
			a := alert.Alert{FeedID: f.ID, Condition: moreThanTwo}
			if because == alert.Because(alert.KeywordDeleted) {
				a.FeedID, a.Filters = 0, fmt.Appendf(nil, `{"keyword":[%d]}`, k.ID)
			}
			a = d.watch(t, a)
			d.mustCollect(t, d.postedNow(1, 3)...)
			d.Clock.Freeze(d.Clock.Now().Add(65 * time.Minute))
			handle := d.handler()
			faulttest.AtOnce(3, func(n int) {
				if n == 0 {
					must(t, end(t.Context(), d, a))
					return
				}
				must(t, handle(t.Context(), `{"workspaceId":"`+d.Main.ID+`","alert":1}`))
			})
			d.pass(t, 3*time.Hour, 10*time.Minute)
			fired, resolved := 0, 0
			for _, what := range told(t, d.seen) {
				if strings.HasPrefix(what, "fired") {
					fired++
				} else {
					resolved++
				}
			}
			if fired > resolved || resolved > 1 {
				t.Errorf("%s: told %v", because, told(t, d.seen))
			}
		}
	}
}
