package news_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"earshot/shared/source"
	"earshot/shared/source/fetch"
	"earshot/shared/source/news"
	"earshot/shared/source/sourcetest"
)

var week = source.Query{
	Text: `the "Lantern" DB`, Max: 4,
	Since: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 5, 8, 0, 0, 0, 0, time.UTC),
}

func TestSource(t *testing.T) {
	sourcetest.Run(t, sourcetest.Options{
		New: func(client *fetch.Client, baseURL string) (source.Source, error) {
			return news.New(client, baseURL), nil
		},
		Answers: os.DirFS("testdata"),
		Routes: []sourcetest.Route{
			{Path: "/api/v2/doc/doc", Query: map[string]string{"mode": "timelinevolraw"}, File: "timeline.json"},
			{Path: "/api/v2/doc/doc", Query: map[string]string{"enddatetime": "20260505081459"}, File: "articles-2.json"},
			{Path: "/api/v2/doc/doc", File: "articles-1.json"},
		},
		Cases:  []sourcetest.Case{{Name: "week", Query: week, Posts: 4}},
		Counts: []sourcetest.Counting{{Name: "week", Query: week, Want: source.Count{Posts: 17}}},
		Lists:  map[string]string{"articles-1.json": "articles"},
		None:   true,
		Now:    time.Date(2026, 5, 8, 12, 0, 0, 0, time.UTC),
	})
}

// GDELT answers sentences, and what is almost JSON, with status 200.
func TestAnswers(t *testing.T) {
	const head = `{"articles":[{"url":"https://a.example/1","seendate":"20260505T080000Z","title":"`
	for _, c := range []struct{ name, kind, body, title, reason string }{
		{"too short", "text/html", "The specified phrase is too short.\n", "", "searches for nothing that short"},
		{"too common", "text/plain", "Your search contained a keyword that was too common.", "",
			"searches for nothing that common"},
		{"too often", "text/plain", "Please limit requests to one every 5 seconds or contact us.", "", "was asked too often"},
		{"another sentence", "text/plain", "Something else went wrong", "", "answered what is no JSON"},
		{"no escape", "application/json", head + `a \' b \x"}]}`, `a \' b \x`, ""},
		{"escapes", "application/json", head + `\"a\" \\ \u00e9 \n"}]}`, "\"a\" \\ é", ""},
		{"half an escape", "application/json", head + `\u00e \u12"}]}`, `\u00e \u12`, ""},
		{"a byte order mark", "application/json", "\ufeff" + head + `a"}]}`, "a", ""},
		{"a control character", "application/json", head + "a\tb\x01c\"}]}", "a b c", ""},
		{"a backslash at the end", "application/json", head + `\`, "", "answered JSON that ends in the middle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", c.kind)
				w.Write([]byte(c.body))
			}))
			defer server.Close()
			from := news.New(fetch.New(fetch.Options{AnyHost: true, Unpaced: true}), server.URL)
			page, err := from.Search(t.Context(), week)
			var failed *source.Unavailable
			switch {
			case c.reason != "":
				if !errors.As(err, &failed) || failed.Reason != c.reason {
					t.Errorf("answers %v, not %q", err, c.reason)
				}
			case err != nil || len(page.Posts) != 1 || *page.Posts[0].Title != c.title:
				t.Errorf("answers %+v, %v", page, err)
			}
		})
	}
}

// Sites with parameters that Go does not parse still have one article each.
func TestSearch_SemicolonsInAddress(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte(`{"articles":[
			{"url":"https://a.example/show?id=1;page=2","seendate":"20260505T080000Z","title":"One"},
			{"url":"https://a.example/show?id=2;page=2","seendate":"20260505T080000Z","title":"Two"},
			{"url":"https://a.example/show?id=%zz","seendate":"20260505T080000Z","title":"Three"}]}`))
	}))
	defer server.Close()
	page, err := news.New(fetch.New(fetch.Options{AnyHost: true, Unpaced: true}), server.URL).
		Search(t.Context(), source.Query{Text: "x", Max: 100, Since: week.Since, Until: week.Until})
	if err != nil || len(page.Posts) != 3 {
		t.Errorf("Search = %d posts, %v, want 3", len(page.Posts), err)
	}
}
