package sqlitetable_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/port/clock"
	"earshot/shared/port/table"
)

var byColor = table.Index{Name: "byColor", Partition: "color", Sort: "sk", Project: []string{"n"}}

// reopen fills a file of one table without an index and opens it with other schemas.
func reopen(t *testing.T, schemas []table.Schema) (*sqlitetable.Table, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "odd name?#%20&.db")
	first, err := sqlitetable.Open(path, []table.Schema{{Name: "a"}, {Name: "b", Indexes: []table.Index{byColor}}},
		sqlitetable.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 450 { // more than a page of the backfill
		for _, name := range []string{"a", "b"} {
			if err := first.Put(t.Context(), table.Put{Table: name, Item: table.Item{
				"pk": fmt.Sprint(i % 7), "sk": fmt.Sprintf("%03d", i), "color": "red", "n": int64(i)}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	second, err := sqlitetable.Open(path, schemas, sqlitetable.Options{})
	if err == nil {
		t.Cleanup(func() { _ = second.Close() })
	}
	return second, err
}

func TestOpen_AddsTablesAndIndexes(t *testing.T) {
	opened, err := reopen(t, []table.Schema{
		{Name: "a", Indexes: []table.Index{byColor}}, {Name: "b", Indexes: []table.Index{byColor}}, {Name: "c"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		page, err := opened.Query(t.Context(), table.Query{Table: name, Index: "byColor", Partition: "red"})
		if err != nil || len(page.Items) != 450 {
			t.Fatalf("Query(%s, byColor) = %d items, %v, want 450", name, len(page.Items), err)
		}
		if want := (table.Item{"pk": "3", "sk": "003", "color": "red", "n": int64(3)}); !reflect.DeepEqual(page.Items[3], want) {
			t.Fatalf("Query(%s, byColor) has %v for item 3, want %v", name, page.Items[3], want)
		}
	}
}

func TestOpen_OtherSchema(t *testing.T) {
	other := byColor
	other.Project = nil
	for name, schemas := range map[string][]table.Schema{
		"a table less":       {{Name: "a"}},
		"an index less":      {{Name: "a"}, {Name: "b"}},
		"another projection": {{Name: "a"}, {Name: "b", Indexes: []table.Index{other}}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := reopen(t, schemas)
			var version *sqlitetable.ErrOtherVersion
			if !errors.As(err, &version) || version.Found == "" || version.Wanted == "" {
				t.Fatal(err)
			}
		})
	}
}

func TestOpen_OtherFile(t *testing.T) {
	for name, pragma := range map[string]string{
		"of another program": "CREATE TABLE x (y)",
		"of another id":      "PRAGMA application_id = 7",
		"of another layout":  "PRAGMA application_id = 1161908819; PRAGMA user_version = 99; CREATE TABLE x (y)",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			db, err := sql.Open("sqlite", path)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(pragma); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			_, err = sqlitetable.Open(path, nil, sqlitetable.Options{})
			var version *sqlitetable.ErrOtherVersion
			if !errors.As(err, &version) {
				t.Fatal(err)
			}
		})
	}
	if _, err := sqlitetable.Open(filepath.Join(t.TempDir(), "no folder", "x.db"), nil, sqlitetable.Options{}); err == nil {
		t.Fatal("it made a folder")
	}
}

// The second that expiresAt names is the first in which the item is expired; opening sweeps.
func TestExpiry_BySecond(t *testing.T) {
	path, at := filepath.Join(t.TempDir(), "x.db"), time.Unix(2_000_000_000, 0)
	now := &clock.Adjustable{}
	schemas := []table.Schema{{Name: "a", Indexes: []table.Index{byColor}}}
	opened, err := sqlitetable.Open(path, schemas, sqlitetable.Options{Clock: now})
	if err != nil {
		t.Fatal(err)
	}
	get := table.Get{Table: "a", Key: table.Key{Partition: "p", Sort: "s"}}
	item := table.Item{"pk": "p", "sk": "s", "color": "red", "expiresAt": at.Unix()}
	now.Freeze(at.Add(-time.Nanosecond))
	if err := opened.Put(t.Context(), table.Put{Table: "a", Item: item}); err != nil {
		t.Fatal(err)
	}
	if got, err := opened.Get(t.Context(), get); err != nil || got == nil {
		t.Fatal("a moment before:", got, err)
	}
	now.Freeze(at)
	if got, err := opened.Get(t.Context(), get); err != nil || got != nil {
		t.Fatal("on time:", got, err)
	}
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}
	swept := open(t, path, schemas, sqlitetable.Options{Clock: now})
	now.Freeze(at.Add(-time.Hour)) // what is swept does not come back
	for _, index := range []string{"", "byColor"} {
		partition := map[string]string{"": "p", "byColor": "red"}[index]
		page, err := swept.Query(t.Context(), table.Query{Table: "a", Index: index, Partition: partition})
		if err != nil || page.Items != nil {
			t.Fatalf("Query(index %q) = %v, %v, want none", index, page.Items, err)
		}
	}
}

// An index that lags catches up when the table is closed. A closed table is read no more.
func TestClose_IndexCatchesUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	schemas := []table.Schema{{Name: "a", Indexes: []table.Index{byColor}}}
	opened, err := sqlitetable.Open(path, schemas, sqlitetable.Options{Misbehave: sqlitetable.Misbehave{IndexLag: true}})
	if err != nil {
		t.Fatal(err)
	}
	if err := opened.Put(t.Context(), table.Put{Table: "a", Item: table.Item{"pk": "p", "sk": "s", "color": "red"}}); err != nil {
		t.Fatal(err)
	}
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}
	red := table.Query{Table: "a", Index: "byColor", Partition: "red"}
	if page, err := opened.Query(t.Context(), red); err == nil {
		t.Errorf("Query(byColor) of a closed table = %v, want an error", page.Items)
	}
	page, err := open(t, path, schemas, sqlitetable.Options{}).Query(t.Context(), red)
	if err != nil || len(page.Items) != 1 {
		t.Fatalf("Query(byColor) = %v, %v, want one item", page.Items, err)
	}
}
