package sqlitetable

import (
	"path/filepath"
	"reflect"
	"testing"

	"earshot/shared/port/table"
)

// A read sees what is committed: before a change that is under way, and after one that is done, of this process or of
// another.
func TestGet_OfWriters(t *testing.T) {
	path, schemas := filepath.Join(t.TempDir(), "x.db"), []table.Schema{{Name: "a"}}
	var opened [2]*Table // as in two processes
	for i := range opened {
		var err error
		if opened[i], err = Open(path, schemas, Options{}); err != nil {
			t.Fatal(err)
		}
		defer opened[i].Close()
	}
	item := func(n int64) table.Item { return table.Item{"pk": "p", "sk": "s", "n": n} }
	check := func(when string, want table.Item) {
		t.Helper()
		get := table.Get{Table: "a", Key: table.KeyOf(item(0))}
		for i := range opened {
			if got, err := opened[i].Get(t.Context(), get); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, Get(%d) = %v, %v, want %v", when, i, got, err, want)
			}
		}
	}
	check("at the beginning", nil)
	for n := range int64(4) {
		writing := opened[n%2]
		err := writing.writer.do(t.Context(), func(w *writer) error {
			if _, err := writing.apply(w, table.Put{Table: "a", Item: item(n)}); err != nil {
				return err
			}
			var before table.Item
			if n > 0 {
				before = item(n - 1)
			}
			check("during a change", before)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		check("after a change", item(n))
	}
}
