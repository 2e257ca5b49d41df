package deliver_test

import (
	"testing"
	"time"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/port/queue"
)

// A call that finds nothing due sends no message: those that come too early end, and do not add up.
func TestMessagesEnd(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
	d.answers = func(string, delivery.Message) delivery.Outcome { return delivery.Outcome{Status: 500, Reason: "500"} }
	for n := range 10 {
		d.mustCollect(t, posts(n, 1)...)
		must(t, d.tick(t.Context()))
	}
	if left := d.Sent.To(queue.Deliveries); len(left) > 0 {
		t.Fatalf("%d messages go on", len(left))
	}
	seen := len(d.seen)
	for range 5 {
		must(t, d.tick(t.Context()))
	}
	if len(d.seen) != seen {
		t.Errorf("%d attempts before they are due", len(d.seen)-seen)
	}
	// A message for the second attempt waits for it.
	d.mustCollect(t, posts(100, 1)...)
	handle := d.handler()
	must(t, handle(t.Context(), `{"workspaceId":"`+d.Main.ID+`"}`))
	for _, m := range d.Sent.Take(queue.Deliveries) {
		must(t, handle(t.Context(), string(m.Body)))
	}
	if left := d.Sent.Take(queue.Deliveries); len(left) != 1 || left[0].Delay != 5*time.Second {
		t.Errorf("%+v", left)
	}
}
