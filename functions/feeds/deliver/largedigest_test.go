package deliver_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"earshot/shared/delivery"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/port/queue"
	"earshot/shared/worldtest"
)

// brief is a context that leaves a call hardly any time: it counts some mentions, and puts the others off.
func brief(t testing.TB, more time.Duration) (context.Context, context.CancelFunc) {
	const margin, reserve = 20 * time.Second, time.Second // of deliver, and of the worker's kit
	return context.WithTimeout(t.Context(), margin+reserve+more)
}

// gatherLarge has ingest find mentions, some at a time, and the worker gather them.
func gatherLarge(t testing.TB, d *desk, found []mention.Mention, atOnce int) {
	t.Helper()
	for some := range slices.Chunk(found, atOnce) {
		d.mustCollect(t, some...)
	}
	must(t, d.tick(t.Context()))
}

// unmade counts the intervals whose digests are not made yet.
func unmade(t testing.TB, d *desk) int {
	t.Helper()
	due, err := d.Store.DueDigests(t.Context(), 10)
	must(t, err)
	return len(due)
}

// An interval of 20,000 mentions has its digest, though no call has the time for all of them: each mention once, in as
// many events as each event says, with the figures of all.
func TestDigest_LargeInterval(t *testing.T) {
	const many = 20_000
	d := newDesk(t)
	d.Clock.Freeze(worldtest.Now.Truncate(time.Hour).Add(5 * time.Minute))
	d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{
		every(feed.Hourly, hook("https://feed.example/")), every(feed.Hourly, letters("a@northwind.example")),
	}})
	found := posts(1, many)
	for i := range found {
		found[i].Sentiment = []mention.Sentiment{mention.Positive, mention.Negative}[i%2]
		found[i].Engagement = map[string]int64{"points": int64(i)}
	}
	gatherLarge(t, d, found, 40)
	d.Clock.Freeze(d.Clock.Now().Add(time.Hour))
	calls := 0
	for ; unmade(t, d) > 0; calls++ {
		if calls > 10_000 {
			t.Fatal("the digest is never made")
		}
		ctx, cancel := brief(t, 50*time.Millisecond)
		must(t, tickOnly(t, d))
		_ = d.take(ctx, 1) // a message without time comes again
		cancel()
	}
	if calls < 3 {
		t.Errorf("%d calls made the digest: the test does not run out of time", calls)
	}
	for range 300 {
		if d.Clock.Freeze(d.Clock.Now().Add(time.Minute)); len(d.events) >= many/50 {
			break
		}
		must(t, d.tick(t.Context()))
	}
	all := digests(t, d.events)
	listed(t, all, found)
	for i, one := range all {
		if one.Parts != many/50 || one.Part != i+1 || one.Sequence != int64(50*i+1) || one.Figures.Mentions != many ||
			one.Figures.Sentiments.Positive != many/2 || one.Figures.Sentiments.Negative != many/2 {
			t.Fatalf("event %d is part %d of %d from %d, with %+v", i, one.Part, one.Parts, one.Sequence, one.Figures)
		}
	}
	for _, one := range d.all(t) {
		if one.Endpoint.Kind == string(feed.Email) &&
			(one.SourceIDs[0] != found[many-1].SourceID || len(one.SourceIDs) != 20) {
			t.Errorf("the letter quotes %v, want the 20 heaviest", one.SourceIDs)
		}
	}
}

