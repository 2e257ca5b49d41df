package web

import (
	"bytes"
	"encoding/json"
	"math"
	"net/url"
	"reflect"
	"runtime"
	"strconv"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"earshot/shared/workspace"
)

// A path is read as it stands: what is escaped stays, what cannot stand is escaped, and no path is refused or becomes a
// query.
func FuzzEscapePath(f *testing.F) {
	for _, path := range []string{"/a", "/%41%2f", "/%", "/%zz", "/a?b#c", "/ü \x00\xff", "/..//."} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		escaped := escapePath("/" + path)
		parsed, err := url.Parse("https://h" + escaped)
		if err != nil || parsed.RawQuery != "" || parsed.Fragment != "" || parsed.EscapedPath() != escaped {
			t.Errorf("%q is escaped as %q: %v", path, escaped, err)
		}
		if again := escapePath(escaped); again != escaped {
			t.Errorf("%q, then %q", escaped, again)
		}
	})
}

// An event becomes a request in memory that grows as its query does, whatever the query says, and is refused in the
// order of checks.
func TestLambdaHandler_WideQuery(t *testing.T) {
	handler := New(Options{}).LambdaHandler()
	ask := func(parameters int) uint64 {
		query := map[string][]string{}
		for i := range parameters {
			query[strconv.Itoa(i)] = []string{"a", "b"}
		}
		var before, after runtime.MemStats
		event := events.APIGatewayProxyRequest{HTTPMethod: "GET", Path: "/nothing", MultiValueQueryStringParameters: query}
		runtime.ReadMemStats(&before)
		response, err := handler(t.Context(), event)
		runtime.ReadMemStats(&after)
		if err != nil || response.StatusCode != 404 {
			t.Fatalf("%d %v", response.StatusCode, err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	ask(1)
	if narrow, wide := ask(1_000), ask(8_000); wide > 12*narrow {
		t.Errorf("%d bytes for 1,000 parameters and %d for 8,000, want at most 12 times as many", narrow, wide)
	}
}

// However an event spells its query, the request has it.
func TestRawQuery(t *testing.T) {
	for want, event := range map[string]events.APIGatewayProxyRequest{
		"": {},
		"?a=1&a=2&b=%26%3D": {MultiValueQueryStringParameters: map[string][]string{"a": {"1", "2"}, "b": {"&="}},
			QueryStringParameters: map[string]string{"a": "2"}},
		"?a=%C3%BC+": {QueryStringParameters: map[string]string{"a": "ü "}},
	} {
		if got := rawQuery(&event); got != want {
			t.Errorf("rawQuery(%v) = %q, want %q", event, got, want)
		}
		if event.MultiValueQueryStringParameters != nil || event.QueryStringParameters != nil {
			t.Errorf("%q: the event still has its query: %v", want, event)
		}
	}
}

// What the strict reader takes, Go's decoder takes too, and reads as the same value.
func FuzzReadJSON(f *testing.F) {
	for _, body := range []string{`{"a":[1,2.5,null,"x",{"b":true}]}`, `{"a":1,"a":2}`, `[[[[]]]]`, `1e400`, `1.0`,
		`{"\ud800":1}`, "{\"a\":\"\xff\"}", `{}{}`, ``, `-0`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		doc, err := readJSON(t.Context(), body)
		if err != nil {
			t.Fatal(err)
		}
		if doc.tree == nil {
			if len(doc.faults) == 0 {
				t.Errorf("%q is not read, without a fault", body)
			}
			return
		}
		if len(doc.faults) > 0 {
			return
		}
		var want any
		if err := json.Unmarshal(body, &want); err != nil {
			t.Fatalf("%q is read, and Go does not: %v", body, err)
		}
		text, err := json.Marshal(doc.tree)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as %s", body, text)
		}
	})
}

// Null writes what an encoder that escapes no HTML writes.
func FuzzNull_MarshalJSON(f *testing.F) {
	for _, text := range []string{"", "plain ~", `"`, `\`, "<&>", "\x00\x1f\x7f", "ü\u2028", "\xff"} {
		f.Add(text, int64(len(text)))
	}
	f.Add("", int64(math.MinInt64))
	f.Fuzz(func(t *testing.T, text string, number int64) {
		for got, value := range map[json.Marshaler]any{
			Some(text): text, Some(number): number, Null[string]{}: nil, Null[int64]{}: nil, Some(true): true,
		} {
			var want bytes.Buffer
			encoder := json.NewEncoder(&want)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(value); err != nil {
				t.Fatal(err)
			}
			written, err := got.MarshalJSON()
			if err != nil || string(written)+"\n" != want.String() {
				t.Errorf("Null of %v writes %s (%v), want %s", value, written, err, want.String())
			}
		}
	})
}

// Whatever a client sends for a cursor, it is refused or it is one that was sealed.
func FuzzOpenCursor(f *testing.F) {
	caller := Caller{Workspace: workspace.Workspace{ID: "org_1", Secret: make([]byte, 32)}}
	sealed, err := SealCursor(caller, "list", "position")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sealed)
	f.Add("AAAA")
	f.Fuzz(func(t *testing.T, cursor string) {
		var position string
		if err := OpenCursor(caller, "list", cursor, &position); err == nil && position != "position" {
			t.Errorf("%q opens as %q", cursor, position)
		}
	})
}
