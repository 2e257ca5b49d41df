package sqlitefile_test

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/sqlitefile"
)

// first is a layout of one table, with what it holds; then has got two more since.
var (
	first = sqlitefile.Layout{
		Application: 7,
		Version:     1,
		SQL:         "CREATE TABLE words (word TEXT); INSERT INTO words VALUES ('cinder'), ('boulder');",
	}
	then = with(first,
		sqlitefile.Table{
			Name: "lengths",
			SQL:  "CREATE TABLE lengths (length INTEGER); INSERT INTO lengths SELECT length(word) FROM words;",
		},
		sqlitefile.Table{Name: "notes", SQL: "CREATE TABLE notes (note TEXT); CREATE INDEX noted ON notes (note);"})
)

func with(layout sqlitefile.Layout, later ...sqlitefile.Table) sqlitefile.Layout {
	layout.Later = later
	return layout
}

func open(t *testing.T, path string, layout sqlitefile.Layout) (*sql.DB, error) {
	t.Helper()
	db, err := sqlitefile.OpenLayout(path, 5*time.Second, layout)
	if err == nil {
		t.Cleanup(func() {
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return db, err
}

func opened(t *testing.T, path string, layout sqlitefile.Layout) *sql.DB {
	t.Helper()
	db, err := open(t, path, layout)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// holds compares what a query counts.
func holds(t *testing.T, db *sql.DB, query string, want int) {
	t.Helper()
	var got int
	if err := db.QueryRowContext(t.Context(), query).Scan(&got); err != nil || got != want {
		t.Errorf("%s: %d, want %d: %v", query, got, want, err)
	}
}

// A file gets the tables that came later, filled from what it holds, once; a new file has all of them from the start.
// The program of before has the file as it was.
func TestOpen_AddsLaterTables(t *testing.T) {
	for name, made := range map[string]sqlitefile.Layout{
		"a new file": then, "of the first layout": first, "of the one between": with(first, then.Later[:1]...),
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			old := opened(t, path, made)
			for _, table := range made.Later {
				holds(t, old, "SELECT count(*) FROM sqlite_schema WHERE name = '"+table.Name+"'", 1)
			}
			for range 2 {
				db := opened(t, path, then)
				holds(t, db, "SELECT count(*) FROM words", 2)
				holds(t, db, "SELECT sum(length) FROM lengths", len("cinder")+len("boulder"))
				holds(t, db, "SELECT count(*) FROM sqlite_schema WHERE name IN ('lengths', 'notes', 'noted')", 3)
			}
			if _, err := old.ExecContext(t.Context(), "INSERT INTO words VALUES ('ember')"); err != nil {
				t.Error(err)
			}
			holds(t, opened(t, path, made), "SELECT count(*) FROM words", 3)
		})
	}
}

// Many open an old file at once: the tables are added once.
func TestOpen_AddsLaterTablesOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	old := opened(t, path, first)
	faulttest.AtOnce(8, func(int) {
		if _, err := open(t, path, then); err != nil {
			t.Error(err)
		}
	})
	holds(t, old, "SELECT count(*) FROM lengths", 2)
}

// A table that cannot be added leaves the file as it was, without those before it.
func TestOpen_LaterTableFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	old := opened(t, path, first)
	broken := sqlitefile.Table{Name: "broken", SQL: "CREATE TABLE broken (x); INSERT INTO broken SELECT x FROM nowhere;"}
	if _, err := open(t, path, with(first, then.Later[0], broken)); err == nil ||
		!strings.Contains(err.Error(), `add table "broken"`) {
		t.Fatal(err)
	}
	holds(t, old, "SELECT count(*) FROM sqlite_schema", 1)
	holds(t, opened(t, path, then), "SELECT count(*) FROM lengths", 2)
}

// A file of another program or version is left alone.
func TestOpen_OtherVersion(t *testing.T) {
	for name, pragma := range map[string]string{"of another program": "application_id = 8",
		"of another version": "user_version = 2"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			db := opened(t, path, first)
			if _, err := db.ExecContext(t.Context(), "PRAGMA "+pragma); err != nil {
				t.Fatal(err)
			}
			var other *sqlitefile.ErrOtherVersion
			if _, err := open(t, path, then); !errors.As(err, &other) || other.Wanted.Version != 1 {
				t.Fatal(err)
			}
			holds(t, db, "SELECT count(*) FROM sqlite_schema", 1)
		})
	}
}
