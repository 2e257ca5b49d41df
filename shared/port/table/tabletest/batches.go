package tabletest

import (
	"fmt"
	"reflect"

	"earshot/shared/port/table"
)

func batchTests() []test {
	return []test{
		{"Aligned", testAligned},
		{"Hundred", testBatchOfHundred},
		{"Large", testLargeBatch},
		{"Unprocessed", testUnprocessed},
	}
}

func testAligned(e *env) {
	e.put(things, thing(key("p", "1"), "in", "things"))
	e.put(rows, thing(key("p", "1"), "in", "rows"))
	e.put(things, thing(key("q", "1"), "in", "things q"))
	batch, err := e.table.BatchGet(e.Context(), []table.Get{
		{Table: things, Key: key("q", "1"), Consistent: true},
		{Table: things, Key: key("none", "1")},
		{
			Table:      rows,
			Key:        key("p", "1"),
			Consistent: true,
		},
		{Table: things, Key: key("p", "1")},
		{Table: rows, Key: key("p", "2")},
	})
	e.must(err)
	want := []table.Item{
		thing(key("q", "1"), "in", "things q"), nil, thing(key("p", "1"), "in", "rows"),
		thing(key("p", "1"), "in", "things"), nil,
	}
	if !reflect.DeepEqual(batch.Items, want) || len(batch.Unprocessed) != 0 {
		e.Fatalf("got %v", batch)
	}
}

func testBatchOfHundred(e *env) {
	var gets []table.Get
	for i := range 230 {
		k := key("p", fmt.Sprint(i))
		if i%3 != 0 {
			e.put(things, thing(k, "i", int64(i)))
		}
		gets = append(gets, table.Get{Table: things, Key: k, Consistent: true})
	}
	items, err := table.GetAll(e.Context(), table.Retrying(e.table), gets)
	e.must(err)
	if len(items) != len(gets) {
		e.Fatalf("%d answers to %d reads", len(items), len(gets))
	}
	for i, item := range items {
		if (item == nil) != (i%3 == 0) || (item != nil && item["i"] != int64(i)) {
			e.Fatalf("read %d: %v", i, item)
		}
	}
	_, err = e.table.BatchGet(e.Context(), gets[:table.MaxBatchGet])
	e.must(err)
}

// testLargeBatch reads more than one response holds.
func testLargeBatch(e *env) {
	var gets []table.Get
	for i := range 45 {
		k := key("p", fmt.Sprint(i))
		e.put(things, full(k, table.MaxItemBytes))
		gets = append(gets, table.Get{Table: things, Key: k, Consistent: true})
	}
	batch, err := e.table.BatchGet(e.Context(), gets)
	e.must(err)
	if len(batch.Unprocessed) == 0 {
		e.Fatal("18 MB in one answer")
	}
	for _, at := range batch.Unprocessed {
		if batch.Items[at] != nil {
			e.Fatalf("read %d is unprocessed, with an item", at)
		}
	}
	batch, err = table.Retrying(e.table).BatchGet(e.Context(), gets)
	e.must(err)
	for i, item := range batch.Items {
		if table.KeyOf(item) != gets[i].Key {
			e.Fatalf("read %d answers %v", i, table.KeyOf(item))
		}
	}
}

func testUnprocessed(e *env) {
	var gets []table.Get
	for i := range 10 {
		k := key("p", fmt.Sprint(i))
		e.put(things, thing(k, "i", int64(i)))
		gets = append(gets, table.Get{Table: things, Key: k})
	}
	e.misbehave(Misbehaviour{BatchReads: 4})
	batch, err := e.table.BatchGet(e.Context(), gets)
	e.must(err)
	if !reflect.DeepEqual(batch.Unprocessed, []int{4, 5, 6, 7, 8, 9}) || batch.Items[3] == nil ||
		batch.Items[4] != nil {
		e.Fatalf("got %v", batch)
	}
	items, err := table.GetAll(e.Context(), table.Retrying(e.table), gets)
	e.must(err)
	for i, item := range items {
		if item["i"] != int64(i) {
			e.Fatalf("read %d: %v", i, item)
		}
	}
}
