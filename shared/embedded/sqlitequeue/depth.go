package sqlitequeue

import (
	"context"
	"database/sql"
	"fmt"

	"earshot/shared/port/queue"
)

// A Depth is how many messages a queue holds.
type Depth struct {
	Waiting  int // to be consumed now
	Delayed  int // sent, and not due yet
	InFlight int // hidden: with a consumer, or failed and to come again
	Dead     int // dead letters
}

// Depth counts the messages of a queue.
func (q *Queue) Depth(ctx context.Context, name string) (Depth, error) {
	d, err := q.definition(name)
	if err != nil {
		return Depth{}, err
	}
	var depth Depth
	err = q.change(ctx, func(tx *sql.Tx) error {
		now := q.clock.Now()
		if err := bury(ctx, tx, d, now); err != nil {
			return err
		}
		var alive, unseen, dead int
		if err := tx.QueryRowContext(ctx,
			"SELECT count(*), count(*) FILTER (WHERE receives = 0) FROM messages WHERE queue = ? AND dead IS NULL",
			name).
			Scan(&alive, &unseen); err != nil {
			return err
		}
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM messages WHERE queue = ? AND dead IS NOT NULL", name).
			Scan(&dead); err != nil {
			return err
		}
		var due, unseenDue int
		if err := tx.QueryRowContext(ctx, "SELECT count(*), count(*) FILTER (WHERE receives = 0) FROM messages WHERE "+isDue,
			dueArgs(d, now)...).
			Scan(&due, &unseenDue); err != nil {
			return err
		}
		depth = Depth{
			Waiting:  due,
			Delayed:  unseen - unseenDue,
			InFlight: alive - unseen - (due - unseenDue),
			Dead:     dead,
		}
		return nil
	})
	if err != nil {
		return Depth{}, failed(ctx, "count", name, err)
	}
	return depth, nil
}

// MaxDead is how many dead letters Dead returns.
const MaxDead = 100

// Dead returns the dead letters of a queue, the oldest messages first, at most MaxDead.
func (q *Queue) Dead(ctx context.Context, name string) (letters []queue.Delivery, err error) {
	d, err := q.definition(name)
	if err != nil {
		return nil, err
	}
	err = q.change(ctx, func(tx *sql.Tx) error {
		if err := bury(ctx, tx, d, q.clock.Now()); err != nil {
			return err
		}
		rows, err := tx.QueryContext(
			ctx, "SELECT id, body, receives FROM messages WHERE queue = ? AND dead IS NOT NULL ORDER BY id LIMIT ?",
			name, MaxDead,
		)
		if err != nil {
			return err
		}
		letters, err = deliveries(rows)
		return err
	})
	if err != nil {
		return nil, failed(ctx, "list dead letters of", name, err)
	}
	return letters, nil
}

// Redrive puts all dead letters of a queue back into it as new messages, and returns how many. A letter that a slow
// consumer still handles goes to another consumer too, as does any message whose visibility timeout is over.
func (q *Queue) Redrive(ctx context.Context, name string) (int, error) {
	d, err := q.definition(name)
	if err != nil {
		return 0, err
	}
	var count int64
	err = q.change(ctx, func(tx *sql.Tx) error {
		now := q.clock.Now()
		if err := bury(ctx, tx, d, now); err != nil {
			return err
		}
		result, err := tx.ExecContext(
			ctx, "UPDATE messages SET dead = NULL, receives = 0, due = ? WHERE queue = ? AND dead IS NOT NULL",
			now.UnixMilli(), name,
		)
		if err != nil {
			return err
		}
		count, err = result.RowsAffected()
		return err
	})
	if err != nil {
		return 0, failed(ctx, "redrive", name, err)
	}
	q.watch.tell(name)
	return int(count), nil
}

// Release makes due at once, in all queues, the messages that a consumer took and neither deleted nor gave up. These
// include messages that wait for another try. It returns how many. Call it before the first consumer of the file starts.
func (q *Queue) Release(ctx context.Context) (int, error) {
	now := q.clock.Now().UnixMilli()
	result, err := q.db.ExecContext(
		ctx, "UPDATE messages SET due = ? WHERE dead IS NULL AND receives > 0 AND due > ?", now, now,
	)
	if err != nil {
		return 0, fmt.Errorf("sqlitequeue: release messages: %w", err)
	}
	for name := range q.definitions {
		q.watch.tell(name)
	}
	count, err := result.RowsAffected()
	return int(count), err
}
