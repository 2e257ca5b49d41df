package analytics

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// lagging explains figures of a scan that does not agree with the cells.
const lagging = "Mentions changed while they were counted. Ask again."

// scanRows counts the rows of mentions for several queries about the same mentions.
//
// The index of rows may lag behind the table. The workspace's cells do not: they are read consistently. So the scan
// also counts what the cells count, and its figures are exact only if both agree.
func scanRows(ctx context.Context, s Store, all []*accumulator) error {
	first := all[0]
	seen, rows := map[checkKey]int64{}, int64(0)
	complete, err := s.Scan(
		ctx, first.query.WorkspaceID, first.predicate, first.start, first.end, ScanBudget,
		func(row *filter.Row) {
			rows++
			seen[checkOf(row)]++
		},
		func(row *filter.Row) {
			for _, a := range all {
				a.addRow(row)
			}
		},
	)
	switch {
	case err != nil:
		return fmt.Errorf("scan mentions: %w", err)
	case !complete:
		return ErrBudget
	}
	agree, err := first.agrees(ctx, s, seen)
	for _, a := range all {
		a.scanned = rows
		if !agree {
			a.why = lagging
		}
	}
	return err
}

// A checkKey is what cells and rows both know of a mention, except its tags.
type checkKey struct {
	hour              string
	source, sentiment string
	score             int
	language          string
	tags              int // how many
}

func checkOf(row *filter.Row) checkKey {
	tags := slices.Compact(slices.Sorted(slices.Values(row.Tags)))
	return checkKey{row.Timestamp[:len("2006-01-02 15")], strings.ToLower(row.Source), string(row.Sentiment), row.Score,
		row.Language, len(tags)}
}

// agrees reports whether the rows that were seen are those that the cells count, in the hours that the window holds
// whole.
func (a *accumulator) agrees(ctx context.Context, s Store, seen map[checkKey]int64) (bool, error) {
	from, to := a.start.UTC().Truncate(24*time.Hour), a.end.UTC().Add(24*time.Hour-1).Truncate(24*time.Hour)
	volumes, err := s.Volumes(ctx, a.query.WorkspaceID, 0, from, to)
	if err != nil {
		return false, err
	}
	whole := func(hour time.Time) bool {
		return !hour.Before(a.start) && !hour.Add(time.Hour).After(a.end)
	}
	for _, v := range volumes {
		for h, n := range v.Hours {
			if hour := v.Day.Add(time.Duration(h) * time.Hour); n != 0 && whole(hour) {
				key := checkKey{mention.Timestamp(hour)[:len("2006-01-02 15")], v.Source, string(v.Sentiment), -1, v.Language, len(v.Tags)}
				if v.Score != nil {
					key.score = int(*v.Score)
				}
				seen[key] -= n
			}
		}
	}
	for key, n := range seen {
		hour, err := time.Parse("2006-01-02 15", key.hour)
		if err != nil {
			return false, fmt.Errorf("read the hour of a row: %w", err)
		}
		if n != 0 && whole(hour) {
			return false, nil
		}
	}
	return true, nil
}

// addRow counts a mention.
func (a *accumulator) addRow(row *filter.Row) {
	bucket := 0
	if a.buckets != nil {
		posted, err := mention.ParseTimestamp(row.Timestamp)
		if err != nil {
			return // no row has such a time
		}
		bucket = bucketAt(a.buckets, posted)
	}
	engagement := int64(0)
	for _, counter := range row.Engagement {
		if counter.Metric != "views" {
			engagement += counter.Count
		}
	}
	author := ""
	if handle := mention.Handle(row.Author); handle != "" {
		author = strings.ToLower(row.Source) + "\x00" + handle
	}
	combinations(a.choices(row), func(values []Value) {
		t := a.at(bucket, values)
		t.Mentions++
		t.Engagement += engagement
		if row.Sentiment != "" {
			t.Judged++
		}
		if row.Sentiment == mention.Negative {
			t.Negative++
		}
		if author == "" {
			return
		}
		if t.followers == nil {
			t.followers = map[string]int64{}
		}
		// Rows come newest first, so that the first number of followers is the newest.
		if known, again := t.followers[author]; !again || known == 0 {
			t.followers[author] = max(0, row.Followers)
		}
	})
}

// valuesOf returns a row's values in a dimension.
func valuesOf(d Dimension, row *filter.Row) []Value {
	text := func(value string) []Value {
		return []Value{{Text: value, Missing: value == ""}}
	}
	switch d {
	case Source:
		return text(strings.ToLower(row.Source))
	case Sentiment:
		return text(string(row.Sentiment))
	case Language:
		if row.Language == "" {
			return text(mention.Undetermined)
		}
		return text(row.Language)
	case Relevance:
		if row.Score < 0 {
			return text("")
		}
		return text(strconv.Itoa(row.Score))
	case Tag:
		return several(slices.Compact(slices.Sorted(slices.Values(row.Tags))))
	case Keyword:
		ids := make([]string, 0, len(row.KeywordIDs))
		for _, id := range slices.Compact(slices.Sorted(slices.Values(row.KeywordIDs))) {
			ids = append(ids, strconv.FormatInt(id, 10))
		}
		return several(ids)
	}
	handle := mention.Handle(row.Author)
	if handle == "" { // none, or blanks and an @
		return text("")
	}
	return []Value{{Text: handle, Source: strings.ToLower(row.Source)}}
}

func several(texts []string) []Value {
	if len(texts) == 0 {
		return []Value{{Missing: true}}
	}
	values := make([]Value, len(texts))
	for i, text := range texts {
		values[i] = Value{Text: text}
	}
	return values
}
