package notice

import (
	"fmt"
	"strings"

	"earshot/shared/feed"
	"earshot/shared/mention"
)

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

// Text returns the plain text that tells a channel of a content.
func Text(c Content) string {
	parts := []string{c.Says}
	for _, g := range c.quote(maxQuotedSlack) {
		for _, q := range g.Mentions {
			for _, part := range []string{q.byline(), q.Title, q.Text, q.URL} {
				if part != "" {
					parts = append(parts, part)
				}
			}
		}
	}
	if more := c.more(0); more != "" {
		parts = append(parts, more)
	}
	return strings.Join(parts, "\n\n")
}
