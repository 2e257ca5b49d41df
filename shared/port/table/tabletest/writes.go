package tabletest

import (
	"errors"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"earshot/shared/port/table"
)

func writeTests() []test {
	return []test{
		{"PutReplaces", testPutReplaces}, {"Update", testUpdate}, {"Delete", testDelete}, {"Add", testAdd},
		{"CounterUnderContention", testCounter}, {"OneCreates", testOneCreates}, {"TooLarge", testTooLarge},
	}
}

func testPutReplaces(e *env) {
	k := key("writes", "put")
	e.put(things, thing(k, "a", int64(1), "b", int64(2)))
	e.put(things, thing(k, "b", int64(3)))
	e.wantsItem(e.get(things, k), thing(k, "b", int64(3)))
}

func testUpdate(e *env) {
	k := key("writes", "update")
	e.wantsItem(e.update(table.Update{Table: things, Key: k, Set: map[string]any{"a": "x"}}), thing(k, "a", "x"))
	e.wantsItem(e.update(table.Update{
		Table:  things,
		Key:    k,
		Set:    map[string]any{"a": nil, "b": []any{}},
		Add:    map[string]int64{"c": -2},
		Remove: []string{"none"},
	}), thing(k, "a", nil, "b", []any{}, "c", int64(-2)))
	e.wantsItem(e.update(table.Update{
		Table: things, Key: k, Add: map[string]int64{"c": 5}, Remove: []string{"a", "b"},
	}), thing(k, "c", int64(3)))
	e.wantsItem(e.get(things, k), thing(k, "c", int64(3)))

	gone := key("writes", "gone")
	e.wantsItem(e.update(table.Update{Table: things, Key: gone, Remove: []string{"a"}}), thing(gone))
	e.wantsItem(e.get(things, gone), thing(gone))
}

func testDelete(e *env) {
	k := key("writes", "delete")
	e.put(things, thing(k))
	for range 2 { // removing a missing item is no error
		e.must(e.table.Delete(e.Context(), table.Delete{Table: things, Key: k}))
		e.wantsItem(e.get(things, k), nil)
	}
}

func testAdd(e *env) {
	k := key("writes", "add")
	e.put(things, thing(k, "near", int64(math.MaxInt64)-1, "half", 0.5, "text", "a", "nil", nil))
	after := e.update(table.Update{Table: things, Key: k, Add: map[string]int64{"near": 1, "half": 1, "new": 0}})
	e.wantsItem(after, thing(k, "near", int64(math.MaxInt64), "half", 1.5, "text", "a", "nil", nil, "new", int64(0)))
	after = e.update(table.Update{Table: things, Key: k, Add: map[string]int64{"near": 1}})
	if after["near"] != 0x1p63 {
		e.Fatalf("past int64: %T %v", after["near"], after["near"])
	}
	for _, name := range []string{"text", "nil"} {
		_, err := e.table.Update(e.Context(), table.Update{Table: things, Key: k, Add: map[string]int64{name: 1}})
		e.wants(err, table.ErrInvalid)
		err = e.table.Transact(e.Context(), table.Transaction{Writes: []table.Write{
			table.Update{Table: things, Key: k, Add: map[string]int64{name: 1}}}})
		e.wants(err, table.ErrInvalid)
	}
}

// testCounter tests a rate limit: exactly as many calls succeed as the bound allows, however many run at once.
func testCounter(e *env) {
	const bound, goroutines, tries = 100, 16, 12
	update := table.Update{
		Table: things, Key: key("counter", "hour"), Add: map[string]int64{"hits": 1},
		If: table.Any(table.Missing("hits"), table.Less("hits", int64(bound))),
	}
	var counted atomic.Int64
	var seen sync.Map
	var group sync.WaitGroup
	for range goroutines {
		group.Go(func() {
			for range tries {
				after, err := table.Retrying(e.table).Update(e.Context(), update)
				var failed *table.ConditionFailed
				switch {
				case err == nil:
					counted.Add(1)
					if _, twice := seen.LoadOrStore(after["hits"], true); twice {
						e.Errorf("the count %v was answered twice", after["hits"])
					}
				case errors.As(err, &failed):
					if failed.Item["hits"] != int64(bound) {
						e.Errorf("turned away at %v", failed.Item["hits"])
					}
				default:
					e.Error(err)
				}
			}
		})
	}
	group.Wait()
	if counted.Load() != bound {
		e.Fatalf("%d succeeded, want %d", counted.Load(), bound)
	}
}

func testOneCreates(e *env) {
	var created atomic.Int64
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			err := e.table.Put(e.Context(), table.Put{
				Table: things, Item: thing(key("writes", "race"), "by", int64(i)), If: table.Absent()})
			var failed *table.ConditionFailed
			if err == nil {
				created.Add(1)
			} else if !errors.As(err, &failed) {
				e.Error(err)
			}
		})
	}
	group.Wait()
	if created.Load() != 1 {
		e.Fatalf("%d created the same item", created.Load())
	}
}

// full returns an item of exactly so many bytes, by table.Size.
func full(k table.Key, bytes int) table.Item {
	item := thing(k, "fill", "")
	item["fill"] = strings.Repeat("x", bytes-table.Size(item))
	return item
}

func testTooLarge(e *env) {
	k := key("writes", "large")
	e.put(things, full(k, table.MaxItemBytes))
	e.wantsItem(e.get(things, k), full(k, table.MaxItemBytes))

	e.wants(e.table.Put(e.Context(), table.Put{Table: things, Item: full(k, table.MaxItemBytes+1)}), table.ErrTooLarge)
	_, err := e.table.Update(e.Context(), table.Update{Table: things, Key: k, Set: map[string]any{"a": ""}})
	e.wants(err, table.ErrTooLarge)
	e.wantsItem(e.get(things, k), full(k, table.MaxItemBytes))
	after := e.update(table.Update{Table: things, Key: k, Set: map[string]any{"a": ""}, Remove: []string{"fill"}})
	e.wantsItem(after, thing(k, "a", ""))

	for _, write := range []table.Write{
		table.Put{Table: things, Item: full(key("writes", "other"), table.MaxItemBytes+1)},
		table.Update{
			Table: things,
			Key:   key("writes", "other"),
			Set:   map[string]any{"a": strings.Repeat("x", table.MaxItemBytes)},
		},
	} {
		err := e.table.Transact(e.Context(), table.Transaction{Writes: []table.Write{
			table.Delete{Table: things, Key: k}, write}})
		var canceled *table.Canceled
		if !errors.As(err, &canceled) || canceled.Reasons[1].Code != table.ReasonTooLarge || table.Retryable(err) {
			e.Fatalf("transaction: %v", err)
		}
		e.wantsItem(e.get(things, k), thing(k, "a", ""))
	}
}
