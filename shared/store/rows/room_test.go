package rows_test

import (
	"errors"
	"testing"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// A counter takes what its bound leaves room for, a missing one too.
func TestRoom(t *testing.T) {
	for _, c := range []struct {
		counted, n, most int64
		want             bool
	}{
		{0, 1, 1, true}, {0, 2, 1, false}, {0, 1, 0, false}, {0, 0, 0, true},
		{3, 1, 4, true}, {3, 2, 4, false}, {3, 5, 4, false},
	} {
		w := worldtest.NewWorld(t)
		key := table.Key{Partition: "test", Sort: "counter"}
		if c.counted > 0 {
			_, err := w.Table.Update(t.Context(), table.Update{
				Table: rows.CountersTable, Key: key, Add: map[string]int64{"hits": c.counted},
			})
			worldtest.Must(t, err)
		}
		_, err := w.Table.Update(t.Context(), table.Update{
			Table: rows.CountersTable, Key: key, If: rows.Room("hits", c.n, c.most), Add: map[string]int64{"hits": c.n},
		})
		var failed *table.ConditionFailed
		if err != nil && !errors.As(err, &failed) {
			t.Fatal(err)
		}
		if got := err == nil; got != c.want {
			t.Errorf("%d and %d more of at most %d: %v, want %v", c.counted, c.n, c.most, got, c.want)
		}
	}
}
