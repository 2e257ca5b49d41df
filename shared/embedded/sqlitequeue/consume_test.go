package sqlitequeue_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
)

const name = "posts"

func frozen() *clock.Adjustable {
	now := &clock.Adjustable{}
	now.Freeze(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	return now
}

func opened(t *testing.T, now clock.Clock) *sqlitequeue.Queue {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "q.db"), now, sqlitequeue.Definition{Name: name})
}

func send(t *testing.T, q queue.Queue, bodies ...string) {
	t.Helper()
	var messages []queue.Message
	for _, body := range bodies {
		messages = append(messages, queue.Message{Body: []byte(body)})
	}
	if err := q.Send(t.Context(), name, messages...); err != nil {
		t.Fatal(err)
	}
}

func wantsDepth(t *testing.T, q *sqlitequeue.Queue, want sqlitequeue.Depth) {
	t.Helper()
	if got, err := q.Depth(t.Context(), name); err != nil || got != want {
		t.Fatalf("%+v, want %+v: %v", got, want, err)
	}
}

// A handler that fails, panics or answers nonsense fails its whole batch, which comes again after the visibility and ends as dead
// letters; these can be sent again.
func TestFailures(t *testing.T) {
	for how, handle := range map[string]sqlitequeue.Handler{
		"error": func(context.Context, []queue.Delivery) ([]string, error) { return nil, errors.New("no") },
		"error with nothing failed": func(_ context.Context, b []queue.Delivery) ([]string, error) {
			return []string{b[0].ID}, errors.New("no")
		},
		"panic":      func(context.Context, []queue.Delivery) ([]string, error) { panic("no") },
		"stranger":   func(context.Context, []queue.Delivery) ([]string, error) { return []string{"no"}, nil },
		"each of it": func(_ context.Context, b []queue.Delivery) ([]string, error) { return ids(b), nil },
	} {
		t.Run(how, func(t *testing.T) {
			now := frozen()
			q := opened(t, now)
			send(t, q, "a", "b")
			var reports atomic.Int64
			calls := 0
			for attempt := 1; attempt <= sqlitequeue.DefaultMaxReceives; attempt++ {
				wantsDepth(t, q, sqlitequeue.Depth{Waiting: 2})
				ctx, cancel := context.WithCancel(t.Context())
				err := q.Consume(ctx, name, sqlitequeue.Consumer{Report: func(err error) {
					if !strings.Contains(err.Error(), "no") {
						t.Error(err)
					}
					reports.Add(1)
				}}, func(ctx context.Context, batch []queue.Delivery) ([]string, error) {
					cancel()
					calls++
					if len(batch) != 2 || batch[0].Receives != attempt {
						t.Errorf("attempt %d: %+v", attempt, batch)
					}
					return handle(ctx, batch)
				})
				if err != nil {
					t.Fatal(err)
				}
				wantsDepth(t, q, sqlitequeue.Depth{InFlight: 2})
				now.Freeze(now.Now().Add(sqlitequeue.DefaultVisibility))
			}
			if want := int64(calls); how != "each of it" && reports.Load() != want {
				t.Errorf("%d reports, want %d", reports.Load(), want)
			}
			wantsDepth(t, q, sqlitequeue.Depth{Dead: 2})
			dead, err := q.Dead(t.Context(), name)
			if err != nil || len(dead) != 2 || string(dead[0].Body) != "a" ||
				dead[0].Receives != sqlitequeue.DefaultMaxReceives {
				t.Fatalf("%+v %v", dead, err)
			}
			if count, err := q.Redrive(t.Context(), name); err != nil || count != 2 {
				t.Fatalf("Redrive() = %d, %v, want 2", count, err)
			}
			wantsDepth(t, q, sqlitequeue.Depth{Waiting: 2})
			if count, err := oneBatch(t.Context(), q, name, func(batch []queue.Delivery) []string {
				if batch[0].Receives != 1 {
					t.Errorf("a letter that was sent again: %+v", batch[0])
				}
				return nil
			}); err != nil || count != 2 {
				t.Fatalf("oneBatch() = %d, %v, want 2", count, err)
			}
			wantsDepth(t, q, sqlitequeue.Depth{})
		})
	}
}

func ids(batch []queue.Delivery) (all []string) {
	for _, delivery := range batch {
		all = append(all, delivery.ID)
	}
	return all
}

