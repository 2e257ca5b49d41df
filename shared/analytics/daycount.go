package analytics

import (
	"slices"
	"strings"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// maxPeople bounds the authors that a DayCount remembers.
const maxPeople = 1_000_000

// A DayCount adds up the mentions of a query from day files, for an engine that reads them itself. Mentions come newest
// first.
type DayCount struct {
	a      *accumulator
	apart  map[string]bool
	people map[*tally]map[string]person
	known  int
}

// person is what a tally knows of an author.
type person struct {
	followers int64
	seen      time.Time
}

// NewDayCount begins a count. Authors in apart get rows of their own.
func NewDayCount(q Query, apart []AuthorKey) *DayCount {
	c := &DayCount{newAccumulator(q), map[string]bool{}, map[*tally]map[string]person{}, 0}
	for _, author := range apart {
		c.apart[author.key()] = true
	}
	return c
}

// Predicate returns the filter of the mentions to add.
func (c *DayCount) Predicate() *filter.Predicate { return c.a.predicate }

// Edges returns the times that mentions that are added together must not lie on both sides of, ascending: the bounds of
// the query's window, and of its buckets within it.
func (c *DayCount) Edges() []time.Time {
	edges := []time.Time{c.a.start, c.a.end}
	for _, b := range c.a.buckets {
		if b.Start.After(c.a.start) && b.Start.Before(c.a.end) {
			edges = append(edges, b.Start)
		}
	}
	slices.SortFunc(edges, time.Time.Compare)
	return edges
}

// Uses reports whether the query's rows depend on a property of mentions.
func (c *DayCount) Uses(d Dimension) bool { return slices.Contains(c.a.query.Dimensions, d) }

// People reports whether the query counts authors or their followers.
func (c *DayCount) People() bool {
	return slices.Contains(c.a.query.Aggregates, Authors) || slices.Contains(c.a.query.Aggregates, Reach)
}

// Wants reports whether the query asks for an aggregate.
func (c *DayCount) Wants(aggregate Aggregate) bool {
	return slices.Contains(c.a.query.Aggregates, aggregate)
}

// Add adds mentions that are equal in what the query depends on, which the filter takes. newest is when the newest of
// them was posted. Returns ErrBudget or ErrTooManyRows if there are too many authors or rows.
func (c *DayCount) Add(row *filter.Row, newest time.Time, mentions, engagement int64) error {
	bucket := 0
	if c.a.buckets != nil {
		bucket = bucketAt(c.a.buckets, newest)
	}
	author := ""
	if c.People() {
		author = authorOf(row)
	}
	combinations(c.a.choices(row), func(values []Value) {
		t := c.a.at(bucket, values)
		t.Mentions += mentions
		t.Engagement += engagement
		if row.Sentiment != "" {
			t.Judged += mentions
		}
		if row.Sentiment == mention.Negative {
			t.Negative += mentions
		}
		if author == "" {
			return
		}
		if c.people[t] == nil {
			c.people[t] = map[string]person{}
		}
		known, again := c.people[t][author]
		if !again {
			c.known++
		}
		if !again || known.followers <= 0 {
			followers := max(0, row.Followers)
			seen := newest
			if followers == 0 {
				seen = time.Time{}
			}
			c.people[t][author] = person{followers, seen}
		}
	})
	switch {
	case c.known > maxPeople:
		return ErrBudget
	case len(c.a.tallies) > MaxRows:
		return ErrTooManyRows
	}
	return nil
}

// Rows returns what was added.
func (c *DayCount) Rows() []DayRow {
	var rows []DayRow
	for _, t := range c.a.tallies {
		others := DayRow{Row: t.Row}
		for key, p := range c.people[t] {
			if !c.apart[key] {
				others.Authors++
				others.Reach += p.followers
				continue
			}
			source, handle, _ := strings.Cut(key, "\x00")
			rows = append(rows, DayRow{
				Row:    Row{Bucket: t.Bucket, Values: t.Values, Figures: Figures{Reach: p.followers}},
				Author: &AuthorKey{source, handle},
				Seen:   p.seen,
			})
		}
		rows = append(rows, others)
	}
	return rows
}
