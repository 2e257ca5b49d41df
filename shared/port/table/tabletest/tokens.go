package tabletest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
)

// pass moves the store's clock on.
func (e *env) pass(d time.Duration) { e.suite.options.Clock.Set(e.suite.options.Clock.Now().Add(d)) }

// claims returns writes each of whose repeats shows. Adapters could encode them differently the second time: they have
// conditions on the time, and maps with so many names that no order repeats by chance.
func claims(k table.Key) []table.Write {
	attributes, list := map[string]any{}, thing(k)
	for i := range 20 {
		attributes[fmt.Sprint("a", i)] = map[string]any{"x": int64(i), "y": "z", "w": true}
		list[fmt.Sprint("b", i)] = int64(i)
	}
	return []table.Write{
		table.Update{Table: things, Key: k, Add: map[string]int64{"n": 1}, Set: attributes},
		table.Put{Table: rows, Item: list, If: table.Absent()},
		table.Put{
			Table: things,
			Item:  thing(key("tx", "other")),
			If:    table.Any(table.Absent(), table.Equal("taken", false)),
		},
		table.Check{Table: things, Key: key("tx", "nobody"), If: table.Absent()},
	}
}

// wantsOnce checks that the claims were made once.
func (e *env) wantsOnce(k table.Key) {
	e.Helper()
	if n := e.get(things, k)["n"]; n != int64(1) {
		e.Fatalf("the transaction happened %v times, want once", n)
	}
	if e.get(rows, k) == nil {
		e.Fatal("a part of the transaction did not happen")
	}
}

func testToken(e *env) {
	k := key("tx", "token")
	tx := table.Transaction{Writes: claims(k)}.Once()
	for _, later := range []time.Duration{0, 1100 * time.Millisecond, 4 * time.Second, 5 * time.Minute} {
		e.pass(later)
		e.must(e.table.Transact(e.Context(), tx))
	}
	e.wantsOnce(k)

	// Without a token, two equal transactions are two.
	other := table.Transaction{
		Writes: []table.Write{table.Update{Table: things, Key: k, Add: map[string]int64{"n": 2}}},
	}
	e.must(e.table.Transact(e.Context(), other.Once()))
	e.must(e.table.Transact(e.Context(), other.Once()))
	e.must(e.table.Transact(e.Context(), other))
	e.must(e.table.Transact(e.Context(), other))
	if n := e.get(things, k)["n"]; n != int64(9) {
		e.Fatal(n)
	}
}

func testTokenOfOtherWrites(e *env) {
	k := key("tx", "token")
	once := table.Transaction{Writes: claims(k)}.Once()
	e.must(e.table.Transact(e.Context(), once))
	for name, writes := range map[string][]table.Write{
		"other writes":      {table.Update{Table: things, Key: k, Add: map[string]int64{"n": 2}}},
		"equal writes":      claims(k),
		"some of the same":  once.Writes[:1],
		"none of its write": nil,
	} {
		other := once
		other.Writes = writes
		e.Log(name)
		e.wants(e.table.Transact(e.Context(), other), table.ErrInvalid)
	}
	e.wantsOnce(k)
}

// testTokenOfACanceled tests that a canceled transaction may be sent again under its token.
func testTokenOfACanceled(e *env) {
	k := key("tx", "later")
	tx := table.Transaction{Writes: []table.Write{
		table.Update{Table: things, Key: k, Add: map[string]int64{"n": 1}, If: table.Present()}}}.Once()
	if err := e.table.Transact(e.Context(), tx); err == nil {
		e.Fatal("no item was there")
	}
	e.put(things, thing(k))
	e.must(e.table.Transact(e.Context(), tx))
	e.wantsItem(e.get(things, k), thing(k, "n", int64(1)))
}

// losing is a table whose first responses to transactions are lost, each after a time.
type losing struct {
	table.Table
	lost     []time.Duration
	pass     func(time.Duration)
	attempts int
}

func (l *losing) Transact(ctx context.Context, tx table.Transaction) error {
	l.attempts++
	err := l.Table.Transact(ctx, tx)
	if len(l.lost) == 0 {
		return err
	}
	l.pass(l.lost[0])
	l.lost = l.lost[1:]
	return fmt.Errorf("the response is lost: %w", table.ErrUnavailable)
}

// testResponseLost tests that a transaction whose response is lost succeeds and happens once, however late the loss
// shows.
func testResponseLost(e *env) {
	for i, lost := range [][]time.Duration{
		{0}, {1100 * time.Millisecond}, {4 * time.Second}, {time.Minute, time.Minute, time.Minute},
	} {
		k := key("lost", fmt.Sprint(i))
		inner := &losing{Table: e.table, lost: lost, pass: e.pass}
		e.must(e.retried(inner, claims(k)[:2]))
		if inner.attempts != len(lost)+1 {
			e.Fatalf("%d attempts for %d lost responses", inner.attempts, len(lost))
		}
		e.wantsOnce(k)
	}
}

func (e *env) retried(on table.Table, writes []table.Write) error {
	return table.Retrying(on).Transact(e.Context(), table.Transaction{Writes: writes})
}

// testNewAfterACanceled tests that the attempt after a cancellation is a new transaction with its own time. An item
// that expired meanwhile does not stop it.
func testNewAfterACanceled(e *env) {
	k := key("tx", "expiring")
	held := e.suite.options.Clock.Now().Add(time.Minute).Unix()
	e.put(rows, thing(k, table.ExpiryAttribute, held))
	var canceled *table.Canceled
	if err := e.retried(e.table, claims(k)); !errors.As(err, &canceled) || !canceled.Failed(1) {
		e.Fatalf("Transact over a row = %v, want its second condition failed", err)
	}
	conflicting := &conflicts{Table: e.table, pass: func() { e.pass(2 * time.Minute) }}
	e.must(e.retried(conflicting, claims(k)))
	e.wantsOnce(k)
	if len(conflicting.tokens) != 2 || conflicting.tokens[0] == conflicting.tokens[1] {
		e.Fatalf("tokens %q, want two that differ", conflicting.tokens)
	}
}

// conflicts is a table that reports a conflict for its first transaction, after the store has canceled that.
type conflicts struct {
	table.Table
	pass   func()
	tokens []string
}

func (c *conflicts) Transact(ctx context.Context, tx table.Transaction) error {
	c.tokens = append(c.tokens, tx.Token())
	err := c.Table.Transact(ctx, tx)
	if len(c.tokens) > 1 {
		return err
	}
	c.pass()
	reasons := make([]table.Reason, len(tx.Writes))
	reasons[0].Code = table.ReasonConflict
	return &table.Canceled{Reasons: reasons}
}
