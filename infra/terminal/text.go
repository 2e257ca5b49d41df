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

	"github.com/rivo/uniseg"
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

// Width returns how many columns of a terminal a text takes. East Asian letters and emoji take two, marks none.
func Width(text string) int { return uniseg.StringWidth(text) }

// Short cuts a text to a number of columns. It parts no letter from its marks.
func Short(text string, most int) string {
	text = strings.TrimSpace(Safe(text))
	if Width(text) <= most {
		return text
	}
	kept, taken, state := 0, 0, -1
	for rest := text; rest != ""; {
		var letter string
		var wide int
		letter, rest, wide, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if taken += wide; taken > most-1 {
			return strings.TrimSpace(text[:kept]) + "…"
		}
		kept += len(letter)
	}
	return text
}

// ASCII replaces each letter that is not in ASCII by a question mark for each of its columns.
func ASCII(text string) string {
	var b strings.Builder
	for letters := uniseg.NewGraphemes(text); letters.Next(); {
		if letter := letters.Str(); len(letter) == 1 && letter[0] < 0x80 {
			b.WriteString(letter)
		} else {
			b.WriteString(strings.Repeat("?", letters.Width()))
		}
	}
	return b.String()
}

// Pad fills a text up with blanks to a number of columns.
func Pad(text string, to int) string { return text + strings.Repeat(" ", max(to-Width(text), 0)) }

// hang is the largest indentation of a text's further lines.
const hang = 6

// Wrap writes a text in lines of a number of columns: the first behind first, the others indented.
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

// plain are the letters of the program's own texts that ASCII has no others for, with those that stand for them.
func plain() *strings.Replacer {
	return strings.NewReplacer("…", "~", "–", "-", "✓", "+", "✗", "x")
}

// ASCIIWriter returns a writer that writes to another one as ASCII does. Each Write takes whole letters.
func ASCIIWriter(to io.Writer) io.Writer { return asciiWriter{to} }

type asciiWriter struct{ to io.Writer }

// Write writes the letters of p.
func (w asciiWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(w.to, ASCII(plain().Replace(string(p)))); err != nil {
		return 0, err
	}
	return len(p), nil
}
