package collect_test

import (
	"errors"
	"testing"
	"time"

	"earshot/functions/collect"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
	"earshot/shared/source"
	"earshot/shared/worldtest"
)

// A tick that is killed at any of its writes, and run again when the leases are over, queues every post of the window, and
// gives every task its next turn.
func TestTick_KilledAtEachWrite(t *testing.T) {
	faulttest.EachStep(t, 11, func(t *testing.T, step *faulttest.Step) {
		w := newWorld(t)
		w.keyword(t, northwind)
		news := observed{searched("hackernews", every("hackernews", 250, worldtest.Now, time.Minute)...)}
		news.about.Observes = 10
		stream := &platform{
			about: source.About{Name: "firehose", Stream: true, Cursor: true, Max: 30},
			posts: every("firehose", 100, worldtest.Now, time.Second),
		}
		ill := searched("reddit")
		ill.odd = failing(&source.Unavailable{Source: "reddit", Reason: "answered 429", RetryAfter: time.Minute})
		_ = step.Die(t, w.Life, func() error { return w.collector(news, stream, ill).Tick(t.Context()) })
		got := w.posts(t)
		for range 2 { // the second has what the first planned
			w.Clock.Freeze(w.Clock.Now().Add(6 * time.Minute))
			w.tick(t, w.collector(news, stream, ill))
			for id := range w.posts(t) {
				got[id]++
			}
		}
		if len(got) != 350 {
			t.Errorf("%d of 350 posts are queued", len(got))
		}
		for name, task := range w.tasks(t, w.Main.ID) {
			if !task.DueAt.After(w.Clock.Now()) || task.DueAt.After(w.Clock.Now().Add(time.Hour)) ||
				name == "1 hackernews" && task.Since.IsZero() {
				t.Errorf("%s: %+v", name, task)
			}
		}
	})
}

// When the queue fails within a window, nothing of it is lost, and the task is not stuck for longer than its lease.
func TestQueueFails(t *testing.T) {
	for _, nth := range []int{1, 2, 3} {
		w := newWorld(t)
		w.keyword(t, northwind)
		from := searched("hackernews", every("hackernews", 250, worldtest.Now, time.Minute)...)
		options, sends := w.collector(from).Options, 0
		options.Queue = fault.Queue(&w.Sent, fault.Around(func(_, _ string, do func() error) error {
			if sends++; sends == nth {
				return queue.ErrUnavailable
			}
			return do()
		}))
		c := collect.New(options)
		if err := c.Tick(t.Context()); !errors.Is(err, queue.ErrUnavailable) {
			t.Errorf("send %d: %v", nth, err)
		}
		if task := w.task(t, w.Main.ID); !task.Since.IsZero() || !task.DueAt.Equal(worldtest.Now.Add(5*time.Minute)) {
			t.Errorf("send %d: %+v", nth, task)
		}
		w.Clock.Freeze(worldtest.Now.Add(5 * time.Minute))
		w.tick(t, c)
		if got := w.posts(t); len(got) != 250 {
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
		if got := w.posts(t); len(got) != 5 {
			t.Errorf("%s: %v", operation, got)
		}
	}
}
