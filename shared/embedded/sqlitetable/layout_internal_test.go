package sqlitetable

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"earshot/shared/port/table"
)

// version returns the layout of an open file.
func version(t *testing.T, opened *Table) (version int) {
	t.Helper()
	version, err := opened.writer.number("PRAGMA user_version")
	if err != nil {
		t.Fatal(err)
	}
	return version
}

// A file of layout 1 has the keys of an item twice, and tokens of transactions. It reads as ever and goes on with the
// present layout: its rows are written anew without the keys.
func TestOpen_FormerLayout(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	schemas := []table.Schema{{Name: "a", Indexes: []table.Index{
		{Name: "byColor", Partition: "color", Sort: "moment", Project: []string{"n"}},
		{Name: "byName", Partition: "pk", Sort: "name"},
	}}}
	itemOf := func(i int) table.Item {
		return table.Item{
			"pk": "p", "sk": fmt.Sprint(i), "color": "red", "moment": fmt.Sprint("m", i), "name": fmt.Sprint("n", i),
			"n": int64(i), "other": "text",
		}
	}
	opened, err := Open(path, schemas, Options{})
	if err != nil {
		t.Fatal(err)
	}
	const items = 6
	for i := range items {
		if err := opened.Put(t.Context(), table.Put{Table: "a", Item: itemOf(i)}); err != nil {
			t.Fatal(err)
		}
	}
	former(t, opened, itemOf, items)
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}

	if opened, err = Open(path, schemas, Options{}); err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if got := version(t, opened); got != layoutVersion {
		t.Errorf("the layout is %d, want %d", got, layoutVersion)
	}
	left, err := opened.writer.number("SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'tokens'")
	if err != nil || left != 0 {
		t.Errorf("%d parts of the table of tokens are left, %v, want none", left, err)
	}
	update := table.Update{
		Table: "a", Key: table.Key{Partition: "p", Sort: "1"}, If: table.Equal("color", "red"), Add: map[string]int64{"n": 0},
		Set: map[string]any{"moment": "m9"},
	}
	if _, err := opened.Update(t.Context(), update); err != nil {
		t.Fatal(err)
	}
	if err := opened.Delete(t.Context(), table.Delete{Table: "a", Key: table.Key{Partition: "p", Sort: "2"}}); err != nil {
		t.Fatal(err)
	}
	changed := itemOf(1)
	changed["moment"] = "m9"
	for _, c := range []struct {
		query table.Query
		want  []table.Item
	}{
		{table.Query{Table: "a", Partition: "p"}, []table.Item{itemOf(0), changed, itemOf(3), itemOf(4), itemOf(5)}},
		{table.Query{Table: "a", Index: "byColor", Partition: "red", From: "m5"}, []table.Item{
			schemas[0].Indexes[0].Row(itemOf(5)), schemas[0].Indexes[0].Row(changed),
		}},
		{table.Query{Table: "a", Index: "byName", Partition: "p", To: "n1"}, []table.Item{
			schemas[0].Indexes[1].Row(itemOf(0)), schemas[0].Indexes[1].Row(changed),
		}},
	} {
		page, err := opened.Query(t.Context(), c.query)
		if err != nil || !reflect.DeepEqual(page.Items, c.want) {
			t.Errorf("Query(%+v) = %v, %v\nwant %v", c.query, page.Items, err, c.want)
		}
	}
	get := table.Get{Table: "a", Key: table.Key{Partition: "p", Sort: "1"}}
	if got, err := opened.Get(t.Context(), get); err != nil || !reflect.DeepEqual(got, changed) {
		t.Errorf("Get() = %v, %v, want %v", got, err, changed)
	}
}

// former gives a file the form that it has in layout 1.
func former(t *testing.T, opened *Table, itemOf func(int) table.Item, items int) {
	t.Helper()
	err := opened.writer.do(t.Context(), func(w *writer) error {
		l := opened.tables["a"]
		for i := range items {
			item := itemOf(i)
			data, err := opened.codec.encode(item)
			if err != nil {
				return err
			}
			if err := w.exec("UPDATE "+l.name+" SET item = ? WHERE sk = ?", data, item["sk"]); err != nil {
				return err
			}
			for _, x := range l.indexes {
				if data, err = opened.codec.encode(x.index.Row(item)); err != nil {
					return err
				}
				if err := w.exec("UPDATE "+x.name+" SET item = ? WHERE tsk = ?", data, item["sk"]); err != nil {
					return err
				}
			}
		}
		return errors.Join(
			w.exec("CREATE TABLE tokens (token TEXT NOT NULL PRIMARY KEY, expires INTEGER NOT NULL) WITHOUT ROWID"),
			w.exec("CREATE INDEX tokensByExpiry ON tokens (expires)"),
			w.exec("PRAGMA user_version = 1"),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
}
