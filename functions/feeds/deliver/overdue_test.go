package deliver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"earshot/functions/feeds/deliveries"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/lambdalog"
	"earshot/shared/worker"
)

// tickOnly runs the schedule, and not the worker.
func tickOnly(t *testing.T, d *desk) error {
	return deliveries.Run(t.Context(), deliveries.Options{Store: d.Store, Queue: d.Queue(), Clock: d.Clock})
}

// overdue runs the schedule in a stage, and returns what it counts as overdue, by its metric.
func overdue(t *testing.T, d *desk) float64 {
	t.Helper()
	var out bytes.Buffer
	options := worker.Options{
		Function: deliveries.Group, Clock: d.Clock,
		Log: slog.New(lambdalog.Staged(slog.NewJSONHandler(&out, nil), "prod")),
	}
	must(t, deliveries.Handler(options, deliveries.Options{Store: d.Store, Queue: d.Queue(), Clock: d.Clock})(
		context.Background(), json.RawMessage(`{}`)))
	var record struct{ Overdue float64 }
	must(t, json.Unmarshal(out.Bytes(), &record))
	return record.Overdue
}

// What nobody works on for 15 minutes is counted as overdue. A receiver that is slow, or down, is not.
func TestOverdue(t *testing.T) {
	d := newDesk(t)
	d.feed(t, d.Main.ID, feed.Feed{Name: "All", Destinations: []feed.Destination{hook("https://feed.example/")}})
	later := func(by time.Duration) float64 {
		t.Helper()
		d.Clock.Freeze(d.Clock.Now().Add(by))
		return overdue(t, d)
	}
	d.mustCollect(t, posts(1, 3)...)
	if got := later(14 * time.Minute); got != 0 {
		t.Errorf("after 14 minutes %v are overdue, want 0", got)
	}
	if got := later(2 * time.Minute); got != 1 {
		t.Errorf("an announcement that nobody took for 16 minutes: %v are overdue, want 1", got)
	}
	d.answers = func(string, delivery.Message) delivery.Outcome {
		return delivery.Outcome{TimedOut: true, Reason: "It took too long."}
	}
	must(t, d.take(t.Context(), 1))
	for range 60 {
		d.Clock.Freeze(d.Clock.Now().Add(time.Minute))
		must(t, d.tick(t.Context()))
		if got := overdue(t, d); got != 0 {
			t.Fatalf("a receiver that takes too long: %v are overdue, want 0", got)
		}
	}
	d.Clock.Freeze(d.Clock.Now().Add(6 * time.Hour)) // an endpoint that waits, and nobody comes
	if got := overdue(t, d); got != 1 {
		t.Errorf("an endpoint that nobody worked on: %v are overdue, want 1", got)
	}
	must(t, d.take(t.Context(), 1))
	if got := overdue(t, d); got != 0 {
		t.Errorf("after it was worked on %v are overdue, want 0", got)
	}
}
