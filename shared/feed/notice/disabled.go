package notice

import (
	"fmt"
	"strings"

	"earshot/shared/feed"
	"earshot/shared/port/mail"
)

// Disabled is a destination that was given up.
type Disabled struct {
	Workspace string // its name
	Name      string // of the notification, the feed or the alert
	Kind      feed.DestinationType
	Gone      bool   // it will take no more, ever; else it took nothing for five days
	Enable    string // the path of the operation that brings it back
	Recover   string // the path of the operation that sends again what it missed

	Unsubscribe string // the address that ends the reader's subscription, http or https; empty for none
}

// Mail returns the mail that tells an admin of it.
func (d Disabled) Mail(to string) (mail.Message, error) {
	what, why := d.Kind.Words(), d.Kind.GivenUp(d.Gone)
	name := line(d.Name, feed.MaxNotificationName)
	written := letter{
		Says: line(fmt.Sprintf("The %s of “%s” is disabled", what, name), maxLetterSays),
		Notes: []string{
			fmt.Sprintf("This is a destination of the workspace %s. %s", line(d.Workspace, maxQuotedLine), why),
			"What it misses is kept for 30 days. Mend the destination or give another one. Then enable it, and send again " +
				"what it missed:",
		},
		Requests:    []string{"POST " + d.Enable, "POST " + d.Recover},
		Unsubscribe: address(d.Unsubscribe),
	}
	var html strings.Builder
	if err := letterTemplate().Execute(&html, written); err != nil {
		return mail.Message{}, fmt.Errorf("write a mail: %w", err)
	}
	return mail.Message{
		To:      to,
		Subject: line(fmt.Sprintf("The %s of “%s” gets nothing", what, name), maxQuotedLine),
		Text:    written.text(),
		HTML:    html.String(),
	}, nil
}
