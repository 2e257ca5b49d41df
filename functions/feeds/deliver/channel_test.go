package deliver_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"earshot/functions/feeds/deliveries"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/port/queue"
)

// A channel that will never take a message keeps no other from getting it. If there is no other, the destination is given up.
func TestChannel_Final(t *testing.T) {
	for _, all := range []bool{false, true} {
		d := newDesk(t)
		channels := feed.Destination{
			Type:         feed.Slack,
			Frequency:    feed.Instant,
			DeliveryMode: feed.Individual,
			Channels:     []string{"C1", "C2"},
		}
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
		if !all && got.Attempts[0].Reason != "channels[1]: The channel is archived." {
			t.Errorf("one channel: the attempt says %q, want which channel has no message", got.Attempts[0].Reason)
		}
		if len(d.texts) > 1 || len(d.texts) == 1 && !strings.Contains(d.texts[0], `[{"text":`) {
			t.Errorf("all channels %t: posted %q", all, d.texts)
		}
	}
}

// A channel that asks to wait is told again after that.
func TestChannel_RetryAfter(t *testing.T) {
	d := newDesk(t)
	channels := feed.Destination{
		Type:         feed.Slack,
		Frequency:    feed.Instant,
		DeliveryMode: feed.Batch,
		Channels:     []string{"C1"},
	}
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

// An attempt that runs out of time goes on where it was: no channel gets the message twice.
func TestChannel_OutOfTime(t *testing.T) {
	d := newDesk(t)
	channels := feed.Destination{
		Type: feed.Slack, Frequency: feed.Instant, DeliveryMode: feed.Batch, Channels: []string{"C1", "C2", "C3", "C4"},
	}
	d.feed(t, d.Main.ID, feed.Feed{Name: "Launch", Destinations: []feed.Destination{channels}})
	var end context.CancelFunc
	posted := 0
	d.slack = func(string) error {
		if posted++; posted == 2 { // a call's time is over at its second message
			defer end()
		}
		return nil
	}
	d.mustCollect(t, posts(1, 1)...)
	must(t, deliveries.Run(t.Context(), deliveries.Options{Store: d.Store, Queue: d.Queue(), Clock: d.Clock}))
	must(t, d.take(t.Context(), 1)) // makes the delivery
	for range 2 * len(channels.Channels) {
		posted = 0
		var ctx context.Context
		ctx, end = context.WithTimeout(t.Context(), 5*time.Second) // less than a second channel needs
		if waiting := d.Sent.Take(queue.Deliveries); len(waiting) > 0 {
			_ = d.handler()(ctx, string(waiting[0].Body))
		}
		end()
		d.Clock.Freeze(d.Clock.Now().Add(2 * time.Minute)) // longer than a lease
		must(t, deliveries.Run(t.Context(), deliveries.Options{Store: d.Store, Queue: d.Queue(), Clock: d.Clock}))
	}
	told := map[string]int{}
	for _, text := range d.texts {
		told[strings.Fields(text)[1]]++
	}
	for _, channel := range channels.Channels {
		if told[channel] != 1 {
			t.Errorf("%s got the message %d times, want once", channel, told[channel])
		}
	}
	if got := d.all(t)[0]; got.State.Status != delivery.Delivered || got.State.Tried != 1 {
		t.Errorf("the delivery is %+v, want delivered by one attempt", got.State)
	}
}

// An attempt that runs out of time while channels fail counts, so that it comes to an end.
func TestChannel_OutOfTimeWithoutSuccess(t *testing.T) {
	d := newDesk(t)
	channels := feed.Destination{
		Type: feed.Slack, Frequency: feed.Instant, DeliveryMode: feed.Batch, Channels: []string{"C1", "C2", "C3", "C4"},
	}
	d.feed(t, d.Main.ID, feed.Feed{Name: "Launch", Destinations: []feed.Destination{channels}})
	d.slack = func(string) error { return &feed.Undelivered{Reason: "Slack did not answer."} }
	d.mustCollect(t, posts(1, 1)...)
	must(t, deliveries.Run(t.Context(), deliveries.Options{Store: d.Store, Queue: d.Queue(), Clock: d.Clock}))
	must(t, d.take(t.Context(), 1))                                // makes the delivery
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // less than a second channel needs
	defer cancel()
	must(t, d.take(ctx, 1))
	got := d.all(t)[0]
	if got.State.Status != delivery.Pending || got.State.Tried != 1 || !got.State.Due.After(d.Clock.Now()) {
		t.Fatalf("the delivery is %+v, want one attempt that failed", got.State)
	}
	want := "Slack did not answer. There was no time for all addresses or channels of the destination."
	if got.Attempts[0].Reason != want {
		t.Errorf("the reason is %q, want %q", got.Attempts[0].Reason, want)
	}
}
