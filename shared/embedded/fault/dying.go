package fault

import (
	"context"

	"earshot/shared/port/table"
)

// Dying is a table that panics with Crashed after its nth write, as a process that is killed: the write is done, and
// nobody hears of it. Later writes succeed. It is for one goroutine.
type Dying struct {
	table.Table
	After int // the write to die after, from 1; 0: none

	writes int
}

// Writes returns how many writes were made.
func (d *Dying) Writes() int { return d.writes }

func (d *Dying) die() {
	if d.writes++; d.writes == d.After {
		panic(Crashed{Port: "table"})
	}
}

// Transact writes, and dies if it is the nth write.
func (d *Dying) Transact(ctx context.Context, tx table.Transaction) error {
	defer d.die()
	return d.Table.Transact(ctx, tx)
}

// Update writes, and dies if it is the nth write.
func (d *Dying) Update(ctx context.Context, update table.Update) (table.Item, error) {
	defer d.die()
	return d.Table.Update(ctx, update)
}

// Put writes, and dies if it is the nth write.
func (d *Dying) Put(ctx context.Context, put table.Put) error {
	defer d.die()
	return d.Table.Put(ctx, put)
}
