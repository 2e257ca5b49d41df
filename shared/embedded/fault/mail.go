package fault

import (
	"context"

	"earshot/shared/port/mail"
)

// MailPort is the name of the port mail in a Set.
const MailPort = "mail"

// MailOperations names the operations of the port mail.
func MailOperations() []string { return []string{"send"} }

// Mail decorates a mailer with the faults of the set.
func Mail(inner mail.Mailer, set *Set) mail.Mailer { return faultyMail{inner, set} }

type faultyMail struct {
	inner mail.Mailer
	set   *Set
}

func (m faultyMail) Send(ctx context.Context, message mail.Message) error {
	_, err := Do(ctx, m.set, MailPort, "send", mail.ErrThrottled, mail.ErrUnavailable, func() (nothing, error) {
		return nothing{}, m.inner.Send(ctx, message)
	})
	return err
}