// However a call dies that has no time for an interval: the digest has no gap and no double.
func TestDigest_LargeIntervalKilledAtEachStep(t *testing.T) {
	const many = 230
	faulttest.EachStep(t, 15, func(t *testing.T, step *faulttest.Step) {
		d := newDesk(t)
		d.Clock.Freeze(worldtest.Now.Truncate(time.Hour).Add(5 * time.Minute))
		d.feed(t, d.Main.ID, feed.Feed{
			Name:         "All",
			Destinations: []feed.Destination{every(feed.Hourly, hook("https://feed.example/"))},
		})
		found := posts(1, many)
		gatherLarge(t, d, found, 90)
		d.Clock.Freeze(d.Clock.Now().Add(time.Hour))
		short := func() error {
			for i := 0; unmade(t, d) > 0; i++ {
				if i > 100 {
					return fmt.Errorf("the digest is never made")
				}
				if err := tickOnly(t, d); err != nil {
					return err
				}
				ctx, cancel := brief(t, -time.Millisecond) // less than the margin: one read a call
				err := d.take(ctx, 1)
				cancel()
				if err != nil {
					return err
				}
			}
			return nil
		}
		_ = step.Die(t, d.Life, short)
		d.Sent.Take(queue.Deliveries)
		must(t, short())
		d.pass(t, 20*time.Minute, 2*time.Minute)
		all := digests(t, d.events)
		listed(t, all, found)
		for _, one := range all {
			if one.Parts != (many+49)/50 || one.Figures.Mentions != many {
				t.Errorf("part %d of %d with %d mentions", one.Part, one.Parts, one.Figures.Mentions)
			}
		}
	})
}

// Two calls that count the same interval at once, without time for it, make one digest.
func TestDigest_LargeIntervalAtOnce(t *testing.T) {
	d := newDesk(t)
	d.Clock.Freeze(worldtest.Now.Truncate(time.Hour).Add(5 * time.Minute))
	f := d.feed(t, d.Main.ID,
		feed.Feed{Name: "All", Destinations: []feed.Destination{every(feed.Hourly, hook("https://feed.example/"))}})
	found := posts(1, 900)
	gatherLarge(t, d, found, 60)
	d.Clock.Freeze(d.Clock.Now().Add(time.Hour))
	to := delivery.Endpoint{Owner: delivery.OfFeed(f.ID), Kind: "WEBHOOK"}
	handle, body := d.handler(), fmt.Sprintf(`{"workspaceId":%q,"endpoint":%q,"digest":true}`, d.Main.ID, to)
	for i := 0; unmade(t, d) > 0; i++ {
		if i > 100 {
			t.Fatal("the digest is never made")
		}
		faulttest.AtOnce(3, func(int) {
			ctx, cancel := brief(t, -time.Millisecond)
			defer cancel()
			_ = handle(ctx, body) // what fails comes again
		})
	}
	d.pass(t, 20*time.Minute, 2*time.Minute)
	listed(t, digests(t, d.events), found)
}

// A mention that is muted after a call died, which had stored some of a digest's events, moves no other to another event.
func TestDigest_MutedAfterDeath(t *testing.T) {
	faulttest.EachStep(t, 10, func(t *testing.T, step *faulttest.Step) {
		d := newDesk(t)
		d.Clock.Freeze(worldtest.Now.Truncate(time.Hour).Add(5 * time.Minute))
		d.feed(t, d.Main.ID, feed.Feed{
			Name:         "All",
			Destinations: []feed.Destination{every(feed.Hourly, hook("https://feed.example/"))},
		})
		found := posts(1, 120)
		gatherLarge(t, d, found, 120)
		d.Clock.Freeze(d.Clock.Now().Add(time.Hour))
		_ = step.Die(t, d.Life, func() error { return d.tick(t.Context()) })
		d.Sent.Take(queue.Deliveries)
		_, err := d.Store.ChangeMention(t.Context(), d.Main.ID, found[0].SourceID, func(m *mention.Mention) (bool, error) {
			m.Overrule(mention.Low)
			return true, nil
		})
		must(t, err)
		d.pass(t, 20*time.Minute, 2*time.Minute)
		var got []string
		for _, one := range digests(t, d.events) {
			for _, m := range one.Mentions {
				if m.SourceID != found[0].SourceID { // it may be in an event of before
					got = append(got, m.SourceID)
				}
			}
		}
		slices.Sort(got)
		if want := sourceIDs(found[1:]); !slices.Equal(got, want) {
			t.Errorf("%d mentions in digests, want %d, each once", len(got), len(want))
		}
	})
}
