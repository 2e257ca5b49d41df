package tabletest

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"earshot/shared/port/table"
)

func transactionTests() []test {
	return []test{
		{"AllOrNothing", testAllOrNothing}, {"Reasons", testReasons}, {"Token", testToken},
		{"TokenOfOtherWrites", testTokenOfOtherWrites}, {"TokenOfACanceled", testTokenOfACanceled},
		{"ResponseLost", testResponseLost}, {"NewAfterACanceled", testNewAfterACanceled}, {"Hundred", testHundred},
		{"Concurrent", testConcurrentTransactions}, {"Indexes", testTransactionIndexes},
	}
}

func (e *env) transact(writes ...table.Write) error {
	return e.table.Transact(e.Context(), table.Transaction{Writes: writes})
}

func testAllOrNothing(e *env) {
	a, b, c, d := key("tx", "a"), key("tx", "b"), key("other", "c"), key("tx", "d")
	e.put(things, thing(b, "n", int64(1)))
	e.put(rows, thing(c, "n", int64(1)))
	e.put(things, thing(d, "n", int64(1)))
	writes := []table.Write{
		table.Put{Table: things, Item: thing(a, "new", true), If: table.Absent()},
		table.Update{Table: things, Key: b, Add: map[string]int64{"n": 1}, If: table.Equal("n", int64(1))},
		table.Delete{Table: rows, Key: c, If: table.Present()},
		table.Check{Table: things, Key: d, If: table.Equal("n", int64(1))},
	}
	e.must(e.transact(writes...))
	e.wantsItem(e.get(things, a), thing(a, "new", true))
	e.wantsItem(e.get(things, b), thing(b, "n", int64(2)))
	e.wantsItem(e.get(rows, c), nil)
	e.wantsItem(e.get(things, d), thing(d, "n", int64(1)))

	if err := e.transact(writes...); err == nil {
		e.Fatal("it happened again")
	}
	e.wantsItem(e.get(things, b), thing(b, "n", int64(2)))
}

func testReasons(e *env) {
	a, b, c := key("tx", "a"), key("tx", "b"), key("tx", "c")
	e.put(things, thing(a, "n", int64(1)))
	err := e.transact(
		table.Put{Table: things, Item: thing(a), If: table.Absent()},
		table.Put{Table: things, Item: thing(b)},
		table.Check{Table: things, Key: c, If: table.Present()},
		table.Update{Table: rows, Key: c, Set: map[string]any{"x": ""}, If: table.Missing("x")},
	)
	var canceled *table.Canceled
	if !errors.As(err, &canceled) {
		e.Fatalf("got %v", err)
	}
	want := []table.Reason{
		{Code: table.ReasonCondition, Item: thing(a, "n", int64(1))}, {Code: table.ReasonNone},
		{Code: table.ReasonCondition}, {Code: table.ReasonNone},
	}
	if !reflect.DeepEqual(canceled.Reasons, want) {
		e.Fatalf("got %#v", canceled.Reasons)
	}
	if !canceled.Failed(0) || canceled.Failed(1) || table.Retryable(err) {
		e.Fatal("a failed condition is not to be retried")
	}
	e.wantsItem(e.get(things, b), nil)
	e.wantsItem(e.get(rows, c), nil)
}

func testHundred(e *env) {
	var writes []table.Write
	for i := range table.MaxTransaction {
		writes = append(writes, table.Put{Table: things, Item: thing(key("tx", fmt.Sprintf("%03d", i)))})
	}
	e.must(e.transact(writes...))
	if got := e.walk(table.Query{Table: things, Partition: "tx", Consistent: true}); len(got) != table.MaxTransaction {
		e.Fatalf("%d of %d", len(got), table.MaxTransaction)
	}
}

// testConcurrentTransactions moves amounts between accounts. The total must stay.
func testConcurrentTransactions(e *env) {
	const accounts, goroutines, moves = 4, 8, 12
	account := func(i int) table.Key { return key("accounts", fmt.Sprint(i%accounts)) }
	for i := range accounts {
		e.put(things, thing(account(i), "amount", int64(1000), "moves", int64(0)))
	}
	retrying := table.Retrying(e.table)
	var group sync.WaitGroup
	for g := range goroutines {
		group.Go(func() {
			for i := range moves {
				tx := table.Transaction{Writes: []table.Write{
					table.Update{Table: things, Key: account(g + i), Add: map[string]int64{"amount": -3, "moves": 1}},
					table.Update{Table: things, Key: account(g + i + 1 + i%3), Add: map[string]int64{"amount": 3}},
				}}
				err := retrying.Transact(e.Context(), tx)
				for try := 0; try < 50 && table.Retryable(err); try++ { // conflicts are no fault of the store
					err = retrying.Transact(e.Context(), tx)
				}
				if err != nil {
					e.Error(err)
				}
			}
		})
	}
	group.Wait()
	amount, done := int64(0), int64(0)
	for i := range accounts {
		item := e.get(things, account(i))
		amount += item["amount"].(int64)
		done += item["moves"].(int64)
	}
	if amount != accounts*1000 || done != goroutines*moves {
		e.Fatalf("the sum is %d after %d moves", amount, done)
	}
}

func testTransactionIndexes(e *env) {
	a, b := key("tx", "a"), key("tx", "b")
	e.put(rows, thing(b, "stream", "s", "moment", "1"))
	e.must(e.transact(
		table.Put{Table: rows, Item: thing(a, "stream", "s", "moment", "2")},
		table.Update{Table: rows, Key: b, Set: map[string]any{"moment": "3"}},
	))
	e.wantsSorts(table.Query{Table: rows, Index: byTime, Partition: "s"}, "tx/a", "tx/b")
	if e.transact(table.Delete{Table: rows, Key: a}, table.Check{Table: rows, Key: b, If: table.Absent()}) == nil {
		e.Fatal("it should be canceled")
	}
	e.wantsSorts(table.Query{Table: rows, Index: byTime, Partition: "s"}, "tx/a", "tx/b")
}
