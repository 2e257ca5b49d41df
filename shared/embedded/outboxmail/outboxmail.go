// Package outboxmail implements the port mail on one SQLite file, for laptops, demos and tests. Mails stay in the file,
// where they can be read. It needs no cgo.
//
// A sent mail is in the file until the outbox is emptied. It survives the death of the process at any point. A loss of
// power may undo the last moments. Several processes may use one file.
//
// Only the workbench, tools and tests import it.
package outboxmail

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"earshot/shared/embedded/sqlitefile"
	"earshot/shared/port/clock"
	"earshot/shared/port/mail"
)

// An Outbox takes mails and keeps them. Close it.
type Outbox struct {
	db    *sql.DB
	clock clock.Clock
}

var layout = sqlitefile.Layout{
	Application: 0x4541524D, // "EARM"
	Version:     1,
	SQL: `
CREATE TABLE mails (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	recipient TEXT NOT NULL,
	subject TEXT NOT NULL,
	text TEXT NOT NULL,
	html TEXT NOT NULL,
	sent INTEGER NOT NULL -- milliseconds since 1970, by the clock
);`,
	Later: []sqlitefile.Table{{Name: "envelopes", SQL: `
CREATE TABLE envelopes ( -- of mails that have more than texts
	mail INTEGER PRIMARY KEY, -- its id; one that was deleted is not used again
	unsubscribe TEXT NOT NULL,
	workspace TEXT NOT NULL
);`}},
}

// busyPatience is how long an operation waits for another process before it is ErrThrottled.
const busyPatience = 5 * time.Second

// Open opens the file, and creates it if it is missing. Its folder must exist. The clock sets the time of a mail.
func Open(path string, clock clock.Clock) (*Outbox, error) {
	db, err := sqlitefile.OpenLayout(path, busyPatience, layout)
	if err != nil {
		return nil, fmt.Errorf("outboxmail: open %s: %w", path, err)
	}
	return &Outbox{db, clock}, nil
}

// Close ends the use of the file. Operations must have returned.
func (o *Outbox) Close() error {
	if err := o.db.Close(); err != nil {
		return fmt.Errorf("outboxmail: close: %w", err)
	}
	return nil
}

// Send puts a message into the outbox.
func (o *Outbox) Send(ctx context.Context, message mail.Message) error {
	if err := mail.Check(message); err != nil {
		return fmt.Errorf("outboxmail: %w", err)
	}
	if err := o.keep(ctx, message); err != nil {
		return failed(ctx, "send", err)
	}
	return nil
}

func (o *Outbox) keep(ctx context.Context, message mail.Message) error {
	tx, err := o.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // of no effect after Commit
	kept, err := tx.ExecContext(ctx, "INSERT INTO mails (recipient, subject, text, html, sent) VALUES (?, ?, ?, ?, ?)",
		message.To, message.Subject, message.Text, message.HTML, o.clock.Now().UnixMilli())
	if err != nil {
		return err
	}
	if message.Unsubscribe != "" || message.Workspace != "" {
		id, err := kept.LastInsertId()
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO envelopes (mail, unsubscribe, workspace) VALUES (?, ?, ?)",
			id, message.Unsubscribe, message.Workspace)
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}

// A Sent is a mail in the outbox.
type Sent struct {
	mail.Message
	At time.Time // UTC, to the millisecond
}

// List returns the last mails, latest first, at most limit.
func (o *Outbox) List(ctx context.Context, limit int) ([]Sent, error) {
	rows, err := o.db.QueryContext(
		ctx, "SELECT recipient, subject, text, html, sent, coalesce(unsubscribe, ''), coalesce(workspace, '') "+
			"FROM mails LEFT JOIN envelopes ON mail = id ORDER BY id DESC LIMIT ?", limit,
	)
	if err != nil {
		return nil, failed(ctx, "list", err)
	}
	defer rows.Close()
	var mails []Sent
	for rows.Next() {
		var sent Sent
		var at int64
		if err := rows.Scan(
			&sent.To, &sent.Subject, &sent.Text, &sent.HTML, &at, &sent.Unsubscribe, &sent.Workspace,
		); err != nil {
			return nil, failed(ctx, "list", err)
		}
		sent.At = time.UnixMilli(at).UTC()
		mails = append(mails, sent)
	}
	if err := rows.Err(); err != nil {
		return nil, failed(ctx, "list", err)
	}
	return mails, nil
}

// Empty takes every mail out.
func (o *Outbox) Empty(ctx context.Context) error {
	if _, err := o.db.ExecContext(ctx, "DELETE FROM envelopes; DELETE FROM mails"); err != nil {
		return failed(ctx, "empty", err)
	}
	return nil
}

// failed returns the port's error for an error of SQLite, or the context's.
func failed(ctx context.Context, doing string, err error) error {
	if ctx.Err() != nil { // an interrupted statement has an error of its own
		return fmt.Errorf("outboxmail: %s: %w", doing, ctx.Err())
	}
	kind := mail.ErrUnavailable
	if sqlitefile.Busy(err) {
		kind = mail.ErrThrottled
	}
	return fmt.Errorf("outboxmail: %s: %w: %w", doing, kind, err)
}
