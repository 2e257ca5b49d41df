package deliver_test

import (
	"testing"
	"time"

	"earshot/events/message/due"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/port/queue"
)

// A call at a slow endpoint ends after the attempts that it makes at once, and the endpoint queues behind the others:
// however many slow endpoints a workspace has, another's wait for a few attempts at most.
func TestWork_SlowEndpoint(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://slow.example/")}})
	d.answers = func(string, delivery.Message) delivery.Outcome {
		return delivery.Outcome{Status: 200, Took: 14 * time.Second}
	}
	d.mustCollect(t, posts(1, 3*delivery.InFlight)...)
	must(t, d.tick(t.Context()))
	if len(d.seen) != 3*delivery.InFlight {
		t.Fatalf("the endpoint got %d events, want all %d", len(d.seen), 3*delivery.InFlight)
	}
	d.mustCollect(t, posts(100, 3*delivery.InFlight)...)
	must(t, due.Send(t.Context(), d.Queue(), 0, due.Work{WorkspaceID: d.Main.ID}))
	must(t, d.take(t.Context(), 1)) // makes the deliveries
	for len(d.Sent.To(queue.Deliveries)) > 0 {
		before, messages := len(d.seen), d.Sent.Take(queue.Deliveries)
		must(t, d.handler()(t.Context(), string(messages[0].Body)))
		if made := len(d.seen) - before; made > delivery.InFlight {
			t.Errorf("one call made %d attempts, want at most %d", made, delivery.InFlight)
		}
	}
	if len(d.seen) != 6*delivery.InFlight {
		t.Errorf("the endpoint got %d events, want all %d", len(d.seen), 6*delivery.InFlight)
	}
}
