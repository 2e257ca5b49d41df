// Package analytics counts mentions: by time, by their properties, and by their authors ("Analytics" in the contract).
//
// A Query is planned once. Run answers it from the store's cells if they have its dimensions and conditions, otherwise
// from summaries of days and from a scan of the rows of mentions, within a budget. Every figure says whether it is
// exact, and every row says by which filter a list opens its mentions.
//
// The nouns:
//
//   - A cell is a stored count of mentions that share a day, a source, a sentiment, a score, a language and tags, for
//     the workspace or for one keyword, by hours of UTC.
//   - A dimension is a property that rows are grouped by. A value of it may be missing, which is a value too.
//   - An aggregate is a figure of a row.
//   - A summary is a stored list of a day's mentions without their texts, or sketches of its authors.
//   - A digest is a stored list of cells, packed, of a few days. It is valid for a day while the day's version stays.
//   - A sketch estimates how many different authors there are, and several make one of all their authors.
//   - A bucket is an hour, day, week or month of a time zone.
//
// Functions that count mentions import it, and statement and dayfilecount, which count in day files.
package analytics

import (
	"time"

	"earshot/shared/filter"
)

// A Dimension is a property that mentions are grouped by.
type Dimension string

// The dimensions. A mention counts for each of its tags and for each of its keywords.
const (
	Source    Dimension = "source"
	Sentiment Dimension = "sentiment"
	Relevance Dimension = "relevance"
	Language  Dimension = "language"
	Tag       Dimension = "tag"
	Keyword   Dimension = "keyword"
	Author    Dimension = "author"
)

// Dimensions lists them.
func Dimensions() []Dimension {
	return []Dimension{Source, Sentiment, Relevance, Language, Tag, Keyword, Author}
}

// An Aggregate is a figure of a row.
type Aggregate string

// The aggregates.
const (
	Count         Aggregate = "count"         // mentions
	Authors       Aggregate = "authors"       // different authors
	Reach         Aggregate = "reach"         // followers of the authors, each author once
	Engagement    Aggregate = "engagement"    // the sum of the mentions' counters, except views
	NegativeShare Aggregate = "negativeShare" // negative mentions among those with a sentiment, 0 to 1
)

// Aggregates lists them.
func Aggregates() []Aggregate { return []Aggregate{Count, Authors, Reach, Engagement, NegativeShare} }

// Bounds of a query.
const (
	MaxDays = 365    // of a period
	MaxRows = 10_000 // of an answer that is divided by time
	// MaxAuthors is how many different authors a query compares at most, in all its rows, so that they fit into memory.
	MaxAuthors = 1_000_000
	// ScanBudget is how many bytes of rows a query reads at most: 8,192 read units, at half a unit for 4 KiB.
	ScanBudget = 64 << 20
)

// A Query asks for figures of a workspace's mentions.
type Query struct {
	WorkspaceID string
	Period      Period
	Granularity Granularity // empty: no buckets
	Dimensions  []Dimension
	Aggregates  []Aggregate
	Filter      filter.Filter // its window narrows the period
	// Groups are the groups of keywords that have rows in the dimension Keyword. A row's value is the first keyword of
	// its group, and the row counts the mentions of any keyword of the group. nil stands for each keyword by itself,
	// and for mentions without a keyword.
	Groups [][]int64
	// Top keeps the rows of so many with the most mentions and of so many with the most reach. Rows of missing values
	// are left out then. 0 keeps all rows.
	Top int
}

// An Answer holds the figures of a Query.
type Answer struct {
	Exact   bool
	Why     string // why it is not exact
	Scanned int64  // cells or rows that were read
	Rows    []Row  // by bucket; within a bucket the most mentions first
	Total   int    // rows that there would be if Top kept all
}

// A Row holds the figures of one group of mentions.
type Row struct {
	Bucket int // its index in the query's buckets; 0 if there are none
	Values []Value
	Figures
}

// Figures are what a row can say. Those that no aggregate of the query asks for may be 0.
type Figures struct {
	Mentions   int64
	Negative   int64
	Judged     int64 // mentions with a sentiment
	Authors    int64
	Reach      int64
	Engagement int64
}

// NegativeShare returns the share of negative mentions among those with a sentiment. It is 0 if there are none.
func (f Figures) NegativeShare() float64 {
	if f.Judged == 0 {
		return 0
	}
	return float64(f.Negative) / float64(f.Judged)
}

// A Value is a value of a dimension. Missing says that the mentions have none.
type Value struct {
	Text    string // of keyword and relevance, a number
	Source  string // of author: the platform of the handle in Text
	Missing bool
}

// Window returns the part of the period that the filter's dates leave. It is empty if end is not after start.
func (q Query) Window() (start, end time.Time) {
	start, end = q.Period.Start, q.Period.End
	from, until := q.Filter.Window()
	if from.After(start) {
		start = from
	}
	if !until.IsZero() && until.Before(end) {
		end = until
	}
	return start, end
}

// Narrowed returns the query with the filter's dates as its period, so that periods that are compared with it are as
// long. A query whose window is empty stays as it is.
func (q Query) Narrowed() Query {
	if start, end := q.Window(); start.Before(end) {
		q.Period.Start, q.Period.End, q.Filter = start, end, q.Filter.Undated()
	}
	return q
}
