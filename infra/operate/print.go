package operate

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"
)

// printer writes a command's results: for people, or as JSON.
type printer struct {
	to   io.Writer
	json bool
}

// rows writes a table, or found as JSON.
func (p printer) rows(found any, none string, header []string, rows [][]string) error {
	if p.json {
		return p.value(found)
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintln(p.to, none)
		return err
	}
	out := tabwriter.NewWriter(p.to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, strings.Join(header, "\t"))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = printable(cell)
		}
		fmt.Fprintln(out, strings.Join(row, "\t"))
	}
	return out.Flush()
}

// said writes lines for people, or made as JSON.
func (p printer) said(made any, lines ...string) error {
	if p.json {
		return p.value(made)
	}
	_, err := fmt.Fprintln(p.to, strings.Join(lines, "\n"))
	return err
}

func (p printer) value(value any) error {
	encoder := json.NewEncoder(p.to)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// printable returns others' text so that it is safe on a terminal: it cannot move the cursor, break a line, hide, or
// turn the direction of writing. Of the invisible characters two stay: they join letters and the parts of an emoji,
// or keep them apart.
func printable(text string) string {
	const joiner, nonJoiner = '\u200d', '\u200c'
	return strings.Map(func(r rune) rune {
		if r != joiner && r != nonJoiner && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}
