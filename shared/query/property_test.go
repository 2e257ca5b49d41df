package query_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rivo/uniseg"
	_ "modernc.org/sqlite"
	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/language"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/query"
)

// Posts and queries are drawn from these pieces, so that they meet.
var (
	wordPieces = []string{"acme", "Acme", "ACME", "cloud", "acme cloud", "lantern", "north", "Größe", "grösse", "GRÖSSE",
		"café", "cafe\u0301", "东京",
		"東京タワー", "東京都", "新東京", "京都", "です", "กรุงเทพ", "กรุง", "เทพ", "서울", "서울에서", "don't",
		"don’t", "l'acme", "acme's", "e-mail", "C++", "C++11",
		"ASP.NET", ".NET", "#acme", "v2", "2", "x", "y", "z", "OR", "or", "AND", "NOT", "title", "lang:en", "½", "🚀", "👍🏽",
		"™", "Ａｃｍｅ", "and", "the"}
	signPieces = []string{"_\u0e31ASP.NET", "a", "b", "s", "ß", "i", "İ", "ı", "\u0307", "é", "e\u0301", "\u0301", "1",
		"12", ".", ",", ":", "'", "’", "'s", "_", "-", "+", "#", "@",
		"&", "!", "/", "(", ")", "*", "^", "{", "}", "\t", "\u00a0", "\n", "\u200b", "\u00ad", "\u200d", "\u200f", "com",
		".com", ".co.uk", ".bsky.social", "@acme_cloud",
		"@AcmeCloud", "acmecloud.com", "docs.acme.co.uk", "cafe-acme.io", "x@acme.com", "苹", "果", "ア", "カ", "\u3099", "한",
		"א", "Σ", "ς", "ﬁ", "🇩", "🇪", "\xff", "\x00",
		"ก", "ด", "\u0e31", "\u102f", "က", "ខ", "\U000e0061", "Ⅷ", "²", "·", "\uE000", "NEAR", "\u0600"}
	separators = []string{" ", " ", " ", " ", "", ", ", "\n"}
	authors    = []string{"jane", "Jane_Doe", "jane.bsky.social", "Straße", "u/joe", "@JOE", "a b", "日本"}
	addresses  = []string{"", "://", "https://www.reddit.com/r/Golang/comments/1", "https://old.reddit.com/r/golang",
		"https://github.com/Acme/Cloud/issues/1", "https://github.com/acme",
		"http://acme.example:8080/A%20b/%C3%89?q=1", "https://blog.acme.example/a/b/c/d/e/f/g/h/i/j",
		"https://bücher.example/ü", "https://jane@github.com/acme", "not an address"}
	sites = []string{"reddit.com", "old.reddit.com", "reddit.com/r/golang", "github.com/acme", "github.com/acme/cloud",
		"github.com/ac", "acme.example", "blog.acme.example/a/b/c/d/e/f/g/h/i",
		"blog.acme.example/a/b/c/d/e/f/g/h/x", "example", "com", "xn--bcher-kva.example", "bücher.example/%C3%BC",
		"acme.example/a b", "ddit.com"}
	spoken  = []string{"", "english", "german", "undetermined", "church slavonic", "japanese"}
	sources = []string{"reddit", "reddit", "bluesky", "firehose", "github", "hackernews", "trustpilot"}
)

// A subject is a post, with what the naive evaluator knows of it.
type subject struct {
	post     post.Post
	language string
	known    map[string]bool
}

// subjects makes posts from the pieces: half of words, half of signs.
func subjects(n int) []*subject {
	r := rand.New(rand.NewPCG(19, 1))
	pick := func(list []string) string { return list[r.IntN(len(list))] }
	text := func(hostile bool, most int) *string {
		var b strings.Builder
		for range r.IntN(most + 1) {
			if hostile && r.IntN(3) > 0 {
				b.WriteString(pick(signPieces))
			} else {
				b.WriteString(pick(wordPieces) + pick(separators))
			}
		}
		return new(b.String())
	}
	all := make([]*subject, n)
	for i := range all {
		s := &subject{language: pick(spoken), known: map[string]bool{}}
		s.post = post.Post{Source: pick(sources), URL: pick(addresses), IsReply: r.IntN(2) == 0}
		if r.IntN(2) == 0 {
			s.post.Title = text(i%2 == 0, 6)
		}
		if r.IntN(8) > 0 {
			s.post.Body = text(i%2 == 0, 16)
		}
		if r.IntN(2) == 0 {
			s.post.Author = new(pick(authors))
		}
		all[i] = s
	}
	return all
}

// A wanted is a term as it was drawn, which the naive evaluator reads in place of the parsed one.
type wanted struct {
	negated bool
	field   query.Field
	text    string // as written in the query
	quoted  bool
}

