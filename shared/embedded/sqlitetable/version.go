package sqlitetable

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"earshot/shared/port/table"
)

const (
	applicationID = 0x45415253 // "EARS": marks a file of this package
	layoutVersion = 2          // of the SQL tables and their rows; raise it with every change
	readVersion   = 1          // the oldest layout that this version reads and goes on with
)

// ErrOtherVersion is the error of opening a file that another program, another version of this one, or one with other
// schemas has written. The file is untouched.
type ErrOtherVersion struct{ Found, Wanted string }

func (e *ErrOtherVersion) Error() string {
	return fmt.Sprintf("the data is of another version: found %s, wanted %s", e.Found, e.Wanted)
}

const createMeta = `
CREATE TABLE schemas (name TEXT NOT NULL PRIMARY KEY, definition TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tokens (token TEXT NOT NULL PRIMARY KEY, digest BLOB NOT NULL, expires INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX tokensByExpiry ON tokens (expires);`

// prepare brings the file to these schemas, in one transaction, so that of several processes one does it.
func (t *Table) prepare(schemas []table.Schema) error {
	return t.writer.do(background(), func(w *writer) error {
		if err := w.prepareFile(); err != nil {
			return err
		}
		stored, err := w.storedSchemas()
		if err != nil {
			return err
		}
		for name := range stored {
			if _, known := t.tables[name]; !known {
				return &ErrOtherVersion{Found: fmt.Sprintf("table %q", name), Wanted: "no such table"}
			}
		}
		for _, schema := range schemas {
			found, known := stored[schema.Name]
			if err := t.prepareTable(w, t.tables[schema.Name], found, known); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *writer) prepareFile() error {
	var application, version, objects int
	if err := errors.Join(
		w.conn.QueryRowContext(background(), "PRAGMA application_id").Scan(&application),
		w.conn.QueryRowContext(background(), "PRAGMA user_version").Scan(&version),
		w.conn.QueryRowContext(background(), "SELECT count(*) FROM sqlite_schema").Scan(&objects),
	); err != nil {
		return fmt.Errorf("read version: %w", err)
	}
	// As sqlitefile.Make makes the file, or made it once.
	if (application == applicationID || application == 0) && version == 0 && objects == 0 {
		_, err := w.conn.ExecContext(
			background(),
			fmt.Sprintf(
				"PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, layoutVersion,
			)+createMeta,
		)
		return err
	}
	if application != applicationID {
		return &ErrOtherVersion{fmt.Sprintf("application id %#x", application), fmt.Sprintf("%#x", applicationID)}
	}
	if version < readVersion || version > layoutVersion {
		return &ErrOtherVersion{fmt.Sprintf("layout %d", version), fmt.Sprintf("layout %d", layoutVersion)}
	}
	if version == layoutVersion {
		return nil
	}
	// A program of before could not read the rows that are written from now on, and finds that out by this.
	_, err := w.conn.ExecContext(background(), fmt.Sprintf("PRAGMA user_version = %d", layoutVersion))
	return err
}

func (w *writer) storedSchemas() (map[string]table.Schema, error) {
	rows, err := w.conn.QueryContext(background(), "SELECT name, definition FROM schemas")
	if err != nil {
		return nil, fmt.Errorf("read schemas: %w", err)
	}
	defer rows.Close()
	stored := map[string]table.Schema{}
	for rows.Next() {
		var name, definition string
		if err := rows.Scan(&name, &definition); err != nil {
			return nil, fmt.Errorf("read schemas: %w", err)
		}
		var schema table.Schema
		if err := json.Unmarshal([]byte(definition), &schema); err != nil {
			return nil, fmt.Errorf("read schema %q: %w", name, err)
		}
		stored[name] = schema
	}
	return stored, rows.Err()
}

// prepareTable makes the table and its missing indexes.
func (t *Table) prepareTable(w *writer, l *layout, found table.Schema, known bool) error {
	name := l.schema.Name
	if !known {
		for _, text := range l.createTable() {
			if _, err := w.conn.ExecContext(background(), text); err != nil {
				return fmt.Errorf("create table %q: %w", name, err)
			}
		}
	}
	left := len(found.Indexes)
	var missing []indexLayout
	for _, x := range l.indexes {
		at := slices.IndexFunc(found.Indexes, func(f table.Index) bool { return f.Name == x.index.Name })
		if at < 0 {
			missing = append(missing, x)
			continue
		}
		left--
		if f := found.Indexes[at]; f.Partition != x.index.Partition || f.Sort != x.index.Sort ||
			!slices.Equal(f.Projection(), x.index.Projection()) {
			return &ErrOtherVersion{fmt.Sprintf("table %q with %+v", name, f), fmt.Sprintf("%+v", x.index)}
		}
	}
	if left > 0 {
		return &ErrOtherVersion{
			fmt.Sprintf("table %q with %+v", name, found.Indexes), fmt.Sprintf("%+v", l.schema.Indexes),
		}
	}
	if known && len(missing) == 0 {
		return nil
	}
	if err := t.backfill(w, l, missing); err != nil {
		return fmt.Errorf("add indexes to table %q: %w", name, err)
	}
	definition, err := json.Marshal(l.schema)
	if err != nil {
		return fmt.Errorf("write schema %q: %w", name, err)
	}
	_, err = w.conn.ExecContext(background(), "INSERT OR REPLACE INTO schemas VALUES (?, ?)", name, string(definition))
	return err
}

// backfill makes indexes and fills them from their table.
func (t *Table) backfill(w *writer, l *layout, missing []indexLayout) error {
	if len(missing) == 0 {
		return nil
	}
	for _, x := range missing {
		if _, err := w.conn.ExecContext(background(), x.createIndex()); err != nil {
			return err
		}
	}
	// A page at a time: a statement that still reads holds the connection.
	var key table.Key
	for {
		items, err := t.itemsAfter(w, l, key)
		if err != nil || len(items) == 0 {
			return err
		}
		for _, item := range items {
			for _, x := range missing {
				if err := t.putRow(w, x, x.index.Row(item)); err != nil {
					return err
				}
			}
			key = table.KeyOf(item)
		}
	}
}

func (t *Table) itemsAfter(w *writer, l *layout, key table.Key) ([]table.Item, error) {
	rows, err := w.query("SELECT pk, sk, size, item FROM "+l.name+" WHERE (pk, sk) > (?, ?) ORDER BY pk, sk LIMIT 200",
		key.Partition, key.Sort)
	if err != nil {
		return nil, err
	}
	return t.items(rows)
}

func (t *Table) items(rows *sql.Rows) ([]table.Item, error) {
	defer rows.Close()
	var items []table.Item
	decoder := t.codec.page()
	for rows.Next() {
		_, item, err := decoder.row(rows, columns())
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, rows.Err()
}
