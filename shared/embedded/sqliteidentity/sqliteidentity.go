// Package sqliteidentity implements the port identity on one SQLite file, for laptops, demos and tests, and lets people
// sign up there. It needs no cgo.
//
// A write survives the death of the process at any point. A loss of power may undo the last moments. Several processes
// may use one file.
//
// Only the workbench, tools and tests import it.
package sqliteidentity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"earshot/shared/embedded/sqlitefile"
	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
)

// A Directory is in one SQLite file. Close it.
type Directory struct {
	db    *sql.DB
	clock clock.Clock
}

var layout = sqlitefile.Layout{
	Application: 0x45415249, // "EARI"
	Version:     1,
	SQL: `
CREATE TABLE accounts (
	number INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of signing up
	id TEXT NOT NULL UNIQUE,
	folded TEXT NOT NULL UNIQUE, -- identity.Fold of the address
	email TEXT NOT NULL,
	name TEXT NOT NULL
);
CREATE TABLE members (
	member_group TEXT NOT NULL,
	account TEXT NOT NULL REFERENCES accounts (id),
	PRIMARY KEY (member_group, account)
) WITHOUT ROWID;
CREATE INDEX memberships ON members (account);`,
	// The first member of a group makes it, also when an older program adds the member, which knows groups only by
	// their members.
	Later: []sqlitefile.Table{{Name: "groups", SQL: `
CREATE TABLE groups (name TEXT PRIMARY KEY) WITHOUT ROWID;
INSERT INTO groups SELECT DISTINCT member_group FROM members;
CREATE TRIGGER group_of_member AFTER INSERT ON members BEGIN
	INSERT INTO groups VALUES (new.member_group) ON CONFLICT DO NOTHING;
END;`}},
}

// busyPatience is how long an operation waits for another process before it is ErrUnavailable.
const busyPatience = 5 * time.Second

// Open opens the file, and creates it if it is missing. Its folder must exist. The clock goes into the ids of new
// accounts.
func Open(path string, clock clock.Clock) (*Directory, error) {
	db, err := sqlitefile.OpenLayout(path, busyPatience, layout)
	if err != nil {
		return nil, fmt.Errorf("sqliteidentity: open %s: %w", path, err)
	}
	return &Directory{db, clock}, nil
}

// Close ends the use of the file. Operations must have returned.
func (d *Directory) Close() error {
	if err := d.db.Close(); err != nil {
		return fmt.Errorf("sqliteidentity: close: %w", err)
	}
	return nil
}

// Account finds an account by its address.
func (d *Directory) Account(ctx context.Context, email string) (identity.Account, error) {
	if err := ctx.Err(); err != nil {
		return identity.Account{}, fmt.Errorf("sqliteidentity: find: %w", err)
	}
	if !identity.CanBeEmail(email) {
		return identity.Account{}, identity.ErrNoAccount
	}
	account, err := find(ctx, d.db, email)
	if err != nil {
		return identity.Account{}, failed(ctx, "find", err)
	}
	return account, nil
}

// Join adds an account to a group.
func (d *Directory) Join(ctx context.Context, group, accountID string) error {
	if group == "" {
		return errNoName
	}
	return d.change(ctx, "join", func(tx *sql.Tx) error {
		result, err := tx.ExecContext(
			ctx,
			"INSERT INTO members SELECT ?, id FROM accounts WHERE id = ? ON CONFLICT DO UPDATE SET account = excluded.account",
			group, accountID,
		)
		if err != nil {
			return err
		}
		if joined, err := result.RowsAffected(); err != nil || joined > 0 {
			return err
		}
		return identity.ErrNoAccount
	})
}

// Leave takes an account out of a group.
func (d *Directory) Leave(ctx context.Context, group, accountID string) error {
	return d.change(ctx, "leave", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM members WHERE member_group = ? AND account = ?", group, accountID)
		return err
	})
}

// errNoName is the error of making a group without a name.
var errNoName = errors.New("sqliteidentity: the group has no name")

// CreateGroup makes a group.
func (d *Directory) CreateGroup(ctx context.Context, group string) error {
	if group == "" {
		return errNoName
	}
	return d.change(ctx, "make a group", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO groups VALUES (?) ON CONFLICT DO NOTHING", group)
		return err
	})
}

// DeleteGroup takes a group away.
func (d *Directory) DeleteGroup(ctx context.Context, group string) error {
	return d.change(ctx, "delete a group", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM members WHERE member_group = ?", group); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM groups WHERE name = ?", group)
		return err
	})
}

// change runs a transaction that writes.
func (d *Directory) change(ctx context.Context, doing string, do func(tx *sql.Tx) error) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return failed(ctx, doing, err)
	}
	defer tx.Rollback() // of no effect after Commit
	if err := do(tx); err != nil {
		return failed(ctx, doing, err)
	}
	if err := tx.Commit(); err != nil {
		return failed(ctx, doing, err)
	}
	return nil
}

// failed returns the port's error for an error of SQLite, or the context's.
func failed(ctx context.Context, doing string, err error) error {
	switch {
	case errors.Is(err, identity.ErrNoAccount), errors.Is(err, ErrInvalid):
		return fmt.Errorf("sqliteidentity: %s: %w", doing, err)
	case ctx.Err() != nil: // an interrupted statement has an error of its own
		return fmt.Errorf("sqliteidentity: %s: %w", doing, ctx.Err())
	}
	return fmt.Errorf("sqliteidentity: %s: %w: %w", doing, identity.ErrUnavailable, err)
}
