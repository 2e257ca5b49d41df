// Package mail is the port to people's mailboxes, like Amazon SES. A Mailer sends one message to one address, and its
// errors say whether the mail may be sent again.
//
// Domain packages, functions and adapters import it.
package mail

import (
	"context"
	"errors"
)

// A Message is one mail to one person. Its texts are final: their author has escaped foreign text in HTML. Check says
// what they may hold.
type Message struct {
	To      string // an address
	Subject string // one line
	Text    string // plain text, always there
	HTML    string // the same text as HTML; empty for none

	// Unsubscribe is a web address that takes To from mails like this one by a POST, without a question (RFC 8058). It
	// is sent in headers. Empty for none.
	Unsubscribe string
	// Workspace is the id of the workspace that the mail is of. Reports on the mail's delivery name it. The recipient
	// does not see it. Empty for none.
	Workspace string
}

// Headers returns the message's own headers, by name.
func (m Message) Headers() map[string]string {
	if m.Unsubscribe == "" {
		return nil
	}
	return map[string]string{
		"List-Unsubscribe": "<" + m.Unsubscribe + ">", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
	}
}

// A Mailer sends mail.
type Mailer interface {
	// Send hands a message over for delivery, once. ErrInvalid, ErrRefused and ErrThrottled mean that it was not handed
	// over. After any other error it may have been. A caller that must not send twice records the attempt before it
	// sends.
	//
	// Errors: ErrInvalid; ErrRefused; ErrThrottled; ErrUnavailable; ErrSender; the context's own. Any other error is
	// a mistake in the configuration. No error holds the message.
	Send(ctx context.Context, message Message) error
}

// Errors of a Mailer.
var (
	// ErrInvalid means that a message cannot be sent by anyone: see Check.
	ErrInvalid = errors.New("mail: invalid message")
	// ErrRefused means that the service will not send to this address, now or later.
	ErrRefused = errors.New("mail: refused")
	// ErrThrottled means that the service refused the message because of load, the day's quota or a fault of the sender,
	// sends nothing for anybody at the moment, or could not be reached. The message may be sent again.
	ErrThrottled = errors.New("mail: throttled")
	// ErrUnavailable means that the service did not respond or failed.
	ErrUnavailable = errors.New("mail: unavailable")
	// ErrSender means that the operator has to mend the sender: no mail, or none like this one, is sent until then. It
	// comes with ErrThrottled if it is sure that the message was not handed over.
	ErrSender = errors.New("mail: fault of the sender")
)
