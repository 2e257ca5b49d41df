package main

import (
	"context"
	"sync"

	"earshot/shared/port/table"
)

// counting is a table that adds up what its operations cost, besides any outer meter, and remembers which rows were
// written.
type counting struct {
	table.Table
	mu      sync.Mutex
	total   table.Usage
	written map[place]bool
}

// A place is where a row is.
type place struct {
	table string
	key   table.Key
}

func newCounting(of table.Table) *counting { return &counting{Table: of, written: map[place]bool{}} }

// reset forgets what was counted.
func (c *counting) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total = table.Usage{}
	clear(c.written)
}

func (c *counting) usage() table.Usage {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

// left returns how many of the written rows exist, and their bytes.
func (c *counting) left(ctx context.Context) (rows, bytes int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at := range c.written {
		item, err := c.Table.Get(ctx, table.Get{Table: at.table, Key: at.key, Consistent: true})
		if err != nil {
			return 0, 0, err
		}
		if item != nil {
			rows, bytes = rows+1, bytes+table.Size(item)
		}
	}
	return rows, bytes, nil
}

// metered runs an operation, charges it to the outer meter too, and notes its writes.
func (c *counting) metered(ctx context.Context, do func(context.Context), writes ...table.Write) {
	inner, meter := table.WithMeter(ctx)
	do(inner)
	spent := meter.Total()
	table.Charge(ctx, spent)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total.Reads, c.total.Writes = c.total.Reads+spent.Reads, c.total.Writes+spent.Writes
	c.total.ReadUnits, c.total.WriteUnits = c.total.ReadUnits+spent.ReadUnits, c.total.WriteUnits+spent.WriteUnits
	for _, write := range writes {
		switch w := write.(type) {
		case table.Put:
			c.written[place{w.Table, table.KeyOf(w.Item)}] = true
		case table.Update:
			c.written[place{w.Table, w.Key}] = true
		}
	}
}

func (c *counting) Get(ctx context.Context, get table.Get) (item table.Item, err error) {
	c.metered(ctx, func(ctx context.Context) { item, err = c.Table.Get(ctx, get) })
	return item, err
}

func (c *counting) BatchGet(ctx context.Context, gets []table.Get) (batch table.Batch, err error) {
	c.metered(ctx, func(ctx context.Context) { batch, err = c.Table.BatchGet(ctx, gets) })
	return batch, err
}

func (c *counting) Query(ctx context.Context, query table.Query) (page table.Page, err error) {
	c.metered(ctx, func(ctx context.Context) { page, err = c.Table.Query(ctx, query) })
	return page, err
}

func (c *counting) Put(ctx context.Context, put table.Put) (err error) {
	c.metered(ctx, func(ctx context.Context) { err = c.Table.Put(ctx, put) }, put)
	return err
}

func (c *counting) Update(ctx context.Context, update table.Update) (item table.Item, err error) {
	c.metered(ctx, func(ctx context.Context) { item, err = c.Table.Update(ctx, update) }, update)
	return item, err
}

func (c *counting) Delete(ctx context.Context, del table.Delete) (err error) {
	c.metered(ctx, func(ctx context.Context) { err = c.Table.Delete(ctx, del) })
	return err
}

func (c *counting) Transact(ctx context.Context, tx table.Transaction) (err error) {
	c.metered(ctx, func(ctx context.Context) { err = c.Table.Transact(ctx, tx) }, tx.Writes...)
	return err
}
