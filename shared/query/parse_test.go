package query_test

import (
	"reflect"
	"strings"
	"testing"

	"earshot/shared/query"
)

func parsed(t *testing.T, text string) query.Query {
	t.Helper()
	q, faults := query.Parse(text)
	if len(faults) > 0 {
		t.Fatalf("Parse(%q) = %+v, want no faults", text, faults)
	}
	return q
}

func TestParse(t *testing.T) {
	text := func(value string) query.Term { return query.Term{Value: value} }
	not := func(t query.Term) query.Term { t.Negated = true; return t }
	of := func(field query.Field, value string) query.Term { return query.Term{Field: field, Value: value} }
	for _, c := range []struct {
		text string
		want [][]query.Term
	}{
		{"acme", [][]query.Term{{text("acme")}}},
		{" acme\t cloud\u3000", [][]query.Term{{text("acme"), text("cloud")}}},
		{`"acme  cloud" -jobs`, [][]query.Term{{text("acme cloud"), not(text("jobs"))}}},
		{"a b OR c", [][]query.Term{{text("a"), text("b")}, {text("c")}}},
		{"a OR b c OR d", [][]query.Term{{text("a")}, {text("b"), text("c")}, {text("d")}}},
		{"a or b", [][]query.Term{{text("a"), text("or"), text("b")}}},
		{"a AND NOT b", [][]query.Term{{text("a"), text("AND"), text("NOT"), text("b")}}},
		{`a "OR" ORacle fOR`, [][]query.Term{{text("a"), text("OR"), text("ORacle"), text("fOR")}}},
		{`“acme cloud”a„b“`, [][]query.Term{{text("acme cloud"), text("a"), text("b")}}},
		{`a -"b c" -title:x -site:example.com`, [][]query.Term{{
			text("a"), not(text("b c")), not(of(query.Title, "x")), not(of(query.Site, "example.com")),
		}}},
		{`title:"two words" Title:one`, [][]query.Term{{of(query.Title, "two words"), of(query.Title, "one")}}},
		{"x author:@Jane author:u/Joe", [][]query.Term{{
			text("x"), of(query.Author, "@Jane"), of(query.Author, "u/Joe"),
		}}},
		{"x LANG:en lang:Farsi lang:pt-BR", [][]query.Term{{
			text("x"), of(query.Lang, "english"), of(query.Lang, "persian"), of(query.Lang, "portuguese"),
		}}},
		{`x lang:"church slavonic" lang:und`, [][]query.Term{{
			text("x"), of(query.Lang, "church slavonic"), of(query.Lang, "undetermined"),
		}}},
		{"x source:Reddit_Comment", [][]query.Term{{text("x"), of(query.Source, "reddit_comment")}}},
		{"site:HTTPS://www.GitHub.com:443/Acme//Cloud/?tab=1#top", [][]query.Term{{
			of(query.Site, "github.com/acme/cloud"),
		}}},
		{"site:bücher.example site:gov", [][]query.Term{{
			of(query.Site, "xn--bcher-kva.example"), of(query.Site, "gov"),
		}}},
		{"site：example.com －x a", [][]query.Term{{of(query.Site, "example.com"), not(text("x")), text("a")}}},
		{"(acme), [cloud]! what? C++ .NET #acme @acme a.k.a.", [][]query.Term{{
			text("acme"), text("cloud"), text("what"), text("C++"), text(".NET"), text("#acme"), text("@acme"),
			text("a.k.a"),
		}}},
		{`"(acme),"`, [][]query.Term{{text("(acme),")}}},
		{":) --help e-mail 10:30 https://x.example foo:bar", [][]query.Term{{
			text(":)"), text("--help"), text("e-mail"), text("10:30"), text("https://x.example"), text("foo:bar"),
		}}},
		{"Ａｃｍｅ’s", [][]query.Term{{text("Acme's")}}},
	} {
		q, faults := query.Parse(c.text)
		if len(faults) > 0 || !reflect.DeepEqual(q.Alternatives(), c.want) {
			t.Errorf("Parse(%q) = %v %+v, want %v", c.text, q.Alternatives(), faults, c.want)
		}
		again, faults := query.Parse(q.String())
		if len(faults) > 0 || !reflect.DeepEqual(again.Alternatives(), c.want) || again.String() != q.String() {
			t.Errorf("Parse(%q) of %q = %v %+v, want %v", q.String(), c.text, again.Alternatives(), faults, c.want)
		}
	}
}

