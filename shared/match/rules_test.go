package match

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/keyword"
	"earshot/shared/post"
)

// A rule's other conditions. A line changes the keyword "acme", the filters, or the post "Acme cloud, by quietharbor"
// on Reddit. It says whether the keyword still matches the post.
var ruleCases = []struct {
	rule    string
	keyword func(*keyword.Keyword)
	filters keyword.Filters
	post    func(*post.Post)
	want    bool
}{
	{"nothing changed", nil, keyword.Filters{}, nil, true},
	{"paused", func(k *keyword.Keyword) { k.Paused = true }, keyword.Filters{}, nil, false},
	{"any term", func(k *keyword.Keyword) { k.AdditionalTerms = []string{"moon", "CLOUD"} }, keyword.Filters{}, nil, true},
	{"no term", func(k *keyword.Keyword) { k.AdditionalTerms = []string{"moon", "clouds"} }, keyword.Filters{}, nil,
		false},
	{"blank terms ask nothing", func(k *keyword.Keyword) { k.AdditionalTerms = []string{" ", "\u200b"} },
		keyword.Filters{}, nil, true},
	{"all terms", func(k *keyword.Keyword) {
		k.AdditionalTerms, k.AdditionalTermsLogic = []string{"cloud", "by"}, keyword.All
	}, keyword.Filters{}, nil, true},
	{"not all terms", func(k *keyword.Keyword) {
		k.AdditionalTerms, k.AdditionalTermsLogic = []string{"cloud", "moon"}, keyword.All
	}, keyword.Filters{}, nil, false},
	{"a term is a whole word as the keyword is", func(k *keyword.Keyword) { k.AdditionalTerms = []string{"clou"} },
		keyword.Filters{}, nil, false},
	{"a term is a substring as the keyword is",
		func(k *keyword.Keyword) { k.AdditionalTerms, k.ExactMatch = []string{"clou"}, false }, keyword.Filters{}, nil, true},
	{"a term is its own handle, too", func(k *keyword.Keyword) { k.AdditionalTerms = []string{"sky port"} },
		keyword.Filters{}, body("acme with @SkyPort"), true},
	{"a term may be within the keyword",
		func(k *keyword.Keyword) { k.Text, k.AdditionalTerms = "acme cloud", []string{"cloud"} }, keyword.Filters{}, nil,
		true},
	{"a term in the title", func(k *keyword.Keyword) { k.AdditionalTerms = []string{"moon"} }, keyword.Filters{},
		title("moon"), true},
	{"a term minds case as the keyword does", func(k *keyword.Keyword) {
		k.Text, k.CaseSensitive, k.AdditionalTerms = "Acme", true, []string{"Cloud"}
	}, keyword.Filters{}, nil, false},
	{"an excluded word", func(k *keyword.Keyword) { k.ExcludeWords = []string{"moon", "Cloud"} }, keyword.Filters{}, nil,
		false},
	{"an excluded phrase", func(k *keyword.Keyword) { k.ExcludeWords = []string{"cloud, by"} }, keyword.Filters{}, nil,
		false},
	{"an excluded word in the title", func(k *keyword.Keyword) { k.ExcludeWords = []string{"moon"} }, keyword.Filters{},
		title("moon"), false},
	{"an excluded word is whole", func(k *keyword.Keyword) { k.ExcludeWords = []string{"clou", "loud"} },
		keyword.Filters{}, nil, true},
	{"an excluded word is whole with substrings, too",
		func(k *keyword.Keyword) { k.ExactMatch, k.ExcludeWords = false, []string{"clou"} }, keyword.Filters{}, nil, true},
	{"an exclusion minds case as the keyword does", func(k *keyword.Keyword) {
		k.Text, k.CaseSensitive, k.ExcludeWords = "Acme", true, []string{"Cloud"}
	}, keyword.Filters{}, nil, true},
	{"an exclusion is no handle", func(k *keyword.Keyword) { k.ExcludeWords = []string{"sky port"} }, keyword.Filters{},
		body("acme with @SkyPort"), true},
	{"an excluded prefix", func(k *keyword.Keyword) { k.WildcardExcludeWords = []string{"clo*"} }, keyword.Filters{}, nil,
		false},
	{"an excluded prefix without asterisk", func(k *keyword.Keyword) { k.WildcardExcludeWords = []string{"clo"} },
		keyword.Filters{}, nil, false},
	{"an excluded prefix is at a word's beginning",
		func(k *keyword.Keyword) { k.WildcardExcludeWords = []string{"loud*"} }, keyword.Filters{}, nil, true},
	{"an asterisk alone says nothing", func(k *keyword.Keyword) { k.WildcardExcludeWords = []string{"*"} },
		keyword.Filters{}, nil, true},
	{"an excluded author", func(k *keyword.Keyword) { k.ExcludeAuthors = []string{"other", "@QuietHarbor"} },
		keyword.Filters{}, nil, false},
	{"an excluded author as Reddit writes it", func(k *keyword.Keyword) { k.ExcludeAuthors = []string{"u/quietharbor"} },
		keyword.Filters{}, nil, false},
	{"another author", func(k *keyword.Keyword) { k.ExcludeAuthors = []string{"quiet", "quietharbor2"} },
		keyword.Filters{}, nil, true},
	{"no author", func(k *keyword.Keyword) { k.ExcludeAuthors = []string{"quietharbor"} }, keyword.Filters{},
		func(p *post.Post) { p.Author = nil }, true},
	{"a platform", func(k *keyword.Keyword) { k.Platforms = []string{"news", "reddit"} }, keyword.Filters{}, nil, true},
	{"another platform", func(k *keyword.Keyword) { k.Platforms = []string{"news", "reddit_comment"} }, keyword.Filters{},
		nil, false},
	{"a comment", func(k *keyword.Keyword) { k.Platforms = []string{"reddit_comment"} }, keyword.Filters{},
		func(p *post.Post) { p.IsReply = true }, true},
	{"no platform named", func(k *keyword.Keyword) { k.Platforms = []string{} }, keyword.Filters{}, nil, true},
	{"an unknown platform", func(k *keyword.Keyword) { k.Platforms = []string{"gopher"} }, keyword.Filters{}, nil, false},
	{"a source that is no platform", nil, keyword.Filters{}, func(p *post.Post) { p.Source = "lobsters" }, true},
	{"across title and body", func(k *keyword.Keyword) { k.Text = "acme cloud" }, keyword.Filters{},
		func(p *post.Post) { *p.Title, *p.Body = "acme", "cloud" }, false},
	{"in the title", nil, keyword.Filters{}, func(p *post.Post) { *p.Title, p.Body = "acme", nil }, true},
	{"no text", nil, keyword.Filters{}, func(p *post.Post) { p.Title, p.Body = nil, nil }, false},
	{"negative keyword", nil, keyword.Filters{NegativeKeywords: []string{"moon", "CLOUD"}}, nil, false},
	{"negative keyword folds for one that minds case",
		func(k *keyword.Keyword) { k.Text, k.CaseSensitive = "Acme", true },
		keyword.Filters{NegativeKeywords: []string{"CLOUD"}}, nil, false},
	{"negative keyword is whole", nil, keyword.Filters{NegativeKeywords: []string{"clou"}}, nil, true},
	{"negative author", nil, keyword.Filters{NegativeAuthors: []string{"@quietHarbor"}}, nil, false},
	{"negative subreddit", nil, keyword.Filters{NegativeSubreddits: []string{"r/GoLang"}}, nil, false},
	{"another negative subreddit", nil, keyword.Filters{NegativeSubreddits: []string{"go"}}, nil, true},
	{"positive subreddit", nil, keyword.Filters{PositiveSubreddits: []string{"rust", "golang"}}, nil, true},
	{"not a positive subreddit", nil, keyword.Filters{PositiveSubreddits: []string{"rust"}}, nil, false},
	{"positive subreddits, elsewhere", nil, keyword.Filters{PositiveSubreddits: []string{"rust"}},
		func(p *post.Post) { p.Source, p.URL = "news", "https://news.example/r/golang" }, true},
	{"positive subreddits, none known", nil, keyword.Filters{PositiveSubreddits: []string{"rust"}},
		func(p *post.Post) { p.URL = "" }, false},
	{"negative repository", nil, keyword.Filters{NegativeRepos: []string{"Quiet/Harbor"}}, onGitHub, false},
	{"negative owner", nil, keyword.Filters{NegativeRepos: []string{"quiet"}}, onGitHub, false},
	{"another repository", nil, keyword.Filters{NegativeRepos: []string{"quiet/other", "harbor"}}, onGitHub, true},
}

