package statement_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"earshot/shared/analytics"
	"earshot/shared/analytics/statement"
	"earshot/shared/filter"
	"earshot/shared/port/warehouse"
)

// query returns a query about November 2026 with a filter.
func query(t *testing.T, written string, dimensions ...analytics.Dimension) analytics.Query {
	t.Helper()
	q := analytics.Query{
		WorkspaceID: "org_hunter2",
		Period: analytics.Period{
			Start: time.Date(2026, 11, 1, 0, 0, 0, 123e6, time.UTC),
			End:   time.Date(2026, 11, 20, 7, 0, 0, 456e6, time.UTC),
			Zone:  time.UTC,
		},
		Dimensions: dimensions,
		Aggregates: []analytics.Aggregate{analytics.Reach},
	}
	if written != "" {
		f, faults := filter.Parse([]byte(written))
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		q.Filter = f
	}
	return q
}

func source(q analytics.Query) statement.Source {
	start, end := q.Window()
	from := statement.Source{WorkspaceID: q.WorkspaceID, Location: "s3://bucket/", Start: start, End: end}
	for day := start.Truncate(24 * time.Hour); day.Before(end); day = day.AddDate(0, 0, 1) {
		from.Days = append(from.Days, analytics.FileDay{Day: day, Key: "key of " + day.Format(time.DateOnly)})
	}
	return from
}

// Two queries that differ in their values alone have the same text. So no value is in it.
func TestNew_HoldsNoValue(t *testing.T) {
	forms := []string{
		`{"source":[%[1]q]}`, `{"!author":[%[1]q]}`, `{"keyword":[%[2]d]}`, `{"relevance":[%[3]d]}`,
		`{"reviewRating":[%[4]d]}`, `{"minXFollowers":%[2]d}`,
		`{"engagement":[{"source":%[1]q,"metric":%[1]q,"value":%[2]d}]}`, `{"tag":[%[5]q,"none"]}`, `{"sentiment":[%[6]q]}`,
		`{"engaged":%[7]v}`,
		`{"language":[%[8]q]}`, `{"postType":[%[9]q]}`, `{"!text":[%[1]q]}`, `{"text":["???x",%[1]q]}`,
	}
	for _, form := range forms {
		one := query(t, fmt.Sprintf(form, "hunter2' OR 1=1 --", 987654321, 0, 1, "hiring", "positive", true, "german",
			"reply"), analytics.Keyword)
		other := query(t, fmt.Sprintf(form, `"; DROP TABLE mentions`, 123456789, 1, 2, "buy_intent", "negative", false,
			"english", "top-level"), analytics.Keyword)
		other.WorkspaceID = "org_other"
		from := source(other)
		for i := range from.Days {
			from.Days[i].Key += "'"
		}
		a, err := statement.New(one, source(one), []analytics.AuthorKey{{Source: "hunter2", Handle: "hunter2"}})
		if err != nil {
			t.Fatal(form, err)
		}
		b, err := statement.New(other, from, []analytics.AuthorKey{{Source: "x'", Handle: "'"}})
		if err != nil {
			t.Fatal(form, err)
		}
		if a.SQL != b.SQL {
			t.Errorf("New(%s) depends on values:\n%s\n%s", form, a.SQL, b.SQL)
		}
		if strings.Contains(a.SQL, "hunter2") || strings.Contains(a.SQL, "987654321") {
			t.Errorf("New(%s) = %s, which holds a value", form, a.SQL)
		}
	}
}

// Athena takes parameters in WHERE only.
func TestNew_ParametersInWhere(t *testing.T) {
	q := query(t, `{"tag":["hiring"],"author":["quietharbor"]}`, analytics.Tag, analytics.Keyword)
	q.Groups, q.Granularity = [][]int64{{1, 2}, {3}}, analytics.Week
	made, err := statement.New(q, source(q), []analytics.AuthorKey{{Source: "reddit", Handle: "quietharbor"}})
	if err != nil {
		t.Fatal(err)
	}
	// Each question mark has a WHERE before it, and no SELECT between them.
	for _, part := range regexp.MustCompile(`SELECT`).Split(made.SQL, -1) {
		if before, _, _ := strings.Cut(part, " WHERE "); strings.Contains(before, "?") {
			t.Errorf("New has a parameter before WHERE: %s", before)
		}
	}
}

