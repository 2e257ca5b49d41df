package notice

import (
	"fmt"

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
