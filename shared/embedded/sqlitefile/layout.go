package sqlitefile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// A Layout describes the file of one adapter.
type Layout struct {
	Application uint32 // four letters that say whose file it is
	Version     int    // of the SQL, 1 or more; raise it when that changes
	SQL         string // makes the tables
	Later       []Table
}

// A Table was added to a layout after its version. A file that lacks it gets it. Older programs must be able to go on
// writing such a file. A table for which that does not hold needs another version of the layout.
type Table struct {
	Name string
	SQL  string // makes the table, its indexes, and its rows for what the file already holds; may be several statements
}

// OpenLayout opens the file, and makes it if it is missing, for one connection that writes. It makes missing tables:
// all in a new file, the later ones in a file of the same version. patience is how long it, and each statement, waits
// for another process. Returns *ErrOtherVersion for a file of another program or version, and *ErrDamaged for an
// incomplete database. Both leave the file untouched.
func OpenLayout(path string, patience time.Duration, layout Layout) (*sql.DB, error) {
	if err := Make(path, layout.Application); err != nil {
		return nil, err
	}
	db, err := Open(path, patience, true, "journal_mode(WAL)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // goroutines wait in line here; only processes compete for the file
	// Several processes with a new file turn its log on at once. SQLite then reports busy without waiting, because
	// waiting could deadlock.
	for began := time.Now(); ; {
		err := layout.prepare(db)
		if err == nil {
			return db, nil
		}
		if !Busy(err) || time.Since(began) > patience {
			return nil, Explain(path, errors.Join(err, db.Close()))
		}
		time.Sleep(rand.N(20 * time.Millisecond))
	}
}

func (l Layout) prepare(db *sql.DB) error {
	tx, err := db.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // of no effect after Commit
	var application uint32
	var version, objects int
	if err := errors.Join(
		tx.QueryRow("PRAGMA application_id").Scan(&application),
		tx.QueryRow("PRAGMA user_version").Scan(&version),
		tx.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&objects),
	); err != nil {
		return fmt.Errorf("read version: %w", err)
	}
	// As Make makes the file, or made it once.
	if (application == l.Application || application == 0) && version == 0 && objects == 0 {
		pragmas := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", l.Application, l.Version)
		if _, err := tx.Exec(pragmas + l.SQL); err != nil {
			return err
		}
	} else if application != l.Application || version != l.Version {
		return &ErrOtherVersion{application, version, l}
	}
	if err := l.addLater(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// addLater makes the later tables that are missing.
func (l Layout) addLater(tx *sql.Tx) error {
	for _, table := range l.Later {
		var there bool
		if err := tx.QueryRow("SELECT count(*) > 0 FROM sqlite_schema WHERE type = 'table' AND name = ?", table.Name).
			Scan(&there); err != nil {
			return fmt.Errorf("look for table %q: %w", table.Name, err)
		}
		if there {
			continue
		}
		if _, err := tx.Exec(table.SQL); err != nil {
			return fmt.Errorf("add table %q: %w", table.Name, err)
		}
	}
	return nil
}

// ErrOtherVersion is the error of opening a file that another program or another version of this one has written.
type ErrOtherVersion struct {
	Application uint32
	Version     int
	Wanted      Layout
}

func (e *ErrOtherVersion) Error() string {
	return fmt.Sprintf(
		"the data is of another version: found application %#x with layout %d, wanted %#x with layout %d",
		e.Application, e.Version, e.Wanted.Application, e.Wanted.Version,
	)
}
