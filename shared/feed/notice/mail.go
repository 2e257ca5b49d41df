// Package notice writes what a notification says to people of a mention: a mail, and a message in a chat. Strangers wrote
// the mention, so every value is escaped for its place, cut, and rid of characters that would turn a line.
//
// The functions feeds and deliver import it. feed does not, so that who stores feeds links no mail.
package notice

import (
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/port/mail"
)

// TestMail returns the mail that a test of the notification sends to an address. unsubscribe is as Content's.
func TestMail(n feed.Notification, to, unsubscribe string, m mention.Mention) (mail.Message, error) {
	content := OfTest(n, m)
	content.Unsubscribe = unsubscribe
	message, err := Mail(to, content)
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
