package web_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"earshot/shared/web/problem"
	"earshot/shared/worldtest"
)

// All faults of a request come back together, each with its place as the client wrote it. To add a case, write the request
// and what its details are, "path code", in the order of their paths.
func TestFaults_Input(t *testing.T) {
	b := newBench(t)
	deep := strings.Repeat("[", 40) + strings.Repeat("]", 40)
	for _, c := range []struct {
		name, query, body string
		header            []string
		want              []string
	}{
		{"three at once", "?page=0&verbos=true", `{"name":"A","nmae":1}`, nil,
			[]string{"name min_length", "nmae unknown", "query.page minimum", "query.verbos unknown"}},
		{"nested", "", `{"name":"abc","parts":[{"name":1},{"nam":"x"}],"emails":["a",2,"c","d"]}`, nil,
			[]string{"emails max_items", "emails[1] type", "parts[0].name type", "parts[1].nam unknown",
				"parts[1].name required"}},
		{"required", "", `{}`, nil, []string{"name required"}},
		{"null is no value", "", `{"name":"abc","kind":null,"count":null}`, nil, []string{"count type", "kind type"}},
		{"enum and pattern", "", `{"name":"ABC","kind":"three"}`, nil, []string{"kind enum", "name pattern"}},
		{"another casing", "", `{"Name":"abc"}`, nil, []string{"Name unknown", "name required"}},
		{"no body", "", ``, nil, []string{"body required"}},
		{"not JSON", "?page=99", `name=abc`, nil, []string{"body syntax", "query.page maximum"}},
		{"ends early", "", `{"name":"abc"`, nil, []string{"body syntax"}},
		{"more after it", "", `{"name":"abc"}{}`, nil, []string{"body syntax"}},
		{"a name twice", "", `{"name":"abc","name":"abd","parts":[{"name":"x","name":"y"}]}`, nil,
			[]string{"name duplicate", "parts[0].name duplicate"}},
		{"an escaped name twice", "", `{"name":"abc","\u006eame":"abd"}`, nil, []string{"name duplicate"}},
		{"invalid UTF-8", "", "{\"name\":\"a\xffb\"}", nil, []string{"body encoding"}},
		{"half a surrogate", "", `{"name":"\ud800"}`, nil, []string{"body syntax"}},
		{"too deep", "", `{"name":"abc","parts":` + deep + `}`, nil,
			[]string{"parts" + strings.Repeat("[0]", 31) + " too_deep"}},
		{"an array", "", `[]`, nil, []string{"body type"}},
		{"beyond 2^53", "", `{"name":"abc","count":9007199254740992}`, nil, []string{"count range"}},
		{"far beyond", "", `{"name":"abc","ratio":1e400}`, nil, []string{"ratio range"}},
		{"a fraction", "", `{"name":"abc","count":1.5}`, nil, []string{"count type"}},
		{"10 MB", "", `{"name":"` + strings.Repeat("a", 10<<20) + `"}`, nil, []string{"body too_large"}},
		{"a form", "", `name=abc`, []string{"Content-Type", "application/x-www-form-urlencoded"},
			[]string{"body content_type"}},
		{"another charset", "", `{"name":"abc"}`, []string{"Content-Type", "application/json; charset=utf-16"},
			[]string{"body content_type"}},
		{"parameter twice", "?page=1&page=2", `{"name":"abc"}`, nil, []string{"query.page duplicate"}},
		{"parameter empty", "?page=&verbose=", `{"name":"abc"}`, nil,
			[]string{"query.page required", "query.verbose required"}},
		{"boolean spelled otherwise", "?verbose=1", `{"name":"abc"}`, nil, []string{"query.verbose type"}},
		{"boolean in capitals", "?verbose=TRUE", `{"name":"abc"}`, nil, []string{"query.verbose type"}},
		{"not an integer", "?page=1.0", `{"name":"abc"}`, nil, []string{"query.page type"}},
		{"bad UTF-8 in the query", "?page=%ff", `{"name":"abc"}`, nil, []string{"query.page encoding"}},
		{"parameter in another casing", "?Page=1", `{"name":"abc"}`, nil, []string{"query.Page unknown"}},
		{"no Idempotency-Key", "", `{"name":"abc"}`, []string{"Idempotency-Key", ""},
			[]string{"header.Idempotency-Key format"}},
		{"two Idempotency-Keys", "?page=0", `{"name":"abc"}`, []string{"Idempotency-Key", "a", "Idempotency-Key", "b"},
			[]string{"header.Idempotency-Key format", "query.page minimum"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := b.Do(t, worldtest.Request{
				Method: "POST",
				Target: "/api/v2/things" + c.query,
				Body:   c.body,
				Header: c.header,
				Binary: strings.Contains(c.body, "\xff"),
			}).
				Is(t, 400, "VALIDATION_ERROR")
			var got []string
			for _, detail := range found.Details {
				got = append(got, detail.Path+" "+detail.Code)
				if detail.Message == "" || strings.ContainsAny(detail.Message, "\x00") {
					t.Errorf("%s has the message %q", detail.Path, detail.Message)
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
	if b.ran != 0 {
		t.Errorf("the operation ran %d times", b.ran)
	}
}

func TestInput_Accepted(t *testing.T) {
	b := newBench(t)
	for _, body := range []string{`{"name":"abc"}`, ` {"name":"abc"} ` + "\n", `{"name":"abc","count":1.0}`,
		`{"name":"abc","count":1e2}`,
		`{"name":"abc","count":9007199254740991,"ratio":0.5}`, `{"name":"\u0061bc","parts":[]}`} {
		b.Do(t, worldtest.Request{Method: "POST", Target: "/api/v2/things?page=1&verbose=true", Body: body,
			Header: []string{"Content-Type", "application/json; charset=UTF-8"}}).OK(t, nil)
	}
	b.Do(t, worldtest.Request{Method: "POST", Target: "/api/v2/things", Body: `{"name":"abc"}`, Binary: true}).OK(t, nil)
	found := b.Get(t, "/api/v2/things/%ff").Is(t, 400, "VALIDATION_ERROR")
	if found.Details[0].Path != "path.id" || found.Details[0].Code != "encoding" {
		t.Errorf("%+v", found.Details)
	}
	found = b.Get(t, "/api/v2/things/"+strings.Repeat("x", 9)).Is(t, 400, "VALIDATION_ERROR")
	if found.Details[0].Path != "path.id" || found.Details[0].Code != "max_length" {
		t.Errorf("%+v", found.Details)
	}
}

// An integer has one spelling in a path and in a query.
func TestIntegers_OneSpelling(t *testing.T) {
	b := newBench(t)
	const numbered = "/api/v2/numbered/"
	for target, fault := range map[string]string{
		"7":                "",
		"10?page=0":        "",
		"9007199254740991": "",
		"7?page=-5":        "",
		"7?of=1&of=20":     "",
		"+7":               "path.id type",
		"%2B7":             "path.id type",
		"07":               "path.id type",
		"7.0":              "path.id type",
		"7e0":              "path.id type",
		"0x7":              "path.id type",
		"%207":             "path.id type",
		"-0":               "path.id type",
		"٧":                "path.id type",
		"-7":               "path.id minimum",
		"0":                "path.id minimum",
		"9007199254740992": "path.id maximum",
		"7?page=%2B1":      "query.page type",
		"7?page=01":        "query.page type",
		"7?page=-01":       "query.page type",
		"7?page=--1":       "query.page type",
		"7?page=-":         "query.page type",
		"7?of=1&of=02":     "query.of type",
		// Beyond 64 bits, in which huma reads them.
		"9999999999999999999":            "path.id maximum",
		"-9999999999999999999":           "path.id minimum",
		"7?page=9999999999999999999":     "query.page range",
		"7?of=1&of=-9999999999999999999": "query.of range",
	} {
		answer := b.Get(t, numbered+target)
		if fault == "" {
			answer.OK(t, nil)
			continue
		}
		found := answer.Is(t, 400, "VALIDATION_ERROR")
		if got := found.Details[0].Path + " " + found.Details[0].Code; len(found.Details) != 1 || got != fault {
			t.Errorf("%s: %+v, want %s", target, found.Details, fault)
		}
		if fault == "path.id maximum" && !strings.Contains(found.Details[0].Message, "9007199254740991") {
			t.Errorf("%s: the message does not name the bound in digits: %s", target, found.Details[0].Message)
		}
	}
}

// A REST API hands on id=a;b as two parameters. The answer says how to send the semicolon.
func TestQuery_SplitAtSemicolon(t *testing.T) {
	b := newBench(t)
	event := b.Event(worldtest.Request{Method: "GET", Target: "/api/v2/who"})
	event.MultiValueQueryStringParameters = map[string][]string{"b": {""}}
	response, err := b.Handler(t.Context(), event)
	if err != nil || response.StatusCode != 400 || !strings.Contains(response.Body, "%3B") {
		t.Errorf("got %d %s, %v", response.StatusCode, response.Body, err)
	}
}

// The body of a read is not looked at, but its size has the same bound.
func TestRead_WithBody(t *testing.T) {
	b := newBench(t)
	for size, status := range map[int]int{0: 200, 2: 200, 1 << 20: 200, 1<<20 + 1: 400} {
		if answer := b.Do(t, worldtest.Request{Method: "GET", Target: "/api/v2/things/1",
			Body: strings.Repeat("x", size)}); answer.Status != status {
			t.Errorf("%d bytes: %d %s", size, answer.Status, answer.Body)
		}
	}
}

// Of very many faults the first are listed, and beyond a number they are not counted.
func TestFaults_VeryMany(t *testing.T) {
	b := newBench(t)
	for count, told := range map[int]string{900: "has 900 faults", 1000: "has 1000 faults", 5000: "has more than 1000 faults"} {
		var body strings.Builder
		body.WriteString(`{"name":"abc"`)
		for i := range count {
			fmt.Fprintf(&body, `,"x%d":1`, i)
		}
		body.WriteString("}")
		found := b.Post(t, "/api/v2/things", body.String()).Is(t, 400, "VALIDATION_ERROR")
		if len(found.Details) != problem.MaxListed || !strings.Contains(found.Message, told) {
			t.Errorf("%d faults: %d details, %s", count, len(found.Details), found.Message)
		}
	}
}

// A response is small whatever names, values and paths the body has, and never a 5xx. Each kind of fault is met at a
// long path.
func TestFaults_LongPaths(t *testing.T) {
	b := newBench(t)
	name := strings.Repeat("n", 58_000)
	for _, c := range []struct{ name, body, code string }{
		{"numbers", `{"` + name + `":[` + strings.Repeat("9e99,", 4_000) + `1]}`, "range"},
		{"names twice", `{"` + name + `":{` + strings.Repeat(`"a":1,`, 4_000) + `"a":1}}`, "duplicate"},
		{"depth", strings.Repeat(`{"`+name[:30_000]+`":`, 32) + `{}` + strings.Repeat("}", 32), "too_deep"},
		{"unknown names", `{"name":"abc","` + name + `1":1,"` + name + `2":1}`, "unknown"},
		{"control characters", `{"name":"abc","` + strings.Repeat(`\u0001`, 9_000) + `":1}`, "unknown"},
		{"characters of several bytes", `{"name":"abc","x` + strings.Repeat(`€`, 9_000) + `":1}`, "unknown"},
	} {
		answer := b.Post(t, "/api/v2/things", c.body)
		found := answer.Is(t, 400, "VALIDATION_ERROR")
		if len(answer.Body) > 100<<10 {
			t.Errorf("%s: a response of %d bytes, want at most 100 KiB", c.name, len(answer.Body))
		}
		codes := []string{}
		for _, detail := range found.Details {
			codes = append(codes, detail.Code)
			if len(detail.Path) > problem.MaxPath || !utf8.ValidString(detail.Path) {
				t.Errorf("%s: a path of %d bytes, want at most %d: %s", c.name, len(detail.Path), problem.MaxPath, detail.Path)
			}
		}
		if !slices.Contains(codes, c.code) {
			t.Errorf("%s: the faults have the codes %v, want %s", c.name, codes, c.code)
		}
	}
}

// A path that is cut still tells elements apart.
func TestFaults_CutPathKeepsItsEnd(t *testing.T) {
	b := newBench(t)
	body := `{"name":"abc","` + strings.Repeat("n", 1_000) + `":[9e99,1,9e99]}`
	found := b.Post(t, "/api/v2/things", body).Is(t, 400, "VALIDATION_ERROR")
	var ends []string
	for _, detail := range found.Details {
		_, end, _ := strings.Cut(detail.Path, "…")
		ends = append(ends, strings.TrimLeft(end, "n"))
	}
	if !slices.Equal(ends, []string{"[0]", "[2]", ""}) {
		t.Errorf("the paths end with %q", ends)
	}
}

// A body of too many values is refused as a whole, and one of as many as there may be is read.
func TestFaults_TooManyValues(t *testing.T) {
	b := newBench(t)
	for elements, code := range map[int]string{49_997: "unknown", 49_998: "too_many", 500_000: "too_many"} {
		body := `{"name":"abc","more":[` + strings.Repeat("1,", elements-1) + `1]}`
		found := b.Post(t, "/api/v2/things", body).Is(t, 400, "VALIDATION_ERROR")
		if len(found.Details) != 1 || found.Details[0].Code != code {
			t.Errorf("%d elements: %+v", elements, found.Details)
		}
	}
}

// Elements that an array has no room for are not looked at, by the schema or by what comes after it.
func TestFaults_BeyondMaxItems(t *testing.T) {
	b := newBench(t)
	found := b.Post(t, "/api/v2/things", `{"name":"abc","emails":["a",2,"c",4,5,6]}`).Is(t, 400, "VALIDATION_ERROR")
	if len(found.Details) != 2 || found.Details[0].Path != "emails" || found.Details[1].Path != "emails[1]" {
		t.Errorf("%+v", found.Details)
	}
}

// A write that takes no body is not told anything by one, and says so.
func TestWrite_UnexpectedBody(t *testing.T) {
	b := newBench(t)
	for _, body := range []string{"", "{}", " { }\n"} {
		b.Do(t, worldtest.Request{Method: "DELETE", Target: "/api/v2/things/1", Body: body}).OK(t, nil)
	}
	for _, body := range []string{`{"name":"abc"}`, "[]", "null", "x"} {
		found := b.Do(t, worldtest.Request{Method: "DELETE", Target: "/api/v2/things/1?x=1", Body: body}).
			Is(t, 400, "VALIDATION_ERROR")
		if len(found.Details) != 2 || found.Details[0].Path != "body" || found.Details[0].Code != "unexpected" {
			t.Errorf("%s: %+v", body, found.Details)
		}
		b.Do(t, worldtest.Request{Method: "GET", Target: "/api/v2/things/1", Body: body}).OK(t, nil)
	}
}
