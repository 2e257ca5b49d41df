package recommend_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/keyword/recommend"
	"earshot/shared/workspace"
)

// lexicon is a few words with their ranks.
type lexicon map[string]int

func (l lexicon) Rank(word string) (int, bool) { rank, known := l[word]; return rank, known }

var words = lexicon{"the": 0, "mercury": 9_000, "linear": 8_000, "blue": 250, "first": 60, "new": 50, "bottle": 6_000,
	"banking": 3_000, "startups": 20_000, "for": 5, "and": 1,
	"status": 1_200, "pages": 900, "alerting": 30_000, "business": 300, "platform": 2_000, "northwind": 50_000}

// oneLine returns the recommendations in a line: each keyword with the terms that must occur with it.
func oneLine(all []recommend.Recommendation) string {
	var list []string
	for _, r := range all {
		text := r.Keyword.Text
		if len(r.Keyword.AdditionalTerms) > 0 {
			text += fmt.Sprintf(" %v", r.Keyword.AdditionalTerms)
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

func TestRecommendations(t *testing.T) {
	for name, c := range map[string]struct {
		company  workspace.Company
		existing []string
		want     string
	}{
		"nothing is known": {workspace.Company{}, nil, ""},
		"a name of its own": {workspace.Company{Name: " Northwind ", Domain: "northwind.example"}, nil,
			"Northwind; northwind.example"},
		"what is there": {workspace.Company{Name: "Northwind", Domain: "northwind.example"},
			[]string{"NORTHWIND", "Northwind.Example"}, ""},
		"a common word": {workspace.Company{Name: "Mercury", Domain: "https://www.mercury.example/",
			Products: []string{"Startup card"}, Description: "Business banking for startups, the first platform."},
			nil, "Mercury [mercury.example Startup card banking startups]; mercury.example; Startup card"},
		"a common word, bare": {workspace.Company{Name: "Mercury"}, nil, ""},
		"a phrase":            {workspace.Company{Name: "Blue Bottle"}, nil, "Blue Bottle"},
		"a phrase of common words": {workspace.Company{Name: "The New Blue", Domain: "blue.example"}, nil,
			"The New Blue [blue.example]; blue.example"},
		"products": {workspace.Company{Name: "Northwind", Domain: "northwind.example",
			Products: []string{"status pages", "Northwind Alerting", "Alerting", "Gustmeter", "alerting", " "}},
			[]string{"northwind"},
			"northwind.example; status pages [Northwind northwind.example]; Northwind Alerting; Alerting [Northwind northwind.example]; Gustmeter"},
		"a product of its name": {workspace.Company{Name: "Mercury",
			Products: []string{"mercury!", "Mercury Card", "platform"}}, nil,
			"Mercury [Mercury Card]; Mercury Card; platform [Mercury]"},
		"a name within a word": {workspace.Company{
			Name:     "Business",
			Domain:   "b.example",
			Products: []string{"new businesses"},
		}, []string{"business", "b.example"}, "new businesses"},
		"products of no one": {workspace.Company{Products: []string{"alerting", "Gustmeter"}}, nil, "Gustmeter"},
		"operators are no keyword": {workspace.Company{Name: `"North AND wind*"`, Products: []string{"+Gust", "-", "OR"}},
			nil, "North wind; Gust"},
		"too short to mean one": {workspace.Company{Name: "A", Products: []string{"C++", "X", "3M card"}}, nil,
			"A [C++ 3M card]; 3M card"},
		"short, and alone": {workspace.Company{Name: "hp"}, nil, ""},
		"short in Chinese": {workspace.Company{Name: "百度"}, nil, "百度"},
		"as it is read and linked": {workspace.Company{Name: "Bücher", Domain: "xn--bcher-kva.example"}, nil,
			"Bücher; bücher.example; xn--bcher-kva.example"},
		"too long":        {workspace.Company{Name: strings.Repeat("x", 101)}, nil, ""},
		"a name with NOT": {workspace.Company{Name: "NOT A NORTHWIND"}, nil, "NOT A NORTHWIND"},
		"what is there, decomposed": {
			workspace.Company{Name: "Caf\u00e9 Gust"}, []string{"cafe\u0301\u00a0gu\u00adst"}, ""},
		"single quotes": {
			workspace.Company{Name: "‘Mercury’", Products: []string{"'Card'", "–Gust"}}, nil,
			"Mercury [Card Gust]; Card; Gust"},
	} {
		var existing []keyword.Keyword
		for _, text := range c.existing {
			existing = append(existing, keyword.Keyword{Text: text})
		}
		if got := oneLine(recommend.Of(c.company, existing, words)); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// Whatever a company says of itself, what is recommended can be created as it is, and no common word stands bare.
func TestOf_Acceptable(t *testing.T) {
	text := rapid.OneOf(rapid.String(),
		rapid.SampledFrom([]string{"Mercury", "status pages", "\"x\"", "AND", "+a", "'q'", "–a OR ‘b’", "+-\"'x'\"",
			"Ünïcode Größe", strings.Repeat("long ", 60)}))
	rapid.Check(t, func(t *rapid.T) {
		c := workspace.Company{
			Name:        text.Draw(t, "name"),
			Domain:      text.Draw(t, "domain"),
			Description: text.Draw(t, "description"),
			Products:    rapid.SliceOfN(text, 0, 5).Draw(t, "products"),
		}
		all := recommend.Of(c, nil, words)
		seen := map[string]bool{}
		var created []keyword.Keyword
		for _, r := range all {
			k := r.Keyword
			if strings.TrimSpace(k.Text) != k.Text || k.Text == "" || utf8.RuneCountInString(k.Text) > keyword.MaxText ||
				strings.ContainsAny(k.Text, "\"*\x00\n") ||
				utf8.RuneCountInString(k.Context) > keyword.MaxContext || k.Context == "" || r.Reason == "" || seen[r.ID] ||
				len(k.AdditionalTerms) > keyword.MaxTerms {
				t.Fatalf("%+v", r)
			}
			for _, text := range append([]string{k.Text}, k.AdditionalTerms...) {
				if found, _, _, _ := keyword.Operators(text); found {
					t.Fatalf("%q has operators: %+v", text, r)
				}
			}
			for _, term := range k.AdditionalTerms {
				if term == "" || utf8.RuneCountInString(term) > keyword.MaxText {
					t.Fatalf("%q", term)
				}
			}
			if strings.EqualFold(k.Text, "mercury") && len(k.AdditionalTerms) == 0 {
				t.Fatalf("a common word is bare: %+v", r)
			}
			seen[r.ID] = true
			created = append(created, k)
		}
		if again := recommend.Of(c, created, words); len(again) > 0 {
			t.Fatalf("what is there is recommended: %+v", again)
		}
	})
}
