package tabletest

import (
	"fmt"
	"math"
	"strings"

	"earshot/shared/port/table"
)

func invalidTests() []test {
	return []test{
		{"Items", testInvalidItems},
		{"Operations", testInvalidOperations},
		{"Transactions", testInvalidTransactions},
	}
}

func testInvalidItems(e *env) {
	deep := any(int64(1))
	for range 33 {
		deep = []any{deep}
	}
	long := strings.Repeat("x", 2049)
	for name, item := range map[string]table.Item{
		"no key":                  {},
		"no sort key":             {"pk": "a"},
		"empty partition key":     thing(key("", "b")),
		"empty sort key":          thing(key("a", "")),
		"long partition key":      thing(key(long, "b")),
		"long sort key":           thing(key("a", long[:1025])),
		"key of another type":     {"pk": int64(1), "sk": "b"},
		"key that is not UTF-8":   thing(key("a\xff", "b")),
		"int":                     thing(key("a", "b"), "v", 1),
		"struct":                  thing(key("a", "b"), "v", struct{}{}),
		"nested uint":             thing(key("a", "b"), "v", []any{map[string]any{"x": uint64(1)}}),
		"named map":               thing(key("a", "b"), "v", table.Item{}),
		"not a number":            thing(key("a", "b"), "v", math.NaN()),
		"infinity":                thing(key("a", "b"), "v", math.Inf(-1)),
		"too great":               thing(key("a", "b"), "v", 1e126),
		"too small":               thing(key("a", "b"), "v", 1e-131),
		"string not UTF-8":        thing(key("a", "b"), "v", "\xff"),
		"name not UTF-8":          thing(key("a", "b"), "\xff", ""),
		"empty name":              thing(key("a", "b"), "", ""),
		"empty nested name":       thing(key("a", "b"), "v", map[string]any{"": nil}),
		"too deep":                thing(key("a", "b"), "v", deep),
		"empty index key":         thing(key("a", "b"), "stream", "", "moment", "1"),
		"number as index key":     thing(key("a", "b"), "stream", "s", "moment", int64(1)),
		"nil as index key":        thing(key("a", "b"), "idKey", nil),
		"long index sort key":     thing(key("a", "b"), "moment", long[:1025]),
		"long index key":          thing(key("a", "b"), "stream", long),
		"text as expiry":          thing(key("a", "b"), table.ExpiryAttribute, "tomorrow"),
		"fraction as expiry":      thing(key("a", "b"), table.ExpiryAttribute, 1.5),
		"nothing at all (but so)": nil,
	} {
		e.Log(name)
		e.wants(e.table.Put(e.Context(), table.Put{Table: rows, Item: item}), table.ErrInvalid)
		e.wants(e.transact(table.Put{Table: rows, Item: item}), table.ErrInvalid)
		for attribute, value := range item {
			if len(item) == 3 && attribute != "pk" && attribute != "sk" {
				_, err := e.table.Update(e.Context(), table.Update{
					Table: rows, Key: key("a", "b"), Set: map[string]any{attribute: value}})
				e.wants(err, table.ErrInvalid)
			}
		}
	}
	if items := e.walk(table.Query{Table: rows, Partition: "a"}); items != nil {
		e.Fatal("something was put:", items)
	}
}

