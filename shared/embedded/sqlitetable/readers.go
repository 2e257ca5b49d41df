package sqlitetable

import (
	"errors"
	"sync/atomic"

	"zombiezen.com/go/sqlite"
)

// readers are the connections that read. They are opened when they are needed first, at most as many as the channel
// holds. They use the same SQLite as the writer without database/sql, whose driver takes locks and memory for each
// column of a row: a row is read in a third of the time.
type readers struct {
	path   string
	free   chan *reader // nil for one that is not open yet
	closed atomic.Bool
}

var errClosed = errors.New("the table is closed")

// A reader is a connection with its statements by their texts. It keeps them itself, because the connection clears the
// bindings of those that it keeps. SQLite takes that for a reason to prepare them anew.
type reader struct {
	*sqlite.Conn
	statements map[string]*sqlite.Stmt
}

func newReaders(path string, most int) *readers {
	r := &readers{path: path, free: make(chan *reader, most)}
	for range most {
		r.free <- nil
	}
	return r
}

// read runs a query with texts, and calls each with every row, until that returns false.
func (r *readers) read(text string, args []string, each func(row *sqlite.Stmt) (more bool, err error)) (err error) {
	free := <-r.free
	defer func() { r.free <- free }()
	if r.closed.Load() {
		return errClosed
	}
	if free == nil {
		if free, err = r.open(); err != nil {
			return err
		}
	}
	statement := free.statements[text]
	if statement == nil {
		if statement, err = free.Prepare(text); err != nil {
			return err
		}
		free.statements[text] = statement
	}
	defer func() {
		if reset := statement.Reset(); err == nil { // ends the reading, and repeats the error of a row
			err = reset
		}
	}()
	for i, arg := range args {
		statement.BindText(i+1, arg)
	}
	for more := true; more; {
		if more, err = statement.Step(); err != nil || !more {
			return err
		}
		if more, err = each(statement); err != nil {
			return err
		}
	}
	return nil
}

// open opens a connection that waits for other processes and cannot write.
func (r *readers) open() (*reader, error) {
	conn, err := sqlite.OpenConn(r.path, sqlite.OpenReadWrite)
	if err != nil {
		return nil, err
	}
	conn.SetBusyTimeout(busyPatience)
	for _, pragma := range []string{"synchronous = NORMAL", "query_only = 1"} {
		statement, _, err := conn.PrepareTransient("PRAGMA " + pragma)
		if err == nil {
			_, err = statement.Step()
			err = errors.Join(err, statement.Finalize())
		}
		if err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return &reader{conn, map[string]*sqlite.Stmt{}}, nil
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
