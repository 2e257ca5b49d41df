package feed

import (
	"net/url"
	"strings"
	"unicode"

	"earshot/shared/mention"
	"earshot/shared/text"
)

// What a mention says in a message to people. Everything of it was written by strangers.
type quoted struct {
	Name   string // of the notification, a line
	Title  string // a line; empty: none
	Text   string // may have several lines; empty: none
	Author string // a line; empty: not known
	Source string // a line
	Posted string // "2026-11-20 09:30 UTC"
	URL    string // http or https; empty: none that can be shown
}

// Bounds of what is quoted, in characters; what is longer is cut.
const (
	maxQuotedLine    = 150
	maxQuotedMail    = 10_000
	maxQuotedSlack   = 2_000
	maxQuotedAddress = 2_000 // longer ones are not shown: a part of an address leads elsewhere
)

func quote(n Notification, m mention.Mention, most int) quoted {
	q := quoted{
		Name: line(n.Name, MaxNotificationName), Source: line(m.Source, maxQuotedLine), Posted: m.PostedAt.UTC().Format("2006-01-02 15:04 UTC"), URL: address(m.URL),
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

// headline is the title, and the beginning of the text where there is none.
func (q quoted) headline() string {
	if q.Title != "" {
		return q.Title
	}
	return line(q.Text, maxQuotedLine)
}

// byline says who wrote it, where and when.
func (q quoted) byline() string {
	who := ""
	if q.Author != "" {
		who = q.Author + " on "
	}
	return who + q.Source + ", " + q.Posted
}

// paragraphs is all of it as plain text.
func (q quoted) paragraphs() string {
	parts := []string{"Test of the notification “" + q.Name + "”: this is the newest mention of its feed.", q.byline()}
	for _, part := range []string{q.Title, q.Text, q.URL} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n\n")
}

// TestText is what a test of the notification writes into Slack, as plain text.
func (n Notification) TestText(m mention.Mention) string {
	return quote(n, m, maxQuotedSlack).paragraphs()
}

// address is an address of the web that may be shown as a link; empty for any other.
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

// line is a text as one line, without what would end it or turn it around.
func line(said string, most int) string {
	return text.Cut(strings.Join(strings.Fields(strings.Map(printed, strings.ToValidUTF8(said, "\uFFFD"))), " "), most)
}

// lines is a text without what is not printed but line feeds.
func lines(said string, most int) string {
	said = strings.ReplaceAll(strings.ToValidUTF8(said, "\uFFFD"), "\r\n", "\n")
	return text.Cut(strings.TrimSpace(strings.Map(func(c rune) rune {
		if c == '\n' {
			return c
		}
		return printed(c)
	}, said)), most)
}

// printed puts a space in the place of what ends a line or controls a terminal, and leaves out what turns the direction of writing
// around ("Unicode Bidirectional Algorithm", section 2): a text could else change how the line after it reads.
func printed(c rune) rune {
	switch {
	case unicode.IsControl(c), unicode.Is(unicode.Zl, c), unicode.Is(unicode.Zp, c):
		return ' '
	case unicode.Is(unicode.Bidi_Control, c):
		return -1
	}
	return c
}
