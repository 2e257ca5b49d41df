// Package plaintext makes plain text of the HTML in platforms' responses. The HTML is a stranger's. Whatever it holds,
// the text costs time and space that grow with its length.
//
// Adapters below shared/source import it.
package plaintext

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Max is how many bytes of HTML are read. The rest is left out. A post's text is cut well below that.
const Max = 512 << 10

// FromHTML returns the text of an HTML fragment as a reader sees it. Entities are decoded, a blank line separates
// paragraphs, and list items begin with a dash. White space is folded, except in <pre>. Scripts, styles, other hidden
// elements and the addresses of links and images are left out. It never fails: stray angle brackets stay in the text.
//
// It reads tokens and builds no tree, so nesting cannot exhaust the stack.
func FromHTML(fragment string) string {
	if len(fragment) > Max {
		fragment = fragment[:Max]
	}
	if !strings.ContainsAny(fragment, "<&") {
		return strings.TrimSpace(fragment)
	}
	var w writer
	tokens := html.NewTokenizer(strings.NewReader(fragment))
	hidden := atom.Atom(0) // the element whose content is left out
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return strings.TrimSpace(w.String())
		}
		if kind == html.TextToken {
			if hidden == 0 {
				w.text(string(tokens.Text()))
			}
			continue
		}
		if kind == html.CommentToken || kind == html.DoctypeToken {
			continue
		}
		name, _ := tokens.TagName()
		element := atom.Lookup(name)
		switch {
		case hidden != 0:
			if kind == html.EndTagToken && element == hidden {
				hidden = 0
			}
		case unseen[element] && (kind == html.StartTagToken || kind == html.SelfClosingTagToken && !closes[element]):
			hidden = element
		default:
			w.tag(element, kind == html.EndTagToken)
		}
	}
}

var unseen = map[atom.Atom]bool{
	atom.Script:   true,
	atom.Style:    true,
	atom.Title:    true,
	atom.Template: true,
	atom.Noscript: true,
	atom.Iframe:   true,
	atom.Object:   true,
	atom.Svg:      true,
	atom.Math:     true,
	atom.Textarea: true,
	atom.Select:   true,
	atom.Noembed:  true,
	atom.Noframes: true,
}

// closes has the unseen elements that "/>" ends here. The content of the others is text that HTML does not parse, and
// HTML ignores their slash.
var closes = map[atom.Atom]bool{
	atom.Svg:      true,
	atom.Math:     true,
	atom.Template: true,
	atom.Object:   true,
	atom.Select:   true,
}

// breaks has the number of line breaks before and after an element.
var breaks = map[atom.Atom]int{
	atom.P:          2,
	atom.Blockquote: 2,
	atom.Pre:        2,
	atom.Ul:         2,
	atom.Ol:         2,
	atom.Table:      2,
	atom.Hr:         2,
	atom.Figure:     2,
	atom.H1:         2,
	atom.H2:         2,
	atom.H3:         2,
	atom.H4:         2,
	atom.H5:         2,
	atom.H6:         2,
	atom.Div:        1,
	atom.Li:         1,
	atom.Tr:         1,
	atom.Dt:         1,
	atom.Dd:         1,
	atom.Section:    1,
	atom.Article:    1,
	atom.Header:     1,
	atom.Footer:     1,
	atom.Figcaption: 1,
	atom.Details:    1,
	atom.Summary:    1,
}

// A writer folds white space as it writes.
type writer struct {
	strings.Builder
	lines int  // line breaks before the next text
	space bool // a space before the next text
	dash  bool // a list item began, and its dash is the last text
	pre   int
}

func (w *writer) tag(element atom.Atom, end bool) {
	switch element {
	case atom.Br:
		w.lines, w.space = min(w.lines+1, 2), false
		return
	case atom.Td, atom.Th:
		w.space = true
		return
	case atom.Pre:
		if w.pre++; end {
			w.pre = max(0, w.pre-2)
		}
	}
	if n := breaks[element]; n > 0 && (!w.dash || end || element == atom.Li) { // a paragraph begins at the dash
		w.lines, w.space = max(w.lines, n), false
	}
	if element == atom.Li && !end {
		w.flush()
		w.WriteString("- ")
		w.dash = true
	}
}

func (w *writer) flush() {
	switch {
	case w.Len() == 0:
	case w.lines > 0:
		w.WriteString("\n\n"[:min(w.lines, 2)])
	case w.space && !w.dash:
		w.WriteByte(' ')
	}
	w.lines, w.space, w.dash = 0, false, false
}

func (w *writer) text(text string) {
	if w.pre > 0 {
		w.flush()
		w.WriteString(text)
		return
	}
	for i, word := range strings.FieldsFunc(text, folds) {
		w.space = w.space || i > 0 || folds(rune(text[0]))
		w.flush()
		w.WriteString(word)
	}
	if text != "" && folds(rune(text[len(text)-1])) {
		w.space = true
	}
}

// folds reports whether r is white space as HTML defines it. A no-break space is not.
func folds(r rune) bool { return r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' }
