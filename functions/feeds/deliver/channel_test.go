package deliver_test

import (
	"strings"
	"testing"
	"time"

	"earshot/shared/delivery"
	"earshot/shared/feed"
)

// A channel that will never take a message keeps no other from getting it. If there is no other, the destination is given up.
func TestChannel_Final(t *testing.T) {
	for _, all := range []bool{false, true} {
		d := newDesk(t)
		channels := feed.Destination{Type: feed.Slack, Frequency: feed.Instant, DeliveryMode: feed.Individual, Channels: []string{"C1", "C2"}}
		d.feed(t, d.Main.ID, feed.Feed{Name: "Launch", Destinations: []feed.Destination{channels}})
		d.slack = func(channel string) error {
			if all || channel == "C2" {
				return &feed.Undelivered{Reason: "The channel is archived.", Final: true}
			}
			return nil
		}
		d.mustCollect(t, posts(1, 1)...)
		must(t, d.tick(t.Context()))
		d.pass(t, 10*time.Minute, time.Minute)
		got, want := d.all(t)[0], delivery.Delivered
		if all {
			want = delivery.Disabled
		}
		if got.State.Status != want || got.State.Tried != 1 || all && got.Attempts[0].Reason != "The channel is archived." {
			t.Errorf("all channels %t: %+v", all, got)
		}
		if len(d.texts) > 1 || len(d.texts) == 1 && !strings.Contains(d.texts[0], `[{"text":`) {
			t.Errorf("all channels %t: posted %q", all, d.texts)
		}
	}
}

// A channel that asks to wait is told again after that.
func TestChannel_RetryAfter(t *testing.T) {
	d := newDesk(t)
	channels := feed.Destination{Type: feed.Slack, Frequency: feed.Instant, DeliveryMode: feed.Batch, Channels: []string{"C1"}}
	d.feed(t, d.Main.ID, feed.Feed{Name: "Launch", Destinations: []feed.Destination{channels}})
	d.slack = func(string) error {
		return &feed.Undelivered{Reason: "Slack asks to wait 30 seconds.", After: 30 * time.Second}
	}
	d.mustCollect(t, posts(1, 1)...)
	must(t, d.tick(t.Context()))
	if got := d.all(t)[0].State; got.Status != delivery.Pending || got.Due.Sub(d.Clock.Now()) < 30*time.Second {
		t.Errorf("%+v, want a wait of 30 s from %v", got, d.Clock.Now())
	}
}
