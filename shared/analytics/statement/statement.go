// Package statement writes a query of package analytics as SQL over the day files of mentions (shared/analytics/files).
// Athena and DuckDB run the same text.
//
// No value of a request is in the text: texts, numbers, workspace and days are parameters. What is in it follows from
// the form of the query: names of columns, constants of the grammar, and the calendar of the zone as whole numbers.
// Athena takes parameters in WHERE only, so that every parameter is there.
//
// Mains of functions that ask Athena import it, and infra for the table that it reads.
package statement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/analytics/files"
	"earshot/shared/filter"
	"earshot/shared/port/warehouse"
)

// An Inexpressible is the error of a query that SQL cannot say exactly. It names the part of the query, for people.
type Inexpressible string

// Error names the part of the query.
func (e Inexpressible) Error() string { return "statement: SQL cannot express " + string(e) }

// Table is the name of the table of day files.
const Table = "mentions"

// Path is the column with the address of a row's file. Athena has it in every table.
const Path = `"$path"`

// MaxResult is how many rows a statement returns at most.
const MaxResult = 50_000

// A Source says which mentions a statement reads.
type Source struct {
	WorkspaceID string
	Location    string              // what precedes the files' keys in their addresses: "s3://bucket/"
	Start, End  time.Time           // the query's window
	Days        []analytics.FileDay // days whose files are read, ascending
}

// A Made is a statement, and how its rows are read.
type Made struct {
	warehouse.Statement
	query   analytics.Query
	groups  [][]int64 // keywords by the statement's numbers; nil: a row names its keyword
	columns []column
}

// A column is a column of a statement's rows.
type column int

const (
	bucketColumn column = iota
	sourceColumn        // of the dimension author or of an author who is counted apart
	valueColumn         // of a dimension
	handleColumn        // of an author who is counted apart
	mentionsColumn
	judgedColumn
	negativeColumn
	engagementColumn
	authorsColumn
	reachColumn
	seenColumn
)

// A writer writes a statement and collects its parameters in the order of their question marks.
type writer struct {
	strings.Builder
	parameters []any
}

func (w *writer) add(parts ...string) {
	for _, part := range parts {
		w.WriteString(part)
	}
}

// bind writes a question mark for a value.
func (w *writer) bind(value any) {
	w.parameters = append(w.parameters, value)
	w.WriteByte('?')
}

// epochMillis is the time of a mention in milliseconds since 1970.
const epochMillis = "date_diff('millisecond', TIMESTAMP '1970-01-01 00:00:00', " + files.PostedAt + ")"

// New writes a query. apart are authors who get rows of their own, for a union with other mentions; they matter only
// if the query asks for authors. Returns an Inexpressible if SQL cannot say it, or not within the bounds of a
// statement.
func New(q analytics.Query, from Source, apart []analytics.AuthorKey) (Made, error) {
	made := Made{query: q}
	w := &writer{}
	byAuthor := slices.Contains(q.Dimensions, analytics.Author)
	people := slices.Contains(q.Aggregates, analytics.Authors) || slices.Contains(q.Aggregates, analytics.Reach)

	// The mentions, each with the values that they are grouped by.
	keys := []string{}
	w.add("WITH counted AS (SELECT ")
	if q.Granularity != "" {
		w.add(bucketOf(q.Period.Buckets(q.Granularity)), " AS bucket, ")
		keys, made.columns = append(keys, "bucket"), append(made.columns, bucketColumn)
	}
	joins, err := made.dimensions(w, &keys)
	if err != nil {
		return Made{}, err
	}
	w.add(files.Sentiment, ", ", files.Engagement, ", ", files.Source, ", ", files.AuthorHandle, ", ")
	w.add(files.AuthorFollowers, ", ", files.ID, ", ", epochMillis, " AS posted FROM ", Table)
	w.add(joins...)
	w.add(" WHERE ")
	if err := made.conditions(w, from); err != nil {
		return Made{}, err
	}
	w.add(")")

	const sums = "COUNT(*) AS mentions, COUNT(" + files.Sentiment + ") AS judged, " +
		"SUM(CASE WHEN " + files.Sentiment + " = 'Negative' THEN 1 ELSE 0 END) AS negative, SUM(" + files.Engagement +
		") AS engagement"
	if !people {
		w.add(" SELECT ", strings.Join(append(slices.Clone(keys), sums), ", "), " FROM counted")
		made.columns = append(made.columns, mentionsColumn, judgedColumn, negativeColumn, engagementColumn)
	} else {
		made.people(w, keys, sums, byAuthor, apart)
		if !byAuthor && len(apart) > 0 {
			keys = append(keys, "apart_source", "apart_handle")
		}
	}
	if n := len(keys); n > 0 {
		w.add(" GROUP BY ")
		for i := range n {
			if i > 0 {
				w.add(", ")
			}
			w.add(strconv.Itoa(i + 1))
		}
	}
	w.add(" LIMIT ", strconv.Itoa(MaxResult+1))
	made.Statement = warehouse.Statement{SQL: w.String(), Parameters: w.parameters}
	if err := made.Check(); err != nil {
		return Made{}, Inexpressible("as many or as long values")
	}
	return made, nil
}

