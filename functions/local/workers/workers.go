// Package workers runs in the workbench's process what clients do not ask for over HTTP: the functions that take
// messages from queues, and those that schedules call. They are the Lambdas' own handlers.
//
// Only the programs under functions/local import it.
package workers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"earshot/shared/embedded/sqlitequeue"
	"earshot/shared/port/queue"
	"earshot/shared/worker"
)

// A Schedule calls a function again and again.
type Schedule struct {
	Every time.Duration          // by the machine's clock, for the workbench's may stand still; the first time at the start
	Run   worker.ScheduleHandler // by the clock
	// Asked is the same function for a call by hand. An injected fault is for such a call, and not for one that
	// happens to run.
	Asked worker.ScheduleHandler
	// Within is the function's time limit; 0 is a minute.
	Within time.Duration
}

// Options lists what to run.
type Options struct {
	Queue     *sqlitequeue.Queue
	Consumers map[string]worker.QueueHandler // by the queue's name
	AtOnce    map[string]int                 // calls of a consumer at the same time, by the queue's name; 0: one
	Schedules map[string]Schedule            // by the function's name
	Log       *slog.Logger
}

// Workers run from Start until its context ends.
type Workers struct {
	Options
	group   sync.WaitGroup
	turns   map[string]*sync.Mutex // of schedules: one call at a time
	working atomic.Int64
}

// New makes the workers. Nothing runs yet.
func New(o Options) *Workers {
	w := &Workers{Options: o, turns: map[string]*sync.Mutex{}}
	for name := range o.Schedules {
		w.turns[name] = &sync.Mutex{}
	}
	return w
}

// invocation is a worker's time limit, as Lambda would set it, unless its schedule says another.
const invocation = time.Minute

// Start runs everything until the context ends. Wait then waits for work in progress.
func (w *Workers) Start(ctx context.Context) {
	report := func(err error) { w.Log.Warn("a worker failed", slog.Any("cause", err)) }
	for name, handler := range w.Consumers {
		deliver := w.counted(worker.Deliver(handler, name))
		consumer := sqlitequeue.Consumer{Report: report}
		if w.AtOnce[name] > 1 {
			consumer.Batch = 1 // a message of a batch waits for those before it
		}
		for range max(1, w.AtOnce[name]) {
			w.group.Go(func() {
				if err := w.Queue.Consume(ctx, name, consumer, deliver); err != nil {
					report(err)
				}
			})
		}
	}
	for name, schedule := range w.Schedules {
		w.group.Go(func() {
			ticker := time.NewTicker(schedule.Every)
			defer ticker.Stop()
			for ctx.Err() == nil {
				if err := w.call(ctx, name, schedule.Run, schedule.Within); err != nil && ctx.Err() == nil {
					report(err)
				}
				select {
				case <-ctx.Done():
				case <-ticker.C:
				}
			}
		})
	}
}

// Working returns how many functions run at this moment.
func (w *Workers) Working() int { return int(w.working.Load()) }

// counted has a consumer's calls count as working.
func (w *Workers) counted(deliver sqlitequeue.Handler) sqlitequeue.Handler {
	return func(ctx context.Context, batch []queue.Delivery) ([]string, error) {
		w.working.Add(1)
		defer w.working.Add(-1)
		return deliver(ctx, batch)
	}
}

// Wait waits up to the given time for the work that was in progress when the context ended. It reports whether it is
// done.
func (w *Workers) Wait(patience time.Duration) bool {
	done := make(chan struct{})
	go func() {
		w.group.Wait()
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-time.After(patience):
		return false
	}
}

// Tick calls a schedule's function now and waits for it. It returns an error if there is no such schedule.
func (w *Workers) Tick(ctx context.Context, name string) error {
	schedule, known := w.Schedules[name]
	if !known {
		return fmt.Errorf("there is no schedule %q", name)
	}
	return w.call(ctx, name, schedule.Asked, schedule.Within)
}

func (w *Workers) call(
	ctx context.Context, name string, handler worker.ScheduleHandler, within time.Duration,
) error {
	w.turns[name].Lock()
	defer w.turns[name].Unlock()
	w.working.Add(1)
	defer w.working.Add(-1)
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(within, invocation))
	defer cancel()
	return handler(ctx, json.RawMessage("{}"))
}