func (w wanted) String() string {
	text := w.text
	if w.quoted {
		text = `"` + text + `"`
	}
	if w.field != query.Text {
		text = string(w.field) + ":" + text
	}
	if w.negated {
		text = "-" + text
	}
	return text
}

// simple reports whether a bare word can be nothing but itself.
func simple(text string) bool {
	return text != "" && text != "OR" && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && (r < '0' || r > '9')
	})
}

func drawTerm(t *rapid.T, all []*subject) wanted {
	w := wanted{field: rapid.SampledFrom([]query.Field{"", "", "", "", "", "title", "title", "author", "site", "lang",
		"source"}).Draw(t, "field")}
	switch w.field {
	case query.Author:
		w.text = rapid.SampledFrom(append(authors, "JANE", "strasse", "joe", "u/a b")).Draw(t, "author")
	case query.Site:
		w.text = rapid.SampledFrom(sites).Draw(t, "site")
	case query.Lang:
		w.text = rapid.SampledFrom([]string{"en", "German", "und", "church slavonic", "ja-JP"}).Draw(t, "lang")
	case query.Source:
		w.text = rapid.SampledFrom(keyword.Platforms()).Draw(t, "source")
	default:
		p := all[rapid.IntRange(0, len(all)-1).Draw(t, "post")].post
		whole := rapid.SampledFrom(slices.Concat(wordPieces, signPieces)).Draw(t, "piece")
		if rapid.IntRange(0, 2).Draw(t, "of post") > 0 && p.Text() != "" {
			from := rapid.IntRange(0, len(p.Text())-1).Draw(t, "from")
			whole = p.Text()[from:min(len(p.Text()), from+rapid.IntRange(1, 20).Draw(t, "size"))]
		}
		w.text = strings.Map(func(r rune) rune {
			if strings.ContainsRune("\"“”„‟«»＂", r) { // nothing escapes them
				return -1
			}
			return r
		}, strings.ToValidUTF8(whole, ""))
	}
	if w.quoted = !simple(w.text); w.quoted && match.Form(w.text) == "" {
		w.text, w.quoted = "acme", false
	}
	return w
}

func drawQuery(t *rapid.T, all []*subject) [][]wanted {
	alternatives := make([][]wanted, rapid.IntRange(1, 3).Draw(t, "alternatives"))
	for i := range alternatives {
		finds := false
		for range rapid.IntRange(1, 3).Draw(t, "terms") {
			w := drawTerm(t, all)
			w.negated = rapid.IntRange(0, 3).Draw(t, "negated") == 0
			finds = finds || !w.negated && w.field != query.Lang && w.field != query.Source
			alternatives[i] = append(alternatives[i], w)
		}
		if !finds {
			alternatives[i] = append(alternatives[i], wanted{text: "acme"})
		}
	}
	return alternatives
}

// written returns the text of a query.
func written(alternatives [][]wanted) string {
	var parts []string
	for _, terms := range alternatives {
		var part []string
		for _, w := range terms {
			part = append(part, w.String())
		}
		parts = append(parts, strings.Join(part, " "))
	}
	return strings.Join(parts, " OR ")
}

// meets is the naive evaluator.
func (s *subject) meets(alternatives [][]wanted) bool {
	return slices.ContainsFunc(alternatives, func(terms []wanted) bool {
		return !slices.ContainsFunc(terms, func(w wanted) bool { return s.has(w) == w.negated })
	})
}

func (s *subject) has(w wanted) bool {
	key := string(w.field) + ":" + w.text
	if known, ok := s.known[key]; ok {
		return known
	}
	has := false
	switch p := s.post; w.field {
	case query.Text:
		has = naiveHas(p.Title, w.text) || naiveHas(p.Body, w.text)
	case query.Title:
		has = naiveHas(p.Title, w.text)
	case query.Author:
		bare := func(handle string) string {
			return strings.TrimPrefix(strings.TrimPrefix(match.Form(handle), "@"), "u/")
		}
		has = p.Author != nil && bare(*p.Author) == bare(w.text)
	case query.Site:
		has = naiveOn(p.URL, w.text)
	case query.Lang:
		name, _ := language.Parse(w.text)
		has = name == s.language || s.language == "" && name == "undetermined"
	case query.Source:
		has = p.Source == w.text
		switch w.text {
		case "reddit":
			has = has && !p.IsReply
		case "reddit_comment":
			has = p.Source == "reddit" && p.IsReply
		case "bluesky", "firehose":
			has = p.Source == "bluesky" || p.Source == "firehose"
		}
	}
	s.known[key] = has
	return has
}

