package sqlitequeue_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/port/queue/queuetest"
)

func open(t testing.TB, path string, now clock.Clock, definitions ...sqlitequeue.Definition) *sqlitequeue.Queue {
	t.Helper()
	opened, err := sqlitequeue.Open(path, definitions, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	})
	return opened
}

// oneBatch consumes one batch, or nothing when none can come by a clock that stands.
func oneBatch(
	ctx context.Context, q *sqlitequeue.Queue, name string, handle func([]queue.Delivery) []string,
) (count int, err error) {
	if depth, err := q.Depth(ctx, name); err != nil || depth.Waiting == 0 {
		return 0, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var reported error
	err = q.Consume(ctx, name, sqlitequeue.Consumer{Report: func(err error) { reported = err }},
		func(_ context.Context, batch []queue.Delivery) ([]string, error) {
			cancel()
			count = len(batch)
			return handle(batch), nil
		})
	return count, errors.Join(err, reported)
}

func TestSuite(t *testing.T) {
	queuetest.Run(t, func(t *testing.T) queuetest.Medium {
		now := &clock.Adjustable{}
		now.Freeze(time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC))
		define := func(name string) sqlitequeue.Definition {
			return sqlitequeue.Definition{Name: name, Visibility: queuetest.Visibility, MaxReceives: queuetest.MaxReceives}
		}
		q := open(t, filepath.Join(t.TempDir(), "q.db"), now, define(queuetest.First), define(queuetest.Second))
		return queuetest.Medium{
			Queue: q,
			Receive: func(ctx context.Context, name string, handle func([]queue.Delivery) []string) (int, error) {
				return oneBatch(ctx, q, name, handle)
			},
			Dead:   q.Dead,
			Elapse: func(d time.Duration) { now.Freeze(now.Now().Add(d)) },
		}
	}, queuetest.Options{})
}
