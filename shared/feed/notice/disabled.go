package notice

import (
	"fmt"
	"html/template"
	"strings"
	"sync"

	"earshot/shared/feed"
	"earshot/shared/port/mail"
)

// disabled is the template of a mail that tells of a destination that was given up, as HTML.
var disabled = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("disabled").Parse(`<!doctype html>
<html lang="en">
<body style="font-family:sans-serif;max-width:40em">
{{- range .}}
<p>{{.}}</p>
{{- end}}
</body>
</html>
`))
})

// Disabled is a destination that was given up.
type Disabled struct {
	Workspace string // its name
	Name      string // of the notification or the feed
	Kind      feed.DestinationType
	Gone      bool   // it answered that it wants no more; else it took nothing for five days
	Enable    string // the path of the operation that brings it back
	Recover   string // the path of the operation that sends again what it missed
}

// Mail returns the mail that tells an admin of it.
func (d Disabled) Mail(to string) (mail.Message, error) {
	what := map[feed.DestinationType]string{feed.Webhook: "webhook", feed.Email: "mail", feed.Slack: "Slack message"}[d.Kind]
	name := line(d.Name, feed.MaxNotificationName)
	why := "It took nothing for five days."
	if d.Gone {
		why = "It answered that it wants no more."
	}
	parts := []string{
		fmt.Sprintf("The %s of “%s” in %s is disabled. %s", what, name, line(d.Workspace, maxQuotedLine), why),
		"What it misses is kept for 30 days. Mend the destination or give another one. Then enable it and have sent again what it missed:",
		"POST " + d.Enable, "POST " + d.Recover,
	}
	var html strings.Builder
	if err := disabled().Execute(&html, parts); err != nil {
		return mail.Message{}, fmt.Errorf("write a mail: %w", err)
	}
	return mail.Message{
		To:      to,
		Subject: line(fmt.Sprintf("The %s of “%s” gets nothing", what, name), maxQuotedLine),
		Text:    strings.Join(parts, "\n\n") + "\n",
		HTML:    html.String(),
	}, nil
}
