package fault

import (
	"context"
	"sync"
	"time"

	"earshot/shared/port/table"
)

// Contended is a table whose transactions conflict while they have a row in common, like DynamoDB's
// (TransactionConflict). Each takes ten milliseconds, so that transactions that begin together meet.
type Contended struct {
	table.Table

	mu   sync.Mutex
	held map[string]bool
}

// Transact writes, or is canceled with ReasonConflict.
func (c *Contended) Transact(ctx context.Context, tx table.Transaction) error {
	c.mu.Lock()
	reasons, met := make([]table.Reason, len(tx.Writes)), false
	var keys []string
	for i, write := range tx.Writes {
		name, key, _ := table.TargetOf(write)
		keys = append(keys, name+key.Partition+key.Sort)
		reasons[i].Code = table.ReasonNone
		if c.held[keys[i]] {
			reasons[i].Code, met = table.ReasonConflict, true
		}
	}
	if met {
		c.mu.Unlock()
		return &table.Canceled{Reasons: reasons}
	}
	if c.held == nil {
		c.held = map[string]bool{}
	}
	for _, key := range keys {
		c.held[key] = true
	}
	c.mu.Unlock()
	time.Sleep(10 * time.Millisecond)
	err := c.Table.Transact(ctx, tx)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range keys {
		delete(c.held, key)
	}
	return err
}
