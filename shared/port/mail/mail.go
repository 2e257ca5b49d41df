// Package mail is the port to people's mailboxes, like Amazon SES. A Mailer sends one message to one address, and its
// errors say whether the mail may be sent again.
//
// Domain packages, functions and adapters import it.
package mail

import (
	"context"
	"errors"
)

// A Message is one mail to one person. Its texts are finished: whoever writes HTML has escaped what others wrote. See Check for what
// they may be.
type Message struct {
	To      string // an address
	Subject string // one line
	Text    string // plain text, always there
	HTML    string // the same as HTML; empty: none
}

// A Mailer sends mail.
type Mailer interface {
	// Send hands a message over for delivery, once. ErrInvalid, ErrRefused and ErrThrottled mean that it was not handed over. Any other
	// error may mean either that it was or that it was not: whoever must not send twice notes that it is about to.
	//
	// Errors: ErrInvalid; ErrRefused; ErrThrottled; ErrUnavailable; the context's own; any other is a mistake in the configuration.
	// None holds the message.
	Send(ctx context.Context, message Message) error
}

// Errors of a Mailer.
var (
	// ErrInvalid means that a message cannot be sent by anyone: see Check.
	ErrInvalid = errors.New("mail: invalid message")
	// ErrRefused means that the service will not send this message: the address is blocked there, or the account may not send.
	ErrRefused = errors.New("mail: refused")
	// ErrThrottled means that the service turned the message away for the load or for the day's quota, or that there was no reaching it.
	// It may be sent again.
	ErrThrottled = errors.New("mail: throttled")
	// ErrUnavailable means that the service did not answer, or failed.
	ErrUnavailable = errors.New("mail: unavailable")
)
