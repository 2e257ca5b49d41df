package match

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/post"
)

// Keywords and posts are drawn from these pieces. They are few, so that keywords and posts meet, and nasty.
var pieces = []string{"a", "b", "A", "s", "ss", "ß", "ẞ", "i", "I", "İ", "ı", "\u0307", "e", "é", "e\u0301", "E\u0301",
	"\u0301", "\u0323", "acme", "ACME", "Acme",
	"cloud", "acme cloud", "acmecloud", "acme-cloud", "x", "1", "12", ".", ".", ",", ":", "'", "’", "'s", "’s", "_", "-",
	"+", "#", "@", "@", "&", "!", "/",
	" ", " ", " ", "\t", "\u00a0", "\n", "\u200b", "\u00ad", "\u200d", "\u200f", "com", ".com", ".co.uk", ".github.io",
	".bsky.social", ".рф", "@acme_cloud", "@AcmeCloud", "@acme-cloud",
	"acmecloud.com", "cafe-acme.io", "@caféacme", "xa.com", "1:", "-@acmecloud", "io", "苹", "果", "ア", "カ", "\u3099", "한",
	"은",
	"א", "\"", "Σ", "ς", "ﬁ", "f", "𝐚", "ａ", "🇩", "🇪", "👍", "🏽", "❤️", "ǰ", "j", "\u030c", "\xff", "\xe2\x80", "\x00", "ก",
	"ด", "ク", "\U000e0061", "κ", "ΐ"}

// named are keywords with names that the pieces below write as handles and hosts.
var named = []string{"acme cloud", "Acme Cloud", "acme", "acme.com", "acme.co.uk", "Café Acme", "x&a"}

func drawText(t *rapid.T, label string, least, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), least, most).Draw(t, label), "")
}

func drawPart(t *rapid.T, label string, of string) string {
	if of == "" || rapid.IntRange(0, 2).Draw(t, label+" is new") == 0 {
		return strings.ToValidUTF8(drawText(t, label, 1, 3), "")
	}
	from := rapid.IntRange(0, len(of)-1).Draw(t, label+" from")
	to := min(len(of), from+rapid.IntRange(1, 12).Draw(t, label+" size"))
	return strings.ToValidUTF8(of[from:to], "")
}

func drawParts(t *rapid.T, label, of string, odds int) []string {
	if rapid.IntRange(0, odds).Draw(t, label+"?") > 0 {
		return nil
	}
	parts := make([]string, rapid.IntRange(1, 3).Draw(t, label+" count"))
	for i := range parts {
		parts[i] = drawPart(t, label, of)
	}
	return parts
}

func drawPost(t *rapid.T) *post.Post {
	p := &post.Post{
		Source:  rapid.SampledFrom([]string{"reddit", "reddit", "bluesky", "github", "news"}).Draw(t, "source"),
		IsReply: rapid.Bool().Draw(t, "reply"),
	}
	body := drawText(t, "body", 0, 25)
	p.Body = &body
	if rapid.Bool().Draw(t, "titled") {
		title := drawText(t, "title", 0, 6)
		p.Title = &title
	}
	if rapid.Bool().Draw(t, "signed") {
		author := rapid.SampledFrom([]string{"quietharbor", "QuietHarbor", "Straße", ""}).Draw(t, "author")
		p.Author = &author
	}
	p.URL = rapid.SampledFrom([]string{"", "https://www.reddit.com/r/Golang/comments/1",
		"https://github.com/Quiet/Harbor/issues/1", "://"}).Draw(t, "url")
	return p
}

