package sqlitequeue

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/port/queue"
)

// isDue is the condition that a living message may arrive. Its time has come, or is further ahead than any time that
// this package sets: then the clock has been set back since. dueArgs returns its parameters.
const isDue = "queue = ? AND dead IS NULL AND (due <= ? OR due > ?)"

func dueArgs(d Definition, now time.Time) []any {
	return []any{d.Name, now.UnixMilli(), farthest(d, now)}
}

// take lets up to n due messages come: it hides them for the queue's visibility.
func (q *Queue) take(ctx context.Context, d Definition, n int) (taken []queue.Delivery, err error) {
	err = q.change(ctx, func(tx *sql.Tx) error {
		now := q.clock.Now()
		if err := bury(ctx, tx, d, now); err != nil {
			return err
		}
		args := append([]any{now.Add(d.Visibility).UnixMilli()}, dueArgs(d, now)...)
		rows, err := tx.QueryContext(
			ctx,
			"UPDATE messages SET receives = receives + 1, due = ? WHERE id IN (SELECT id FROM messages WHERE "+
				isDue+" ORDER BY due, id LIMIT ?) RETURNING id, body, receives",
			append(args, n)...)
		if err != nil {
			return err
		}
		taken, err = deliveries(rows)
		return err
	})
	if len(taken) > 0 {
		q.watch.tell(d.Name) // what the others found has changed
	}
	return taken, err
}

func deliveries(rows *sql.Rows) (found []queue.Delivery, err error) {
	defer rows.Close()
	for rows.Next() {
		var id int64
		var delivery queue.Delivery
		if err := rows.Scan(&id, &delivery.Body, &delivery.Receives); err != nil {
			return nil, err
		}
		delivery.ID = strconv.FormatInt(id, 10)
		found = append(found, delivery)
	}
	return found, rows.Err()
}

// bury makes dead letters of the messages that would come once too often.
func bury(ctx context.Context, tx *sql.Tx, d Definition, now time.Time) error {
	args := append([]any{now.UnixMilli()}, dueArgs(d, now)...)
	_, err := tx.ExecContext(
		ctx,
		"UPDATE messages SET dead = ? WHERE "+isDue+" AND receives >= ?",
		append(args, d.MaxReceives)...)
	return err
}

// waiting counts the messages that are due, up to n, and lets the watch know when others are.
func (q *Queue) waiting(ctx context.Context, d Definition, n int) (count int, err error) {
	args := append(dueArgs(d, q.clock.Now()), n, d.Name)
	var found outlook
	if err := q.db.QueryRowContext(
		ctx,
		"SELECT (SELECT count(*) FROM (SELECT 1 FROM messages WHERE "+isDue+" LIMIT ?)), "+
			"ifnull(min(due), 0), ifnull(max(due), 0) FROM messages WHERE queue = ? AND dead IS NULL",
		args...,
	).Scan(&count, &found.first, &found.last); err != nil {
		return 0, err
	}
	q.watch.found(d.Name, found)
	return count, nil
}

// remove takes messages that are done with out of the file. Some may be gone: another consumer had them as well.
func (q *Queue) remove(ctx context.Context, done []queue.Delivery, failed []string) error {
	var ids []string
	for _, delivery := range done {
		if !slices.Contains(failed, delivery.ID) {
			ids = append(ids, delivery.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	// Each is a number that this package wrote.
	_, err := q.db.ExecContext(ctx, fmt.Sprintf("DELETE FROM messages WHERE id IN (%s)", strings.Join(ids, ",")))
	return err
}
