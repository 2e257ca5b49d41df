package analytics

import (
	"context"
	"time"
)

// WithoutCells makes a query that only rows can answer: it asks for authors too.
func WithoutCells(q Query) Query {
	q.Aggregates = append([]Aggregate{Authors}, q.Aggregates...)
	return q
}

// Limits are the limits of a run.
type Limits struct {
	Budget   int   // bytes of rows
	Mentions int64 // fewer are scanned
	Authors  int   // of a list
	Held     int   // authors in memory; 0 for the usual
	Digested int   // fewer cells get no digest; 0 for the usual
}

// RunWithin is Run within other limits.
func RunWithin(ctx context.Context, s Store, l Limits, queries ...Query) ([]Answer, error) {
	within := usual
	if l.Budget > 0 {
		within.budget = l.Budget
	}
	if l.Held > 0 {
		within.held = l.Held
	}
	if l.Digested > 0 {
		within.digested = l.Digested
	}
	within.mentions, within.authors = l.Mentions, l.Authors
	return run(ctx, s, within, queries...)
}

// Estimated is why figures are not exact if sketches say them.
const Estimated = estimated

// ReadOf is Read with another bound on the rows that select mentions.
var ReadOf = read

// MaxSpans is how many times without a valid file a query scans.
const MaxSpans = maxSpans

// Scattered counts the times of a window that are on none of the days.
func Scattered(days []FileDay, start, end time.Time) int { return len(without(days, start, end)) }