// naiveHas looks for a text at every place and asks the segmenter at both ends. Where handles, hosts or zero width
// spaces are, it asks a matcher of this one keyword.
func naiveHas(text *string, want string) bool {
	if text == nil {
		return false
	}
	if strings.ContainsAny(match.Form(*text), "@.") || strings.Contains(*text, "\u200b") {
		m, _ := match.Compile([]match.Workspace{{Keywords: []keyword.Keyword{{ID: 1, Text: want, ExactMatch: true}}}})
		var hits match.Hits
		m.Match(&post.Post{Body: text}, &hits)
		return len(hits.List) > 0
	}
	form, want := match.Form(*text), match.Form(want)
	edges := map[int]bool{0: true}
	for at, rest, state := 0, form, -1; rest != ""; {
		var word string
		word, rest, state = uniseg.FirstWordInString(rest, state)
		at += len(word)
		edges[at] = true
	}
	for at := range edges {
		end := at + len(want)
		if strings.HasPrefix(form[at:], want) && (edges[end] || strings.HasPrefix(form[end:], "'s") && edges[end+2]) {
			return true
		}
	}
	return false
}

// naiveOn compares an address with a site as texts.
func naiveOn(address, site string) bool {
	at, err := url.Parse(address)
	if err != nil || at.User != nil {
		return false
	}
	host := strings.ReplaceAll(strings.TrimPrefix(at.Hostname(), "www."), "bücher", "xn--bcher-kva")
	below := strings.ToLower(at.EscapedPath()) + "/"
	wantHost, wantPath, _ := strings.Cut(strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(site), "bücher",
		"xn--bcher-kva"), " ", "%20"), "/")
	if host == "" || host != wantHost && !strings.HasSuffix(host, "."+wantHost) {
		return false
	}
	return wantPath == "" || strings.HasPrefix(below, "/"+wantPath+"/")
}

// index makes a contentless FTS5 index of the subjects' entries, whose rows begin with 1.
func index(t testing.TB, all []*subject) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	columns := strings.Join(query.Columns(), ", ")
	if _, err := db.Exec(fmt.Sprintf("CREATE VIRTUAL TABLE words USING fts5(%s, content='', tokenize='%s')", columns,
		query.Tokenizer)); err != nil {
		t.Fatal(err)
	}
	for i, s := range all {
		e := query.Index(&s.post, s.language)
		if _, err := db.Exec("INSERT INTO words (rowid, "+columns+") VALUES (?, ?, ?, ?)", i+1, e.Title, e.Body, e.Facts); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// search returns the rows that an expression finds.
func search(t interface{ Fatalf(string, ...any) }, db *sql.DB, expression string) map[int]bool {
	rows, err := db.Query("SELECT rowid FROM words WHERE words MATCH ?", expression)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	defer rows.Close()
	found := map[int]bool{}
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		found[id] = true
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return found
}

// 100 checks of 100 queries: the parsed query, its canonical form and the index with Matches behind it find what the
// naive evaluator does.
func TestQuery_Naive(t *testing.T) {
	all := subjects(96)
	db := index(t, all)
	asked, matched, empty := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 100 {
			want := drawQuery(t, all)
			text := written(want)
			q, faults := query.Parse(text)
			if len(faults) > 0 {
				t.Fatalf("Parse(%q) = %+v, want no faults", text, faults)
			}
			again, faults := query.Parse(q.String())
			if len(faults) > 0 || !reflect.DeepEqual(again.Alternatives(), q.Alternatives()) || again.String() != q.String() {
				t.Fatalf("Parse(%q) of %q = %v %+v, want %v", q.String(), text, again.Alternatives(), faults, q.Alternatives())
			}
			expression, exact := q.FTS()
			found := search(t, db, expression)
			before := matched
			for i, s := range all {
				meets := s.meets(want)
				if got := q.Matches(&s.post, s.language); got != meets {
					t.Fatalf("Matches(%q) of %+q by %v at %q in %q from %s = %v, want %v", text, texts(&s.post), s.post.Author,
						s.post.URL, s.language, s.post.Source, got, meets)
				}
				if meets && !found[i+1] || exact && meets != found[i+1] {
					t.Fatalf("FTS(%q) = %s, exact %v: finds post %d %+q: %v, want %v\nentry %+q", text, expression, exact, i,
						texts(&s.post), found[i+1], meets, query.Index(&s.post, s.language))
				}
				if meets {
					matched++
				}
			}
			if asked++; matched == before {
				empty++
			}
		}
	})
	least := 10_000
	if testing.Short() {
		least /= 5 // as rapid makes fewer checks
	}
	if !t.Failed() && (asked < least || empty > asked/2) {
		t.Errorf("%d queries, of which %d match nothing, want %d and at most half", asked, empty, least)
	}
	t.Logf("%d queries, %d matches, %d queries match nothing", asked, matched, empty)
}

func texts(p *post.Post) []string {
	var texts []string
	for _, text := range []*string{p.Title, p.Body} {
		if text == nil {
			text = new("<none>")
		}
		texts = append(texts, *text)
	}
	return texts
}
