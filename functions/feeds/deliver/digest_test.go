package deliver_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/delivery"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/web/deliverywire"
	"earshot/shared/worldtest"
)

func every(often feed.Frequency, to feed.Destination) feed.Destination {
	to.Frequency, to.DeliveryMode = often, feed.Batch
	return to.WithDefaults()
}

func letters(to ...string) feed.Destination {
	return feed.Destination{Type: feed.Email, Frequency: feed.Instant, DeliveryMode: feed.Batch, Emails: to}
}

// digests are the digests among events, each event once, in the order of their intervals and parts.
func digests(t testing.TB, events []event) (all []deliverywire.DigestData) {
	t.Helper()
	seen := map[string]bool{}
	for _, e := range events {
		var read deliverywire.DigestEvent
		must(t, json.Unmarshal(e.Body, &read))
		if read.Type != string(delivery.MentionsDigest) || read.Timestamp != read.Data.To {
			t.Fatalf("%s", e.Body)
		}
		if !seen[e.ID] {
			seen[e.ID] = true
			all = append(all, read.Data)
		}
	}
	slices.SortFunc(all, func(a, b deliverywire.DigestData) int {
		return strings.Compare(fmt.Sprintf("%s %05d", a.From, a.Part), fmt.Sprintf("%s %05d", b.From, b.Part))
	})
	return all
}

// listed fails the test unless the mentions of digests are these, each once. It returns their intervals.
func listed(t testing.TB, all []deliverywire.DigestData, want []mention.Mention) (intervals []string) {
	t.Helper()
	var got []string
	last := ""
	for _, d := range all {
		if len(d.Mentions) == 0 || d.From >= d.To || d.Part == 1 && d.From < last {
			t.Errorf("%s to %s after %s: %d mentions", d.From, d.To, last, len(d.Mentions))
		}
		if last = d.To; d.Part == 1 {
			intervals = append(intervals, d.From[5:16]+" "+d.To[5:16])
		}
		for _, m := range d.Mentions {
			got = append(got, m.SourceID)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, sourceIDs(want)) {
		t.Errorf("%d mentions in digests, want %d: %v", len(got), len(want), got)
	}
	return intervals
}

// An hour's mentions come in one digest, with what they come to; an hour without any has none. People get a letter of the
// same interval.
func TestDigest(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "Launch", Destinations: []feed.Destination{
		every(feed.Hourly, hook("https://feed.example/")), every(feed.Hourly, letters("a@northwind.example")),
	}})
	d.Clock.Freeze(worldtest.Now.Truncate(time.Hour).Add(10 * time.Minute))
	began := d.Clock.Now()
	found := posts(1, 60)
	for i := range found {
		found[i].Sentiment = []mention.Sentiment{mention.Positive, mention.Negative, mention.Negative}[i%3]
	}
	d.mustCollect(t, found[:2]...)
	d.pass(t, 20*time.Minute, time.Minute)
	d.mustCollect(t, found[2])
	d.pass(t, 29*time.Minute, time.Minute)
	if len(d.seen) > 0 {
		t.Fatalf("%d events before the hour is over", len(d.seen))
	}
	d.pass(t, 2*time.Minute, time.Minute)
	d.mustCollect(t, found[3:]...)
	d.pass(t, 4*time.Hour, 10*time.Minute)
	all := digests(t, d.events)
	if len(all) != 3 {
		t.Fatalf("%d events", len(all))
	}
	hour := func(n int) string {
		return began.Truncate(time.Hour).Add(time.Duration(n) * time.Hour).Format("01-02T15:04")
	}
	if got := listed(t, all, found); !slices.Equal(got, []string{hour(0) + " " + hour(1), hour(1) + " " + hour(2)}) {
		t.Errorf("%v", got)
	}
	first, second := all[0].Figures, all[1].Figures
	if first.Mentions != 3 || first.Sentiments.Positive != 1 || first.Sentiments.Negative != 2 ||
		first.PreviousMentions.Value != nil || second.PreviousMentions.OrZero() != 3 ||
		second.Mentions != 57 || all[1].Parts != 2 || all[1].Sequence != 4 || all[2].Sequence != 54 || all[2].Part != 2 {
		t.Errorf("%+v %+v", first, second)
	}
	sent, err := d.Outbox().List(t.Context(), 10)
	must(t, err)
	if len(sent) != 2 {
		t.Fatalf("%d letters", len(sent))
	}
	for _, want := range []string{"57 mentions in “Launch”, ", "+1800 % against 3 in the interval before", "and 37 more"} {
		if !strings.Contains(sent[0].Text, want) {
			t.Errorf("no %q in %s", want, sent[0].Text)
		}
	}
	for _, one := range d.all(t) {
		if one.State.Status != delivery.Delivered || one.Digest == nil {
			t.Errorf("%+v", one)
		}
	}
}

