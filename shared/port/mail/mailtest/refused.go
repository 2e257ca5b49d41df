package mailtest

import (
	"context"
	"errors"
	"strings"

	"earshot/shared/port/mail"
)

// secret is in messages whose errors must not quote it.
const secret = "wanderlust"

// testInvalid tests that an invalid message is refused before it is handed over, and that the error does not quote it.
func testInvalid(e *env) {
	for name, change := range map[string]func(*mail.Message){
		"no address":              func(m *mail.Message) { m.To = "" },
		"no domain":               func(m *mail.Message) { m.To = secret + "@" },
		"no local part":           func(m *mail.Message) { m.To = "@" + secret + ".example" },
		"no at":                   func(m *mail.Message) { m.To = secret },
		"two at":                  func(m *mail.Message) { m.To = secret + "@a@b.example" },
		"a name":                  func(m *mail.Message) { m.To = "Someone <" + secret + "@b.example>" },
		"brackets":                func(m *mail.Message) { m.To = "<" + secret + "@b.example>" },
		"two addresses":           func(m *mail.Message) { m.To = secret + "@b.example,c@d.example" },
		"a comment":               func(m *mail.Message) { m.To = secret + "@b.example (comment)" },
		"quotes":                  func(m *mail.Message) { m.To = `"` + secret + `"@b.example` },
		"a space":                 func(m *mail.Message) { m.To = secret + " @b.example" },
		"a space behind":          func(m *mail.Message) { m.To = secret + "@b.example " },
		"a numeric host":          func(m *mail.Message) { m.To = secret + "@[192.0.2.1]" },
		"a leading dot":           func(m *mail.Message) { m.To = "." + secret + "@b.example" },
		"two dots":                func(m *mail.Message) { m.To = secret + "..x@b.example" },
		"a local part of UTF-8":   func(m *mail.Message) { m.To = secret + "é@b.example" },
		"a domain of UTF-8":       func(m *mail.Message) { m.To = secret + "@é.example" },
		"a long local part":       func(m *mail.Message) { m.To = secret + strings.Repeat("x", 64) + "@b.example" },
		"a long address":          func(m *mail.Message) { m.To = secret + "@" + strings.Repeat("b.", 124) + "example" },
		"a header in the address": func(m *mail.Message) { m.To = secret + "@b.example\r\nBcc: c@d.example" },
		"no subject":              func(m *mail.Message) { m.Subject = "" },
		"a blank subject":         func(m *mail.Message) { m.Subject = " \u00a0" },
		"a header in the subject": func(m *mail.Message) { m.Subject = secret + "\r\nBcc: c@d.example" },
		"a line feed":             func(m *mail.Message) { m.Subject = secret + "\nx" },
		"a carriage return":       func(m *mail.Message) { m.Subject = secret + "\rx" },
		"a line of Unicode's":     func(m *mail.Message) { m.Subject = secret + "\u2028x" },
		"NUL in the subject":      func(m *mail.Message) { m.Subject = secret + "\x00" },
		"a subject of no UTF-8":   func(m *mail.Message) { m.Subject = secret + "\xff" },
		"a long subject":          func(m *mail.Message) { m.Subject = secret + strings.Repeat("é", mail.MaxSubject) },
		"no text":                 func(m *mail.Message) { m.Text = "" },
		"a blank text":            func(m *mail.Message) { m.Text = " \r\n\t" },
		"HTML alone":              func(m *mail.Message) { m.Text, m.HTML = "", "<p>"+secret },
		"NUL in the text":         func(m *mail.Message) { m.Text = secret + "\x00" },
		"a text of no UTF-8":      func(m *mail.Message) { m.Text = secret + "\xff" },
		"HTML of no UTF-8":        func(m *mail.Message) { m.HTML = secret + "\xff" },
		"too much text":           func(m *mail.Message) { m.Text = secret + strings.Repeat("x", mail.MaxBody) },
		"too much of both": func(m *mail.Message) {
			m.Text, m.HTML = secret+strings.Repeat("x", mail.MaxBody/2), strings.Repeat("x", mail.MaxBody/2)
		},
		"a path to unsubscribe":     func(m *mail.Message) { m.Unsubscribe = "/" + secret },
		"a mailbox to unsubscribe":  func(m *mail.Message) { m.Unsubscribe = "mailto:" + secret + "@b.example" },
		"a script to unsubscribe":   func(m *mail.Message) { m.Unsubscribe = "javascript://" + secret + "/" },
		"no host to unsubscribe":    func(m *mail.Message) { m.Unsubscribe = "https:///" + secret },
		"a password to unsubscribe": func(m *mail.Message) { m.Unsubscribe = "https://a:" + secret + "@b.example/" },
		"a bracket to unsubscribe":  func(m *mail.Message) { m.Unsubscribe = "https://b.example/>" + secret },
		"two to unsubscribe":        func(m *mail.Message) { m.Unsubscribe = "https://b.example/,https://" + secret },
		"a header to unsubscribe":   func(m *mail.Message) { m.Unsubscribe = "https://b.example/\r\nBcc: " + secret },
		"UTF-8 to unsubscribe":      func(m *mail.Message) { m.Unsubscribe = "https://b.example/é" + secret },
		"a long one to unsubscribe": func(m *mail.Message) {
			m.Unsubscribe = "https://b.example/" + strings.Repeat(secret, mail.MaxUnsubscribe)
		},
		"a workspace that is no id": func(m *mail.Message) { m.Workspace = "org " + secret },
		"a workspace that is long":  func(m *mail.Message) { m.Workspace = strings.Repeat(secret, 26) },
	} {
		message := plain
		change(&message)
		err := e.Mailer.Send(e.Context(), message)
		if !errors.Is(err, mail.ErrInvalid) || errors.Is(err, mail.ErrRefused) || errors.Is(err, mail.ErrUnavailable) {
			e.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			e.Errorf("%s: the error tells the message: %v", name, err)
		}
	}
	e.wants()
}

// testRefused tests that a message that the service refuses is ErrRefused, and that no cause quotes it.
func testRefused(e *env) {
	if e.Barred == nil {
		e.Skip("the medium refuses nothing")
	}
	err := e.Barred.Send(e.Context(), mail.Message{To: secret + "@b.example", Subject: secret, Text: secret})
	if !errors.Is(err, mail.ErrRefused) || errors.Is(err, mail.ErrInvalid) || errors.Is(err, mail.ErrUnavailable) {
		e.Error(err)
	}
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		if strings.Contains(cause.Error(), secret) {
			e.Error("a cause tells the message:", cause)
		}
	}
	e.wants()
}

func testCanceled(e *env) {
	ctx, cancel := context.WithCancel(e.Context())
	cancel()
	err := e.Mailer.Send(ctx, plain)
	if !errors.Is(err, context.Canceled) || errors.Is(err, mail.ErrUnavailable) || errors.Is(err, mail.ErrThrottled) {
		e.Error(err)
	}
	e.wants()
}
