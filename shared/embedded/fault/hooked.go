package fault

import (
	"context"
	"sync"

	"earshot/shared/port/table"
)

// Hooked is a table that calls Before once, before its next transaction, to let another writer get in between. It sets
// Before to nil when it calls it. A test can thereby see that it was called, and set the next one.
type Hooked struct {
	table.Table
	Before func()

	mu sync.Mutex
}

func (h *Hooked) next() func() {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.Before
	h.Before = nil
	return before
}

// Transact writes, after Before if there is one.
func (h *Hooked) Transact(ctx context.Context, tx table.Transaction) error {
	if before := h.next(); before != nil {
		before()
	}
	return h.Table.Transact(ctx, tx)
}