func drawWorkspaces(t *rapid.T, text string) []Workspace {
	handles := rapid.SliceOfN(rapid.SampledFrom([]string{"@QUIETHARBOR", "u/quietharbor", "strasse", "other", " ", "@"}), 0, 2)
	workspaces := make([]Workspace, rapid.IntRange(1, 3).Draw(t, "workspaces"))
	for i := range workspaces {
		w := &workspaces[i]
		w.ID = fmt.Sprint("org_", i)
		w.Filters = keyword.Filters{
			NegativeKeywords: drawParts(t, "negative keyword", text, 9),
			NegativeSubreddits: rapid.SliceOfN(rapid.SampledFrom([]string{"golang", "r/Golang", "/r/rust/", " "}), 0, 1).Draw(t,
				"negative subreddits"),
			NegativeRepos: rapid.SliceOfN(rapid.SampledFrom([]string{"quiet", "Quiet/Harbor", "quiet/other"}), 0, 1).Draw(t,
				"negative repos"),
		}
		if rapid.IntRange(0, 5).Draw(t, "filtered") == 0 {
			w.Filters.NegativeAuthors = handles.Draw(t, "negative authors")
			w.Filters.PositiveSubreddits = []string{"r/golang", "rust"}
		}
		for id := range int64(rapid.IntRange(0, 3).Draw(t, "keywords")) {
			k := keyword.Keyword{
				ID: id + 1, Text: drawPart(t, "keyword", text),
				ExactMatch: rapid.Bool().Draw(t, "exact"), CaseSensitive: rapid.IntRange(0, 3).Draw(t, "cased") == 0,
				AdditionalTerms:      drawParts(t, "term", text, 2),
				AdditionalTermsLogic: rapid.SampledFrom([]keyword.Logic{"", keyword.Any, keyword.All}).Draw(t, "logic"),
				ExcludeWords:         drawParts(t, "exclude", text, 5),
				WildcardExcludeWords: drawParts(t, "wildcard", text, 5),
				Paused:               rapid.IntRange(0, 19).Draw(t, "paused") == 0,
			}
			if rapid.IntRange(0, 4).Draw(t, "is named") == 0 {
				k.Text = rapid.SampledFrom(named).Draw(t, "name")
			}
			if rapid.IntRange(0, 7).Draw(t, "authors") == 0 {
				k.ExcludeAuthors = handles.Draw(t, "exclude authors")
			}
			if rapid.IntRange(0, 5).Draw(t, "narrowed") == 0 {
				k.Platforms = rapid.SliceOfN(rapid.SampledFrom(keyword.Platforms()), 0, 6).Draw(t, "platforms")
			}
			for j := range k.WildcardExcludeWords {
				k.WildcardExcludeWords[j] += rapid.SampledFrom([]string{"", "*"}).Draw(t, "star")
			}
			w.Keywords = append(w.Keywords, k)
		}
	}
	return workspaces
}

// held checks the matcher against the reference.
func held(t interface {
	Helper()
	Fatalf(string, ...any)
}, workspaces []Workspace, p *post.Post, hits *Hits) (matched int) {
	t.Helper()
	m, _ := Compile(workspaces) // keywords without text are left out, by the reference too
	m.Match(p, hits)
	got := map[string][]int64{}
	order := []string{}
	for _, hit := range hits.List {
		order = append(order, hit.Workspace.ID)
		for _, k := range hit.Keywords {
			got[hit.Workspace.ID] = append(got[hit.Workspace.ID], k.ID)
			matched++
		}
	}
	if want := expect(workspaces, p); !maps.EqualFunc(got, want, slices.Equal[[]int64]) {
		title := "none"
		if p.Title != nil {
			title = fmt.Sprintf("%q", *p.Title)
		}
		body := ""
		if p.Body != nil {
			body = *p.Body
		}
		t.Fatalf("matched %v, by the rules %v\ntitle %s, body %q\n%+v", got, want, title, body, workspaces)
	}
	if !slices.IsSorted(order) {
		t.Fatalf("workspaces in the order %v", order)
	}
	oneByOne(t, m, p)
	return matched
}

// oneByOne checks the search for single conditions against the scan for all.
func oneByOne(t interface {
	Helper()
	Fatalf(string, ...any)
}, m *Matcher, p *post.Post) {
	t.Helper()
	var one, all marked
	var n normalizer
	for _, phrases := range []*phrases{&m.conditions, &m.keywords} {
		one.reset(phrases.count)
		all.reset(phrases.count)
		for _, raw := range []*string{p.Title, p.Body} {
			if raw == nil {
				continue
			}
			var text text
			text.reset(&n, *raw)
			phrases.scan(&text, &n, &all)
			phrases.own(&text, &n, &one)
			for phrase := range uint32(phrases.count) {
				phrases.search(phrase, &text, &n, &one)
			}
		}
		for phrase := range uint32(phrases.count) {
			if one.has(phrase) != all.has(phrase) {
				t.Fatalf("phrase %d: one by one %v, in a pass %v", phrase, one.has(phrase), all.has(phrase))
			}
		}
	}
}

func TestMatch_AgreesWithReference(t *testing.T) {
	var hits Hits // one for all: what a call leaves behind must not show in the next
	drawn, matched := 0, 0
	// Draw some hundred each time: with fewer, too small a share may match by chance.
	for range 10 {
		rapid.Check(t, func(t *rapid.T) {
			p := drawPost(t)
			text := *p.Body
			if p.Title != nil {
				text += *p.Title
			}
			drawn++
			if held(t, drawWorkspaces(t, text), p, &hits) > 0 {
				matched++
			}
		})
	}
	if matched*5 < drawn {
		t.Errorf("only %d of %d posts matched: the property holds little", matched, drawn)
	}
}
