package query_test

import (
	"testing"

	"earshot/shared/post"
)

func TestMatches(t *testing.T) {
	p := &post.Post{
		Source: "reddit", URL: "https://www.reddit.com/r/Golang/comments/1", Author: new("Jane_Doe"),
		Title: new("Acme's new cloud"), Body: new("I saw it on docs.northwind.co.uk, Größe 東京タワー C++11"),
	}
	none := &post.Post{Source: "trustpilot", Body: new("nothing of that")}
	for _, c := range []struct {
		text     string
		language string
		want     bool
		none     bool // of the other post
	}{
		{"acme cloud", "", true, false},
		{`"acme cloud"`, "", false, false},
		{`"NEW   Cloud"`, "", true, false},
		{"acme -cloud", "", false, false},
		{"nothing OR northwind", "", true, true},
		{"a OR nothing cloud OR 東京", "", true, false},
		{"grösse C++", "", true, false},
		{"grosse", "", false, false},
		{"title:cloud", "", true, false},
		{"title:docs", "", false, false},
		{"docs OR nothing -title:cloud", "", false, true},
		{"acme OR nothing author:@jane_doe", "", true, false},
		{"author:jane_doe", "", true, false},
		{"author:u/JANE_DOE", "", true, false},
		{"author:jane", "", false, false},
		{"nothing -author:jane", "", false, true},
		{"site:reddit.com", "", true, false},
		{"site:reddit.com/R/golang", "", true, false},
		{"site:reddit.com/r/go", "", false, false},
		{"site:eddit.com", "", false, false},
		{"acme OR nothing -site:reddit.com", "", true, true},
		{"cloud OR nothing lang:en", "english", true, true},
		{"cloud lang:de", "english", false, false},
		{"cloud lang:und", "", true, false},
		{"cloud OR nothing source:reddit", "", true, false},
		{"cloud source:reddit_comment", "", false, false},
		{"nothing -source:reddit", "", false, true},
	} {
		q := parsed(t, c.text)
		for range 2 { // a used query too
			if got := q.Matches(p, c.language); got != c.want {
				t.Errorf("Matches(%q) = %v, want %v", c.text, got, c.want)
			}
			if got := q.Matches(none, c.language); got != c.none {
				t.Errorf("Matches(%q) of a bare post = %v, want %v", c.text, got, c.none)
			}
		}
	}
}
