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
	return slices.Concat([]int64{}, slices.Concat(groups...)), groups != nil // otherwise cells cannot tell which mentions have no keyword
}

// cellReads is how many keywords' cells are read at the same time.
const cellReads = 8

// readCells counts the cells of the keywords, or those of the workspace if keywords is nil.
func (a *accumulator) readCells(ctx context.Context, s Store, keywords []int64) error {
	_, rest, _ := a.query.Filter.SplitKeyword()
	a.predicate = filter.Compile(rest.Undated())
	of := keywords
	if of == nil {
		of = []int64{0}
	}
	found, errs := make([][]mention.Volume, len(of)), make([]error, len(of))
	from, to := a.start.UTC().Truncate(24*time.Hour), a.end.UTC().Add(24*time.Hour-1).Truncate(24*time.Hour)
	parallel.Few(cellReads, len(of), func(i int) {
		found[i], errs[i] = s.Volumes(ctx, a.query.WorkspaceID, of[i], from, to)
	})
	if err := errors.Join(errs...); err != nil {
		return err
	}
	hours := a.hours(from, to)
	for i, volumes := range found {
		for n := range volumes {
			a.addCell(&volumes[n], of[i], hours[volumes[n].Day.Unix()/secondsOfDay])
		}
	}
	return nil
}

const secondsOfDay = 24 * 60 * 60

// hours maps the days of UTC to the bucket of each hour, -1 outside the window.
func (a *accumulator) hours(from, to time.Time) map[int64]*[24]int {
	days := map[int64]*[24]int{}
	for day := from; day.Before(to); day = day.Add(24 * time.Hour) {
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
		days[day.Unix()/secondsOfDay] = &hours
	}
	return days
}

func (a *accumulator) addCell(v *mention.Volume, keyword int64, hours *[24]int) {
	a.scanned++
	if hours == nil {
		return
	}
	row := &a.row
	row.Source, row.Language, row.Sentiment, row.Score, row.Followers = v.Source, v.Language, v.Sentiment, -1, -1
	if v.Score != nil {
		row.Score = int(*v.Score)
	}
	row.Tags, row.KeywordIDs = row.Tags[:0], append(row.KeywordIDs[:0], keyword)
	for _, tag := range v.Tags {
		row.Tags = append(row.Tags, string(tag))
	}
	if !a.predicate.Row(row) {
		return
	}
	// Hours of one bucket follow each other.
	var buckets [24]int
	var counts [24]int64
	filled := 0
	for h, n := range v.Hours {
		switch bucket := hours[h]; {
		case n == 0 || bucket < 0:
		case filled > 0 && buckets[filled-1] == bucket:
			counts[filled-1] += n
		default:
			buckets[filled], counts[filled] = bucket, n
			filled++
		}
	}
	combinations(a.choices(row), func(values []Value) {
		for i, n := range counts[:filled] {
			t := a.at(buckets[i], values)
			t.Mentions += n
			if v.Sentiment != "" {
				t.Judged += n
			}
			if v.Sentiment == mention.Negative {
				t.Negative += n
			}
		}
	})
}

// choices returns the values that a row has in each dimension. Tags and keywords may be several. There is no value in
// a dimension of keywords if none of the row's groups is asked for.
func (a *accumulator) choices(row *filter.Row) [][]Value {
	choices := make([][]Value, len(a.query.Dimensions))
	for i, d := range a.query.Dimensions {
		if d == Keyword && a.groups != nil {
			choices[i] = groupsOf(a.groups, row.KeywordIDs)
		} else {
			choices[i] = valuesOf(d, row)
		}
	}
	return choices
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
