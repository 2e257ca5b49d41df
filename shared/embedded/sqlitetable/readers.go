package sqlitetable

import (
	"errors"
	"sync/atomic"

	"zombiezen.com/go/sqlite"
)

// readers are the connections that read. They are opened when they are needed first, at most as many as the channel
// holds.
type readers struct {
	path   string
	free   chan *conn // nil for one that is not open yet
	closed atomic.Bool
}

var errClosed = errors.New("the table is closed")

func newReaders(path string, most int) *readers {
	r := &readers{path: path, free: make(chan *conn, most)}
	for range most {
		r.free <- nil
	}
	return r
}

// query runs a statement on a reader, as conn.query does. It waits for a reader that is free.
func (r *readers) query(
	text string, each func(row *sqlite.Stmt) (more bool, err error), values ...any,
) (err error) {
	free := <-r.free
	defer func() { r.free <- free }()
	if r.closed.Load() {
		return errClosed
	}
	if free == nil {
		if free, err = openConn(r.path, "query_only = 1"); err != nil {
			return err
		}
	}
	return free.query(text, each, values...)
}

// close ends the use of the connections, once the reads that have begun return. Later ones fail.
func (r *readers) close() error {
	r.closed.Store(true)
	var errs []error
	for range cap(r.free) {
		if free := <-r.free; free != nil {
			errs = append(errs, free.Close())
		}
	}
	for range cap(r.free) {
		r.free <- nil
	}
	return errors.Join(errs...)
}
