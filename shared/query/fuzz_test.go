package query_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"earshot/shared/post"
	"earshot/shared/query"
	"earshot/shared/source"
)

// Whatever the text, Parse returns a query or faults whose places are in the text. What it parses has a canonical form,
// an expression that FTS5 reads, and a plan.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "acme", `a "b c" -d OR title:"e f"`, "OR", "-", `"`, "site:*.example.com", "lang:englsh", "x\xff", "\u200b",
		"site:[::1]", "site:http://a@b/c?d#e", "－x：y ＂z＂",
		"(acme)", "author:@", "title:title:x", "--x", `-"`, "site:%zz", "site:a/%2F%22?x", "İ \u0307i", "author:u/u/x",
		"\"\u0301\"", "lang:\u212a", "source:ﬁ", "a\u2800b \u180e", "\u3000OR\u3000x",
	} {
		f.Add(seed)
	}
	db := index(f, subjects(3))
	p := &post.Post{
		Source: "news",
		URL:    "https://example.com/a",
		Author: new("x"),
		Title:  new("acme OR x"),
		Body:   new("a b c -d"),
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, faults := query.Parse(text)
		length := utf8.RuneCountInString(text)
		last := 0
		for _, fault := range faults {
			if fault.At < last || fault.Length < 0 || fault.At+fault.Length > length ||
				!utf8.ValidString(fault.Message+fault.Suggestion) {
				t.Errorf("Parse(%q) = %+v, want places in %d characters, in order", text, fault, length)
			}
			last = fault.At
		}
		if len(faults) > 0 {
			if q.String() != "" || q.Matches(p, "english") {
				t.Errorf("Parse(%q) = %q despite faults", text, q)
			}
			return
		}
		again, faults := query.Parse(q.String())
		if len(q.String()) <= query.MaxLength &&
			(len(faults) > 0 || !reflect.DeepEqual(again.Alternatives(), q.Alternatives())) {
			t.Errorf("Parse(%q) of %q = %v %+v, want %v", q.String(), text, again.Alternatives(), faults, q.Alternatives())
		}
		expression, _ := q.FTS()
		search(t, db, expression)
		q.Matches(p, "english")
		if plan := q.Live(source.About{Name: "hackernews", Also: 2}, 3); len(plan.Asks) > 3 {
			t.Errorf("Live(%q) = %+v, want at most 3 asks", q, plan)
		}
	})
}

// hostile are texts that grow by a piece.
var hostile = []string{`"`, `""`, "-", "--", "OR ", "a OR ", "a:", "title:", "site:", "lang:zz ", "source:redit ",
	"(", "a\u0301", "\u0301", "\xff", "\u200b", "ß", "東", "@a.", "'", "-\"a\" ", "lang:englsh "}

// Parse allocates in proportion to its text, up to the bound, and a constant number of times above it.
func TestParse_Linear(t *testing.T) {
	allocations := func(text string) float64 {
		return testing.AllocsPerRun(5, func() { query.Parse(text) })
	}
	for _, piece := range hostile {
		least := 40 / utf8.RuneCountInString(piece)
		small, large := allocations(strings.Repeat(piece, least)), allocations(strings.Repeat(piece, 20*least))
		if large > 25*small+100 {
			t.Errorf("Parse of %q: %v allocations for %d, %v for %d, want in proportion", piece, small, least, large, 20*least)
		}
		if huge := allocations(strings.Repeat(piece, 1<<20)); huge > 10 {
			t.Errorf("Parse of a million %q allocates %v times, want at most 10", piece, huge)
		}
	}
}

// Matches allocates nothing once it has seen a post, of a query without site:.
func TestMatches_Allocations(t *testing.T) {
	p := &post.Post{
		Source: "reddit",
		Author: new("Jane"),
		Title:  new("Größe ’ acme"),
		Body:   new(strings.Repeat("the acme cloud 東京 ", 200)),
	}
	for _, text := range []string{"acme cloud -jobs", `"acme cloud" OR title:größe author:jane lang:en source:reddit`,
		"東京 -author:joe"} {
		q := parsed(t, text)
		q.Matches(p, "english")
		if n := testing.AllocsPerRun(20, func() { q.Matches(p, "english") }); n > 2 {
			t.Errorf("Matches(%q) allocates %v times, want at most 2", text, n)
		}
	}
}
