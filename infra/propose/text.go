package propose

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// usualWidth is the width of a line unless COLUMNS gives another.
const usualWidth = 80

// shown makes strangers' text safe for a terminal: nothing in it moves the cursor or turns the direction of writing.
func shown(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// escaped returns JSON in which characters that a terminal acts upon are escaped. Outside of its texts JSON has none.
func escaped(document []byte) string {
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

// cells returns how many columns of a terminal a text takes: East Asian letters take two, marks none.
func cells(text string) (n int) {
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

// short cuts a text to a number of cells.
func short(text string, most int) string {
	text = strings.TrimSpace(shown(text))
	if cells(text) <= most {
		return text
	}
	taken := 0
	for i, r := range text {
		if taken += cells(string(r)); taken > most-1 {
			return strings.TrimSpace(text[:i]) + "…"
		}
	}
	return text
}

// pad fills a text up with blanks to a number of cells.
func pad(text string, to int) string { return text + strings.Repeat(" ", max(to-cells(text), 0)) }

// hang is the largest indentation of a text's further lines.
const hang = 6

// wrap writes a text in lines of a number of cells: the first behind first, the others indented.
func wrap(to io.Writer, first, text string, wide int) {
	behind := strings.Repeat(" ", min(cells(first), hang))
	line, used := first, cells(first)
	begun := false
	for _, word := range strings.Fields(shown(text)) {
		if (begun || used > len(behind)) && used+1+cells(word) > wide {
			fmt.Fprintln(to, strings.TrimRight(line, " "))
			line, used, begun = behind, len(behind), false
		}
		if begun {
			line, used = line+" ", used+1
		}
		line, used, begun = line+word, used+cells(word), true
	}
	fmt.Fprintln(to, strings.TrimRight(line, " "))
}

func ended(sentence string) string {
	if strings.HasSuffix(sentence, ".") {
		return sentence
	}
	return sentence + "."
}
