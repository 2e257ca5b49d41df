// Package mail is the port to people's mailboxes, like Amazon SES.
//
// Domain packages, functions and adapters import it.
package mail

import (
	"context"
	"errors"
)

// A Message is one mail to one person. Its texts are finished: whoever writes HTML has escaped what others wrote.
type Message struct {
	To      string // an address
	Subject string // one line
	Text    string // plain text, always there
	HTML    string // the same as HTML; empty: none
}

// A Mailer sends mail.
type Mailer interface {
	// Send hands a message over for delivery, once. An error other than ErrInvalid may mean either that it was handed over or that it was not:
	// whoever must not send twice notes that it is about to.
	//
	// Errors: ErrInvalid; ErrRefused; the context's own; any other means that the service did not answer. None holds the message.
	Send(ctx context.Context, message Message) error
}

// ErrInvalid means that a message cannot be sent by anyone: it has no address that could be one, no subject, no text, or too much of it.
var ErrInvalid = errors.New("mail: invalid message")

// ErrRefused means that the service will not send this message: the address is blocked there, or the account may not send.
var ErrRefused = errors.New("mail: refused")
