// Package terminal makes texts safe for a terminal and fits them into its columns. Posts, keywords and messages of the
// API were written by strangers: nothing of them may move the cursor or turn the direction of writing.
//
// The words of the workbench's program import it.
package terminal

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// UsualWidth is the width of a line unless COLUMNS gives another.
const UsualWidth = 80

// Safe makes strangers' text safe for a terminal: nothing in it moves the cursor or turns the direction of writing.
func Safe(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// EscapeJSON returns JSON in which characters that a terminal acts upon are escaped. Outside of its texts JSON has none.
func EscapeJSON(document []byte) string {
	var b strings.Builder
	for _, r := range string(document) {
		switch {
		case unicode.IsGraphic(r) || r == '\n' || r == '\t' || r == '\r':
			b.WriteRune(r)
		case r > 0xffff:
			high, low := (r-0x10000)>>10+0xd800, (r-0x10000)&0x3ff+0xdc00
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// Width returns how many columns of a terminal a text takes: East Asian letters take two, marks none.
func Width(text string) (n int) {
	for _, r := range text {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.IsMark(r):
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// Short cuts a text to a number of cells.
func Short(text string, most int) string {
	text = strings.TrimSpace(Safe(text))
	if Width(text) <= most {
		return text
	}
	taken := 0
	for i, r := range text {
		if taken += Width(string(r)); taken > most-1 {
			return strings.TrimSpace(text[:i]) + "…"
		}
	}
	return text
}

// Pad fills a text up with blanks to a number of cells.
func Pad(text string, to int) string { return text + strings.Repeat(" ", max(to-Width(text), 0)) }

// hang is the largest indentation of a text's further lines.
const hang = 6

// Wrap writes a text in lines of a number of cells: the first behind first, the others indented.
func Wrap(to io.Writer, first, text string, wide int) {
	behind := strings.Repeat(" ", min(Width(first), hang))
	line, used := first, Width(first)
	begun := false
	for _, word := range strings.Fields(Safe(text)) {
		if (begun || used > len(behind)) && used+1+Width(word) > wide {
			fmt.Fprintln(to, strings.TrimRight(line, " "))
			line, used, begun = behind, len(behind), false
		}
		if begun {
			line, used = line+" ", used+1
		}
		line, used, begun = line+word, used+Width(word), true
	}
	fmt.Fprintln(to, strings.TrimRight(line, " "))
}
