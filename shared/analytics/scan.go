package analytics

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

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
	if a.tracks {
		author = authorOf(row)
	}
	for _, t := range a.talliesOf(row, bucket) {
		t.Engagement += engagement
		if t.add(row.Sentiment, author, max(0, row.Followers)) {
			a.authors++
		}
	}
}

// authorOf returns the key of a row's author: the source, a zero and the handle. It is empty if the row has no author.
func authorOf(row *filter.Row) string {
	handle := mention.Handle(row.Author)
	if handle == "" {
		return ""
	}
	return strings.ToLower(row.Source) + "\x00" + handle
}

// talliesOf returns the tallies of a mention.
func (a *accumulator) talliesOf(row *filter.Row, bucket int) (tallies []*tally) {
	if len(a.query.Dimensions) == 1 {
		values := a.choice(a.query.Dimensions[0], row)
		tallies = make([]*tally, len(values))
		for i := range values {
			tallies[i] = a.at(bucket, values[i:i+1])
		}
		return tallies
	}
	combinations(a.choices(row), func(values []Value) { tallies = append(tallies, a.at(bucket, values)) })
	return tallies
}

// add counts a mention, and reports whether the tally did not hold its author. An author's mentions come newest first,
// so that the first number of followers is the newest.
func (t *tally) add(sentiment mention.Sentiment, author string, followers int64) (further bool) {
	t.Mentions++
	if sentiment != "" {
		t.Judged++
	}
	if sentiment == mention.Negative {
		t.Negative++
	}
	if author == "" {
		return false
	}
	switch t.author {
	case "":
		t.author, t.first = author, followers
		return true
	case author:
		if t.first == 0 {
			t.first = followers
		}
		return false
	}
	if t.followers == nil {
		t.followers = map[string]int64{}
	}
	known, again := t.followers[author]
	if !again || known == 0 {
		t.followers[author] = followers
	}
	return !again
}

// distinct returns values in order, each once. Those that are so already stay where they are.
func distinct[T cmp.Ordered](values []T) []T {
	for i := 1; i < len(values); i++ {
		if values[i-1] >= values[i] {
			return slices.Compact(slices.Sorted(slices.Values(values)))
		}
	}
	return values
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
		return several(distinct(row.Tags))
	case Keyword:
		ids := make([]string, 0, len(row.KeywordIDs))
		for _, id := range distinct(row.KeywordIDs) {
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