// people writes what counts authors: first each author's mentions in each group, then the groups.
func (m *Made) people(w *writer, keys []string, sums string, byAuthor bool, apart []analytics.AuthorKey) {
	inner := append(slices.Clone(keys), files.Source, files.AuthorHandle)
	w.add(", authors AS (SELECT ", strings.Join(append(inner, sums), ", "))
	// The newest mention that says how many followers the author has.
	known := " FILTER (WHERE " + files.AuthorFollowers + " > 0)"
	w.add(", max_by(", files.AuthorFollowers, ", ROW(posted, ", files.ID, "))", known, " AS followers")
	w.add(", MAX(posted)", known, " AS seen FROM counted GROUP BY ")
	for i := range inner {
		if i > 0 {
			w.add(", ")
		}
		w.add(strconv.Itoa(i + 1))
	}
	w.add(") SELECT ")
	selected := slices.Clone(keys)
	split := !byAuthor && len(apart) > 0
	if split {
		selected = append(selected, "CASE WHEN apart = 1 THEN "+files.Source+" END AS apart_source",
			"CASE WHEN apart = 1 THEN "+files.AuthorHandle+" END AS apart_handle")
		m.columns = append(m.columns, sourceColumn, handleColumn)
	}
	w.add(strings.Join(append(selected, "SUM(mentions) AS mentions", "SUM(judged) AS judged",
		"SUM(negative) AS negative", "SUM(engagement) AS engagement", "COUNT("+files.AuthorHandle+") AS authors",
		"SUM(CASE WHEN "+files.AuthorHandle+" IS NOT NULL THEN COALESCE(followers, 0) ELSE 0 END) AS reach",
		"MAX(seen) AS seen"), ", "), " FROM authors")
	m.columns = append(m.columns, mentionsColumn, judgedColumn, negativeColumn, engagementColumn, authorsColumn,
		reachColumn, seenColumn)
	if !split {
		return
	}
	w.add(" CROSS JOIN UNNEST(ARRAY[0, 1]) AS parts(apart) WHERE (apart = 1 AND ")
	named(w, apart)
	w.add(") OR (apart = 0 AND NOT ")
	named(w, apart)
	w.add(")")
}

// named writes whether a row's author is one of some.
func named(w *writer, authors []analytics.AuthorKey) {
	handles := map[string][]string{}
	var sources []string
	for _, author := range authors {
		if handles[author.Source] == nil {
			sources = append(sources, author.Source)
		}
		handles[author.Source] = append(handles[author.Source], author.Handle)
	}
	w.add("(")
	for i, source := range sources {
		if i > 0 {
			w.add(" OR ")
		}
		w.add("COALESCE(", files.Source, " = ")
		w.bind(source)
		w.add(" AND ", files.AuthorHandle, " IN ")
		list(w, handles[source])
		w.add(", FALSE)")
	}
	w.add(")")
}

// list writes values in parentheses.
func list[T any](w *writer, values []T) {
	w.add("(")
	for i, value := range values {
		if i > 0 {
			w.add(", ")
		}
		w.bind(value)
	}
	w.add(")")
}

// bucketOf returns the expression for where a mention's bucket begins. Buckets of the same length that follow each
// other are one branch: a year of days in a zone with summer time has five. The numbers are those of the zone's
// calendar: first moments and lengths of whole buckets.
func bucketOf(buckets []analytics.Bucket) string {
	last := len(buckets) - 1
	length := func(i int) int64 { // of a whole bucket; the last one may be cut
		if i == last {
			return 0
		}
		return buckets[i+1].Label.UnixMilli() - buckets[i].Label.UnixMilli()
	}
	var text strings.Builder
	text.WriteString("CASE")
	for i := 0; i <= last; {
		begin, next := buckets[i].Label.UnixMilli(), i+1
		for next <= last && (length(next) == length(i) ||
			next == last && buckets[last].End.UnixMilli()-buckets[last].Label.UnixMilli() <= length(i)) {
			next++
		}
		if next > last {
			text.WriteString(" WHEN TRUE THEN ")
		} else {
			fmt.Fprintf(&text, " WHEN %s < %d THEN ", epochMillis, buckets[next].Label.UnixMilli())
		}
		if next == i+1 {
			fmt.Fprint(&text, begin)
		} else {
			fmt.Fprintf(&text, "%s - mod(%s - %d, %d)", epochMillis, epochMillis, begin, length(i))
		}
		i = next
	}
	text.WriteString(" END")
	return text.String()
}

