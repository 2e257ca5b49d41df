package collect_test

import (
	"errors"
	"testing"
	"time"

	"earshot/functions/collect"
	"earshot/shared/embedded/fault"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/source"
	"earshot/shared/store/allstores"
	"earshot/shared/worldtest"
)

// Killed after any of its writes and run again when the leases are over, it queues every post of the window, and every task has
// its next turn.
func TestKilledAfterEachWrite(t *testing.T) {
	for after := 1; ; after++ {
		w := newWorld(t)
		w.keyword(t, northwind)
		news := observed{searched("hackernews", every("hackernews", 250, worldtest.Now, time.Minute)...)}
		news.about.Observes = 10
		stream := &platform{about: source.About{Name: "firehose", Stream: true, Cursor: true, Max: 30}, posts: every("firehose", 100, worldtest.Now, time.Second)}
		ill := searched("reddit")
		ill.odd = failing(&source.Unavailable{Source: "reddit", Reason: "answered 429", RetryAfter: time.Minute})
		life := &fault.Life{Counts: fault.IsWrite}
		life.DieAt(after, true)
		died := func() (died bool) {
			defer func() {
				switch value := recover().(type) {
				case nil:
				case fault.Crashed:
					died = true
				default:
					panic(value)
				}
			}()
			o := w.over(allstores.New(fault.Table(w.Table, life.Set()), w.Clock), news, stream, ill).Options
			o.Queue = fault.Queue(&w.queue, life.Set())
			must(t, collect.New(o).Tick(t.Context()))
			return false
		}()
		got := w.queue.posts(t)
		for range 2 { // the second has what the first planned
			w.Clock.Freeze(w.Clock.Now().Add(6 * time.Minute))
			w.tick(t, w.collector(news, stream, ill))
			for id := range w.queue.posts(t) {
				got[id]++
			}
		}
		if len(got) != 350 {
			t.Errorf("killed after write %d: %d of 350 posts", after, len(got))
		}
		for name, task := range w.tasks(t, w.Main.ID) {
			if !task.DueAt.After(w.Clock.Now()) || task.DueAt.After(w.Clock.Now().Add(time.Hour)) || name == "1 hackernews" && task.Since.IsZero() {
				t.Errorf("killed after write %d: %s: %+v", after, name, task)
			}
		}
		if !died {
			if after < 12 {
				t.Errorf("there are %d writes only", after-1)
			}
			return
		}
	}
}

// When the queue fails within a window, nothing of it is lost, and the task is not stuck for longer than its lease.
func TestQueueFails(t *testing.T) {
	for _, nth := range []int{1, 2, 3} {
		w := newWorld(t)
		w.keyword(t, northwind)
		from := searched("hackernews", every("hackernews", 250, worldtest.Now, time.Minute)...)
		c := w.collector(from)
		w.queue.odd = func(n int) error {
			if n == nth {
				return queue.ErrUnavailable
			}
			return nil
		}
		if err := c.Tick(t.Context()); !errors.Is(err, queue.ErrUnavailable) {
			t.Errorf("send %d: %v", nth, err)
		}
		if task := w.task(t, w.Main.ID); !task.Since.IsZero() || !task.DueAt.Equal(worldtest.Now.Add(5*time.Minute)) {
			t.Errorf("send %d: %+v", nth, task)
		}
		w.Clock.Freeze(worldtest.Now.Add(5 * time.Minute))
		w.tick(t, c)
		if got := w.queue.posts(t); len(got) != 250 {
			t.Errorf("send %d: %d posts", nth, len(got))
		}
	}
}

// A store that fails is the tick's error, whichever operation it is, and the next tick goes on.
func TestStoreFails(t *testing.T) {
	for _, operation := range []string{"query", "put", "update"} {
		w := newWorld(t)
		w.keyword(t, northwind)
		from := searched("hackernews", every("hackernews", 5, worldtest.Now, time.Hour)...)
		w.Fault(fault.Fault{Port: fault.TablePort, Operation: operation, Fault: fault.Error})
		if err := w.collector(from).Tick(t.Context()); !errors.Is(err, table.ErrUnavailable) {
			t.Errorf("%s: %v", operation, err)
		}
		w.Faults.Clear()
		w.Clock.Freeze(worldtest.Now.Add(5 * time.Minute))
		w.tick(t, w.collector(from))
		if got := w.queue.posts(t); len(got) != 5 {
			t.Errorf("%s: %v", operation, got)
		}
	}
}
