package sqlitequeue_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
)

// once is a queue whose messages are dead letters when they have failed once.
var once = sqlitequeue.Definition{Name: name, MaxReceives: 1}

// letters makes that many dead letters in a queue of the definition once, and answers their bodies.
func letters(t *testing.T, q *sqlitequeue.Queue, now *clock.Adjustable, count int) (bodies []string) {
	t.Helper()
	for i := range count {
		bodies = append(bodies, fmt.Sprint("letter ", i))
	}
	send(t, q, bodies...)
	for range (count + sqlitequeue.MaxBatch - 1) / sqlitequeue.MaxBatch {
		if _, err := oneBatch(t.Context(), q, name, ids); err != nil {
			t.Fatal(err)
		}
	}
	now.Freeze(now.Now().Add(sqlitequeue.DefaultVisibility))
	wantsDepth(t, q, sqlitequeue.Depth{Dead: count})
	return bodies
}

// What a process took that died comes at once, in the order in which it was taken. Delayed messages and dead letters stay.
func TestRelease(t *testing.T) {
	path, now := filepath.Join(t.TempDir(), "q.db"), frozen()
	other := sqlitequeue.Definition{Name: "other", MaxReceives: 1}
	q := open(t, path, now, sqlitequeue.Definition{Name: name}, other)
	if err := q.Send(t.Context(), other.Name, queue.Message{Body: []byte("dead")}); err != nil {
		t.Fatal(err)
	}
	if _, err := oneBatch(t.Context(), q, other.Name, ids); err != nil {
		t.Fatal(err)
	}
	now.Freeze(now.Now().Add(sqlitequeue.DefaultVisibility))
	if dead, err := q.Dead(t.Context(), other.Name); err != nil || len(dead) != 1 {
		t.Fatalf("Dead() = %v, %v, want 1", dead, err)
	}
	send(t, q, "a", "b")
	if _, err := oneBatch(t.Context(), q, name, ids); err != nil {
		t.Fatal(err)
	}
	if err := q.Send(t.Context(), name, queue.Message{Body: []byte("late"), Delay: time.Minute}); err != nil {
		t.Fatal(err)
	}
	wantsDepth(t, q, sqlitequeue.Depth{InFlight: 2, Delayed: 1})
	again := open(t, path, now, sqlitequeue.Definition{Name: name}, other)
	for _, want := range []int{2, 0} {
		if count, err := again.Release(t.Context()); err != nil || count != want {
			t.Errorf("Release() = %d, %v, want %d", count, err, want)
		}
	}
	wantsDepth(t, again, sqlitequeue.Depth{Waiting: 2, Delayed: 1})
	if dead, err := again.Dead(t.Context(), other.Name); err != nil || len(dead) != 1 {
		t.Errorf("Dead() after Release = %v, %v, want 1", dead, err)
	}
	if _, err := oneBatch(t.Context(), again, name, func(batch []queue.Delivery) []string {
		if string(batch[0].Body) != "a" || batch[0].Receives != 2 {
			t.Errorf("came %+v, want a for the second time", batch)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// Letters are sent again once, however many ask for it at once, through several handles on the file; and none of another queue.
func TestRedrive_AtOnce(t *testing.T) {
	path, now := filepath.Join(t.TempDir(), "q.db"), frozen()
	other := sqlitequeue.Definition{Name: "other", MaxReceives: 1}
	q := open(t, path, now, once, other)
	count := sqlitequeue.MaxDead + 50
	letters(t, q, now, count)
	if err := q.Send(t.Context(), other.Name, queue.Message{Body: []byte("of another queue")}); err != nil {
		t.Fatal(err)
	}
	if _, err := oneBatch(t.Context(), q, other.Name, ids); err != nil {
		t.Fatal(err)
	}
	now.Freeze(now.Now().Add(sqlitequeue.DefaultVisibility))
	if dead, err := q.Dead(t.Context(), other.Name); err != nil || len(dead) != 1 {
		t.Fatalf("Dead(%s) = %v, %v, want one letter", other.Name, dead, err)
	}
	var sent atomic.Int64
	var group sync.WaitGroup
	for range 3 {
		handle := open(t, path, now, once, other)
		for range 2 {
			group.Go(func() {
				n, err := handle.Redrive(t.Context(), name)
				if err != nil {
					t.Error(err)
				}
				sent.Add(int64(n))
			})
		}
	}
	group.Wait()
	if sent.Load() != int64(count) {
		t.Errorf("%d letters were sent, of %d", sent.Load(), count)
	}
	wantsDepth(t, q, sqlitequeue.Depth{Waiting: count})
	if depth, err := q.Depth(t.Context(), other.Name); err != nil || depth != (sqlitequeue.Depth{Dead: 1}) {
		t.Errorf("%+v %v", depth, err)
	}
}

// Letters that are sent again while consumers run come to one of them, as new messages do, and so does what is new.
func TestRedrive_WhileConsumed(t *testing.T) {
	path, now := filepath.Join(t.TempDir(), "q.db"), frozen()
	q := open(t, path, now, once)
	want := letters(t, q, now, 60)
	for i := range 60 {
		want = append(want, fmt.Sprint("new ", i))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // where less comes than should
	defer cancel()
	var mu sync.Mutex
	var came []string
	var group sync.WaitGroup
	for range 3 {
		handle := open(t, path, now, once)
		group.Go(func() {
			if err := handle.Consume(ctx, name, sqlitequeue.Consumer{Batch: 7, Report: func(err error) { t.Error(err) }},
				func(_ context.Context, batch []queue.Delivery) ([]string, error) {
					mu.Lock()
					defer mu.Unlock()
					for _, delivery := range batch {
						if came = append(came, string(delivery.Body)); delivery.Receives != 1 {
							t.Errorf("%s came for the %dth time", delivery.Body, delivery.Receives)
						}
					}
					if len(came) >= len(want) {
						cancel()
					}
					return nil, nil
				}); err != nil {
				t.Error(err)
			}
		})
	}
	sent := 0
	for _, body := range want[60:] {
		send(t, q, body)
		n, err := q.Redrive(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		sent += n
	}
	group.Wait()
	slices.Sort(came)
	slices.Sort(want)
	if sent != 60 || !slices.Equal(came, want) {
		t.Errorf("%d letters were sent; came: %q", sent, came)
	}
	wantsDepth(t, q, sqlitequeue.Depth{})
}

// A message that a slow consumer still has when it is sent again is done when either of the two is done with it.
func TestRedrive_MessageInHand(t *testing.T) {
	now := frozen()
	q := open(t, filepath.Join(t.TempDir(), "q.db"), now, once)
	send(t, q, "x")
	for _, failed := range []bool{true, false} {
		if _, err := oneBatch(t.Context(), q, name, func(batch []queue.Delivery) []string {
			now.Freeze(now.Now().Add(sqlitequeue.DefaultVisibility))
			if n, err := q.Redrive(t.Context(), name); err != nil || n != 1 || batch[0].Receives != 1 {
				t.Errorf("Redrive() = %d, %v with %d receives, want 1 with 1", n, err, batch[0].Receives)
			}
			if failed {
				return ids(batch)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if failed {
			wantsDepth(t, q, sqlitequeue.Depth{Waiting: 1})
		}
	}
	wantsDepth(t, q, sqlitequeue.Depth{})
}

func TestRedrive_Invalid(t *testing.T) {
	now := frozen()
	q := open(t, filepath.Join(t.TempDir(), "q.db"), now, once)
	letters(t, q, now, 1)
	if n, err := q.Redrive(t.Context(), "other"); err == nil || !strings.Contains(err.Error(), `no queue "other"`) ||
		n != 0 {
		t.Errorf(`Redrive("other") = %d, %v, want 0 and an error that names the queue`, n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if n, err := q.Redrive(ctx, name); !errors.Is(err, context.Canceled) || n != 0 {
		t.Errorf("Redrive(canceled) = %d, %v, want 0 and context.Canceled", n, err)
	}
	wantsDepth(t, q, sqlitequeue.Depth{Dead: 1})
}
