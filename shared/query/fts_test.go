package query_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"earshot/shared/post"
	"earshot/shared/query"
)

// What the index finds, before Matches removes what it finds too much.
func TestFTS(t *testing.T) {
	made := func(title, body, author, address, source, language string) *subject {
		return &subject{
			post:     post.Post{Title: &title, Body: &body, Author: &author, URL: address, Source: source},
			language: language,
		}
	}
	db := index(t, []*subject{
		made("Acme's cloud", "docs.northwind.co.uk", "jane", "https://github.com/Acme/Cloud", "github", "english"),
		made("", "acme, cloud", "jane_doe", "https://www.reddit.com/r/go", "reddit", "german"),
		made("東京タワーへ", "กรุงเทพมหานคร", "joe", "https://old.reddit.com/r/golang", "reddit", ""),
		made("see\u200bacme", "@acme_cloud 🚀", "a b", "", "news", "church slavonic"),
		{post: post.Post{Source: "news", Body: new("NEAR OR title:acmecloud")}},
	})
	for _, c := range []struct {
		text  string
		want  []int
		exact bool
	}{
		{"acme", []int{1, 2, 4}, false},
		{`"acme cloud"`, []int{2, 4, 5}, false}, // the first has an s between
		{"title:acme", []int{1, 4}, false},
		{"northwind", []int{1, 4}, false},
		{"東京", []int{3, 4}, false},
		{"京", []int{3, 4}, false},
		{"東京タワー", []int{3, 4}, false},
		{"東都", []int{4}, false},
		{"เทพมหา", []int{3, 4}, false},
		{"เทพหา", []int{4}, false},
		{"🚀", []int{4}, false},
		{"acme -cloud", []int{1, 2, 4}, false}, // Matches removes what has a negated word
		{"acme -author:jane", []int{2, 4}, false},
		{"acme -author:jane -site:reddit.com", []int{4}, false},
		{`":)"`, []int{1, 2, 3, 4, 5}, false},
		{`":)" source:news`, []int{4, 5}, false},
		{`NEAR "OR" "title:acmecloud"`, []int{4, 5}, false},
		{"author:JANE", []int{1}, true},
		{`author:"a b"`, []int{4}, true},
		{"author:a", nil, true},
		{"site:reddit.com", []int{2, 3}, true},
		{"site:reddit.com -site:reddit.com/r/golang", []int{2}, true},
		{"site:reddit.com/r", []int{2, 3}, true},
		{"site:reddit.com/r/gol", nil, true},
		{"site:com -lang:en", []int{2, 3}, true},
		{"site:com lang:und OR author:jane source:github OR author:joe source:news", []int{1, 3}, true},
		{"author:joe OR lang:cu site:x OR author:jane -lang:en", []int{3}, true},
	} {
		expression, exact := parsed(t, c.text).FTS()
		if got := slices.Sorted(maps.Keys(search(t, db, expression))); !slices.Equal(got, c.want) || exact != c.exact {
			t.Errorf("FTS(%q) = %s, exact %v: finds %v, want %v, exact %v", c.text, expression, exact, got, c.want, c.exact)
		}
	}
	expression, exact := query.Query{}.FTS()
	if got := search(t, db, expression); len(got) > 0 || !exact {
		t.Errorf("FTS of no query = %s, exact %v: finds %v, want none, exact", expression, exact, got)
	}
}

// A host's label begins with a mark, which UAX #29 gives to the sign before it.
func TestFTS_MarkBeforeLabel(t *testing.T) {
	s := &subject{post: post.Post{Source: "news", Body: new("_\u0e31ASP.NET")}}
	q := parsed(t, "\u0e31asp")
	expression, _ := q.FTS()
	if found := search(t, index(t, []*subject{s}), expression); !q.Matches(&s.post, "") || !found[1] {
		t.Errorf("FTS(%+q) = %+q finds %v, want the post", q, expression, found)
	}
}

// The longest and deepest query is one that FTS5 reads.
func TestFTS_Largest(t *testing.T) {
	db := index(t, []*subject{{post: post.Post{Source: "news", Body: new("acme")}}})
	word := strings.Repeat("é", query.MaxLength/query.MaxTerms-4)
	for _, separator := range []string{" ", " OR "} {
		var terms []string
		for i := range query.MaxTerms {
			terms = append(terms, word[:len(word)-2*(i%8+4)])
		}
		q := parsed(t, strings.Join(terms, separator))
		expression, _ := q.FTS()
		if got := search(t, db, expression); len(got) > 0 {
			t.Errorf("FTS(%q) finds %v, want none", q, got)
		}
	}
}

// An entry grows with its text alone: in scripts without blanks by three letters and a blank for a letter.
func TestIndex_Linear(t *testing.T) {
	for _, piece := range []string{"acme ", "東", "ก", "a\u0301", "e\u200b", "@", "a.", "🇩", "\xff", "x.y@z-", "'", "\u0600"} {
		text := strings.Repeat(piece, post.MaxText/len(piece))
		e := query.Index(&post.Post{Body: &text}, "")
		if size := len(e.Body); size > 4*3*len(text)/2 {
			t.Errorf("Index of %d bytes of %q has %d bytes", len(text), piece, size)
		}
	}
}