func body(s string) func(*post.Post)  { return func(p *post.Post) { *p.Body = s } }
func title(s string) func(*post.Post) { return func(p *post.Post) { *p.Title = s } }
func onGitHub(p *post.Post) {
	p.Source, p.URL = "github", "https://github.com/quiet/harbor/issues/7"
}

func TestRules(t *testing.T) {
	for _, c := range ruleCases {
		author, title, body := "quietharbor", "", "Acme cloud, by quietharbor"
		p := &post.Post{
			Source: "reddit",
			URL:    "https://www.reddit.com/r/golang/comments/1",
			Author: &author,
			Title:  &title,
			Body:   &body,
		}
		k := keyword.Keyword{ID: 1, Text: "acme", ExactMatch: true}
		if c.keyword != nil {
			c.keyword(&k)
		}
		if c.post != nil {
			c.post(p)
		}
		workspaces := []Workspace{{ID: "org_1", Keywords: []keyword.Keyword{k}, Filters: c.filters}}
		m, err := Compile(workspaces)
		if err != nil {
			t.Fatal(err)
		}
		var hits Hits
		m.Match(p, &hits)
		if got := len(hits.List) > 0; got != c.want {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
		// A long post gets the same result by another way.
		if p.Body != nil {
			*p.Body += strings.Repeat(" -", shortPost)
			m.Match(p, &hits)
			if got := len(hits.List) > 0; got != c.want {
				t.Errorf("%s, in a long post: %v, want %v", c.rule, got, c.want)
			}
		}
	}
}

// Hits are the workspaces and keywords given to Compile, in their order, each once.
func TestOrder(t *testing.T) {
	workspaces := []Workspace{
		{ID: "org_b", Keywords: []keyword.Keyword{{ID: 9, Text: "cloud"}, {ID: 2, Text: "moon"},
			{ID: 5, Text: "acme", ExactMatch: true}, {ID: 1, Text: "Acme"}}},
		{ID: "org_c", Keywords: []keyword.Keyword{{ID: 1, Text: "moon"}}},
		{ID: "org_a", Keywords: []keyword.Keyword{{ID: 5, Text: "acme", ExactMatch: true}}},
	}
	m, err := Compile(workspaces)
	if err != nil {
		t.Fatal(err)
	}
	var hits Hits
	text := "Acme, acme.com and @acme: the acme cloud"
	m.Match(&post.Post{Title: &text, Body: &text}, &hits)
	if len(hits.List) != 2 || hits.List[0].Workspace != &workspaces[0] || hits.List[1].Workspace != &workspaces[2] {
		t.Fatalf("hits %+v", hits.List)
	}
	given := workspaces[0].Keywords
	if got, want := hits.List[0].Keywords, []*keyword.Keyword{&given[0], &given[2], &given[3]}; !slices.Equal(got, want) {
		t.Errorf("keywords %v, want %v", got, want)
	}
}

// Compile names what it cannot compile, and compiles all else.
func TestFaults(t *testing.T) {
	good := keyword.Keyword{ID: 7, Text: "acme", ExcludeWords: []string{""}, ExcludeAuthors: []string{"@"}}
	cases := []struct {
		keyword keyword.Keyword
		want    string
	}{
		{keyword.Keyword{ID: 1}, "match: workspace org_1: keyword 1: its text is empty"},
		{keyword.Keyword{ID: 2, Text: " \u200b\u00ad\t"}, "match: workspace org_1: keyword 2: its text is empty"},
		{keyword.Keyword{ID: 3, Text: "ac\xffme"}, "match: workspace org_1: keyword 3: its text is not UTF-8"},
		{keyword.Keyword{ID: 4, Text: "acme", ExcludeWords: []string{"\xff"}},
			"match: workspace org_1: keyword 4: a term is not UTF-8"},
		{keyword.Keyword{ID: 5, Text: strings.Repeat("a", 1<<16)}, "match: workspace org_1: keyword 5: its text is too long"},
		{keyword.Keyword{ID: 6, Paused: true}, ""},
	}
	workspaces := []Workspace{{ID: "org_1", Filters: keyword.Filters{NegativeKeywords: []string{"\xfe"}}}}
	var want []string
	for _, c := range cases {
		workspaces[0].Keywords = append(workspaces[0].Keywords, c.keyword)
		if c.want != "" {
			want = append(want, c.want)
		}
	}
	want = append([]string{"match: workspace org_1: filters: a term is not UTF-8"}, want...)
	workspaces[0].Keywords = append(workspaces[0].Keywords, good)
	m, err := Compile(workspaces)
	if err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("error %q, want %q", err, want)
	}
	var fault *Fault
	if !errors.As(err, &fault) || fault.Workspace != "org_1" {
		t.Errorf("the first fault is %+v", fault)
	}
	var hits Hits
	text := "acme"
	m.Match(&post.Post{Body: &text}, &hits)
	if len(hits.List) != 1 || len(hits.List[0].Keywords) != 1 || hits.List[0].Keywords[0].ID != 7 {
		t.Errorf("hits %+v, want the good keyword", hits.List)
	}
	if empty, err := Compile(nil); err != nil {
		t.Error(err)
	} else if empty.Match(&post.Post{Body: &text}, &hits); len(hits.List) != 0 {
		t.Errorf("no workspace matched: %+v", hits.List)
	}
}

