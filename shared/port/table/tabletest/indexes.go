package tabletest

import (
	"fmt"
	"reflect"
	"slices"

	"earshot/shared/port/table"
)

func indexTests() []test {
	return []test{
		{"Sparse", testSparse}, {"Projection", testProjection}, {"Moves", testMoves}, {"Ties", testTies},
		{"OfTheTablesPartition", testOwnPartition}, {"Lag", testLag},
	}
}

func stream(name string) table.Query { return table.Query{Table: rows, Index: byTime, Partition: name} }

func testSparse(e *env) {
	e.put(rows, thing(key("p", "both"), "stream", "s", "moment", "1"))
	e.put(rows, thing(key("p", "half"), "stream", "s"))
	e.put(rows, thing(key("p", "other half"), "moment", "1"))
	e.put(rows, thing(key("p", "none")))
	e.wantsSorts(stream("s"), "p/both")
	e.update(table.Update{Table: rows, Key: key("p", "half"), Set: map[string]any{"moment": "0"}})
	e.update(table.Update{Table: rows, Key: key("p", "both"), Remove: []string{"stream"}})
	e.wantsSorts(stream("s"), "p/half")
	e.must(e.table.Delete(e.Context(), table.Delete{Table: rows, Key: key("p", "half")}))
	e.wantsSorts(stream("s"))
}

func testProjection(e *env) {
	k := key("p", "a")
	e.put(rows, thing(k, "stream", "s", "moment", "1", "idKey", "7", "color", "red", "tags", []any{"x"}, "body", "long",
		table.ExpiryAttribute, int64(1)<<40))
	wants := func(query table.Query, want table.Item) {
		e.Helper()
		e.eventually(func() (any, bool) {
			got := e.walk(query)
			return got, len(got) == 1 && reflect.DeepEqual(got[0], want)
		})
	}
	wants(stream("s"), thing(k, "stream", "s", "moment", "1", "color", "red", "tags", []any{"x"},
		table.ExpiryAttribute, int64(1)<<40))
	wants(
		table.Query{Table: rows, Index: byID, Partition: "p"},
		thing(k, "idKey", "7", table.ExpiryAttribute, int64(1)<<40),
	)
	e.update(
		table.Update{
			Table:  rows,
			Key:    k,
			Set:    map[string]any{"color": "blue"},
			Remove: []string{"tags", table.ExpiryAttribute},
		},
	)
	wants(stream("s"), thing(k, "stream", "s", "moment", "1", "color", "blue"))
}

func testMoves(e *env) {
	k := key("p", "mover")
	e.put(rows, thing(key("p", "still"), "stream", "s", "moment", "5"))
	e.put(rows, thing(k, "stream", "s", "moment", "1"))
	e.wantsSorts(stream("s"), "p/mover", "p/still")
	e.update(table.Update{Table: rows, Key: k, Set: map[string]any{"moment": "9"}})
	e.wantsSorts(stream("s"), "p/still", "p/mover")
	e.update(table.Update{Table: rows, Key: k, Set: map[string]any{"stream": "t"}})
	e.wantsSorts(stream("s"), "p/still")
	e.wantsSorts(stream("t"), "p/mover")
	e.put(rows, thing(k, "stream", "s", "moment", "5"))
	e.wantsSorts(stream("t"))
	e.eventually(func() (any, bool) { got := e.walk(stream("s")); return got, len(got) == 2 })
}

// testTies walks items with the same index key. Their order is unspecified, but it stays and can be reversed.
func testTies(e *env) {
	for i := range 12 {
		e.put(rows, thing(key(fmt.Sprintf("p%d", i%4), fmt.Sprintf("%02d", i)), "stream", "s", "moment", "same"))
	}
	e.eventually(func() (any, bool) { got := e.walk(stream("s")); return len(got), len(got) == 12 })
	order := sorts(stream("s"), e.walk(stream("s")))
	for limit := 1; limit < 6; limit++ {
		query := stream("s")
		query.Limit = limit
		e.wantsSorts(query, order...)
	}
	query := stream("s")
	query.Descending, query.Limit = true, 5
	slices.Reverse(order)
	e.wantsSorts(query, order...)
	items := e.walk(query)
	index := Schemas()[1].Indexes[0]
	for i, item := range items { // the walk continues behind each of them
		query.After = new(table.PositionOf(&index, item))
		e.wantsSorts(query, order[i+1:]...)
	}
}

func testOwnPartition(e *env) {
	for i, id := range []string{"3", "1", "2"} {
		e.put(rows, thing(key("p", fmt.Sprint(i)), "idKey", id))
		e.put(rows, thing(key("q", fmt.Sprint(i)), "idKey", id))
	}
	query := table.Query{Table: rows, Index: byID, Partition: "p", Limit: 1}
	e.wantsSorts(query, "p/1", "p/2", "p/0")
	query.From, query.To = "2", "2"
	e.wantsSorts(query, "p/2")
}

// testLag tests an index that does not show writes yet, while its table does.
func testLag(e *env) {
	e.put(rows, thing(key("p", "old"), "stream", "s", "moment", "1", "color", "red"))
	e.put(rows, thing(key("p", "gone"), "stream", "s", "moment", "2"))
	e.put(rows, thing(key("p", "moved"), "stream", "s", "moment", "3"))
	catchUp := e.misbehave(Misbehaviour{IndexLag: true})
	before := e.walk(stream("s"))

	e.update(table.Update{Table: rows, Key: key("p", "old"), Set: map[string]any{"color": "blue"}})
	e.must(e.table.Delete(e.Context(), table.Delete{Table: rows, Key: key("p", "gone")}))
	e.update(table.Update{Table: rows, Key: key("p", "moved"), Set: map[string]any{"moment": "0"}})
	e.put(rows, thing(key("p", "new"), "stream", "s", "moment", "4"))
	e.must(e.transact(table.Update{Table: rows, Key: key("p", "new"), Set: map[string]any{"moment": "5"}}))
	if now := e.walk(stream("s")); !reflect.DeepEqual(now, before) {
		e.Fatalf("the index did not lag: %v", now)
	}
	if color := e.get(rows, key("p", "old"))["color"]; color != "blue" {
		e.Fatal("the table lags:", color)
	}
	e.wantsSorts(table.Query{Table: rows, Partition: "p", Consistent: true}, "moved", "new", "old")

	catchUp()
	e.wantsSorts(stream("s"), "p/moved", "p/old", "p/new")
	if color := e.walk(stream("s"))[1]["color"]; color != "blue" {
		e.Fatal("the index did not catch up:", color)
	}
}
