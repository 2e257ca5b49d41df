// Package warehousetest is the suite that every adapter of the port warehouse passes. It tests what the port's comments
// promise of any engine. What follows from an engine's limits is for the adapter's own tests.
//
// Only tests of adapters import it.
package warehousetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"earshot/shared/port/warehouse"
)

// Open makes a warehouse for one statement, which the test's cleanup takes away. An engine without SQL returns rows for
// the statement. Rows are nil if no statement reaches the engine.
type Open func(t *testing.T, rows [][]*string) warehouse.Warehouse

// Options list what an adapter, or the server behind it, cannot do.
type Options struct {
	Skip map[string]string // the reason for each skipped test, by its name
}

// Run runs the suite.
func Run(t *testing.T, open Open, options Options) {
	for _, test := range tests() {
		t.Run(test.name, func(t *testing.T) {
			if reason, skip := options.Skip[test.name]; skip {
				t.Skip(reason)
			}
			if wrong := test.check(t.Context(), open(t, test.rows)); wrong != "" {
				t.Error(wrong)
			}
		})
	}
}

// errAny stands for an error that need not be one of the port's.
var errAny = errors.New("any error")

// A test is a statement with what it returns.
type test struct {
	name      string
	statement warehouse.Statement
	rows      [][]*string
	err       error
	canceled  bool // the caller has gone
}

// check runs the test. It returns what is wrong, or nothing.
func (c test) check(ctx context.Context, w warehouse.Warehouse) string {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if c.canceled {
		cancel()
	}
	result, err := w.Query(ctx, c.statement)
	switch {
	case c.err == nil && err != nil:
		return fmt.Sprintf("Query = %v", err)
	case c.err != nil && (err == nil || c.err != errAny && !errors.Is(err, c.err)):
		return fmt.Sprintf("Query = %v, want %v", err, c.err)
	case c.err == errAny && (errors.Is(err, warehouse.ErrThrottled) || errors.Is(err, warehouse.ErrUnavailable)):
		return fmt.Sprintf("Query = %v, which callers repeat in vain", err)
	case result.Scanned < 0:
		return fmt.Sprintf("Query scanned %d bytes", result.Scanned)
	case len(result.Rows) != len(c.rows):
		return fmt.Sprintf("Query = %d rows, want %d", len(result.Rows), len(c.rows))
	}
	for i, want := range c.rows {
		if got := shown(result.Rows[i]); got != shown(want) {
			return fmt.Sprintf("Query: row %d = %s, want %s", i, got, shown(want))
		}
	}
	return ""
}

// shown writes a row so that a text NULL, an empty text and no text differ.
func shown(row []*string) string {
	var cells []string
	for _, cell := range row {
		if cell == nil {
			cells = append(cells, "NULL")
		} else {
			cells = append(cells, fmt.Sprintf("%q", *cell))
		}
	}
	return "(" + strings.Join(cells, ", ") + ")"
}

// row returns a row of texts.
func row(texts ...string) []*string {
	var cells []*string
	for _, text := range texts {
		cells = append(cells, &text)
	}
	return cells
}

// pagedRows is more rows than a page of any engine's results has.
const pagedRows = 2_500

const hostile = "it's \\ a \"line\"\nof 日本 👍 %_; DROP TABLE mentions --"

func tests() []test {
	const platforms = "SELECT n, source FROM (VALUES (1, 'reddit'), (-2, ''), (3, NULL), (4, 'NULL')) AS t(n, source) WHERE n < ? ORDER BY n"
	digits := "WITH digits(n) AS (VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)), " +
		"numbers(n) AS (SELECT a.n * 1000 + b.n * 100 + c.n * 10 + d.n FROM digits AS a CROSS JOIN digits AS b " +
		"CROSS JOIN digits AS c CROSS JOIN digits AS d) "
	var pages [][]*string
	for n := range pagedRows {
		pages = append(pages, row(fmt.Sprint(n)))
	}
	invalid := func(name, sql string, parameters ...any) test {
		return test{"Invalid/" + name, warehouse.Statement{SQL: sql, Parameters: parameters}, nil, warehouse.ErrInvalid,
			false}
	}
	return []test{
		{
			name:      "Values",
			statement: warehouse.Statement{SQL: platforms, Parameters: []any{int64(9)}},
			rows:      [][]*string{row("-2", ""), row("1", "reddit"), append(row("3"), nil), row("4", "NULL")},
		},
		{
			name:      "NoRow",
			statement: warehouse.Statement{SQL: platforms, Parameters: []any{int64(-9)}},
			rows:      [][]*string{},
		},
		{
			name: "Pages",
			statement: warehouse.Statement{
				SQL:        digits + "SELECT n FROM numbers WHERE n < ? ORDER BY n",
				Parameters: []any{int64(pagedRows)},
			},
			rows: pages,
		},
		{
			// A parameter is a value of its type, whatever it holds, and stands for the question mark at its place.
			name: "Parameters",
			statement: warehouse.Statement{
				SQL: "SELECT n FROM (VALUES (1), (2), (3), (4), (5), (6)) AS t(n) WHERE (n = 1 AND ? = '" +
					strings.ReplaceAll(
						hostile,
						"'",
						"''",
					) + "') OR (n = 2 AND ? = chr(63)) OR (n = 3 AND ? = -9223372036854775807) " +
					"OR (n = 4 AND ? = 9223372036854775807) OR (n = 5 AND ?) OR (n = 6 AND ?) ORDER BY n",
				Parameters: []any{hostile, "?", int64(-math.MaxInt64), int64(math.MaxInt64), true, false},
			},
			rows: [][]*string{row("1"), row("2"), row("3"), row("4"), row("5")},
		},
		{name: "Refused", statement: warehouse.Statement{SQL: "SELECT nothing FROM nowhere"}, err: errAny},
		{
			name:      "Canceled",
			statement: warehouse.Statement{SQL: platforms, Parameters: []any{int64(9)}},
			err:       context.Canceled,
			canceled:  true,
		},
		invalid("Empty", ""),
		invalid("TooFewParameters", "SELECT 1 WHERE ?"),
		invalid("TooManyParameters", "SELECT 1", true),
		invalid("OfAnotherType", "SELECT 1 WHERE ? = 1", 1.0),
		invalid("NUL", "SELECT 1 WHERE ? = 'x'", "\x00"),
		invalid("NotUTF8", "SELECT 1 WHERE ? = 'x'", "\xff"),
		invalid("LongParameter", "SELECT 1 WHERE ? = 'x'", strings.Repeat("é", warehouse.MaxParameter+1)),
		invalid("LongSQL", "SELECT "+strings.Repeat("1,", warehouse.MaxSQL/2)+"1"),
	}
}
