package sqlitequeue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"earshot/shared/embedded/sqlitefile"
)

const (
	applicationID = 0x45415251 // "EARQ": marks a file of this package
	layoutVersion = 1          // of the SQL table; raise it with every change
)

// busyPatience is how long an operation waits for another process before it is ErrThrottled.
const busyPatience = 5 * time.Second

// due and dead are milliseconds since 1970 by the clock: when the message may arrive (again), and when it became a dead
// letter. dead is NULL for other messages.
const layout = `
CREATE TABLE messages (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	queue TEXT NOT NULL,
	body BLOB NOT NULL,
	due INTEGER NOT NULL,
	receives INTEGER NOT NULL DEFAULT 0,
	dead INTEGER
);
CREATE INDEX alive ON messages (queue, due) WHERE dead IS NULL;
CREATE INDEX dead ON messages (queue, id) WHERE dead IS NOT NULL;`

func open(path string) (*sql.DB, error) {
	if err := sqlitefile.Make(path, applicationID); err != nil {
		return nil, err
	}
	db, err := sqlitefile.Open(path, busyPatience, true, "journal_mode(WAL)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // goroutines wait in line here; only processes compete for the file
	if err := prepare(db); err != nil {
		return nil, sqlitefile.Explain(path, errors.Join(err, db.Close()))
	}
	return db, nil
}

// prepare makes the table in a new file. Several processes with a new file turn its log on at once. SQLite then reports
// busy without waiting, because waiting could deadlock.
func prepare(db *sql.DB) error {
	for began := time.Now(); ; {
		err := prepareOnce(db)
		if !sqlitefile.Busy(err) || time.Since(began) > busyPatience {
			return err
		}
		time.Sleep(rand.N(20 * time.Millisecond))
	}
}

func prepareOnce(db *sql.DB) error {
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // of no effect after Commit
	var application, version, objects int
	if err := errors.Join(
		tx.QueryRow("PRAGMA application_id").Scan(&application),
		tx.QueryRow("PRAGMA user_version").Scan(&version),
		tx.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&objects),
	); err != nil {
		return fmt.Errorf("read version: %w", err)
	}
	// As Make makes the file, or made it once.
	if (application == applicationID || application == 0) && version == 0 && objects == 0 {
		pragmas := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, layoutVersion)
		if _, err := tx.Exec(pragmas + layout); err != nil {
			return err
		}
		return tx.Commit()
	}
	if application != applicationID || version != layoutVersion {
		return &ErrOtherVersion{application, version}
	}
	return nil
}

// ErrOtherVersion is the error of opening a file that another program, or another version of this one, has written. The
// file is untouched.
type ErrOtherVersion struct{ Application, Layout int }

func (e *ErrOtherVersion) Error() string {
	return fmt.Sprintf(
		"the data is of another version: found application %#x with layout %d, wanted %#x with layout %d",
		e.Application, e.Layout, applicationID, layoutVersion,
	)
}
