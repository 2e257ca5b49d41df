package deliver_test

import (
	"testing"

	"earshot/shared/delivery"
	"earshot/shared/feed"
)

// changed collects 25 mentions for a feed's webhook, changes the feed while the first attempts are under way, and
// returns the desk with what the receiver got.
func changed(t *testing.T, change func(d *desk, id int64)) (*desk, feed.Feed) {
	t.Helper()
	d := newDesk(t)
	of := d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
	first := make(chan struct{}, 1)
	first <- struct{}{}
	d.answers = func(string, delivery.Message) delivery.Outcome {
		select {
		case <-first:
			change(d, of.ID)
		default:
		}
		return delivery.Outcome{Status: 200}
	}
	d.mustCollect(t, posts(1, 25)...)
	must(t, d.tick(t.Context()))
	return d, of
}

// A destination that was removed gets no more than what was on its way.
func TestWork_DestinationRemoved(t *testing.T) {
	d, _ := changed(t, func(d *desk, id int64) {
		_, err := d.Store.ChangeFeed(t.Context(), d.Main.ID, id, "", func(f *feed.Feed) error {
			f.Destinations = nil
			return nil
		})
		must(t, err)
	})
	if len(d.seen) > delivery.InFlight {
		t.Errorf("the receiver got %d events, want at most the %d that were on their way", len(d.seen), delivery.InFlight)
	}
	ended := 0
	for _, one := range d.all(t) {
		if one.State.Status == delivery.Disabled {
			ended++
		}
	}
	if ended != 25-len(d.seen) {
		t.Errorf("%d deliveries are disabled of the %d that were not sent", ended, 25-len(d.seen))
	}
}

// Events go to a new URL as soon as it is stored.
func TestWork_DestinationMoved(t *testing.T) {
	d, _ := changed(t, func(d *desk, id int64) {
		_, err := d.Store.ChangeFeed(t.Context(), d.Main.ID, id, "", func(f *feed.Feed) error {
			f.Destinations = []feed.Destination{hook("https://new.example/")}
			return nil
		})
		must(t, err)
	})
	moved := 0
	for _, e := range d.seen {
		if e.url == "https://new.example/" {
			moved++
		}
	}
	if moved < 25-delivery.InFlight || len(d.seen) != 25 {
		t.Errorf("%d of %d events went to the new URL, want those that were not on their way", moved, len(d.seen))
	}
}

// A secret signs as soon as it is rotated: two rotations, so that the secret of the beginning has ended.
func TestWork_SecretRotated(t *testing.T) {
	d, of := changed(t, func(d *desk, id int64) {
		for range 2 {
			_, err := d.Store.ChangeFeed(t.Context(), d.Main.ID, id, "", func(f *feed.Feed) error {
				f.Signing = f.Signing.Rotated(d.Clock.Now())
				return nil
			})
			must(t, err)
		}
	})
	now, err := d.Store.Feed(t.Context(), d.Main.ID, of.ID)
	must(t, err)
	secrets, err := delivery.SecretsOf(now.Signing, d.Main.Secret, delivery.OfFeed(of.ID), d.Clock.Now())
	must(t, err)
	signed := 0
	for _, e := range d.seen {
		if secrets.Verify(e.Message) {
			signed++
		}
	}
	if signed < 25-delivery.InFlight {
		t.Errorf("%d of %d events are signed by the new secret, want those that were not on their way", signed, len(d.seen))
	}
}
