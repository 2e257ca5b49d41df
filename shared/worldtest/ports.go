package worldtest

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"earshot/shared/embedded/diskblob"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/outboxmail"
	"earshot/shared/embedded/sqliteidentity"
	"earshot/shared/port/blob"
	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
	"earshot/shared/port/table"
)

// ports are the parts of a World other than its tables. Those that are files are opened when they are first asked for.
type ports struct {
	people func() *sqliteidentity.Directory
	files  func() *diskblob.Blob
	outbox func() *outboxmail.Outbox
}

// newFaults makes a set for all ports that a World has.
func newFaults() *fault.Set {
	return fault.NewSet(map[string][]string{
		fault.TablePort:    fault.TableOperations(),
		fault.QueuePort:    fault.QueueOperations(),
		fault.BlobPort:     fault.BlobOperations(),
		fault.IdentityPort: fault.IdentityOperations(),
		fault.MailPort:     fault.MailOperations(),
	}, time.Second)
}

func (w *World) openPorts() {
	path := func(name string) string { return filepath.Join(w.t.TempDir(), name) }
	w.ports.people = sync.OnceValue(func() *sqliteidentity.Directory {
		people, err := sqliteidentity.Open(path("identity.db"), w.Clock)
		Must(w.t, err)
		w.t.Cleanup(func() { people.Close() })
		return people
	})
	w.ports.files = sync.OnceValue(func() *diskblob.Blob {
		files, err := diskblob.Open(path("files"), "http://127.0.0.1:8080", w.Clock)
		Must(w.t, err)
		return files
	})
	w.ports.outbox = sync.OnceValue(func() *outboxmail.Outbox {
		outbox, err := outboxmail.Open(path("mail.db"), w.Clock)
		Must(w.t, err)
		w.t.Cleanup(func() { outbox.Close() })
		return outbox
	})
}

// Fault adds a fault to the World's.
func (w *World) Fault(f fault.Fault) {
	w.t.Helper()
	Must(w.t, w.Faults.Add(f))
}

// CrashOnce has the next operation of this name on the table be done, and its process die before it hears of it.
func (w *World) CrashOnce(operation string) {
	w.t.Helper()
	w.Fault(fault.Fault{Port: fault.TablePort, Operation: operation, Fault: fault.Crash, Times: 1})
}

// Mortal returns rows with the World's faults, for the process that dies with the World's life.
func (w *World) Mortal(rows table.Table) table.Table {
	return fault.Table(fault.Table(rows, w.Faults), w.Life.Set())
}

// Directory returns the directory of the World's people, as a function has it: with the World's faults and life.
func (w *World) Directory() identity.Directory {
	return fault.Identity(fault.Identity(w.People(), w.Faults), w.Life.Set())
}

// People returns the directory of the World's people, past all faults.
func (w *World) People() *sqliteidentity.Directory { return w.ports.people() }

// Blob returns the World's files, as a function has them: with the World's faults and life.
func (w *World) Blob() blob.Blob {
	return fault.Blob(fault.Blob(w.Files(), w.Faults), w.Life.Set())
}

// Files returns the World's files, past all faults.
func (w *World) Files() *diskblob.Blob { return w.ports.files() }

// Mailer returns the World's outbox, as a function has it: with the World's faults and life.
func (w *World) Mailer() mail.Mailer {
	return fault.Mail(fault.Mail(w.Outbox(), w.Faults), w.Life.Set())
}

// Outbox returns the World's outbox, past all faults.
func (w *World) Outbox() *outboxmail.Outbox { return w.ports.outbox() }

// Queue returns the World's queues, as a function has them: with the World's faults and life.
func (w *World) Queue() queue.Queue {
	return fault.Queue(fault.Queue(&w.Sent, w.Faults), w.Life.Set())
}

// Sent keeps what is sent to a World's queues. Safe for concurrent use.
type Sent struct {
	mu       sync.Mutex
	messages map[string][]queue.Message
}

// Send keeps messages.
func (s *Sent) Send(_ context.Context, name string, messages ...queue.Message) error {
	if err := queue.Check(messages...); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.messages == nil {
		s.messages = map[string][]queue.Message{}
	}
	s.messages[name] = append(s.messages[name], messages...)
	return nil
}

// To returns what was sent to a queue, oldest first.
func (s *Sent) To(name string) []queue.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.messages[name])
}

// Take returns what was sent to a queue, oldest first, and forgets it.
func (s *Sent) Take(name string) []queue.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	messages := s.messages[name]
	delete(s.messages, name)
	return messages
}
