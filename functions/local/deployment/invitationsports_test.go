package deployment_test

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"earshot/shared/embedded/fault"
	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
)

// A mishap is what goes wrong with the operations of a port that a step makes, from the nth on.
type mishap struct {
	kind  mishapKind
	port  string
	nth   int // from 1
	times int // how many in a row; a crash is the last
}

type mishapKind string

const (
	diesBefore mishapKind = "dies before"
	diesAfter  mishapKind = "dies after"
	throttled  mishapKind = "is throttled at" // not done
	fails      mishapKind = "fails at"        // not done, and nobody can tell
	loses      mishapKind = "loses the answer of"
	refused    mishapKind = "is refused by"                       // the mailer only: not done
	unmailable mishapKind = "is told that there is no mailing by" // the mailer only: never to be done
)

func (m mishap) String() string {
	if m.kind == "" {
		return "is well"
	}
	return fmt.Sprintf("%s %s %d (%d in a row)", m.kind, m.port, m.nth, m.times)
}

func (m mishap) dies() bool { return m.kind == diesBefore || m.kind == diesAfter }

// mortal is a process as its ports see it: it may die at an operation, and does nothing from then on. A panic alone would be too kind,
// since what is deferred, and what runs beside, would still be done.
type mortal struct {
	mu     sync.Mutex
	mishap mishap
	made   map[string]int // operations, by port
	struck string         // the operation that something went wrong with; empty: all went well
	dead   bool
}

// live makes the process a new one, that something is to happen to.
func (m *mortal) live(what mishap) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mishap, m.made, m.struck, m.dead = what, map[string]int{}, "", false
}

// died and harmed say what has happened to it.
func (m *mortal) died() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.dead
}

func (m *mortal) harmed() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.struck
}

// begins is what goes wrong with an operation that is about to be made; nothing when it is empty.
func (m *mortal) begins(port, operation string) mishapKind {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		panic(fault.Crashed{Port: port, Operation: operation})
	}
	m.made[port]++
	if n := m.made[port] - m.mishap.nth; m.mishap.port != port || n < 0 || n >= m.mishap.times {
		return ""
	}
	m.struck = port + "." + operation
	if m.mishap.kind == diesBefore {
		m.dead = true
		panic(fault.Crashed{Port: port, Operation: operation})
	}
	return m.mishap.kind
}

func (m *mortal) dies(port, operation string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dead = true
	panic(fault.Crashed{Port: port, Operation: operation})
}

// failures are a port's errors of what is turned away and of what nobody can tell whether it was done.
type failures struct{ throttled, unavailable error }

var portFailures = map[string]failures{
	fault.TablePort:    {table.ErrThrottled, table.ErrUnavailable},
	fault.MailPort:     {mail.ErrThrottled, mail.ErrUnavailable},
	fault.IdentityPort: {identity.ErrUnavailable, identity.ErrUnavailable},
	fault.QueuePort:    {queue.ErrThrottled, queue.ErrUnavailable},
}

func made[T any](m *mortal, port, operation string, do func() (T, error)) (answer T, err error) {
	switch m.begins(port, operation) {
	case throttled:
		return answer, portFailures[port].throttled
	case fails:
		return answer, portFailures[port].unavailable
	case refused:
		return answer, mail.ErrRefused
	case unmailable:
		return answer, mail.ErrInvalid
	case loses:
		if _, err := do(); err != nil {
			return answer, err
		}
		return answer, portFailures[port].unavailable
	case diesAfter:
		do()
		m.dies(port, operation)
	}
	return do()
}

type none struct{}

func done(do func() error) func() (none, error) { return func() (none, error) { return none{}, do() } }

// mortalTable is the table of a mortal process, and so on.
type mortalTable struct {
	inner table.Table
	of    *mortal
}

func (t mortalTable) Get(ctx context.Context, get table.Get) (table.Item, error) {
	return made(t.of, fault.TablePort, "get", func() (table.Item, error) { return t.inner.Get(ctx, get) })
}

func (t mortalTable) BatchGet(ctx context.Context, gets []table.Get) (table.Batch, error) {
	return made(t.of, fault.TablePort, "batchGet", func() (table.Batch, error) { return t.inner.BatchGet(ctx, gets) })
}

func (t mortalTable) Query(ctx context.Context, query table.Query) (table.Page, error) {
	return made(t.of, fault.TablePort, "query", func() (table.Page, error) { return t.inner.Query(ctx, query) })
}

func (t mortalTable) Put(ctx context.Context, put table.Put) error {
	_, err := made(t.of, fault.TablePort, "put", done(func() error { return t.inner.Put(ctx, put) }))
	return err
}

func (t mortalTable) Update(ctx context.Context, update table.Update) (table.Item, error) {
	return made(t.of, fault.TablePort, "update", func() (table.Item, error) { return t.inner.Update(ctx, update) })
}

func (t mortalTable) Delete(ctx context.Context, del table.Delete) error {
	_, err := made(t.of, fault.TablePort, "delete", done(func() error { return t.inner.Delete(ctx, del) }))
	return err
}

func (t mortalTable) Transact(ctx context.Context, tx table.Transaction) error {
	_, err := made(t.of, fault.TablePort, "transact", done(func() error { return t.inner.Transact(ctx, tx) }))
	return err
}

type mortalDirectory struct {
	inner identity.Directory
	of    *mortal
}

func (d mortalDirectory) Account(ctx context.Context, email string) (identity.Account, error) {
	return made(d.of, fault.IdentityPort, "account", func() (identity.Account, error) { return d.inner.Account(ctx, email) })
}

func (d mortalDirectory) Join(ctx context.Context, group, accountID string) error {
	_, err := made(d.of, fault.IdentityPort, "join", done(func() error { return d.inner.Join(ctx, group, accountID) }))
	return err
}

func (d mortalDirectory) Leave(ctx context.Context, group, accountID string) error {
	_, err := made(d.of, fault.IdentityPort, "leave", done(func() error { return d.inner.Leave(ctx, group, accountID) }))
	return err
}

func (d mortalDirectory) CreateGroup(ctx context.Context, group string) error {
	_, err := made(d.of, fault.IdentityPort, "createGroup", done(func() error { return d.inner.CreateGroup(ctx, group) }))
	return err
}

func (d mortalDirectory) DeleteGroup(ctx context.Context, group string) error {
	_, err := made(d.of, fault.IdentityPort, "deleteGroup", done(func() error { return d.inner.DeleteGroup(ctx, group) }))
	return err
}

type mortalMailer struct {
	inner   mail.Mailer
	of      *mortal
	invalid func(to string) // is told of whom no mail can be sent to
}

func (m mortalMailer) Send(ctx context.Context, message mail.Message) error {
	_, err := made(m.of, fault.MailPort, "send", done(func() error { return m.inner.Send(ctx, message) }))
	if errors.Is(err, mail.ErrInvalid) {
		m.invalid(message.To)
	}
	return err
}

type mortalQueue struct {
	inner queue.Queue
	of    *mortal
}

func (q mortalQueue) Send(ctx context.Context, name string, messages ...queue.Message) error {
	_, err := made(q.of, fault.QueuePort, "send", done(func() error { return q.inner.Send(ctx, name, messages...) }))
	return err
}
