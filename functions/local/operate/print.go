package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// printer writes what a command found: for people, or as JSON.
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

// printable is a text that others chose, on a terminal: it cannot move the cursor or break a line.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' {
			return '\uFFFD'
		}
		return r
	}, text)
}
