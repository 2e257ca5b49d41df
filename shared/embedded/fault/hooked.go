package fault

import (
	"context"
	"sync"

	"earshot/shared/port/table"
)

// Hooked is a table that calls Before once, before its first transaction: another writer who comes in between.
type Hooked struct {
	table.Table
	Before func()

	once sync.Once
}

// Transact writes, after Before if it is the first.
func (h *Hooked) Transact(ctx context.Context, tx table.Transaction) error {
	h.once.Do(h.Before)
	return h.Table.Transact(ctx, tx)
}
