package arrivaltest

import (
	"context"
	"sync"

	"earshot/shared/port/identity"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
)

// A Life is that of a process, which can be made to die at one of its operations on a port. It dies by a panic, and does nothing any more
// until it is revived, whoever catches that.
type Life struct {
	mu         sync.Mutex
	operations int // since it was revived
	last       int // 0: it does not die
	after      bool
	dead       bool
}

// Died is the value of the panic.
type Died struct{}

// DieAt has the process die at its nth operation from now on, the first being 1, before that is done or after.
func (l *Life) DieAt(n int, after bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.operations, l.last, l.after, l.dead = 0, n, after, false
}

// Revive begins another life, which does not end, and says whether the former did.
func (l *Life) Revive() (died bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	died = l.dead
	l.operations, l.last, l.dead = 0, 0, false
	return died
}

// step is the next operation: whether it is done, and whether the process dies at it.
func (l *Life) step() (done, dies bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead {
		return false, true
	}
	l.operations++
	l.dead = l.operations == l.last
	return !l.dead || l.after, l.dead
}

func live[T any](l *Life, operation func() (T, error)) (answer T, err error) {
	done, dies := l.step()
	if done {
		answer, err = operation()
	}
	if dies {
		panic(Died{})
	}
	return answer, err
}

type nothing struct{}

func do(l *Life, operation func() error) error {
	_, err := live(l, func() (nothing, error) { return nothing{}, operation() })
	return err
}

type mortalTable struct {
	inner table.Table
	*Life
}

func (m mortalTable) Get(ctx context.Context, get table.Get) (table.Item, error) {
	return live(m.Life, func() (table.Item, error) { return m.inner.Get(ctx, get) })
}

func (m mortalTable) BatchGet(ctx context.Context, gets []table.Get) (table.Batch, error) {
	return live(m.Life, func() (table.Batch, error) { return m.inner.BatchGet(ctx, gets) })
}

func (m mortalTable) Query(ctx context.Context, query table.Query) (table.Page, error) {
	return live(m.Life, func() (table.Page, error) { return m.inner.Query(ctx, query) })
}

func (m mortalTable) Put(ctx context.Context, put table.Put) error {
	return do(m.Life, func() error { return m.inner.Put(ctx, put) })
}

func (m mortalTable) Update(ctx context.Context, update table.Update) (table.Item, error) {
	return live(m.Life, func() (table.Item, error) { return m.inner.Update(ctx, update) })
}

func (m mortalTable) Delete(ctx context.Context, del table.Delete) error {
	return do(m.Life, func() error { return m.inner.Delete(ctx, del) })
}

func (m mortalTable) Transact(ctx context.Context, tx table.Transaction) error {
	return do(m.Life, func() error { return m.inner.Transact(ctx, tx) })
}

type mortalDirectory struct {
	inner identity.Directory
	*Life
}

func (m mortalDirectory) Account(ctx context.Context, email string) (identity.Account, error) {
	return live(m.Life, func() (identity.Account, error) { return m.inner.Account(ctx, email) })
}

func (m mortalDirectory) Join(ctx context.Context, group, accountID string) error {
	return do(m.Life, func() error { return m.inner.Join(ctx, group, accountID) })
}

func (m mortalDirectory) Leave(ctx context.Context, group, accountID string) error {
	return do(m.Life, func() error { return m.inner.Leave(ctx, group, accountID) })
}

func (m mortalDirectory) CreateGroup(ctx context.Context, group string) error {
	return do(m.Life, func() error { return m.inner.CreateGroup(ctx, group) })
}

func (m mortalDirectory) DeleteGroup(ctx context.Context, group string) error {
	return do(m.Life, func() error { return m.inner.DeleteGroup(ctx, group) })
}

type mortalQueue struct {
	inner queue.Queue
	*Life
}

func (m mortalQueue) Send(ctx context.Context, name string, messages ...queue.Message) error {
	return do(m.Life, func() error { return m.inner.Send(ctx, name, messages...) })
}