// dimensions writes the values of the dimensions, and returns the joins that they need.
func (m *Made) dimensions(w *writer, keys *[]string) (joins []string, err error) {
	for i, d := range m.query.Dimensions {
		name := "d" + strconv.Itoa(i)
		expression := ""
		switch d {
		case analytics.Source:
			expression = files.Source
		case analytics.Sentiment:
			expression = files.Sentiment
		case analytics.Language:
			expression = files.Language
		case analytics.Relevance:
			expression = files.Relevance
		case analytics.Tag:
			expression = "tag"
			joins = append(joins, " LEFT JOIN UNNEST(", files.Tags, ") AS tagged(tag) ON TRUE")
		case analytics.Keyword:
			expression = "keyword"
			joins = append(joins, m.keywords()...)
		case analytics.Author:
			w.add("CASE WHEN ", files.AuthorHandle, " IS NOT NULL THEN ", files.Source, " END AS ", name, "s, ")
			*keys, m.columns = append(*keys, name+"s"), append(m.columns, sourceColumn)
			expression = files.AuthorHandle
		default:
			return nil, Inexpressible("the dimension " + string(d))
		}
		w.add(expression, " AS ", name, ", ")
		*keys, m.columns = append(*keys, name), append(m.columns, valueColumn)
	}
	return joins, nil
}

// keywords returns the join for the dimension of keywords. Each keyword has a row if the query has no groups.
// Otherwise each group has one, and is named by its place.
func (m *Made) keywords() []string {
	m.groups = m.query.KeywordGroups()
	if m.groups == nil {
		return []string{" LEFT JOIN UNNEST(", files.KeywordIDs, ") AS matched(keyword) ON TRUE"}
	}
	places := make([]string, len(m.groups))
	for i := range places {
		places[i] = strconv.Itoa(i)
	}
	return []string{" CROSS JOIN UNNEST(ARRAY[", strings.Join(places, ", "), "]) AS matched(keyword)"}
}

// conditions writes which mentions count.
func (m *Made) conditions(w *writer, from Source) error {
	w.add(files.PartitionWorkspace, " = ")
	w.bind(from.WorkspaceID)
	w.add(" AND ")
	days(w, from)
	last := from.Days[len(from.Days)-1].Day.Add(24 * time.Hour)
	if from.Start.After(from.Days[0].Day) {
		w.add(" AND ", epochMillis, " >= ")
		w.bind(from.Start.UnixMilli())
	}
	if from.End.Before(last) {
		w.add(" AND ", epochMillis, " < ")
		w.bind(from.End.UnixMilli())
	}
	w.add(" AND ")
	if err := term(w, m.query.Filter.Tree()); err != nil {
		return err
	}
	if m.groups == nil {
		return nil
	}
	w.add(" AND (")
	for i, group := range m.groups {
		if i > 0 {
			w.add(" OR ")
		}
		w.add("(keyword = ", strconv.Itoa(i), " AND ")
		anyOf(w, group, func(id int64) {
			w.add("contains(", files.KeywordIDs, ", ")
			w.bind(id)
			w.add(")")
		})
		w.add(")")
	}
	if len(m.groups) == 0 {
		w.add("FALSE")
	}
	w.add(")")
	return nil
}

// days writes which files are read. The folders of days bound what the engine lists: days that follow each other are
// one range. The addresses leave out files that were replaced.
func days(w *writer, from Source) {
	w.add("(")
	paths := make([]string, len(from.Days))
	for i := 0; i < len(from.Days); {
		next := i + 1
		for next < len(from.Days) && from.Days[next].Day.Equal(from.Days[next-1].Day.Add(24*time.Hour)) {
			next++
		}
		if i > 0 {
			w.add(" OR ")
		}
		w.add("(", files.PartitionDay, " >= ")
		w.bind(from.Days[i].Day.UTC().Format(files.DayForm))
		w.add(" AND ", files.PartitionDay, " <= ")
		w.bind(from.Days[next-1].Day.UTC().Format(files.DayForm))
		w.add(")")
		i = next
	}
	for i, day := range from.Days {
		paths[i] = from.Location + day.Key
	}
	w.add(") AND ", Path, " IN ")
	list(w, paths)
}

// term writes a part of a filter. It is never NULL, so that NOT is the exact opposite.
func term(w *writer, t filter.Term) error {
	if t.Condition != nil {
		return condition(w, t.Condition)
	}
	if len(t.Terms) == 0 {
		w.add(strings.ToUpper(strconv.FormatBool(!t.Any)))
		return nil
	}
	joint := " AND "
	if t.Any {
		joint = " OR "
	}
	w.add("(")
	for i, one := range t.Terms {
		if i > 0 {
			w.add(joint)
		}
		if err := term(w, one); err != nil {
			return err
		}
	}
	w.add(")")
	return nil
}

// anyOf writes that one of some alternatives holds.
func anyOf[T any](w *writer, values []T, each func(T)) {
	w.add("(")
	for i, value := range values {
		if i > 0 {
			w.add(" OR ")
		}
		each(value)
	}
	if len(values) == 0 {
		w.add("FALSE")
	}
	w.add(")")
}
