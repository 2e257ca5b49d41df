// Package notice writes what a notification says to people of a mention: a mail, and a message in a chat. Strangers wrote
// the mention, so every value is escaped for its place, cut, and rid of characters that would turn a line.
//
// The function feeds imports it. feed does not, so that who stores feeds links no mail.
package notice

import (
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/port/mail"
)

// TestMail returns the mail that a test of the notification sends to an address.
func TestMail(n feed.Notification, to string, m mention.Mention) (mail.Message, error) {
	message, err := Mail(to, OfTest(n, m))
	if err != nil {
		return mail.Message{}, err
	}
	q := quote(n, m, maxQuotedMail)
	subject := "Test of " + q.Name
	if headline := q.headline(); headline != "" {
		subject += ": " + headline
	}
	message.Subject = line(subject, maxQuotedLine)
	return message, nil
}
