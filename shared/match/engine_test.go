package match

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"earshot/shared/keyword"
	"earshot/shared/post"
)

// A flood of marks is normalised by the same rules, even where the normaliser cuts it.
func TestNormal_FloodOfMarks(t *testing.T) {
	marks := []string{"\u0301", "\u0323", "\u0307", "\u030a", "\u0345", "\u0338", "\u3099"}
	var n normalizer
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"a", "e\u0301", "i", "I", "カ", "", "\u200b", "한", "ß="}).Draw(t, "base")
		for range rapid.IntRange(0, 80).Draw(t, "marks") {
			text += rapid.SampledFrom(marks).Draw(t, "mark")
		}
		text += rapid.SampledFrom([]string{"", "e", "é", "\u200be\u0301"}).Draw(t, "rest")
		want := plain(text)
		if folded, _ := n.Normal(nil, nil, text, true); string(folded) != want.folded {
			t.Fatalf("%+q is folded to %+q, want %+q", text, folded, want.folded)
		}
		if cased, _ := n.Normal(nil, nil, text, false); string(cased) != want.cased {
			t.Fatalf("%+q becomes %+q, want %+q", text, cased, want.cased)
		}
	})
}

// Every character, alone and after a letter, has the form that the rules give it.
func TestNormal_EveryCharacter(t *testing.T) {
	var n normalizer
	var folded, cased []byte
	for r := range rune(0xE2000) {
		if r > 0x1FFFF && r < 0x2F700 || r > 0x2FB00 && r < 0xDFFF0 || r >= 0x4E10 && r < 0x9F00 ||
			r >= 0xAD00 && r < 0xD700 {
			continue // ideographs, syllables and what is not assigned, which are all alike
		}
		text := string(r) + "e" + string(r)
		want := plain(text)
		folded, _ = n.Normal(folded[:0], nil, text, true)
		cased, _ = n.Normal(cased[:0], nil, text, false)
		if string(folded) != want.folded || string(cased) != want.cased {
			t.Errorf("%U: %+q and %+q, want %+q and %+q", r, folded, cased, want.folded, want.cased)
		}
	}
}

// Word edges agree with the segmenter at every character, in whatever order they are queried.
func TestEdges(t *testing.T) {
	var n normalizer
	rapid.Check(t, func(t *rapid.T) {
		var text text
		text.reset(&n, drawText(t, "text", 0, 30))
		if len(text.soft) > 0 {
			return
		}
		edges := map[int]bool{0: true, len(text.folded): true}
		for at, rest, state := 0, text.folded, -1; len(rest) > 0; {
			var word []byte
			word, rest, state = uniseg.FirstWord(rest, state)
			at += len(word)
			edges[at] = true
		}
		var offsets []int
		for at := range string(text.folded) {
			offsets = append(offsets, at)
		}
		for _, at := range rapid.Permutation(offsets).Draw(t, "order") {
			if got := text.edge(at); got != edges[at] {
				t.Fatalf("edge at %d of %q: %v", at, text.folded, got)
			}
		}
	})
}

