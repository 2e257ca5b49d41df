package sqlitetable

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"zombiezen.com/go/sqlite"

	"earshot/shared/embedded/sqlitefile"
	"earshot/shared/port/table"
)

// maxTogether bounds how many changes one transaction of the file holds, and so how long other processes wait for it.
const maxTogether = 64

// A writer is the one connection of the process that writes. It reads too while nobody writes. Goroutines queue up
// here, and only processes compete for the file. Changes that wait at the same time are committed together, each as if
// alone.
type writer struct {
	*conn
	turn chan struct{} // holds one token

	mu      sync.Mutex
	waiting []*change
}

// A change is one transaction of a caller: it happens in full or not at all.
type change struct {
	run    func(w *writer) error
	done   chan struct{} // closed once the rest is set
	err    error
	caught any // run panicked with it
}

// outcome returns the change's error. It panics as the change did.
func (c *change) outcome() error {
	<-c.done
	if c.caught != nil {
		panic(c.caught)
	}
	return c.err
}

func newWriter(path string) (*writer, error) {
	conn, err := connect(path)
	if err != nil {
		return nil, err
	}
	w := &writer{conn: conn, turn: make(chan struct{}, 1)}
	w.turn <- struct{}{}
	return w, nil
}

// connect opens the connection and turns the write-ahead log on. Several processes with a new file do so at once.
// SQLite then reports busy without waiting, because waiting could deadlock.
func connect(path string) (*conn, error) {
	for began := time.Now(); ; {
		opened, err := openConn(path, "journal_size_limit = 67108864", "temp_store = MEMORY", "journal_mode = WAL")
		if err == nil {
			opened.SetBusyTimeout(0) // from here on begin waits by itself
			return opened, nil
		}
		if !sqlitefile.Busy(err) || time.Since(began) > busyPatience {
			return nil, err
		}
		time.Sleep(rand.N(20 * time.Millisecond))
	}
}

func (w *writer) close() error {
	<-w.turn // and never given back
	return w.Close()
}

// do runs a change in a transaction when its turn has come, perhaps on another caller's goroutine. The transaction is
// committed if run returns nil. A change whose ctx ends before its turn is not run.
func (w *writer) do(ctx context.Context, run func(w *writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	own := &change{run: run, done: make(chan struct{})}
	w.mu.Lock()
	w.waiting = append(w.waiting, own)
	w.mu.Unlock()
	select {
	case <-ctx.Done():
		if w.withdraw(own) {
			return ctx.Err()
		}
		return own.outcome() // it is being run
	case <-own.done:
		return own.outcome()
	case <-w.turn:
	}
	defer func() { w.turn <- struct{}{} }()
	if !w.withdraw(own) {
		return own.outcome() // the turn before has run it
	}
	if err := w.begin(ctx); err != nil {
		return err
	}
	w.commit(append([]*change{own}, w.others()...))
	return own.outcome()
}

// read runs a query, unless a change has the connection. It returns false if another process keeps the file busy too,
// which the query notices before the first row.
func (w *writer) read(
	text string, each func(row *sqlite.Stmt) (more bool, err error), values ...any,
) (done bool, err error) {
	select {
	case <-w.turn:
		defer func() { w.turn <- struct{}{} }()
		err = w.query(text, each, values...)
		return !sqlitefile.Busy(err), err
	default:
		return false, nil
	}
}

// withdraw takes a change out of the queue. It returns false if the change is not there any more.
func (w *writer) withdraw(own *change) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.Index(w.waiting, own)
	if i < 0 {
		return false
	}
	w.waiting = slices.Delete(w.waiting, i, i+1)
	return true
}

// others takes the changes out of the queue that join a transaction.
func (w *writer) others() []*change {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.waiting), maxTogether-1)
	joining := slices.Clone(w.waiting[:n])
	w.waiting = slices.Delete(w.waiting, 0, n)
	return joining
}

// commit runs changes in the transaction that has begun, and commits those that succeed. If they cannot be committed, all
// of them fail.
func (w *writer) commit(together []*change) {
	var err error
	kept := 0
	for _, c := range together {
		if err == nil {
			if err = w.runOne(c, len(together) > 1); c.err == nil && c.caught == nil {
				kept++
			}
		}
	}
	if err == nil && kept > 0 {
		err = w.exec("COMMIT")
	}
	if err != nil || kept == 0 {
		if rollback := w.exec("ROLLBACK"); rollback != nil {
			err = errors.Join(err, fmt.Errorf("roll back: %w", rollback))
		}
	}
	for _, c := range together {
		if err != nil {
			c.err = errors.Join(c.err, err)
		}
		close(c.done)
	}
}

// runOne runs a change. If others share its transaction, what it wrote is undone if it fails. Returns an error if that is
// not possible, so that the whole transaction has to go.
func (w *writer) runOne(c *change, shared bool) error {
	if shared {
		if err := w.exec("SAVEPOINT one"); err != nil {
			return err
		}
	}
	func() {
		defer func() { c.caught = recover() }()
		c.err = c.run(w)
	}()
	if !shared {
		return nil
	}
	if c.err != nil || c.caught != nil {
		if err := w.exec("ROLLBACK TO one"); err != nil {
			return err
		}
	}
	return w.exec("RELEASE one")
}

// begin takes the write lock of the file. The waiting is here and not SQLite's, which does not look at the context and
// comes to sleep 100 ms between looks.
func (w *writer) begin(ctx context.Context) error {
	err := w.exec("BEGIN IMMEDIATE")
	if !sqlitefile.Busy(err) {
		return err
	}
	began, longest := time.Now(), time.Millisecond
	for sqlitefile.Busy(err) {
		if time.Since(began) > busyPatience {
			return fmt.Errorf("%w: %w", table.ErrThrottled, err)
		}
		timer := time.NewTimer(rand.N(longest))
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-timer.C:
		}
		longest = min(2*longest, 8*time.Millisecond)
		err = w.exec("BEGIN IMMEDIATE")
	}
	return err
}
