// Package notice writes what a notification says to people of a mention: a mail, and a text for Slack. Strangers wrote
// the mention, so every value is escaped for its place, cut, and rid of characters that would turn a line.
//
// The function feeds imports it. feed does not, so that who stores feeds links no mail.
package notice

import (
	"fmt"
	"html/template"
	"strings"
	"sync"

	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/port/mail"
)

// testMail is the template of a test's mail as HTML. It escapes every value for its place.
var testMail = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("test").Parse(`<!doctype html>
<html lang="en">
<body style="font-family:sans-serif;max-width:40em">
<p>Test of the notification “{{.Name}}”: this is the newest mention of its feed.</p>
<p style="color:#555">{{with .Author}}{{.}} on {{end}}{{.Source}}, {{.Posted}}</p>
{{- with .Title}}
<h2>{{.}}</h2>
{{- end}}
{{- with .Text}}
<p style="white-space:pre-wrap">{{.}}</p>
{{- end}}
{{- with .URL}}
<p><a href="{{.}}" rel="noreferrer nofollow">{{.}}</a></p>
{{- end}}
</body>
</html>
`))
})

// TestMail returns the mail that a test of the notification sends to an address.
func TestMail(n feed.Notification, to string, m mention.Mention) (mail.Message, error) {
	q := quote(n, m, maxQuotedMail)
	var html strings.Builder
	if err := testMail().Execute(&html, q); err != nil {
		return mail.Message{}, fmt.Errorf("write a mail: %w", err)
	}
	subject := "Test of " + q.Name
	if headline := q.headline(); headline != "" {
		subject += ": " + headline
	}
	return mail.Message{
		To:      to,
		Subject: line(subject, maxQuotedLine),
		Text:    q.paragraphs() + "\n",
		HTML:    html.String(),
	}, nil
}