// A digest is not compared with one of another feed, which the notification told of before.
func TestDigest_OtherFeedBefore(t *testing.T) {
	d := newDesk(t)
	first, second := d.feed(t, d.Main.ID, feed.Feed{Name: "One"}), d.feed(t, d.Main.ID, feed.Feed{Name: "Two"})
	n, err := d.Store.CreateNotification(t.Context(), d.Main.ID, feed.Notification{
		Name: "All", Enabled: true, FeedID: first.ID,
		Destinations: []feed.Destination{every(feed.Hourly, hook("https://feed.example/"))},
	}, "")
	must(t, err)
	for hour, feedID := range []int64{first.ID, second.ID, second.ID, first.ID} {
		_, err := d.Store.ChangeNotification(t.Context(), d.Main.ID, n.ID, "", func(n *feed.Notification) error {
			n.FeedID = feedID
			return nil
		})
		must(t, err)
		d.mustCollect(t, posts(hour*10, hour+1)...)
		d.pass(t, time.Hour, 30*time.Minute)
	}
	d.pass(t, time.Hour, 30*time.Minute)
	var got []string
	for _, one := range digests(t, d.events) {
		text, err := json.Marshal(one.Figures.PreviousMentions)
		must(t, err)
		got = append(got, fmt.Sprint(one.Figures.Mentions, " after ", string(text)))
	}
	if want := []string{"1 after null", "2 after null", "3 after 2", "4 after null"}; !slices.Equal(got, want) {
		t.Errorf("digests of %v, want %v", got, want)
	}
}

// What a user took back, or deleted, before the digest is made is not in it. A digest of nothing is not sent.
func TestDigest_Muted(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{
		Name:         "All",
		Destinations: []feed.Destination{every(feed.Hourly, hook("https://feed.example/"))},
	})
	found := posts(1, 3)
	mute := func(m mention.Mention) {
		t.Helper()
		_, err := d.Store.ChangeMention(t.Context(), d.Main.ID, m.SourceID, func(m *mention.Mention) (bool, error) {
			m.Overrule(mention.Low)
			return true, nil
		})
		must(t, err)
	}
	d.mustCollect(t, found...)
	must(t, d.tick(t.Context()))
	mute(found[1])
	d.pass(t, 2*time.Hour, 30*time.Minute)
	listed(t, digests(t, d.events), []mention.Mention{found[0], found[2]})
	d.mustCollect(t, posts(10, 1)...)
	must(t, d.tick(t.Context()))
	mute(posts(10, 1)[0])
	seen := len(d.seen)
	d.pass(t, 2*time.Hour, 30*time.Minute)
	if due, err := d.Store.DueDigests(t.Context(), 10); err != nil || len(due) > 0 || len(d.seen) != seen {
		t.Errorf("%d events, %v is due, %v", len(d.seen)-seen, due, err)
	}
}

