package sourcetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"earshot/shared/post"
	"earshot/shared/source/fetch"
)

// ravages replace every value of an item, one after the other. They are JSON texts.
var ravages = []string{
	`null`, `{}`, `[]`, `[null]`, `{"a":{}}`, `true`, `-1`, `0`, `1e400`, `9007199254740993`, `-62135596801`, `1.5`,
	`""`, `" "`, `"1970-01-01T00:00:00Z"`, `"not a date"`, `"9999-12-31T23:59:59Z"`,
	`"<p>a<script>alert(1)</script>&amp;<b>b"`, `"` + strings.Repeat("<div>", 5000) + `"`, `"\u0000"`, `"a\u0000b"`,
	`"\ud800"`, "\"\xff\xfe\"", `"\u202eabc\u2066"`, `"../../etc/passwd"`, `"javascript:alert(1)"`, `"a b\nc"`,
}

// damages replaces, in each list, each item and each value in an item. The adapter may drop or keep a damaged item. It
// must keep the others.
func damages(t *testing.T, o Options) {
	for file, path := range o.Lists {
		t.Run(file, func(t *testing.T) {
			server := serve(t, o)
			from := open(t, o, server.URL, fetch.Options{})
			answer := ""
			server.instead = func(w http.ResponseWriter, _ *http.Request, asked string) bool {
				if asked != file || answer == "" {
					return false
				}
				w.Header().Set("Content-Type", "application/json")
				w.Write([]byte(answer))
				return true
			}
			var root any
			if err := json.Unmarshal(server.recorded(file), &root); err != nil {
				t.Fatal(err)
			}
			items := list(t, root, path)
			whole, err := from.Search(t.Context(), o.Cases[0].Query)
			if err != nil || len(whole.Posts) < 2 || len(items) < 2 {
				t.Fatalf("Search(first case) = %d posts, %v, want at least two", len(whole.Posts), err)
			}
			try := func(what string) {
				content, err := json.Marshal(root)
				if err != nil {
					t.Fatal(err)
				}
				// json.Marshal would refuse or mend some ravages, so the marker goes through it instead.
				for i, ravage := range ravages {
					answer = strings.Replace(string(content), `"`+marker+`"`, ravage, 1)
					page, err := from.Search(t.Context(), o.Cases[0].Query)
					if err != nil {
						t.Errorf("%s, ravage %d: one bad item costs the page: %v", what, i, err)
						continue
					}
					check(t, o, from.About(), o.Cases[0].Query, page)
					if lost := missing(whole.Posts, page.Posts); lost > 1 {
						t.Errorf("%s, ravage %d: %d posts are not as they were", what, i, lost)
					}
					if t.Failed() {
						t.Fatalf("%s, ravage %d: %.200s", what, i, ravage)
					}
				}
			}
			for i := range items {
				kept := items[i]
				items[i] = marker
				try(fmt.Sprintf("item %d", i))
				items[i] = kept
				each(kept, func(where string, set func(any) any) {
					before := set(marker)
					try(fmt.Sprintf("item %d%s", i, where))
					set(before)
				})
			}
		})
	}
}

const marker = "the value to damage"

func missing(whole, left []post.Post) (lost int) {
	for _, one := range whole {
		found := false
		for _, other := range left {
			found = found || reflect.DeepEqual(one, other)
		}
		if !found {
			lost++
		}
	}
	return lost
}

// list returns the list at a path of names in JSON.
func list(t *testing.T, root any, path string) []any {
	t.Helper()
	if path != "" {
		for name := range strings.SplitSeq(path, ".") {
			object, _ := root.(map[string]any)
			root = object[name]
		}
	}
	items, ok := root.([]any)
	if !ok {
		t.Fatalf("no list at %q", path)
	}
	return items
}

// each visits every value below a value. set replaces the value and returns the value that it replaces.
func each(value any, visit func(where string, set func(any) any)) {
	switch value := value.(type) {
	case map[string]any:
		for name, below := range value {
			visit("."+name, func(now any) any { was := value[name]; value[name] = now; return was })
			each(below, func(where string, set func(any) any) { visit("."+name+where, set) })
		}
	case []any:
		for i, below := range value {
			visit(fmt.Sprintf("[%d]", i), func(now any) any { was := value[i]; value[i] = now; return was })
			each(below, func(where string, set func(any) any) { visit(fmt.Sprintf("[%d]%s", i, where), set) })
		}
	}
}