// The batch in hand is finished when the context ends, in a context that has not ended, and no other is begun.
func TestConsume_ContextEnds(t *testing.T) {
	q := opened(t, clock.System{})
	for range 3 {
		send(t, q, strings.Split("a b c d e f g h i j", " ")...)
	}
	ctx, cancel := context.WithCancel(t.Context())
	inHand, release, done := make(chan struct{}), make(chan struct{}), make(chan error)
	batches := 0
	go func() {
		done <- q.Consume(ctx, name, sqlitequeue.Consumer{},
			func(ctx context.Context, batch []queue.Delivery) ([]string, error) {
				batches++
				close(inHand)
				<-release
				return nil, ctx.Err()
			})
	}()
	<-inHand
	cancel()
	select {
	case err := <-done:
		t.Fatal("it did not wait for the batch:", err)
	case <-time.After(20 * time.Millisecond):
	}
	close(release)
	if err := <-done; err != nil || batches != 1 {
		t.Fatalf("Consume() = %v after %d batches, want nil after 1", err, batches)
	}
	wantsDepth(t, q, sqlitequeue.Depth{Waiting: 20})
}

// A queue whose clock stands still is looked into now and then, not all the time; turning the clock lets a message come.
func TestConsume_FrozenClock(t *testing.T) {
	frozenAt := frozen()
	now := &countingClock{Clock: frozenAt}
	q := opened(t, now)
	ctx, cancel := context.WithCancel(t.Context())
	came := make(chan string, 10)
	done := make(chan error)
	go func() {
		done <- q.Consume(ctx, name, sqlitequeue.Consumer{},
			func(_ context.Context, batch []queue.Delivery) ([]string, error) {
				for _, delivery := range batch {
					came <- string(delivery.Body)
				}
				return nil, errors.New("each time")
			})
	}()
	send(t, q, "x")
	<-came
	if err := q.Send(t.Context(), name, queue.Message{Body: []byte("late"), Delay: time.Minute}); err != nil {
		t.Fatal(err)
	}
	before, began := now.reads.Load(), time.Now()
	time.Sleep(350 * time.Millisecond)
	reads := now.reads.Load() - before
	if allowed := 4 + int64(time.Since(began)/(50*time.Millisecond)); reads > allowed { // twice what it does
		t.Errorf("it looked %d times in %v", reads, time.Since(began))
	}
	select {
	case body := <-came:
		t.Fatalf("%s came, and the clock stands", body)
	default:
	}
	frozenAt.Freeze(frozenAt.Now().Add(time.Minute))
	if got := []string{<-came, <-came}; !strings.Contains(fmt.Sprint(got), "late") ||
		!strings.Contains(fmt.Sprint(got), "x") {
		t.Errorf("came: %v", got)
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

type countingClock struct {
	clock.Clock
	reads atomic.Int64
}

func (c *countingClock) Now() time.Time {
	c.reads.Add(1)
	return c.Clock.Now()
}

// A message that one consumer holds for longer than the visibility comes to another, which has found nothing till then.
func TestConsume_HeldTooLong(t *testing.T) {
	now := frozen()
	q := opened(t, now)
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	came, release := make(chan queue.Delivery), make(chan struct{})
	for range 2 {
		group.Go(func() {
			if err := q.Consume(ctx, name, sqlitequeue.Consumer{},
				func(_ context.Context, batch []queue.Delivery) ([]string, error) {
					came <- batch[0]
					<-release
					return nil, nil
				}); err != nil {
				t.Error(err)
			}
		})
	}
	send(t, q, "slow")
	first := <-came
	time.Sleep(3 * time.Second / 10) // the other one looks, and waits
	now.Freeze(now.Now().Add(sqlitequeue.DefaultVisibility))
	if second := <-came; second.ID != first.ID || second.Receives != 2 {
		t.Errorf("%+v came after %+v", second, first)
	}
	close(release)
	cancel()
	group.Wait()
	wantsDepth(t, q, sqlitequeue.Depth{})
}

// A queue that nobody changes is not searched: the file is read no more often for many consumers than for one.
func TestConsume_Idle(t *testing.T) {
	now := &countingClock{Clock: frozen()}
	q := opened(t, now)
	if err := q.Send(t.Context(), name, queue.Message{Body: []byte("late"), Delay: time.Minute}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			if err := q.Consume(ctx, name, sqlitequeue.Consumer{}, nil); err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(300 * time.Millisecond) // each has looked
	before, began := now.reads.Load(), time.Now()
	time.Sleep(350 * time.Millisecond)
	// A search reads the clock. Twice what the watch itself does is allowed.
	if reads := now.reads.Load() - before; reads > 4+int64(time.Since(began)/(50*time.Millisecond)) {
		t.Errorf("the clock was read %d times in %v", reads, time.Since(began))
	}
	cancel()
	group.Wait()
}

// A clock that was turned to another year and back has no message wait for that year.
func TestConsume_ClockTurnedBack(t *testing.T) {
	now := frozen()
	today := now.Now()
	q := opened(t, now)
	now.Freeze(today.AddDate(5, 0, 0))
	send(t, q, "sent then", "failed then")
	if count, err := oneBatch(t.Context(), q, name, ids); err != nil || count != 2 {
		t.Fatalf("oneBatch() = %d, %v, want 2", count, err)
	}
	send(t, q, "after")
	now.Freeze(today)
	wantsDepth(t, q, sqlitequeue.Depth{Waiting: 3})
	if count, err := oneBatch(t.Context(), q, name, func([]queue.Delivery) []string { return nil }); err != nil ||
		count != 3 {
		t.Fatalf("oneBatch() = %d, %v, want 3", count, err)
	}
}

// A batch that is not full waits for more, and goes without when none comes.
func TestWait(t *testing.T) {
	q := opened(t, clock.System{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	sizes := make(chan int, 10)
	done := make(chan error)
	send(t, q, "1")
	go func() {
		done <- q.Consume(ctx, name, sqlitequeue.Consumer{Batch: 3, Wait: 30 * time.Second},
			func(_ context.Context, batch []queue.Delivery) ([]string, error) {
				sizes <- len(batch)
				return nil, nil
			})
	}()
	send(t, q, "2")
	select {
	case size := <-sizes:
		t.Fatalf("it did not wait: %d", size)
	case <-time.After(50 * time.Millisecond):
	}
	send(t, q, "3", "4")
	if size := <-sizes; size != 3 {
		t.Fatalf("the batch has %d messages, want 3", size)
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	if err := q.Consume(ctx, name, sqlitequeue.Consumer{Batch: 3, Wait: time.Millisecond},
		func(_ context.Context, batch []queue.Delivery) ([]string, error) {
			cancel()
			sizes <- len(batch)
			return nil, nil
		}); err != nil || <-sizes != 1 {
		t.Fatal(err)
	}
}

// Several consumers of one process share a queue: each message comes to one of them.
func TestConsume_SeveralConsumers(t *testing.T) {
	q := opened(t, clock.System{})
	const count = 300
	var mu sync.Mutex
	came := map[string]int{}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if err := q.Consume(ctx, name, sqlitequeue.Consumer{Batch: 7},
				func(_ context.Context, batch []queue.Delivery) ([]string, error) {
					mu.Lock()
					defer mu.Unlock()
					for _, delivery := range batch {
						came[string(delivery.Body)]++
					}
					if len(came) == count {
						cancel()
					}
					return nil, nil
				}); err != nil {
				t.Error(err)
			}
		})
	}
	for i := range count {
		send(t, q, fmt.Sprint(i))
	}
	group.Wait()
	for body, times := range came {
		if times != 1 {
			t.Errorf("%s came %d times", body, times)
		}
	}
	wantsDepth(t, q, sqlitequeue.Depth{})
}

func TestInvalid(t *testing.T) {
	q := opened(t, clock.System{})
	nobody := func(context.Context, []queue.Delivery) ([]string, error) { return nil, nil }
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // what is valid returns at once
	for want, err := range map[string]error{
		"no queue":      q.Consume(ctx, "other", sqlitequeue.Consumer{}, nobody),
		"batch of 11":   q.Consume(ctx, name, sqlitequeue.Consumer{Batch: 11}, nobody),
		"batch of -1":   q.Consume(ctx, name, sqlitequeue.Consumer{Batch: -1}, nobody),
		"waiting -1ns,": q.Consume(ctx, name, sqlitequeue.Consumer{Wait: -1}, nobody),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if err := q.Consume(ctx, name, sqlitequeue.Consumer{}, nobody); err != nil {
		t.Error(err)
	}
	for _, d := range []sqlitequeue.Definition{{}, {Name: "x", Visibility: time.Millisecond}, {Name: "x", MaxReceives: -1}} {
		if _, err := sqlitequeue.Open(filepath.Join(t.TempDir(), "q.db"), []sqlitequeue.Definition{d}, clock.System{}); err == nil {
			t.Errorf("%+v is taken for a queue", d)
		}
	}
}
