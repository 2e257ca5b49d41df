package sourcetest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"earshot/shared/source/fetch"
)

// also checks that a source which takes further texts asks its platform for all of them at once, as phrases.
func also(t *testing.T, o Options) {
	recorded := &platform{t: t, o: o}
	var mu sync.Mutex
	var asked []url.Values
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if recorded.signsIn(r) {
			recorded.ServeHTTP(w, r)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.URL.Query())
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	from := open(t, o, server.URL, fetch.Options{})
	most := from.About().Also
	if most == 0 {
		return
	}
	q := o.Cases[0].Query
	var want []string
	for i := range most {
		text := fmt.Sprintf("also %d  \"quoted\"", i)
		q.Also = append(q.Also, text)
		want = append(want, fmt.Sprintf(" \"also %d ", i))
	}
	from.Search(t.Context(), q) // fails: only what it asks counts
	mu.Lock()
	defer mu.Unlock()
	if !slices.ContainsFunc(asked, func(values url.Values) bool {
		for _, value := range values {
			text := strings.Join(value, "\n")
			if !slices.ContainsFunc(want, func(phrase string) bool { return !strings.Contains(text, phrase) }) {
				return true
			}
		}
		return false
	}) {
		t.Errorf("Search of %q also asks for %q, want all of its phrases in one parameter", q.Also, asked)
	}
	for _, values := range asked {
		for _, value := range values {
			if text := strings.Join(value, ""); strings.Count(text, `"`)%2 != 0 {
				t.Errorf("Search asks for %q: a quotation mark is left open", text)
			}
		}
	}
}
