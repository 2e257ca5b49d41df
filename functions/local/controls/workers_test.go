package controls_test

import (
	"context"
	"errors"
	"testing"

	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/port/queue"
)

// What came too often comes again from the start, once, when that is asked for.
func TestRedrive(t *testing.T) {
	d := newDesk(t)
	redrive := func(want int) {
		t.Helper()
		var got struct{ Sent *int }
		if d.post("/_local/queues/posts/redrive", "").ok(t, &got); got.Sent == nil || *got.Sent != want {
			t.Errorf("sent: %v, want %d", got.Sent, want)
		}
	}
	redrive(0)
	if err := d.queue.Send(t.Context(), queue.Posts, queue.Message{Body: []byte("a")},
		queue.Message{Body: []byte("b")}); err != nil {
		t.Fatal(err)
	}
	failing := func(receives int) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if err := d.queue.Consume(ctx, queue.Posts, sqlitequeue.Consumer{},
			func(_ context.Context, batch []queue.Delivery) ([]string, error) {
				cancel()
				if len(batch) != 2 || batch[0].Receives != receives {
					t.Errorf("%+v, want two for the %dth time", batch, receives)
				}
				return nil, errors.New("no")
			}); err != nil {
			t.Fatal(err)
		}
		d.Clock.Freeze(d.Clock.Now().Add(sqlitequeue.DefaultVisibility))
	}
	for receives := range sqlitequeue.DefaultMaxReceives {
		failing(receives + 1)
	}
	redrive(2)
	redrive(0)
	failing(1)

	d.post("/_local/queues/nothing/redrive", "").is(t, 404, "NOT_FOUND")
	d.do("GET", "/_local/queues/posts/redrive", nil).is(t, 404, "NOT_FOUND")
	if got := d.post("/_local/queues/posts/redrive?times=2", "").is(t, 400, "VALIDATION_ERROR"); got[0] != "query.times unknown" {
		t.Error(got)
	}
}