// Whatever the schedule, its changes, the moments of mentions and how long the schedule's function stands still: the
// intervals tile, and each mention is in one digest.
func TestDigests_EachMentionOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := newDesk(t)
		schedule := func(label string) feed.Destination {
			to := hook("https://feed.example/")
			to.Time = rapid.SampledFrom([]string{"00:00", "09:00", "02:30", "23:45"}).Draw(rt, label+" time")
			to.Timezone = rapid.SampledFrom([]string{"UTC", "Europe/Berlin", "Australia/Lord_Howe"}).Draw(rt, label+" zone")
			return every(rapid.SampledFrom([]feed.Frequency{feed.Hourly, feed.Daily, feed.Weekly}).Draw(rt, label+" frequency"), to)
		}
		f := d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{schedule("first")}})
		var found []mention.Mention
		for n := range rapid.IntRange(1, 12).Draw(rt, "steps") {
			switch rapid.IntRange(0, 5).Draw(rt, "what") {
			case 0:
				changed, err := d.Store.ChangeFeed(t.Context(), d.Main.ID, f.ID, "", func(f *feed.Feed) error {
					f.Destinations = []feed.Destination{schedule("next")}
					return nil
				})
				must(t, err)
				must(t, d.Store.RescheduleDigests(t.Context(), d.Main.ID, delivery.OfFeed(f.ID), changed.Destinations))
			case 1:
				d.Clock.Freeze(d.Clock.Now().Add(time.Duration(rapid.IntRange(0, 8*24*60).Draw(rt, "stands")) * time.Minute))
			case 2:
				must(t, d.tick(t.Context()))
			default:
				some := posts(n*100, rapid.IntRange(1, 3).Draw(rt, "posts"))
				found = append(found, some...)
				d.mustCollect(t, some...)
				d.Clock.Freeze(d.Clock.Now().Add(time.Duration(rapid.IntRange(0, 90).Draw(rt, "later")) * time.Minute))
			}
		}
		d.pass(t, 8*24*time.Hour, 2*24*time.Hour)
		listed(t, digests(t, d.events), found)
		if due, err := d.Store.DueDigests(t.Context(), 10); err != nil || len(due) > 0 {
			rt.Errorf("%v is due, %v", due, err)
		}
	})
}

// However ingest, the worker or the schedule dies: no digest has a gap or a double.
func TestDigest_KilledAtEachStep(t *testing.T) {
	faulttest.EachStep(t, 25, func(t *testing.T, step *faulttest.Step) {
		d := newDesk(t)
		d.feed(t, d.Main.ID, feed.Feed{
			Name:         "All",
			Destinations: []feed.Destination{every(feed.Hourly, hook("https://feed.example/"))},
		})
		d.Clock.Freeze(worldtest.Now.Truncate(time.Hour).Add(50 * time.Minute))
		first, second := posts(1, 2), posts(10, 2)
		// The second is stored before the end of the hour, and worked on after it.
		run := func() error {
			if _, err := d.collect(t.Context(), d.Main.ID, first...); err != nil {
				return err
			}
			if err := d.tick(t.Context()); err != nil {
				return err
			}
			if _, err := d.collect(t.Context(), d.Main.ID, second...); err != nil {
				return err
			}
			d.Clock.Freeze(worldtest.Now.Truncate(time.Hour).Add(time.Hour))
			return d.tick(t.Context())
		}
		_ = step.Die(t, d.Life, run)
		d.Sent.Take(queue.Deliveries)
		for _, some := range [][]mention.Mention{first, second} {
			_, err := d.collect(t.Context(), d.Main.ID, some...)
			must(t, err)
		}
		d.pass(t, 130*time.Minute, 10*time.Minute)
		listed(t, digests(t, d.events), append(first, second...))
		due, err := d.Store.DueDigests(t.Context(), 10)
		must(t, err)
		waiting, err := d.Store.Announcements(t.Context(), d.Main.ID, 10)
		must(t, err)
		if len(due) > 0 || len(waiting) > 0 {
			t.Errorf("%d digests are due, %d announcements wait", len(due), len(waiting))
		}
	})
}

// Mentions are gathered and intervals sealed at the same moment, by several at once.
func TestDigest_AtOnce(t *testing.T) {
	d := newDesk(t)
	f := d.feed(t, d.Main.ID,
		feed.Feed{Name: "All", Destinations: []feed.Destination{every(feed.Hourly, hook("https://feed.example/"))}})
	found := posts(1, 40)
	handle := d.handler()
	to := delivery.Endpoint{Owner: delivery.OfFeed(f.ID), Kind: "WEBHOOK"}
	for hour := range 4 {
		faulttest.AtOnce(8, func(n int) {
			_, err := d.collect(t.Context(), d.Main.ID, found[hour*10+n])
			must(t, err)
			for _, body := range []string{`{"workspaceId":"` + d.Main.ID + `"}`,
				fmt.Sprintf(`{"workspaceId":%q,"endpoint":%q,"digest":true}`, d.Main.ID, to)} {
				_ = handle(t.Context(), body) // what fails comes again
			}
			if n == 3 {
				d.Clock.Freeze(d.Clock.Now().Add(time.Hour))
			}
		})
		_, err := d.collect(t.Context(), d.Main.ID, found[hour*10+8], found[hour*10+9])
		must(t, err)
	}
	d.pass(t, 3*time.Hour, 10*time.Minute)
	listed(t, digests(t, d.events), found)
}