func testInvalidOperations(e *env) {
	k := key("a", "b")
	ctx := e.Context()
	update := func(u table.Update) error { return second(e.table.Update(ctx, u)) }
	query := func(q table.Query) error { return second(e.table.Query(ctx, q)) }
	put := func(c table.Condition) error {
		return e.table.Put(ctx, table.Put{Table: things, Item: thing(k), If: c})
	}
	batch := func(gets ...table.Get) error { return second(e.table.BatchGet(ctx, gets)) }
	var many []table.Get
	for i := range table.MaxBatchGet + 1 {
		many = append(many, table.Get{Table: things, Key: key("p", fmt.Sprint(i))})
	}
	other := &table.Position{Key: key("q", "1")}
	for i, err := range []error{
		second(e.table.Get(ctx, table.Get{Table: "none", Key: k})),
		second(e.table.Get(ctx, table.Get{Table: things, Key: key("a", "")})),
		batch(), batch(many...),
		batch(table.Get{Table: things, Key: k}, table.Get{Table: rows, Key: k}, table.Get{Table: things, Key: k}),

		query(table.Query{Table: "none", Partition: "p"}),
		query(table.Query{Table: things}),
		query(table.Query{Table: things, Partition: "p", Index: byTime}),
		query(table.Query{Table: rows, Partition: "p", Index: byTime, Consistent: true}),
		query(table.Query{Table: things, Partition: "p", Prefix: "a", From: "a"}),
		query(table.Query{Table: things, Partition: "p", Prefix: "a", To: "a"}),
		query(table.Query{Table: things, Partition: "p", Limit: -1}),
		query(table.Query{Table: things, Partition: "p", After: other}),
		query(table.Query{Table: things, Partition: "p", After: &table.Position{}}),
		query(table.Query{Table: things, Partition: "p", After: &table.Position{Key: key("p", "1"), IndexSort: "x"}}),
		query(table.Query{Table: rows, Partition: "p", Index: byTime, After: other}),
		query(table.Query{
			Table:     rows,
			Partition: "p",
			Index:     byID,
			After:     &table.Position{Key: key("q", "1"), IndexSort: "x"},
		}),

		update(table.Update{Table: things, Key: k}),
		update(table.Update{Table: things, Key: key("", "b"), Remove: []string{"a"}}),
		update(table.Update{Table: things, Key: k, Set: map[string]any{"a": ""}, Add: map[string]int64{"a": 1}}),
		update(table.Update{Table: things, Key: k, Set: map[string]any{"a": ""}, Remove: []string{"a"}}),
		update(table.Update{Table: things, Key: k, Add: map[string]int64{"a": 1}, Remove: []string{"a"}}),
		update(table.Update{Table: things, Key: k, Remove: []string{"a", "a"}}),
		update(table.Update{Table: things, Key: k, Set: map[string]any{"pk": "x"}}),
		update(table.Update{Table: things, Key: k, Add: map[string]int64{"sk": 1}}),
		update(table.Update{Table: things, Key: k, Remove: []string{"sk"}}),
		update(table.Update{Table: rows, Key: k, Add: map[string]int64{"moment": 1}}),
		update(table.Update{Table: things, Key: k, Remove: []string{""}}),

		put(table.All()), put(table.Any()), put(table.Any(table.Absent(), table.All())), put(table.Condition{Op: 99}),
		put(table.Has("")), put(table.Less("a", true)), put(table.More("a", nil)), put(table.AtMost("a", []any{})),
		put(table.Equal("a", 1)), put(table.NotEqual("a", nil)), put(table.Equal("", "x")),
		e.table.Delete(ctx, table.Delete{Table: "none", Key: k}),
		e.table.Delete(ctx, table.Delete{Table: things, Key: k, If: table.Less("a", map[string]any{})}),
	} {
		e.Log(i)
		e.wants(err, table.ErrInvalid)
		if table.Retryable(err) {
			e.Fatalf("%d: a mistake of the program is to be retried", i)
		}
	}
}

func testInvalidTransactions(e *env) {
	k := key("a", "b")
	put := table.Put{Table: things, Item: thing(k)}
	var many, large []table.Write
	for i := range table.MaxTransaction + 1 {
		many = append(many, table.Delete{Table: things, Key: key("p", fmt.Sprint(i))})
	}
	for i := range 11 {
		large = append(large, table.Put{Table: things, Item: full(key("p", fmt.Sprint(i)), table.MaxItemBytes)})
	}
	for i, tx := range []table.Transaction{
		{}, {Writes: many}, {Writes: large}, {Writes: []table.Write{nil}}, {Writes: []table.Write{&put}},
		{Writes: []table.Write{put, table.Delete{Table: things, Key: k}}},
		{Writes: []table.Write{table.Check{Table: things, Key: k, If: table.Present()}, put}},
		{Writes: []table.Write{table.Check{Table: things, Key: k}}},
		{Writes: []table.Write{table.Put{Table: things, Item: thing(key("a", "c"))}, table.Update{Table: things, Key: k}}},
	} {
		e.Log(i)
		e.wants(e.table.Transact(e.Context(), tx), table.ErrInvalid)
	}
	if items := e.walk(table.Query{Table: things, Partition: "a"}); items != nil {
		e.Fatal("something was put:", items)
	}
	e.must(e.transact(put, table.Put{Table: rows, Item: thing(k)})) // the same key of two tables is two items
}
