package statement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/analytics"
)

// Rows reads the rows that the engine returned for the statement. Returns analytics.ErrTooManyRows if there are more
// than MaxResult.
func (m Made) Rows(all [][]*string) ([]analytics.DayRow, error) {
	if len(all) > MaxResult {
		return nil, analytics.ErrTooManyRows
	}
	var buckets []analytics.Bucket
	if m.query.Granularity != "" {
		buckets = m.query.Period.Buckets(m.query.Granularity)
	}
	rows := make([]analytics.DayRow, 0, len(all))
	for _, cells := range all {
		if len(cells) != len(m.columns) {
			return nil, fmt.Errorf("statement: a row has %d columns, want %d", len(cells), len(m.columns))
		}
		row, err := m.row(cells, buckets)
		if err != nil {
			return nil, err
		}
		if row.Mentions > 0 { // a statement without groups has a row for no mention
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func (m Made) row(cells []*string, buckets []analytics.Bucket) (row analytics.DayRow, err error) {
	source := ""
	for i, cell := range cells {
		switch kind := m.columns[i]; kind {
		case sourceColumn:
			if cell != nil {
				source = *cell
			}
		case handleColumn:
			if cell != nil {
				row.Author = &analytics.AuthorKey{Source: source, Handle: *cell}
			}
		case valueColumn:
			value, err := m.value(len(row.Values), cell, source)
			if err != nil {
				return row, err
			}
			if m.query.Dimensions[len(row.Values)] == analytics.Author && !value.Missing {
				row.Author = &analytics.AuthorKey{Source: value.Source, Handle: value.Text}
			}
			row.Values = append(row.Values, value)
		default:
			number, err := numberOf(cell)
			if err != nil {
				return row, err
			}
			switch kind {
			case bucketColumn:
				row.Bucket, err = bucketAt(buckets, number)
			case mentionsColumn:
				row.Mentions = number
			case judgedColumn:
				row.Judged = number
			case negativeColumn:
				row.Negative = number
			case engagementColumn:
				row.Engagement = number
			case authorsColumn:
				row.Authors = number
			case reachColumn:
				row.Reach = number
			case seenColumn:
				if cell != nil {
					row.Seen = time.UnixMilli(number)
				}
			}
			if err != nil {
				return row, err
			}
		}
	}
	return row, nil
}

// value returns the value of a dimension.
func (m Made) value(dimension int, cell *string, source string) (analytics.Value, error) {
	if cell == nil {
		return analytics.Value{Missing: true}, nil
	}
	switch d := m.query.Dimensions[dimension]; {
	case d == analytics.Author:
		return analytics.Value{Text: *cell, Source: source}, nil
	case d == analytics.Keyword && m.groups != nil:
		place, err := strconv.Atoi(*cell)
		if err != nil || place < 0 || place >= len(m.groups) {
			return analytics.Value{}, fmt.Errorf("statement: a row has the group %q", *cell)
		}
		return analytics.Value{Text: strconv.FormatInt(m.groups[place][0], 10)}, nil
	}
	return analytics.Value{Text: *cell}, nil
}

// numberOf reads a whole number. Engines may write a sum as a decimal. NULL is 0: the sum of nothing.
func numberOf(cell *string) (int64, error) {
	if cell == nil {
		return 0, nil
	}
	number, err := strconv.ParseInt(strings.TrimSuffix(*cell, ".0"), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("statement: a row has %q for a number", *cell)
	}
	return number, nil
}

// bucketAt returns the index of the bucket that begins at a time in milliseconds.
func bucketAt(buckets []analytics.Bucket, millis int64) (int, error) {
	at, found := slices.BinarySearchFunc(buckets, millis, func(b analytics.Bucket, millis int64) int {
		return int(b.Label.UnixMilli() - millis)
	})
	if !found {
		return 0, fmt.Errorf("statement: no bucket begins at %d", millis)
	}
	return at, nil
}
