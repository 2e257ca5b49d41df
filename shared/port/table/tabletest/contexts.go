package tabletest

import (
	"context"

	"earshot/shared/port/table"
)

func contextTests() []test { return []test{{"Canceled", testCanceled}} }

func testCanceled(e *env) {
	k := key("p", "canceled")
	ctx := canceled()
	for name, err := range map[string]error{
		"get":   second(e.table.Get(ctx, table.Get{Table: things, Key: k})),
		"batch": second(e.table.BatchGet(ctx, []table.Get{{Table: things, Key: k}})),
		"query": second(e.table.Query(ctx, table.Query{Table: things, Partition: "p"})),
		"put":   e.table.Put(ctx, table.Put{Table: things, Item: thing(k)}),
		"update": second(e.table.Update(ctx, table.Update{
			Table: things, Key: k, Add: map[string]int64{"n": 1}})),
		"delete":   e.table.Delete(ctx, table.Delete{Table: things, Key: k}),
		"transact": e.table.Transact(ctx, table.Transaction{Writes: []table.Write{table.Put{Table: things, Item: thing(k)}}}),
	} {
		e.Log(name)
		e.wants(err, context.Canceled)
		if table.Retryable(err) {
			e.Fatalf("%s: the caller left, and it is to be retried: %v", name, err)
		}
	}
	e.wantsItem(e.get(things, k), nil)
}

func second[T any](_ T, err error) error { return err }
