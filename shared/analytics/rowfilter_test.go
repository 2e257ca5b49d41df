package analytics

import (
	"encoding/json"
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
		`{"source":["reddit","github"]}`: `{` + dates + `"groups":[{"operator":"AND","conditions":[{"source":["reddit","github"]},{"source":["reddit"]}]}],"operator":"AND",` +
			from + `}`,
		`{"operator":"OR","groups":[{"operator":"AND","conditions":[{"engaged":true}]},{"operator":"OR","conditions":[{"tag":["none"]},{"author":["a"]}]}]}`: `{` + dates +
			`"groups":[{"operator":"AND","conditions":[{"engaged":true},{"source":["reddit"]}]},{"operator":"AND","conditions":[{"tag":["none"]},{"source":["reddit"]}]},` +
			`{"operator":"AND","conditions":[{"author":["a"]},{"source":["reddit"]}]}],"operator":"OR",` + from + `}`,
		`{"operator":"AND","groups":[{"operator":"OR","conditions":[{"tag":["none"]},{"author":["a"]}]}]}`: `{` + dates +
			`"groups":[{"operator":"OR","conditions":[{"tag":["none"]},{"author":["a"]}]},{"operator":"AND","conditions":[{"source":["reddit"]}]}],"operator":"AND",` + from + `}`,
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