// One matcher serves many goroutines, and one Hits serves many matchers.
func TestConcurrent(t *testing.T) {
	var matchers []*Matcher
	for i := range 3 {
		var keywords []keyword.Keyword
		for id := range int64(10 * (i + 1)) {
			keywords = append(keywords,
				keyword.Keyword{ID: id, Text: fmt.Sprint("acme ", id), ExactMatch: true, AdditionalTerms: []string{"cloud"}})
		}
		m, err := Compile([]Workspace{{ID: "org_1", Keywords: keywords}})
		if err != nil {
			t.Fatal(err)
		}
		matchers = append(matchers, m)
	}
	faulttest.AtOnce(4, func(int) {
		var hits Hits
		for round := range 200 {
			i := round % len(matchers)
			text := fmt.Sprint("Cloud of @acme9 and acme ", 10*i+9)
			if matchers[i].Match(&post.Post{Body: &text}, &hits); len(hits.List) != 1 || len(hits.List[0].Keywords) == 0 ||
				hits.List[0].Keywords[len(hits.List[0].Keywords)-1].ID != int64(10*i+9) {
				t.Errorf("matcher %d: %+v", i, hits.List)
			}
		}
	})
}

// A way is folded, and each keyword that a handle or a host writes has it.
func TestNames(t *testing.T) {
	for text, want := range map[string][]string{
		"Acme Cloud": {"acmecloud", "acme-cloud", "acme_cloud"},
		"Nestlé":     {"nestlé", "nestle"},
		"Node.js":    {"nodejs"},
		"Acme.com":   {"acme.com", "acmecom"},
		"C++":        nil,
		".NET":       nil,
		"":           nil,
	} {
		if got := Names(text); !slices.Equal(got, want) {
			t.Errorf("Names(%q) = %q, want %q", text, got, want)
		}
	}
}
