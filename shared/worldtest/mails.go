package worldtest

import (
	"context"
	"sync"

	"earshot/shared/port/mail"
)

// Mails is a mailer that keeps what it is to send. Its methods are safe for concurrent use.
type Mails struct {
	Sent []mail.Message // the oldest first

	mu     sync.Mutex
	refuse error
}

// Send keeps a mail. Returns the error that Refuse set, and that of a mail that cannot be sent.
func (m *Mails) Send(_ context.Context, message mail.Message) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refuse != nil {
		return m.refuse
	}
	if err := mail.Check(message); err != nil {
		return err
	}
	m.Sent = append(m.Sent, message)
	return nil
}

// Refuse has Send return an error; nil: no longer.
func (m *Mails) Refuse(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refuse = err
}

// To returns how many mails went to an address.
func (m *Mails) To(email string) int {
	return m.Count(func(message mail.Message) bool { return message.To == email })
}

// Count returns how many mails a function takes.
func (m *Mails) Count(takes func(mail.Message) bool) (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, message := range m.Sent {
		if takes(message) {
			n++
		}
	}
	return n
}
