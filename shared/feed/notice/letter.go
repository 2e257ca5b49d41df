package notice

import (
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"earshot/shared/mention"
	"earshot/shared/port/mail"
	"earshot/shared/text"
)

// Bounds of a letter. Gmail cuts a mail's HTML at about 102 KB. A letter with no mention stays below the limit if its
// other parts are at their bounds and every character is escaped.
const (
	maxLetterHTML    = 100_000 // bytes
	maxLetterSays    = 400     // characters
	maxLetterFigures = 12
	maxLetterFigure  = 40 // characters of a figure's name, and of its value
	maxLetterGroups  = 20
	maxLetterQuoted  = 60  // mentions, of which more would not fit
	maxLetterText    = 600 // characters of a mention's text, when there are several
	minLetterText    = 150 // mentions are left out before their texts are cut below this
	letterRow        = 30  // characters of a text that allow it one more row
)

//go:embed letter.html.tmpl
var letterHTML string

// letterTemplate escapes every value for its place.
var letterTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("letter").Parse(letterHTML))
})

// A letter is what a mail shows of a content: texts that are clean and cut. Its HTML and its text state the same facts.
type letter struct {
	Says        string
	Figures     []Figure
	Notes       []string // paragraphs
	Requests    []string // of the API, after Notes
	Heading     string   // of the themes
	Themes      []Theme  // what the mentions say
	Groups      []quotedGroup
	More        string // the last line; empty for none
	Unsubscribe string // an address; empty for none
}

// A tone is how a letter shows a sentiment. Its colours have a contrast of 4.5 or more (WCAG 2.2, section 1.4.3). The
// template's style has the colours of the class in the dark scheme.
type tone struct{ Word, Class, Ink, Paper string }

// Tone returns how the sentiment is shown; nil if it is unknown.
func (q quoted) Tone() *tone {
	switch q.Sentiment {
	case mention.Positive:
		return &tone{"Positive", "positive", "#0b5c33", "#dff3e6"}
	case mention.Neutral:
		return &tone{"Neutral", "neutral", "#475063", "#e9ecf2"}
	case mention.Negative:
		return &tone{"Negative", "negative", "#9b1c1c", "#fde7e7"}
	}
	return nil
}

// Rows returns the rows of the text. Outlook shows no line feeds, so the template sets breaks.
func (q quoted) Rows() []string { return strings.Split(q.Text, "\n") }

// Mail returns the mail that tells an address of a content. Mentions that have no room are counted in its last line.
func Mail(to string, c Content) (mail.Message, error) {
	written, html, err := c.fitted()
	if err != nil {
		return mail.Message{}, fmt.Errorf("write a mail: %w", err)
	}
	subject := c.Says
	if c.Headline != "" {
		subject += ": " + c.Headline
	}
	return mail.Message{To: to, Subject: line(subject, maxQuotedLine), Text: written.text(), HTML: html}, nil
}

// fitted returns the letter with the most mentions that is within the size, and its HTML. It cuts texts first.
func (c Content) fitted() (letter, string, error) {
	most, share := min(c.quotedOf(), maxLetterQuoted), maxLetterText
	if c.quotedOf() == 1 {
		share = maxQuotedMail
	}
	written := c.letter(share)
	for {
		written.cut(most, share)
		written.More = c.more(c.quotedOf() - written.quotedOf())
		var html strings.Builder
		err := letterTemplate().Execute(&html, written)
		if err != nil || html.Len() <= maxLetterHTML || most == 0 {
			return written, html.String(), err
		}
		if share > minLetterText {
			share = max(minLetterText, share/2)
		} else {
			most = most * 3 / 4
		}
	}
}

// letter returns the letter that quotes all mentions, with share characters of each text.
func (c Content) letter(share int) letter {
	groups := c.quote(share * max(1, c.quotedOf()))
	written := letter{
		Says:        line(c.Says, maxLetterSays),
		Heading:     saidHeading,
		Themes:      c.said(),
		Groups:      groups[:min(len(groups), maxLetterGroups)],
		Unsubscribe: address(c.Unsubscribe),
	}
	for _, f := range c.Figures[:min(len(c.Figures), maxLetterFigures)] {
		written.Figures = append(written.Figures, Figure{
			line(f.Name, maxLetterFigure), line(f.Value, maxLetterFigure), line(f.Note, maxQuotedLine),
		})
	}
	return written
}

func (l letter) quotedOf() (n int) {
	for _, g := range l.Groups {
		n += len(g.Mentions)
	}
	return n
}

// cut leaves at most so many mentions, with share characters of each text. It takes the last mention of the largest group
// each time, so that every group keeps some.
func (l letter) cut(most, share int) {
	for left := l.quotedOf() - most; left > 0; left-- {
		largest := &l.Groups[0]
		for i, g := range l.Groups {
			if len(g.Mentions) >= len(largest.Mentions) {
				largest = &l.Groups[i]
			}
		}
		largest.Mentions = largest.Mentions[:len(largest.Mentions)-1]
	}
	for _, g := range l.Groups {
		for i, q := range g.Mentions {
			g.Mentions[i].Text = rows(text.Cut(q.Text, share), share/letterRow)
		}
	}
}

// rows returns a text with at most so many rows, and one blank row where it has several.
func rows(said string, most int) string {
	var kept []string
	for row := range strings.SplitSeq(said, "\n") {
		row = strings.TrimSpace(row)
		if row == "" && (len(kept) == 0 || kept[len(kept)-1] == "") {
			continue
		}
		if len(kept) == most {
			kept = append(kept, "…")
			break
		}
		kept = append(kept, row)
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// text returns the letter as plain text.
func (l letter) text() string {
	var figures []string
	for _, f := range l.Figures {
		figures = append(figures, f.fact())
	}
	parts := []string{l.Says, strings.Join(figures, "\n")}
	parts = append(append(parts, l.Notes...), l.Requests...)
	if len(l.Themes) > 0 {
		parts = append(parts, l.Heading)
	}
	for _, t := range l.Themes {
		parts = append(parts, t.Title+":\n- "+strings.Join(t.Sentences, "\n- "))
	}
	for _, g := range l.Groups {
		if g.Name != "" {
			parts = append(parts, fmt.Sprintf("%s: %d", g.Name, g.Total))
		}
		for _, q := range g.Mentions {
			byline := q.byline()
			if tone := q.Tone(); tone != nil {
				byline += " · " + tone.Word
			}
			parts = append(parts, byline, q.Title, q.Text)
			if q.Comment != "" {
				parts = append(parts, "Relevance: "+q.Comment)
			}
			parts = append(parts, q.URL)
		}
	}
	parts = append(parts, l.More)
	if l.Unsubscribe != "" {
		parts = append(parts, "Unsubscribe: "+l.Unsubscribe)
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n\n") + "\n"
}
