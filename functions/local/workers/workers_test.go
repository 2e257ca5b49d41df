package workers_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"earshot/functions/local/workers"
	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/worker"
)

// Working counts the calls of consumers and of schedules, by hand too, while they last.
func TestWorking(t *testing.T) {
	queued, err := sqlitequeue.Open(
		filepath.Join(t.TempDir(), "queue.db"), []sqlitequeue.Definition{{Name: queue.Posts}}, clock.System{})
	if err != nil {
		t.Fatal(err)
	}
	defer queued.Close()
	begun, end := make(chan bool), make(chan bool)
	hold := func() { begun <- true; <-end }
	scheduled := func(context.Context, json.RawMessage) error { hold(); return nil }
	w := workers.New(workers.Options{
		Queue: queued, Log: slog.New(slog.DiscardHandler),
		Consumers: map[string]worker.QueueHandler{
			queue.Posts: func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
				hold()
				return events.SQSEventResponse{}, nil
			},
		},
		Schedules: map[string]workers.Schedule{"collect": {Every: time.Hour, Run: scheduled, Asked: scheduled}},
	})
	ctx, stop := context.WithCancel(t.Context())
	if got := w.Working(); got != 0 {
		t.Errorf("%d work before the start", got)
	}
	if err := queued.Send(ctx, queue.Posts, queue.Message{Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	w.Start(ctx)
	<-begun
	<-begun
	if got := w.Working(); got != 2 {
		t.Errorf("%d work, want the consumer and the schedule", got)
	}
	stop()
	end <- true
	end <- true
	if !w.Wait(10*time.Second) || w.Working() != 0 {
		t.Errorf("%d work after the end", w.Working())
	}
	asked := make(chan error)
	go func() { asked <- w.Tick(t.Context(), "collect") }()
	<-begun
	if got := w.Working(); got != 1 {
		t.Errorf("%d work, want the call by hand", got)
	}
	end <- true
	if err := <-asked; err != nil {
		t.Error(err)
	}
}
