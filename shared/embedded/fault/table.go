package fault

import (
	"context"

	"earshot/shared/port/table"
)

// TablePort is the name of the port table in a Set.
const TablePort = "table"

// TableOperations names the operations of the port table.
func TableOperations() []string {
	return []string{"get", "batchGet", "query", "put", "update", "delete", "transact"}
}

// Table decorates a table with the faults of the set. It belongs under table.Retrying, as the store itself would be.
func Table(inner table.Table, set *Set) table.Table { return faultyTable{inner, set} }

type faultyTable struct {
	inner table.Table
	set   *Set
}

func doTable[T any](ctx context.Context, t faultyTable, operation string, do func() (T, error)) (T, error) {
	return Do(ctx, t.set, TablePort, operation, table.ErrThrottled, table.ErrUnavailable, do)
}

// nothing is the result of operations without one.
type nothing struct{}

func (t faultyTable) Get(ctx context.Context, get table.Get) (table.Item, error) {
	return doTable(ctx, t, "get", func() (table.Item, error) { return t.inner.Get(ctx, get) })
}

func (t faultyTable) BatchGet(ctx context.Context, gets []table.Get) (table.Batch, error) {
	return doTable(ctx, t, "batchGet", func() (table.Batch, error) { return t.inner.BatchGet(ctx, gets) })
}

func (t faultyTable) Query(ctx context.Context, query table.Query) (table.Page, error) {
	return doTable(ctx, t, "query", func() (table.Page, error) { return t.inner.Query(ctx, query) })
}

func (t faultyTable) Put(ctx context.Context, put table.Put) error {
	_, err := doTable(ctx, t, "put", func() (nothing, error) { return nothing{}, t.inner.Put(ctx, put) })
	return err
}

func (t faultyTable) Update(ctx context.Context, update table.Update) (table.Item, error) {
	return doTable(ctx, t, "update", func() (table.Item, error) { return t.inner.Update(ctx, update) })
}

func (t faultyTable) Delete(ctx context.Context, del table.Delete) error {
	_, err := doTable(ctx, t, "delete", func() (nothing, error) { return nothing{}, t.inner.Delete(ctx, del) })
	return err
}

func (t faultyTable) Transact(ctx context.Context, tx table.Transaction) error {
	_, err := doTable(ctx, t, "transact", func() (nothing, error) { return nothing{}, t.inner.Transact(ctx, tx) })
	return err
}