// The automaton finds the same needles as strings.Contains.
func TestAutomaton(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, alphabet := range []string{"ab", "abcdefgh", "abcdefghijklmnopqrstuvwxyz '", "дежзийклмно苹果ア😀a "} {
		letters := []rune(alphabet)
		word := func(least, most int) string {
			var b strings.Builder
			for range least + random.IntN(most-least+1) {
				b.WriteRune(letters[random.IntN(len(letters))])
			}
			return b.String()
		}
		var keywords []keyword.Keyword
		for id := range int64(3000) {
			keywords = append(keywords, keyword.Keyword{ID: id, Text: strings.Trim(word(1, 9), " ") + "a"})
		}
		m, err := Compile([]Workspace{{ID: "org_1", Keywords: keywords}})
		if err != nil {
			t.Fatal(err)
		}
		var hits Hits
		for range 30 {
			text := word(0, 400)
			m.Match(&post.Post{Body: &text}, &hits)
			var got []int64
			for _, hit := range hits.List {
				for _, k := range hit.Keywords {
					got = append(got, k.ID)
				}
			}
			var want []int64
			for _, k := range keywords {
				if strings.Contains(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' }), " "),
					strings.Join(strings.Fields(k.Text), " ")) {
					want = append(want, k.ID)
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%q: %d keywords, want %d", text, len(got), len(want))
			}
		}
	}
}

// Shapes of text that make matchers slow, repeated to the requested size.
var hostile = map[string]string{
	"at signs": "@", "handles": "@acme", "long handle": "acme_", "dots": ".", "labels": "acme.", "hosts": "acme.com ",
	"hyphens": "acme-", "letters": "a",
	"marks": "\u0301", "base and marks": "e\u0301\u0323\u0307", "dots on i": "i\u0307", "joiners": "\u200d",
	"soft breaks": "a\u200b", "direction": "\u202e\u200f", "flags": "🇩🇪",
	"pictures": "👩🏽‍💻", "no blanks": "苹果", "katakana": "ア", "half width": "ｶﾞ", "hangul": "한", "hebrew": "א\"",
	"possessives": "acme's", "middles": "a.a:a,1;", "blanks": " \u00a0\t\n",
	"not UTF-8": "\xff\xc3", "NUL": "\x00a", "sharp s": "ß", "grows": "ΐ", "nearly": strings.Repeat("a", 98) + "b",
	"brackets": "(((", "mixed": "Aé苹@a.b 🇩",
}

// The work for a text is linear in it. Four times the text takes at most four times the steps (and a little, because
// pieces are not cut), and each byte takes a bounded number of steps.
func TestMatch_HostileTextLinear(t *testing.T) {
	var keywords []keyword.Keyword
	for i, text := range []string{"a", "aa", strings.Repeat("a", 50), strings.Repeat("a", 99) + "b", "acme",
		"acme.com", "\u0301", "🇩🇪", "@", "@acme", ".", "苹", "ア", "e\u0301", "i", "'s", "acme acme", "\x00", "ΐ",
		"ss"} {
		for variant := range 4 {
			keywords = append(keywords,
				keyword.Keyword{ID: int64(4*i + variant), Text: text, ExactMatch: variant%2 == 0, CaseSensitive: variant > 1,
					AdditionalTerms: []string{"never there", text}, ExcludeWords: []string{"nor this", "👩", "acme's x"}})
		}
	}
	m, err := Compile([]Workspace{{
		ID:       "org_1",
		Keywords: keywords,
		Filters:  keyword.Filters{NegativeKeywords: []string{"neither"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for name, piece := range hostile {
		var hits Hits
		work := func(size int) (sum int) {
			text := strings.Repeat(piece, size/len(piece))
			m.Match(&post.Post{Body: &text}, &hits)
			done := hits.texts[1].effort
			return done.walked + done.probed + done.segmented + done.named
		}
		const size = post.MaxText
		small, large := work(size/4), work(size)
		if large*10 > 41*small+10_000 {
			t.Errorf("%s: %d steps for %d bytes, %d for %d", name, small, size/4, large, size)
		}
		if large > 60*size {
			t.Errorf("%s: %d steps for %d bytes", name, large, size)
		}
	}
}

// A post that matches nothing allocates nothing, once a post of that length was seen.
func TestMatch_NoAllocation(t *testing.T) {
	var keywords []keyword.Keyword
	for i, text := range []string{"acme", "Acme Cloud", "苹果", "C++", "@acme", "#acme", "naïve café"} {
		keywords = append(keywords,
			keyword.Keyword{
				ID:            int64(i),
				Text:          text,
				ExactMatch:    i%2 == 0,
				CaseSensitive: i == 1,
				ExcludeWords:  []string{"beta"},
			})
	}
	m, err := Compile([]Workspace{{
		ID:       "org_1",
		Keywords: keywords,
		Filters:  keyword.Filters{NegativeSubreddits: []string{"golang"}, NegativeAuthors: []string{"quietharbor"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	author := "quietharbor"
	for _, text := range []string{"Nothing to see here.", "", "Ünïcödé “quotes” — emoji 👍🏽 and 果苹, e\u0301\u0323",
		"see https://news.example/x?y and @nobody, acmes my-acme-x", "a\u200bb"} {
		p := &post.Post{
			Source: "reddit",
			URL:    "https://www.reddit.com/r/golang/comments/1",
			Author: &author,
			Title:  &text,
			Body:   &text,
		}
		var hits Hits
		m.Match(p, &hits)
		if len(hits.List) > 0 {
			t.Errorf("%q is matched", text)
		}
		if allocations := testing.AllocsPerRun(50, func() { m.Match(p, &hits) }); allocations > 0 {
			t.Errorf("%q: %v allocations", text, allocations)
		}
	}
}

// Stats agrees with the runtime about memory.
func TestBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	word := func() string {
		b := make([]byte, 4+random.IntN(8))
		for i := range b {
			b[i] = 'a' + byte(random.IntN(26))
		}
		return string(b)
	}
	workspaces := make([]Workspace, 200)
	for i := range workspaces {
		for id := range int64(50) {
			workspaces[i].Keywords = append(workspaces[i].Keywords,
				keyword.Keyword{ID: id, Text: word() + " " + word(), ExactMatch: id%2 == 0,
					ExcludeWords: []string{word()}, ExcludeAuthors: []string{word()}})
		}
	}
	Form("") // the table of characters is made once for all matchers
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m, err := Compile(workspaces)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	resident, stats := float64(after.HeapAlloc)-float64(before.HeapAlloc), m.Stats()
	if stats.Workspaces != 200 || stats.Keywords != 10_000 || stats.Patterns < 30_000 {
		t.Errorf("stats %+v", stats)
	}
	if ratio := float64(stats.Bytes) / resident; ratio < 0.85 || ratio > 1.15 {
		t.Errorf("stats say %d bytes, the runtime %.0f", stats.Bytes, resident)
	}
	runtime.KeepAlive(workspaces)
}
