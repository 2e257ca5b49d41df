package notice

import (
	"net/url"
	"strings"
	"unicode"

	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/text"
)

// quoted holds what a message to people quotes of a mention. Strangers wrote all of it.
type quoted struct {
	Name   string // of the notification, a line
	Title  string // one line; empty for none
	Text   string // may have several lines; empty for none
	Author string // one line; empty if unknown
	Source string // one line
	Posted string // "2026-11-20 09:30 UTC"
	URL    string // http or https; empty if there is none to show

	Sentiment mention.Sentiment // empty if unknown
	Comment   string            // the judge's reason, a line; empty for none
}

// Bounds of what is quoted, in characters; what is longer is cut.
const (
	maxQuotedLine    = 150
	maxQuotedComment = 240
	maxQuotedMail    = 10_000
	maxQuotedAddress = 2_000 // longer ones are not shown: a part of an address leads elsewhere
)

func quote(n feed.Notification, m mention.Mention, most int) quoted {
	q := quoted{
		Name:   line(n.Name, feed.MaxNotificationName),
		Source: line(m.Source, maxQuotedLine),
		Posted: m.PostedAt.UTC().Format("2006-01-02 15:04 UTC"),
		URL:    address(m.URL),

		Sentiment: m.Sentiment,
		Comment:   line(m.RelevanceComment, maxQuotedComment),
	}
	if m.Title != nil {
		q.Title = line(*m.Title, maxQuotedLine)
	}
	if m.Body != nil {
		q.Text = lines(*m.Body, most)
	}
	switch {
	case m.AuthorName != "":
		q.Author = line(m.AuthorName, maxQuotedLine)
	case m.Author != nil:
		q.Author = line(*m.Author, maxQuotedLine)
	}
	return q
}

// headline returns the title or, without one, the beginning of the text.
func (q quoted) headline() string {
	if q.Title != "" {
		return q.Title
	}
	return line(q.Text, maxQuotedLine)
}

// byline returns the author, the place and the time.
func (q quoted) byline() string {
	who := ""
	if q.Author != "" {
		who = q.Author + " on "
	}
	return who + q.Source + ", " + q.Posted
}

// testOf says what a test is, by the name of its notification.
func testOf(name string) string {
	return "Test of the notification “" + name + "”: this is the newest mention of its feed."
}

// OfTest returns what a test of the notification tells.
func OfTest(n feed.Notification, m mention.Mention) Content {
	return Content{Says: testOf(line(n.Name, feed.MaxNotificationName)), Groups: []Group{{Mentions: []mention.Mention{m}}}}
}

// address returns a web address that may be shown as a link; empty for any other text.
func address(text string) string {
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || parsed.Scheme != "https" && parsed.Scheme != "http" || parsed.User != nil {
		return ""
	}
	if shown := parsed.String(); len(shown) <= maxQuotedAddress && line(shown, maxQuotedAddress) == shown {
		return shown
	}
	return ""
}

// line returns a text as one line, without characters that would end it or turn its direction.
func line(said string, most int) string {
	return text.Cut(strings.Join(strings.Fields(strings.Map(printed, strings.ToValidUTF8(said, "\uFFFD"))), " "), most)
}

// lines returns a text without unprintable characters other than line feeds.
func lines(said string, most int) string {
	said = strings.ReplaceAll(strings.ToValidUTF8(said, "\uFFFD"), "\r\n", "\n")
	return text.Cut(strings.TrimSpace(strings.Map(func(c rune) rune {
		if c == '\n' {
			return c
		}
		return printed(c)
	}, said)), most)
}

// printed replaces a character that ends a line or controls a terminal with a space. It drops marks that turn the
// direction of writing ("Unicode Bidirectional Algorithm", section 2), which could change how the following line reads.
func printed(c rune) rune {
	switch {
	case unicode.IsControl(c), unicode.Is(unicode.Zl, c), unicode.Is(unicode.Zp, c):
		return ' '
	case unicode.Is(unicode.Bidi_Control, c):
		return -1
	}
	return c
}
