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
{{- range .Groups}}{{range .Mentions}}
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
{{- end}}{{end}}
{{- with .More}}
<hr>
<p>and {{.}} more</p>
{{- end}}
</body>
</html>
`))
})

// OfMentions returns what a message tells of new mentions. name is that of the notification or the feed. total counts the
// mentions with those that are not quoted.
func OfMentions(name string, mentions []mention.Mention, total int) Content {
	name = line(name, feed.MaxNotificationName)
	c := Content{
		Says:   "A new mention in “" + name + "”",
		Groups: []Group{{Mentions: mentions}},
		More:   max(0, total-len(mentions)),
	}
	if total > 1 {
		c.Says = fmt.Sprintf("%d new mentions in “%s”", total, name)
	}
	if total == 1 && len(mentions) == 1 {
		c.Headline = quote(feed.Notification{}, mentions[0], maxQuotedMail).headline()
	}
	return c
}

// Mail returns the mail that tells an address of a content.
func Mail(to string, c Content) (mail.Message, error) {
	groups := c.quote(maxQuotedMail)
	var html strings.Builder
	err := letter().Execute(&html, struct {
		Says   string
		Groups []quotedGroup
		More   int
	}{c.Says, groups, c.More})
	if err != nil {
		return mail.Message{}, fmt.Errorf("write a mail: %w", err)
	}
	subject := c.Says
	if c.Headline != "" {
		subject += ": " + c.Headline
	}
	return mail.Message{
		To: to, Subject: line(subject, maxQuotedLine), Text: c.text(groups) + "\n", HTML: html.String(),
	}, nil
}

// Text returns the plain text that tells a channel of a content.
func Text(c Content) string { return c.text(c.quote(maxQuotedSlack)) }

func (c Content) text(groups []quotedGroup) string {
	parts := []string{c.Says}
	for _, g := range groups {
		for _, q := range g.Mentions {
			for _, part := range []string{q.byline(), q.Title, q.Text, q.URL} {
				if part != "" {
					parts = append(parts, part)
				}
			}
		}
	}
	if c.More > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", c.More))
	}
	return strings.Join(parts, "\n\n")
}
