package tabletest

import (
	"context"
	"errors"

	"earshot/shared/port/table"
)

func meterTests() []test {
	return []test{
		{"Reads", testMeterReads},
		{"Writes", testMeterWrites},
		{"IndexWrites", testMeterIndexWrites},
		{"Transactions", testMeterTransactions},
		{"FailedConditions", testMeterFailed},
		{"NothingAsked", testMeterNothing},
	}
}

// costs fails the test unless an operation costs this much.
func (e *env) costs(what string, want table.Usage, do func(ctx context.Context) error) {
	e.Helper()
	ctx, meter := table.WithMeter(e.Context())
	e.must(do(ctx))
	if got := meter.Total(); got != want {
		e.Fatalf("%s costs %+v, want %+v", what, got, want)
	}
}

func testMeterReads(e *env) {
	for name, bytes := range map[string]int{"1k": 1 << 10, "4k": 4 << 10, "4k+1": 4<<10 + 1, "9k": 9 << 10} {
		e.put(things, full(key("p", name), bytes))
	}
	get := func(name string, consistent bool) func(context.Context) error {
		return func(ctx context.Context) error {
			return second(e.table.Get(ctx, table.Get{Table: things, Key: key("p", name), Consistent: consistent}))
		}
	}
	e.costs("a small item", table.Usage{Reads: 1, ReadUnits: 0.5}, get("1k", false))
	e.costs("a small item, consistent", table.Usage{Reads: 1, ReadUnits: 1}, get("1k", true))
	e.costs("4 KiB", table.Usage{Reads: 1, ReadUnits: 1}, get("4k", true))
	e.costs("4 KiB and a byte", table.Usage{Reads: 1, ReadUnits: 1}, get("4k+1", false))
	e.costs("9 KiB", table.Usage{Reads: 1, ReadUnits: 3}, get("9k", true))
	e.costs("nothing", table.Usage{Reads: 1, ReadUnits: 0.5}, get("none", false))
	e.costs("nothing, consistent", table.Usage{Reads: 1, ReadUnits: 1}, get("none", true))
	e.costs("a batch, item by item", table.Usage{Reads: 1, ReadUnits: 0.5 + 1 + 0.5}, func(ctx context.Context) error {
		return second(e.table.BatchGet(ctx, []table.Get{
			{
				Table: things,
				Key:   key("p", "1k"),
			},
			{Table: things, Key: key("p", "4k+1")},
			{Table: things, Key: key("p", "none")},
		}))
	})
	query := func(q table.Query) func(context.Context) error {
		q.Table, q.Partition = things, "p"
		return func(ctx context.Context) error { return second(e.table.Query(ctx, q)) }
	}
	// 18 KiB and a byte
	e.costs("a range, by its sum", table.Usage{Reads: 1, ReadUnits: 5}, query(table.Query{Consistent: true}))
	e.costs("half as much", table.Usage{Reads: 1, ReadUnits: 2.5}, query(table.Query{}))
	e.costs("one of it", table.Usage{Reads: 1, ReadUnits: 0.5}, query(table.Query{Limit: 1}))
	e.costs("an empty range", table.Usage{Reads: 1, ReadUnits: 0.5}, query(table.Query{Prefix: "x"}))
	e.costs("two reads", table.Usage{Reads: 2, ReadUnits: 1}, func(ctx context.Context) error {
		return errors.Join(get("1k", false)(ctx), get("1k", false)(ctx))
	})
}

func testMeterWrites(e *env) {
	put := func(bytes int) func(context.Context) error {
		return func(ctx context.Context) error {
			return e.table.Put(ctx, table.Put{Table: things, Item: full(key("p", "a"), bytes)})
		}
	}
	writes := func(units float64) table.Usage { return table.Usage{Writes: 1, WriteUnits: units} }
	e.costs("a small item", writes(1), put(100))
	e.costs("1 KiB", writes(1), put(1<<10))
	e.costs("1 KiB and a byte", writes(2), put(1<<10+1))
	e.costs("5 KiB over 2", writes(5), put(5<<10))
	e.costs("a small item over 5 KiB", writes(5), put(100))
	e.costs("an update that grows", writes(3), func(ctx context.Context) error {
		return second(e.table.Update(ctx, table.Update{Table: things, Key: key("p", "a"),
			Set: map[string]any{"fill": full(key("p", "a"), 3<<10)["fill"]}}))
	})
	e.costs("an update of some of it", writes(3), func(ctx context.Context) error {
		return second(
			e.table.Update(ctx, table.Update{Table: things, Key: key("p", "a"), Set: map[string]any{"fill": ""}}),
		)
	})
	e.must(put(2<<10 + 1)(e.Context()))
	remove := func(ctx context.Context) error {
		return e.table.Delete(ctx, table.Delete{Table: things, Key: key("p", "a")})
	}
	e.costs("a removal", writes(3), remove)
	e.costs("a removal of nothing", writes(1), remove)
}

