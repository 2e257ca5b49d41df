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

// mortal is a process as its ports see it: it may die at an operation, and does nothing from then on. A panic alone
// would be too kind, since what is deferred, and what runs beside, would still be done.
type mortal struct {
	mu     sync.Mutex
	mishap mishap
	made   map[string]int // operations, by port; those of one turn are one
	turned bool           // a turn has begun, and none of its operations is done
	struck string         // the operation that something went wrong with; empty: all went well
	dead   bool
}

// live makes the process a new one, that something is to happen to.
func (m *mortal) live(what mishap) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mishap, m.made, m.struck, m.dead = what, map[string]int{}, "", false
}

// turn begins a turn of the process.
func (m *mortal) turn() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turned = true
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
	if m.turned {
		m.made[port]++
		m.turned = false
	}
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

// run does an operation of a port, or what goes wrong with it. It is the process's fault.Hook.
func (m *mortal) run(port, operation string, do func() error) error {
	switch m.begins(port, operation) {
	case throttled:
		return portFailures[port].throttled
	case fails:
		return portFailures[port].unavailable
	case refused:
		return mail.ErrRefused
	case unmailable:
		return mail.ErrInvalid
	case loses:
		if err := do(); err != nil {
			return err
		}
		return portFailures[port].unavailable
	case diesAfter:
		do()
		m.dies(port, operation)
	}
	return do()
}

// ports makes the set for the ports of the process.
func (m *mortal) ports() *fault.Set { return fault.Around(m.run) }

// A knowingMailer tells of whom no mail can be sent to.
type knowingMailer struct {
	mail.Mailer
	invalid func(to string)
}

func (m knowingMailer) Send(ctx context.Context, message mail.Message) error {
	err := m.Mailer.Send(ctx, message)
	if errors.Is(err, mail.ErrInvalid) {
		m.invalid(message.To)
	}
	return err
}
