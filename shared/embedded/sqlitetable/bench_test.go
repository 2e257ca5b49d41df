package sqlitetable_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"earshot/shared/embedded/sqlitetable"
	"earshot/shared/port/table"
)

// benchTable has a partition of a thousand items of about 600 bytes.
func benchTable(b *testing.B) table.Table {
	t, err := sqlitetable.Open(filepath.Join(b.TempDir(), "bench.db"), []table.Schema{{Name: "rows"}}, sqlitetable.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = t.Close() })
	for i := range 1000 {
		if err := t.Put(context.Background(), table.Put{Table: "rows", Item: benchItem(i)}); err != nil {
			b.Fatal(err)
		}
	}
	return t
}

func benchItem(i int) table.Item {
	item := table.Item{"pk": "p", "sk": fmt.Sprintf("%06d", i), "hits": int64(0), "on": true}
	for a := range 12 {
		item[fmt.Sprintf("attribute%d", a)] = "some forty bytes of text, as in a mention"
	}
	return item
}

func BenchmarkGet(b *testing.B) {
	t := benchTable(b)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		get := table.Get{Table: "rows", Key: table.Key{Partition: "p", Sort: fmt.Sprintf("%06d", i%1000)}}
		if item, err := t.Get(context.Background(), get); err != nil || item == nil {
			b.Fatal(item, err)
		}
	}
}

func BenchmarkConditionalUpdate(b *testing.B) {
	t := benchTable(b)
	b.ReportAllocs()
	update := table.Update{
		Table: "rows", Key: table.Key{Partition: "counter", Sort: "hour"}, Add: map[string]int64{"hits": 1},
		If: table.Any(table.Missing("hits"), table.Less("hits", int64(1)<<62)),
	}
	for b.Loop() {
		if _, err := t.Update(context.Background(), update); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkQuery20(b *testing.B) {
	t := benchTable(b)
	b.ReportAllocs()
	for b.Loop() {
		page, err := t.Query(context.Background(), table.Query{Table: "rows", Partition: "p", Limit: 20, Descending: true})
		if err != nil || len(page.Items) != 20 {
			b.Fatal(len(page.Items), err)
		}
	}
}