// A notification that changes its feed ends the interval. A feed that is deleted has no digest. A disabled endpoint's is
// kept for later, and one that is to be given at once meanwhile is sent all the same.
func TestDigest_DestinationChanges(t *testing.T) {
	for name, c := range map[string]struct {
		change func(d *desk, n feed.Notification, other feed.Feed) error
		want   []delivery.Status
		feeds  []int64
	}{
		"another feed": {func(d *desk, n feed.Notification, other feed.Feed) error {
			_, err := d.Store.ChangeNotification(t.Context(), d.Main.ID, n.ID, "",
				func(n *feed.Notification) error { n.FeedID = other.ID; return nil })
			return err
		}, []delivery.Status{delivery.Delivered, delivery.Delivered}, []int64{1, 2}},
		"at once": {func(d *desk, n feed.Notification, _ feed.Feed) error {
			_, err := d.Store.ChangeNotification(t.Context(), d.Main.ID, n.ID, "", func(n *feed.Notification) error {
				n.Destinations = []feed.Destination{letters("a@northwind.example")}
				return nil
			})
			return err
		}, []delivery.Status{delivery.Delivered, delivery.Delivered}, []int64{1, 1}},
		"off": {func(d *desk, n feed.Notification, _ feed.Feed) error {
			_, err := d.Store.ChangeNotification(t.Context(), d.Main.ID, n.ID, "",
				func(n *feed.Notification) error { n.Enabled = false; return nil })
			return err
		}, []delivery.Status{delivery.Disabled}, []int64{1}},
		"no feed": {func(d *desk, n feed.Notification, _ feed.Feed) error {
			return d.Store.DeleteFeed(t.Context(), d.Main.ID, n.FeedID, "")
		}, nil, nil},
	} {
		d := newDesk(t)
		first, other := d.feed(t, d.Main.ID, feed.Feed{Name: "First"}), d.feed(t, d.Main.ID, feed.Feed{Name: "Other"})
		n, err := d.Store.CreateNotification(t.Context(), d.Main.ID,
			feed.Notification{Name: "N", FeedID: first.ID, Enabled: true, Destinations: []feed.Destination{
				every(feed.Daily, letters("a@northwind.example")),
			}}, "")
		must(t, err)
		d.mustCollect(t, posts(1, 2)...)
		must(t, d.tick(t.Context()))
		must(t, c.change(d, n, other))
		d.Clock.Freeze(d.Clock.Now().Add(time.Minute))
		d.mustCollect(t, posts(10, 1)...)
		d.pass(t, 26*time.Hour, time.Hour)
		var got []delivery.Status
		var of []int64
		for _, one := range slices.Backward(d.all(t)) {
			got, of = append(got, one.State.Status), append(of, one.FeedID)
		}
		if slices.Sort(of); !slices.Equal(got, c.want) || !slices.Equal(of, c.feeds) {
			t.Errorf("%s: %v of the feeds %v, want %v of %v", name, got, of, c.want, c.feeds)
		}
	}
}

// A digest is looked for by an endpoint that was never gathered for, and by one of a workspace that is gone, without harm.
func TestDigest_Nothing(t *testing.T) {
	d := newDesk(t)
	handle := d.handler()
	for _, org := range []string{d.Main.ID, "org_01KAGT3E5Z7N0Q4W8R2M6Y9XJC"} {
		must(t, handle(t.Context(), `{"workspaceId":"`+org+`","endpoint":"feed/7/WEBHOOK","digest":true}`))
	}
	if all := d.all(t); len(all) > 0 {
		t.Errorf("%+v", all)
	}
}