func testMeterIndexWrites(e *env) {
	k := key("p", "a")
	writes := func(units float64) table.Usage { return table.Usage{Writes: 1, WriteUnits: units} }
	update := func(u table.Update) func(context.Context) error {
		u.Table, u.Key = rows, k
		return func(ctx context.Context) error { return second(e.table.Update(ctx, u)) }
	}
	e.costs("an item in no index", writes(1), func(ctx context.Context) error {
		return e.table.Put(ctx, table.Put{Table: rows, Item: thing(k, "body", "x")})
	})
	e.costs("coming into one", writes(2), update(table.Update{Set: map[string]any{"stream": "s", "moment": "1"}}))
	e.costs("coming into another", writes(2), update(table.Update{Set: map[string]any{"idKey": "1"}}))
	e.costs("what no index shows", writes(1), update(table.Update{Set: map[string]any{"body": "y"}}))
	e.costs("what one projects", writes(2), update(table.Update{Set: map[string]any{"color": "red"}}))
	e.costs("the same again", writes(1), update(table.Update{Set: map[string]any{"color": "red"}}))
	e.costs("a move", writes(3), update(table.Update{Set: map[string]any{"moment": "2"}}))
	e.costs("leaving one", writes(2), update(table.Update{Remove: []string{"stream"}}))
	e.costs("a removal", writes(2), func(ctx context.Context) error {
		return e.table.Delete(ctx, table.Delete{Table: rows, Key: k})
	})
	e.costs("an item in both", writes(3), func(ctx context.Context) error {
		return e.table.Put(ctx, table.Put{Table: rows, Item: thing(k, "stream", "s", "moment", "1", "idKey", "1")})
	})
	e.costs("an index, by its rows", table.Usage{Reads: 1, ReadUnits: 0.5}, func(ctx context.Context) error {
		return second(e.table.Query(ctx, stream("s")))
	})
}

func testMeterTransactions(e *env) {
	e.put(things, full(key("p", "checked"), 3<<10))
	e.costs("a transaction", table.Usage{Writes: 1, WriteUnits: 2 * (1 + 2 + 1)}, func(ctx context.Context) error {
		return e.table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Put{Table: things, Item: full(key("p", "a"), 100)},
			table.Put{Table: things, Item: full(key("p", "b"), 1<<10+1)},
			table.Update{Table: things, Key: key("p", "c"), Add: map[string]int64{"n": 1}},
		}})
	})
	e.costs("a removal and a check", table.Usage{Writes: 1, WriteUnits: 2 * (2 + 3)}, func(ctx context.Context) error {
		return e.table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Delete{Table: things, Key: key("p", "b")},
			table.Check{Table: things, Key: key("p", "checked"), If: table.Present()},
		}})
	})
}

// testMeterFailed tests that refused operations are charged.
func testMeterFailed(e *env) {
	k := key("p", "a")
	e.put(things, full(k, 2<<10+1))
	failing := func(do func(ctx context.Context) error) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			var failed *table.ConditionFailed
			if err := do(ctx); !errors.As(err, &failed) {
				e.Fatalf("got %v", err)
			}
			return nil
		}
	}
	e.costs("a failed put", table.Usage{Writes: 1, WriteUnits: 3}, failing(func(ctx context.Context) error {
		return e.table.Put(ctx, table.Put{Table: things, Item: thing(k), If: table.Absent()})
	}))
	e.costs(
		"a failed update of nothing",
		table.Usage{Writes: 1, WriteUnits: 1},
		failing(func(ctx context.Context) error {
			return second(e.table.Update(ctx, table.Update{
				Table: things, Key: key("p", "none"), Add: map[string]int64{"n": 1}, If: table.Present()}))
		}),
	)
	ctx, meter := table.WithMeter(e.Context())
	if err := e.table.Transact(ctx, table.Transaction{Writes: []table.Write{
		table.Check{Table: things, Key: k, If: table.Absent()}}}); err == nil {
		e.Fatal("it happened")
	}
	if got := meter.Total(); got.Writes != 1 || got.WriteUnits != 6 {
		e.Fatalf("a canceled transaction costs %+v", got)
	}
}

// testMeterNothing tests that a malformed operation is found before the store is called.
func testMeterNothing(e *env) {
	e.costs("an invalid read", table.Usage{}, func(ctx context.Context) error {
		_, err := e.table.Get(ctx, table.Get{Table: things})
		e.wants(err, table.ErrInvalid)
		return nil
	})
	e.costs("an empty range", table.Usage{}, func(ctx context.Context) error {
		return second(e.table.Query(ctx, table.Query{Table: things, Partition: "p", From: "b", To: "a"}))
	})
}
