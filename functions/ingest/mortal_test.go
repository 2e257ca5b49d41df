package ingest_test

import (
	"context"
	"sync"

	"earshot/shared/embedded/fault"
	"earshot/shared/port/table"
)

// A mortal table dies after the nth write, as a process that is killed: the write is done, and nobody hears of it; from then on it
// does nothing at all.
type mortal struct {
	table.Table
	mu            sync.Mutex
	writes, after int
}

func (m *mortal) died() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.writes >= m.after
}

// live dies when its time has come.
func (m *mortal) live(write func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.writes < m.after {
		write()
		m.writes++
	}
	if m.writes >= m.after {
		panic(fault.Crashed{Port: "table"})
	}
}

func (m *mortal) Transact(ctx context.Context, tx table.Transaction) (err error) {
	m.live(func() { err = m.Table.Transact(ctx, tx) })
	return err
}

func (m *mortal) Update(ctx context.Context, update table.Update) (item table.Item, err error) {
	m.live(func() { item, err = m.Table.Update(ctx, update) })
	return item, err
}

func (m *mortal) Put(ctx context.Context, put table.Put) (err error) {
	m.live(func() { err = m.Table.Put(ctx, put) })
	return err
}
