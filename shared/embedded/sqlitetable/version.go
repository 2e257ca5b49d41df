package sqlitetable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"zombiezen.com/go/sqlite"

	"earshot/shared/port/table"
)

const (
	applicationID = 0x45415253 // "EARS": marks a file of this package
	layoutVersion = 3          // of the SQL tables and their rows; raise it with every change
	readVersion   = 1          // the oldest layout that this version reads and goes on with
)

// ErrOtherVersion is the error of opening a file that another program, another version of this one, or one with other
// schemas has written. The file is untouched.
type ErrOtherVersion struct{ Found, Wanted string }

func (e *ErrOtherVersion) Error() string {
	return fmt.Sprintf("the data is of another version: found %s, wanted %s", e.Found, e.Wanted)
}

func createMeta() []string {
	return []string{
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
		fmt.Sprintf("PRAGMA user_version = %d", layoutVersion),
		"CREATE TABLE schemas (name TEXT NOT NULL PRIMARY KEY, definition TEXT NOT NULL) WITHOUT ROWID",
	}
}

// prepare brings the file to these schemas, in one transaction, so that of several processes one does it.
func (t *Table) prepare(schemas []table.Schema) error {
	return t.writer.do(context.Background(), func(w *writer) error {
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
	application, err := w.number("PRAGMA application_id")
	version, versionErr := w.number("PRAGMA user_version")
	objects, objectsErr := w.number("SELECT count(*) FROM sqlite_schema")
	if err := errors.Join(err, versionErr, objectsErr); err != nil {
		return fmt.Errorf("read version: %w", err)
	}
	// As sqlitefile.Make makes the file, or made it once.
	if (application == applicationID || application == 0) && version == 0 && objects == 0 {
		for _, text := range createMeta() {
			if err := w.exec(text); err != nil {
				return err
			}
		}
		return nil
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
	// An older program cannot go on with the file: it needs its table of tokens. The version tells it so.
	return errors.Join(
		w.exec(fmt.Sprintf("PRAGMA user_version = %d", layoutVersion)), w.exec("DROP TABLE IF EXISTS tokens"),
	)
}

// number returns the number that a query has in its one row.
func (c *conn) number(query string) (number int, err error) {
	err = c.query(query, func(row *sqlite.Stmt) (more bool, err error) {
		number = row.ColumnInt(0)
		return false, nil
	})
	return number, err
}

func (w *writer) storedSchemas() (map[string]table.Schema, error) {
	stored := map[string]table.Schema{}
	err := w.query("SELECT name, definition FROM schemas", func(row *sqlite.Stmt) (more bool, err error) {
		var schema table.Schema
		if err := json.Unmarshal([]byte(row.ColumnText(1)), &schema); err != nil {
			return false, fmt.Errorf("schema %q: %w", row.ColumnText(0), err)
		}
		stored[row.ColumnText(0)] = schema
		return true, nil
	})
	if err != nil {
		return nil, fmt.Errorf("read schemas: %w", err)
	}
	return stored, nil
}

// prepareTable makes the table and its missing indexes.
func (t *Table) prepareTable(w *writer, l *layout, found table.Schema, known bool) error {
	name := l.schema.Name
	if !known {
		for _, text := range l.createTable() {
			if err := w.exec(text); err != nil {
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
	return w.exec("INSERT OR REPLACE INTO schemas VALUES (?, ?)", name, string(definition))
}

// backfill makes indexes and fills them from their table.
func (t *Table) backfill(w *writer, l *layout, missing []indexLayout) error {
	if len(missing) == 0 {
		return nil
	}
	for _, x := range missing {
		if err := w.exec(x.createIndex()); err != nil {
			return err
		}
	}
	var key table.Key
	for {
		items, err := t.items(
			w, l, "WHERE (pk, sk) > (?, ?) ORDER BY pk, sk LIMIT 200", key.Partition, key.Sort,
		)
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

// items returns the items of the rows that the end of a query selects.
func (t *Table) items(w *writer, l *layout, which string, values ...any) (items []table.Item, err error) {
	decoder := t.codec.page()
	err = w.query("SELECT pk, sk, size, item FROM "+l.name+" "+which, func(row *sqlite.Stmt) (more bool, err error) {
		_, item, err := decoder.row(row, columns())
		items = append(items, item)
		return true, err
	}, values...)
	return items, err
}
