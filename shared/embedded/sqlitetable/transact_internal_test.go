package sqlitetable

import (
	"path/filepath"
	"sync"
	"testing"

	"earshot/shared/port/table"
)

// A transaction with a token whose copies are sent at the same time happens once. A copy that could not be committed
// does not count.
func TestTransact_CopiesAtOnce(t *testing.T) {
	opened, err := Open(filepath.Join(t.TempDir(), "x.db"), []table.Schema{{Name: "a"}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	key := table.Key{Partition: "p", Sort: "s"}
	tx := table.Transaction{
		Writes: []table.Write{table.Update{Table: "a", Key: key, Add: map[string]int64{"n": 1}}},
	}.Once()
	full := func(pages string) {
		err := opened.writer.do(t.Context(), func(w *writer) error { return w.exec("PRAGMA max_page_count = " + pages) })
		if err != nil {
			t.Fatal(err)
		}
	}
	full("1") // as few as the file has
	large := table.Update{
		Table: "a", Key: key, Add: map[string]int64{"n": 1}, Set: map[string]any{"bytes": make([]byte, 1<<16)},
	}
	failing := table.Transaction{Writes: []table.Write{large}}.Once()
	if err := opened.Transact(t.Context(), failing); err == nil {
		t.Fatal("Transact(into a full file) = nil, want an error")
	}
	full("1000000")
	var group sync.WaitGroup
	for range 20 {
		for _, tx := range []table.Transaction{tx, failing} {
			group.Go(func() {
				if err := opened.Transact(t.Context(), tx); err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
	item, err := opened.Get(t.Context(), table.Get{Table: "a", Key: key})
	if err != nil || item["n"] != int64(2) {
		t.Errorf("two transactions happened %v times, %v", item["n"], err)
	}
}
