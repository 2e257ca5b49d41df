package sqlitetable

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"earshot/shared/embedded/sqlitefile"
	"earshot/shared/port/table"
)

// A writer is the one connection of the process that writes. Its users take turns by turn, so that goroutines queue up
// here, in order, and only processes compete for the file.
type writer struct {
	turn       chan struct{} // holds one token
	db         *sql.DB
	conn       *sql.Conn
	statements map[string]*sql.Stmt
}

func newWriter(path string) (*writer, error) {
	db, err := sqlitefile.Open(path, busyPatience, false, "journal_size_limit(67108864)")
	if err != nil {
		return nil, err
	}
	w := &writer{turn: make(chan struct{}, 1), db: db, statements: map[string]*sql.Stmt{}}
	w.turn <- struct{}{}
	if w.conn, err = w.connect(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return w, nil
}

// connect opens the connection and turns the write-ahead log on. Several processes with a new file do so at once.
// SQLite then reports busy without waiting, because waiting could deadlock.
func (w *writer) connect() (*sql.Conn, error) {
	for began := time.Now(); ; {
		conn, err := w.db.Conn(background())
		if err == nil {
			// From here on begin waits by itself.
			_, err = conn.ExecContext(background(), "PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 0")
			if err == nil {
				return conn, nil
			}
			err = errors.Join(err, conn.Close())
		}
		if !sqlitefile.Busy(err) || time.Since(began) > busyPatience {
			return nil, err
		}
		time.Sleep(rand.N(20 * time.Millisecond))
	}
}

func (w *writer) close() error {
	<-w.turn // and never given back
	errs := []error{}
	for _, statement := range w.statements {
		errs = append(errs, statement.Close())
	}
	return errors.Join(append(errs, w.conn.Close(), w.db.Close())...)
}

// do runs change in one transaction when its turn has come. It commits if change returns nil.
func (w *writer) do(ctx context.Context, change func(w *writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-w.turn:
	}
	defer func() { w.turn <- struct{}{} }()
	if err := w.begin(ctx); err != nil {
		return err
	}
	done := false
	defer func() {
		if !done { // change panicked: the connection must not stay within the transaction
			_ = w.exec("ROLLBACK")
		}
	}()
	err := change(w)
	if err == nil {
		err = w.exec("COMMIT")
	}
	if err != nil {
		done = true
		if rollback := w.exec("ROLLBACK"); rollback != nil {
			return errors.Join(err, fmt.Errorf("roll back: %w", rollback))
		}
		return err
	}
	done = true
	return nil
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

func (w *writer) statement(text string) (*sql.Stmt, error) {
	statement, ok := w.statements[text]
	if !ok {
		var err error
		if statement, err = w.conn.PrepareContext(background(), text); err != nil {
			return nil, err
		}
		w.statements[text] = statement
	}
	return statement, nil
}

func (w *writer) exec(text string, args ...any) error {
	statement, err := w.statement(text)
	if err != nil {
		return err
	}
	_, err = statement.ExecContext(background(), args...)
	return err
}

func (w *writer) query(text string, args ...any) (*sql.Rows, error) {
	statement, err := w.statement(text)
	if err != nil {
		return nil, err
	}
	return statement.QueryContext(background(), args...)
}
