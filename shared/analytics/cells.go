package analytics

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/parallel"
)

// cells reports whether cells can answer the query exactly, and from those of which keywords. No keywords stand for
// the workspace's own cells.
//
// A cell knows neither an author nor a text, and it counts whole hours of UTC. The cells of two keywords both count a
// mention that matched both. So they can be added only if each keyword has a row of its own.
func (q Query) cells(buckets []Bucket) (keywords []int64, ok bool) {
	for _, a := range q.Aggregates {
		if a != Count && a != NegativeShare {
			return nil, false
		}
	}
	for _, key := range q.Filter.Keys() {
		switch key {
		case filter.Source, filter.Sentiment, filter.Language, filter.Tag, filter.Relevance, filter.Keyword:
		default:
			return nil, false
		}
	}
	start, end := q.Window()
	edges := []time.Time{start, end}
	for _, b := range buckets {
		edges = append(edges, b.Label)
	}
	for _, edge := range edges {
		if !edge.Truncate(time.Hour).Equal(edge) {
			return nil, false
		}
	}
	return q.separated()
}

// separated reports whether each row of the query is of the workspace's mentions or of one keyword's, and of which
// keywords. No keywords stand for the workspace's mentions.
func (q Query) separated() (keywords []int64, ok bool) {
	keywords, _, separable := q.Filter.SplitKeyword()
	switch {
	case !separable || slices.Contains(q.Dimensions, Author):
		return nil, false
	case !slices.Contains(q.Dimensions, Keyword):
		return keywords, len(keywords) <= 1
	}
	groups := q.KeywordGroups()
	for _, group := range groups {
		if len(group) > 1 || q.Groups != nil && keywords != nil {
			return nil, false
		}
	}
	return slices.Concat(
		[]int64{},
		slices.Concat(groups...),
	), groups != nil // otherwise cells cannot tell which mentions have no keyword
}

// cellReads is how many keywords' cells are read at the same time.
const cellReads = 8

// addKeywords counts the cells of the keywords, or those of the workspace if keywords is nil.
func (a *accumulator) addKeywords(ctx context.Context, s *KeptCells, keywords []int64) error {
	_, rest, _ := a.query.Filter.SplitKeyword()
	a.predicate = filter.Compile(rest.Undated())
	of := keywords
	if of == nil {
		of = []int64{0}
	}
	found, errs := make([]*cellSet, len(of)), make([]error, len(of))
	from, to := utcDay(a.start), utcDay(a.end.Add(oneDay-1))
	parallel.Few(cellReads, len(of), func(i int) {
		found[i], errs[i] = s.cells(ctx, a.query.WorkspaceID, of[i], from, to)
	})
	if err := errors.Join(errs...); err != nil {
		return err
	}
	hours := a.hours(from, to)
	for i, set := range found {
		a.addCells(set, of[i], from, hours)
	}
	return nil
}

// hours maps the hours of days of UTC to their buckets, -1 outside the window.
func (a *accumulator) hours(from, to time.Time) [][24]int {
	days := make([][24]int, 0, to.Sub(from)/oneDay)
	for day := from; day.Before(to); day = day.Add(oneDay) {
		var hours [24]int
		for h := range hours {
			at := day.Add(time.Duration(h) * time.Hour)
			switch {
			case at.Before(a.start) || !at.Before(a.end):
				hours[h] = -1
			case a.buckets != nil:
				hours[h] = bucketAt(a.buckets, at)
			}
		}
		days = append(days, hours)
	}
	return days
}

// A cellRow is a row of the answer that cells count in. It remembers the tally of the last bucket: cells come by day.
type cellRow struct {
	values []Value
	bucket int
	last   *tally
}

// addCells counts the cells of a keyword, or of the workspace. hours are those of the days from a day on.
func (a *accumulator) addCells(set *cellSet, keyword int64, from time.Time, hours [][24]int) {
	byKind := make([][]*cellRow, len(set.kinds)) // nil: not known yet
	rows := map[string]*cellRow{}
	for n := range hours {
		day := set.days[from.Add(time.Duration(n)*oneDay)]
		if day == nil {
			continue
		}
		a.scanned += int64(day.number)
		for _, c := range day.counts {
			bucket := hours[n][c.hour]
			if bucket < 0 {
				continue
			}
			if byKind[c.kind] == nil {
				byKind[c.kind] = a.cellRows(&set.kinds[c.kind], keyword, rows)
			}
			for _, row := range byKind[c.kind] {
				if row.last == nil || row.bucket != bucket {
					row.bucket, row.last = bucket, a.at(bucket, row.values)
				}
				row.last.Mentions += c.mentions
				switch set.kinds[c.kind].sentiment {
				case "":
				case mention.Negative:
					row.last.Negative += c.mentions
					row.last.Judged += c.mentions
				default:
					row.last.Judged += c.mentions
				}
			}
		}
	}
}

// cellRows returns the rows that count mentions of a kind, never nil. rows are those that are known, by their values.
func (a *accumulator) cellRows(k *cellKind, keyword int64, rows map[string]*cellRow) []*cellRow {
	found := []*cellRow{}
	row := &a.row
	row.Source, row.Language, row.Sentiment, row.Score, row.Followers = k.source, k.language, k.sentiment, k.score, -1
	row.Tags, row.KeywordIDs = k.tags, append(row.KeywordIDs[:0], keyword)
	if !a.predicate.Row(row) {
		return found
	}
	combinations(a.choices(row), func(values []Value) {
		key := string(a.keyOf(0, values))
		if rows[key] == nil {
			rows[key] = &cellRow{values: slices.Clone(values)}
		}
		found = append(found, rows[key])
	})
	return found
}

// choices returns the values that a row has in each dimension.
func (a *accumulator) choices(row *filter.Row) [][]Value {
	choices := make([][]Value, len(a.query.Dimensions))
	for i, d := range a.query.Dimensions {
		choices[i] = a.choice(d, row)
	}
	return choices
}

// choice returns the values that a row has in a dimension. Tags and keywords may be several. There is no value in a
// dimension of keywords if none of the row's groups is asked for.
func (a *accumulator) choice(d Dimension, row *filter.Row) []Value {
	if d == Keyword && a.groups != nil {
		return groupsOf(a.groups, row.KeywordIDs)
	}
	return valuesOf(d, row)
}

// groupsOf returns the first keywords of the groups that a mention's keywords are in.
func groupsOf(groups [][]int64, ids []int64) (values []Value) {
	for _, group := range groups {
		if slices.ContainsFunc(group, func(id int64) bool { return slices.Contains(ids, id) }) {
			values = append(values, Value{Text: strconv.FormatInt(group[0], 10)})
		}
	}
	return values
}

// KeywordGroups returns the groups that have rows in the dimension of keywords: those of the query, or each keyword that its
// filter asks for. nil stands for every keyword, and for none.
func (q Query) KeywordGroups() [][]int64 {
	if q.Groups != nil {
		return q.Groups
	}
	only, _, ok := q.Filter.SplitKeyword()
	if !ok || only == nil {
		return nil
	}
	groups := make([][]int64, len(only))
	for i, id := range only {
		groups[i] = []int64{id}
	}
	return groups
}
