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

// letter is the template of a mail with mentions as HTML. It escapes every value for its place.
var letter = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("letter").Parse(`<!doctype html>
<html lang="en">
<body style="font-family:sans-serif;max-width:40em">
<p>{{.Says}}</p>
{{- range .Mentions}}
<hr>
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
{{- end}}
{{- with .More}}
<hr>
<p>{{.}}</p>
{{- end}}
</body>
</html>
`))
})

// A told is what a message says of new mentions.
type told struct {
	Name     string
	Says     string
	Mentions []quoted
	More     string // how many mentions are not quoted; empty for none
}

// tellOf quotes mentions, each cut to its share of most characters. total counts them with those that are not quoted.
func tellOf(name string, mentions []mention.Mention, total, most int) told {
	t := told{Name: line(name, feed.MaxNotificationName), Says: "A new mention in “"}
	if total > 1 {
		t.Says = fmt.Sprintf("%d new mentions in “", total)
	}
	t.Says += t.Name + "”"
	for _, m := range mentions {
		t.Mentions = append(t.Mentions, quote(feed.Notification{}, m, most/max(1, len(mentions))))
	}
	if more := total - len(mentions); more > 0 {
		t.More = fmt.Sprintf("and %d more", more)
	}
	return t
}

// Mail returns the mail that tells an address of new mentions. name is that of the notification or the feed. total counts
// the mentions with those that are not quoted.
func Mail(name, to string, mentions []mention.Mention, total int) (mail.Message, error) {
	t := tellOf(name, mentions, total, maxQuotedMail)
	var html strings.Builder
	if err := letter().Execute(&html, t); err != nil {
		return mail.Message{}, fmt.Errorf("write a mail: %w", err)
	}
	subject := t.Says
	if total == 1 && len(mentions) == 1 {
		subject = t.Name
		if headline := t.Mentions[0].headline(); headline != "" {
			subject += ": " + headline
		}
	}
	return mail.Message{To: to, Subject: line(subject, maxQuotedLine), Text: t.text() + "\n", HTML: html.String()}, nil
}

// Text returns the plain text that tells a channel of new mentions.
func Text(name string, mentions []mention.Mention, total int) string {
	return tellOf(name, mentions, total, maxQuotedSlack).text()
}

func (t told) text() string {
	parts := []string{t.Says}
	for _, q := range t.Mentions {
		for _, part := range []string{q.byline(), q.Title, q.Text, q.URL} {
			if part != "" {
				parts = append(parts, part)
			}
		}
	}
	if t.More != "" {
		parts = append(parts, t.More)
	}
	return strings.Join(parts, "\n\n")
}