func TestNew_Inexpressible(t *testing.T) {
	for _, written := range []string{`{"text":["???"]}`, `{"!text":["???"]}`, `{"source":["café"]}`,
		`{"engagement":[{"source":"café","metric":"likes","value":1}]}`} {
		q := query(t, written)
		var part statement.Inexpressible
		if _, err := statement.New(q, source(q), nil); !errors.As(err, &part) {
			t.Errorf("New(%s) = %v, want an Inexpressible", written, err)
		}
	}
	q := query(t, "")
	from := source(q)
	from.Location = strings.Repeat("x", warehouse.MaxParameter)
	var part statement.Inexpressible
	if _, err := statement.New(q, from, nil); !errors.As(err, &part) {
		t.Errorf("New with long addresses = %v, want an Inexpressible", err)
	}
}

// An engine returns what the test wants.
type engine struct {
	result warehouse.Result
	err    error
}

func (e engine) Query(context.Context, warehouse.Statement) (warehouse.Result, error) {
	return e.result, e.err
}

func TestCountDays_Results(t *testing.T) {
	text := func(texts ...string) (cells []*string) {
		for _, text := range texts {
			if cells = append(cells, &text); text == "NULL" {
				cells[len(cells)-1] = nil
			}
		}
		return cells
	}
	errOther := errors.New("any other")
	for _, c := range []struct {
		name   string
		result [][]*string
		err    error
		want   error
	}{
		{"a row", [][]*string{text("german", "3", "2", "1", "7", "1", "5", "1762000000000")}, nil, nil},
		{"no mention", [][]*string{text("NULL", "0", "0", "NULL", "NULL", "0", "NULL", "NULL")}, nil, nil},
		{"a column too few", [][]*string{text("german", "3")}, nil, errOther},
		{"a text for a number", [][]*string{text("german", "three", "2", "1", "7", "1", "5", "NULL")}, nil, errOther},
		{"too many rows", make([][]*string, statement.MaxResult+1), nil, analytics.ErrTooManyRows},
		{"too much to read", nil, warehouse.ErrTooMuch, analytics.ErrBudget},
		{"throttled", nil, warehouse.ErrThrottled, analytics.ErrBudget},
		{"unavailable", nil, warehouse.ErrUnavailable, warehouse.ErrUnavailable},
	} {
		q := query(t, "", analytics.Language)
		counter := statement.Counter{Warehouse: engine{warehouse.Result{Rows: c.result}, c.err}}
		rows, err := counter.CountDays(t.Context(), q, source(q).Days, nil)
		if (err != nil) != (c.want != nil) || c.want != nil && c.want != errOther && !errors.Is(err, c.want) {
			t.Errorf("%s: CountDays = %v, want %v", c.name, err, c.want)
		}
		if c.name == "a row" && (len(rows) != 1 || rows[0].Reach != 5 || rows[0].Values[0].Text != "german") {
			t.Errorf("%s: CountDays = %+v", c.name, rows)
		}
		if c.name == "no mention" && len(rows) != 0 {
			t.Errorf("%s: CountDays = %+v, want no row", c.name, rows)
		}
	}
	q := query(t, "")
	empty := source(q).Days
	for i := range empty {
		empty[i].Key = ""
	}
	if rows, err := (statement.Counter{}).CountDays(t.Context(), q, empty, nil); err != nil || len(rows) > 0 {
		t.Errorf("CountDays of days without mentions = %v, %v, want no row", rows, err)
	}
	q = query(t, `{"text":["???"]}`)
	_, err := statement.Counter{}.CountDays(t.Context(), q, source(q).Days, nil)
	var part analytics.NotInFiles
	if !errors.Is(err, analytics.ErrBudget) || !errors.As(err, &part) ||
		!strings.Contains(part.Part, "a text without a letter") {
		t.Errorf("CountDays of what SQL cannot say = %v, want NotInFiles, which is ErrBudget and names the text", err)
	}
}
