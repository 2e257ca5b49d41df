package web

import (
	"encoding/json"
	"net/url"
	"reflect"
	"testing"

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

// What the strict reader takes, Go's decoder takes too, and reads as the same value.
func FuzzReadJSON(f *testing.F) {
	for _, body := range []string{`{"a":[1,2.5,null,"x",{"b":true}]}`, `{"a":1,"a":2}`, `[[[[]]]]`, `1e400`, `1.0`, `{"\ud800":1}`, "{\"a\":\"\xff\"}", `{}{}`, ``, `-0`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		doc := readJSON(body)
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
