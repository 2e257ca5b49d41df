// Package sqlitequeue implements the port queue on one SQLite file, for laptops, demos and tests, and calls the
// consumers as Lambda does from SQS. It needs no cgo.
//
// A message stays until a consumer succeeds on it, or until it becomes a dead letter. It survives the death of the
// process at any point. A loss of power may undo the last moments (synchronous=NORMAL, as in sqlitetable). Several
// processes may use one file: a message hidden from one is hidden from all. Delays and visibility follow the clock
// port. A clock that is turned forward delivers messages at once; one that is turned back loses none.
//
// Only the workbench, tools and tests import it.
package sqlitequeue

import (
	"context"
	"fmt"
	"time"

	"database/sql"

	"earshot/shared/embedded/sqlitefile"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
)

// A Definition is a queue of the file.
type Definition struct {
	Name string
	// how long a message stays hidden once it has arrived, 1 s or more; 0 is DefaultVisibility
	Visibility  time.Duration
	MaxReceives int // how often it arrives before it becomes a dead letter; 0 is DefaultMaxReceives
}

// Defaults of a Definition. The visibility is SQS's own.
const (
	DefaultVisibility  = 30 * time.Second
	DefaultMaxReceives = 3
)

// A Queue is a set of queues in one SQLite file. Close it.
type Queue struct {
	db          *sql.DB
	clock       clock.Clock
	definitions map[string]Definition
	watch       watch
}

// Open opens the file, and creates it if it is missing. Its folder must exist. Messages of queues without a definition
// stay in the file. The clock decides what is due.
func Open(path string, definitions []Definition, clock clock.Clock) (*Queue, error) {
	q := &Queue{
		clock:       clock,
		definitions: map[string]Definition{},
		watch:       watch{news: map[string]chan struct{}{}, outlooks: map[string]outlook{}},
	}
	for _, d := range definitions {
		if d.Visibility == 0 {
			d.Visibility = DefaultVisibility
		}
		if d.MaxReceives == 0 {
			d.MaxReceives = DefaultMaxReceives
		}
		if d.Name == "" || d.Visibility < time.Second || d.MaxReceives < 0 {
			return nil, fmt.Errorf("sqlitequeue: %+v is no queue", d)
		}
		q.definitions[d.Name] = d
		q.watch.news[d.Name] = make(chan struct{})
	}
	db, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("sqlitequeue: open %s: %w", path, err)
	}
	q.db = db
	return q, nil
}

// Close ends the use of the file. Sends and consumers must have returned.
func (q *Queue) Close() error {
	if err := q.db.Close(); err != nil {
		return fmt.Errorf("sqlitequeue: close: %w", err)
	}
	return nil
}

// definition of a queue.
func (q *Queue) definition(name string) (Definition, error) {
	d, ok := q.definitions[name]
	if !ok {
		return Definition{}, fmt.Errorf("sqlitequeue: there is no queue %q", name)
	}
	return d, nil
}

// Send puts every message into the queue, or none.
func (q *Queue) Send(ctx context.Context, name string, messages ...queue.Message) error {
	if _, err := q.definition(name); err != nil {
		return err
	}
	if err := queue.Check(messages...); err != nil {
		return fmt.Errorf("sqlitequeue: send to %s: %w", name, err)
	}
	err := q.change(ctx, func(tx *sql.Tx) error {
		put, err := tx.PrepareContext(ctx, "INSERT INTO messages (queue, body, due) VALUES (?, ?, ?)")
		if err != nil {
			return err
		}
		defer put.Close()
		now := q.clock.Now()
		for _, message := range messages {
			if _, err := put.ExecContext(ctx, name, message.Body, now.Add(message.Delay).UnixMilli()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return failed(ctx, "send to", name, err)
	}
	q.watch.tell(name)
	return nil
}

// change runs a transaction that writes.
func (q *Queue) change(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := q.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // of no effect after Commit
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// failed returns the port's error for an error of SQLite, or the context's.
func failed(ctx context.Context, doing, name string, err error) error {
	if ctx.Err() != nil { // an interrupted statement has an error of its own
		return fmt.Errorf("sqlitequeue: %s %s: %w", doing, name, ctx.Err())
	}
	kind := queue.ErrUnavailable
	if sqlitefile.Busy(err) {
		kind = queue.ErrThrottled
	}
	return fmt.Errorf("sqlitequeue: %s %s: %w: %w", doing, name, kind, err)
}
