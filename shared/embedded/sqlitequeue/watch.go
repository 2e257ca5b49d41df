package sqlitequeue

import (
	"context"
	"sync"
	"time"

	"earshot/shared/port/queue"
)

// pace is how often a process looks for changes by other processes and for messages that became due. It follows the
// machine's clock, because the queue's own may stand still or be set.
const pace = 100 * time.Millisecond

// A watch wakes the consumers of one process. Only one goroutine looks at the clock and at the file, however many
// consumers there are, and a file that nobody changed is not searched.
type watch struct {
	mu        sync.Mutex
	news      map[string]chan struct{} // by queue; closed, and replaced, when a consumer should look
	outlooks  map[string]outlook       // by queue, since a consumer last looked
	consumers int
	stop      context.CancelFunc // ends the goroutine
	ended     chan struct{}      // closed when it has ended
}

// An outlook is what a consumer found: when the first and the last living message are due, in milliseconds since 1970.
// Both are 0 if there is none.
type outlook struct{ first, last int64 }

// isDue reports whether a message may arrive now. The constant isDue is the same condition in SQL.
func (o outlook) isDue(d Definition, now time.Time) bool {
	return o.last != 0 && (o.first <= now.UnixMilli() || o.last > farthest(d, now))
}

// farthest is the latest time that this package sets, in milliseconds since 1970.
func farthest(d Definition, now time.Time) int64 {
	return now.Add(max(queue.MaxDelay, d.Visibility)).UnixMilli()
}

// tell wakes the consumers of a queue.
func (w *watch) tell(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tellLocked(name)
}

func (w *watch) tellLocked(name string) {
	close(w.news[name])
	w.news[name] = make(chan struct{})
	delete(w.outlooks, name)
}

// arrivals returns a channel that the next tell closes. A consumer takes it before it looks, so that no message arrives
// unseen between the two.
func (w *watch) arrivals(name string) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.news[name]
}

func (w *watch) found(name string, o outlook) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.outlooks[name] = o
}

// watching keeps the goroutine running until done is called as often as watching.
func (q *Queue) watching() (done func()) {
	w := &q.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.consumers++; w.consumers == 1 {
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan struct{})
		w.stop, w.ended = stop, ended
		go func() {
			defer close(ended)
			q.look(ctx)
		}()
	}
	return func() {
		w.mu.Lock()
		w.consumers--
		last, stop, ended := w.consumers == 0, w.stop, w.ended
		w.mu.Unlock()
		if last {
			stop()
			<-ended
		}
	}
}

// look wakes the consumers of every queue when another process may have changed the file, and those of a queue whose
// next message became due, until the context ends.
func (q *Queue) look(ctx context.Context) {
	ticker := time.NewTicker(pace)
	defer ticker.Stop()
	for known := int64(-1); ; { // no file has this version
		version, err := q.version(ctx)
		now := q.clock.Now()
		q.watch.mu.Lock()
		for name, d := range q.definitions {
			// Consumers that look at a file with an error report it.
			if err != nil || version != known || q.watch.outlooks[name].isDue(d, now) {
				q.watch.tellLocked(name)
			}
		}
		q.watch.mu.Unlock()
		if known = version; err != nil {
			known = -1
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// version changes when another process has written to the file.
func (q *Queue) version(ctx context.Context) (version int64, err error) {
	err = q.db.QueryRowContext(ctx, "PRAGMA data_version").Scan(&version)
	return version, err
}