func TestParse_Faults(t *testing.T) {
	type fault struct {
		at, length int
		code       query.Code
		suggestion string
	}
	for _, c := range []struct {
		text string
		want []fault
	}{
		{"", []fault{{0, 0, query.Empty, ""}}},
		{" \t\u3000", []fault{{0, 3, query.Empty, ""}}},
		{`acme "cloud`, []fault{{5, 6, query.OpenQuote, ""}}},
		{`é 5" disk`, []fault{{3, 6, query.OpenQuote, ""}}},
		{`title:"a`, []fault{{6, 2, query.OpenQuote, ""}}},
		{"OR", []fault{{0, 2, query.LoneOperator, ""}}},
		{"OR a", []fault{{0, 2, query.LoneOperator, ""}}},
		{"ü OR", []fault{{2, 2, query.LoneOperator, ""}}},
		{"a OR OR b", []fault{{5, 2, query.LoneOperator, ""}}},
		{"OR OR", []fault{{0, 2, query.LoneOperator, ""}, {3, 2, query.LoneOperator, ""}}},
		{"a - b", []fault{{2, 1, query.LoneOperator, `"-"`}}},
		{"a -", []fault{{2, 1, query.LoneOperator, `"-"`}}},
		{"a site:", []fault{{2, 5, query.LoneOperator, ""}}},
		{"a -title: b", []fault{{2, 7, query.LoneOperator, ""}}},
		{`""`, []fault{{1, 0, query.EmptyPhrase, ""}}},
		{`a " "`, []fault{{3, 1, query.EmptyPhrase, ""}}},
		{"a \u200b", []fault{{2, 1, query.EmptyPhrase, ""}}},
		{"a lang:englsh", []fault{{7, 6, query.UnknownLanguage, "english"}}},
		{"a lang:xx", []fault{{7, 2, query.UnknownLanguage, ""}}},
		{"a lang:churchslavonik", []fault{{7, 14, query.UnknownLanguage, `"church slavonic"`}}},
		{"a -source:redit", []fault{{10, 5, query.UnknownSource, "reddit"}}},
		{`a source:"Hacker News"`, []fault{{10, 11, query.UnknownSource, "hackernews"}}},
		{"a source:myspace", []fault{{9, 7, query.UnknownSource, ""}}},
		{"a site:*.example.com", []fault{{7, 13, query.InvalidSite, "example.com"}}},
		{`site:"a b"`, []fault{{6, 3, query.InvalidSite, ""}}},
		{"site:/x", []fault{{5, 2, query.InvalidSite, ""}}},
		{"author:@", []fault{{7, 1, query.InvalidAuthor, ""}}},
		{"-a", []fault{{0, 2, query.Unbounded, ""}}},
		{`x OR -"a b" lang:en source:reddit OR y`, []fault{{5, 28, query.Unbounded, ""}}},
		{"lang:en", []fault{{0, 7, query.Unbounded, ""}}},
		{"a\xffb \xfe", []fault{{1, 1, query.NotUTF8, ""}, {4, 1, query.NotUTF8, ""}}},
		{strings.Repeat("é", query.MaxText+1), []fault{{0, query.MaxText + 1, query.TooLong, ""}}},
		{strings.Repeat("é ", query.MaxLength/2) + "xy", []fault{{query.MaxLength, 2, query.TooLong, ""}}},
		{strings.Repeat("a ", query.MaxTerms) + "b c", []fault{{2 * query.MaxTerms, 3, query.TooManyTerms, ""}}},
		{`- lang:qq "`, []fault{
			{0, 1, query.LoneOperator, `"-"`}, {7, 2, query.UnknownLanguage, ""}, {10, 1, query.OpenQuote, ""},
		}},
	} {
		q, faults := query.Parse(c.text)
		var got []fault
		for _, f := range faults {
			got = append(got, fault{f.At, f.Length, f.Code, f.Suggestion})
			if f.Message == "" || !strings.HasSuffix(f.Message, ".") {
				t.Errorf("Parse(%q): message %q is no sentence", c.text, f.Message)
			}
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("Parse(%q) faults %+v, want %+v", c.text, got, c.want)
		}
		if q.String() != "" {
			t.Errorf("Parse(%q) = %q despite faults", c.text, q)
		}
	}
}

func TestParse_OperatorAsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"a author:":   "The operator author: has no value.",
		"a AUTHOR: b": "The operator AUTHOR: has no value.",
		"é -Site：":    "The operator Site： has no value.",
	} {
		_, faults := query.Parse(text)
		if len(faults) != 1 || !strings.HasPrefix(faults[0].Message, want) {
			t.Errorf("Parse(%q) faults %+v, want one that begins %q", text, faults, want)
		}
	}
}
