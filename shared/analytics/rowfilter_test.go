package analytics

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestRowFilter(t *testing.T) {
	start, end := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	const dates = `"endDate":"2026-11-02 00:00:00.000",`
	const from = `"startDate":"2026-11-01 00:00:00.000"`
	reddit := Condition(Source, Value{Text: "reddit"}, nil)
	for request, want := range map[string]string{
		``:                     `{` + dates + `"source":["reddit"],` + from + `}`,
		`{"startDate":"2020"}`: `{` + dates + `"source":["reddit"],` + from + `}`,
		`{"tag":["hiring"]}`:   `{` + dates + `"source":["reddit"],` + from + `,"tag":["hiring"]}`,
		`{"source":["reddit","github"]}`: `{` + dates +
			`"groups":[{"operator":"AND","conditions":[{"source":["reddit","github"]},{"source":["reddit"]}]}],"operator":"AND",` +
			from + `}`,
		`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"engaged":true}]},{"operator":"OR","conditions":[{"tag":["none"]},{"author":["a"]}]}]}`: `{` + dates +
			`"groups":[{"operator":"AND","conditions":[{"engaged":true},{"source":["reddit"]}]},{"operator":"AND","conditions":[{"tag":["none"]},{"source":["reddit"]}]},` +
			`{"operator":"AND","conditions":[{"author":["a"]},{"source":["reddit"]}]}],"operator":"OR",` + from + `}`,
		`{"operator":"AND","groups":[{"operator":"OR","conditions":[{"tag":["none"]},{"author":["a"]}]}]}`: `{` + dates +
			`"groups":[{"operator":"OR","conditions":[{"tag":["none"]},{"author":["a"]}]},{"operator":"AND","conditions":[{"source":["reddit"]}]}],"operator":"AND",` + from + `}`,
		`{"operator":"OR","groups":[{"operator":"OR","conditions":[{"tag":["none"]},{"author":["a"]}]}]}`: `{` + dates +
			`"groups":[{"operator":"OR","conditions":[{"tag":["none"]},{"author":["a"]}]},` +
			`{"operator":"AND","conditions":[{"source":["reddit"]}]}],"operator":"AND",` + from + `}`,
		`{"operator":"OR","groups":[{"operator":"OR","conditions":[{"author":["a"]}]}]}`: `{"author":["a"],` + dates +
			`"source":["reddit"],` + from + `}`,
	} {
		f, err := NewRowFilter([]byte(request))
		if err != nil {
			t.Fatalf("NewRowFilter(%s): %v", request, err)
		}
		got, err := json.Marshal(f.Within(start, end, reddit...))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("Within(%s) = %s, want %s", request, got, want)
		}
	}
}

func TestOpens(t *testing.T) {
	for _, c := range []struct {
		d    Dimension
		v    Value
		want bool
	}{
		{Author, Value{Text: strings.Repeat("a", 200), Source: "reddit"}, true},
		{Author, Value{Text: strings.Repeat("a", 201), Source: "reddit"}, false},
		{Author, Value{Text: "a", Source: strings.Repeat("s", 65)}, false}, {Author, Value{Missing: true}, false},
		{Source, Value{Text: strings.Repeat("s", 64)}, true}, {Source, Value{Text: strings.Repeat("s", 65)}, false},
		{Language, Value{Text: "undetermined"}, true}, {Language, Value{Text: "sindarin"}, false},
		{Tag, Value{Missing: true}, true},
	} {
		if got := Opens(c.d, c.v); got != c.want {
			t.Errorf("Opens(%s, %.20s of %.20s) = %v, want %v", c.d, c.v.Text, c.v.Source, got, c.want)
		}
	}
}
