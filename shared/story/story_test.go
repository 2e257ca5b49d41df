package story_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"earshot/shared/story"
)

const headline = "Northwind opens a data center in Rotterdam and hires eighty engineers"

// What people and programs put around a text leaves its fingerprint alone.
func TestOf_SameText(t *testing.T) {
	want := story.Of(headline, "")
	if want == 0 {
		t.Fatalf("Of(%q) = 0, want a fingerprint", headline)
	}
	for _, c := range []struct {
		title, body string
		links       []string
	}{
		{body: headline},
		{body: strings.ToUpper(headline)},
		{body: headline + "."},
		{body: "\u201c" + headline + "\u201d"},
		{body: strings.ReplaceAll(headline, " ", "\u00a0 ")},
		{body: "RT @quietharbor: " + headline},
		{body: "RT @a: RT @b.example.com: " + headline + " https://t.co/Xk29aPq"},
		{body: headline + " https://posts.example/a?utm_source=feed&utm_medium=rss"},
		{body: headline + "\n\nposts.example/2026/11/northwind"},
		{body: headline + " via @quietharbor"},
		{body: headline + " (h/t @quietharbor)"},
		{title: "Show HN: " + headline},
		{title: "[OC] " + headline},
		{title: "BREAKING: " + headline},
		{title: headline + " [pdf]"},
		{title: headline + " - The Verge"},
		{title: headline + " | TechCrunch"},
		{title: headline + " — Harbour Gazette", links: []string{"https://www.harbourgazette.example/a"}},
		{title: headline + " | Harbour Gazette", body: "", links: []string{"https://harbour-gazette.example.com/"}},
		{
			title: headline + " | Harbour Gazette",
			body:  "Some words of the article.",
			links: []string{"https://harbourgazette.example"},
		},
		{title: headline, body: "The company said on Monday that the site would open next year."},
		{title: strings.Replace(headline, "data center", "data-center", 1)},
		{title: strings.Replace(headline, " and ", " &#97;nd ", 1)},
	} {
		if got := story.Of(c.title, c.body, c.links...); got != want {
			t.Errorf("Of(%q, %q, %q) = %v, want %v", c.title, c.body, c.links, got, want)
		}
	}
}

// Texts that differ in one name, number or sign are different news.
func TestOf_OneWordChanged(t *testing.T) {
	for _, pair := range [][2]string{
		{"Northwind raised $5M to build sensors for warehouse robots",
			"Contoso raised $5M to build sensors for warehouse robots"},
		{"Northwind raised $5M to build sensors for warehouse robots",
			"Northwind raised $6M to build sensors for warehouse robots"},
		{"Northwind raised $5M to build sensors for warehouse robots",
			"Northwind raised €5M to build sensors for warehouse robots"},
		{"Shares of Northwind moved -5% after quarterly earnings report",
			"Shares of Northwind moved +5% after quarterly earnings report"},
		{"Annual security report published by researchers (2015)", "Annual security report published by researchers (2016)"},
		{"Learn the language C in twenty days without previous knowledge",
			"Learn the language C++ in twenty days without previous knowledge"},
		{"Northwind released version 3.51 with faster search results",
			"Northwind released version 35.1 with faster search results"},
		{"Northwind won the final 1 23 against Contoso yesterday evening",
			"Northwind won the final 12 3 against Contoso yesterday evening"},
		{"Backend engineer for payments wanted, remote - Northwind",
			"Backend engineer for payments wanted, remote - Contoso"},
		{"Northwind is down again across Europe #outage #northwind",
			"Northwind is down again across Europe #outage #contoso"},
		{"ノースウィンドは倉庫ロボット向けのセンサーを開発するために五億円を調達した", "コントソは倉庫ロボット向けのセンサーを開発するために五億円を調達した"},
		{"北风公司为仓库机器人开发传感器筹集了五百万美元的资金", "南风公司为仓库机器人开发传感器筹集了五百万美元的资金"},
	} {
		a, b := story.Of("", pair[0]), story.Of("", pair[1])
		if a == 0 || b == 0 {
			t.Errorf("Of(%q) = %v and Of(%q) = %v, want fingerprints", pair[0], a, pair[1], b)
		}
		if a.Same(b) {
			t.Errorf("Of(%q).Same(Of(%q)) = true, want false", pair[0], pair[1])
		}
	}
}

// Many people write a short text by accident.
func TestOf_ShortText(t *testing.T) {
	for _, text := range []string{
		"", " ", "lol", "Thanks!", "Thank you so much for this", "I'm not crying, you're crying", "Happy cake day!",
		"What do you mean?", "This is the way", "https://posts.example/a/long/address/with/many/words/in/it",
		"ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha", "😂😂😂😂😂😂😂😂😂", "ありがとうございます", "お疲れ様でした", "谢谢大家",
		"감사합니다", "спасибо большое", "@quietharbor @other thanks", "RT @quietharbor", "🎉 1 2 3 4 5 6 7 8 9",
	} {
		if got := story.Of("", text); got != 0 {
			t.Errorf("Of(%q) = %v, want none", text, got)
		}
		if got := story.Of(text, ""); got != 0 {
			t.Errorf("Of(title %q) = %v, want none", text, got)
		}
	}
}

// A short title does not stand for its post.
func TestOf_ShortTitle(t *testing.T) {
	one := story.Of("Great product", "The charger broke after two weeks and support never replied to my letters.")
	other := story.Of("Great product", "Keeps the coffee warm during long meetings; bought another for my sister.")
	if one == 0 || other == 0 || one.Same(other) {
		t.Errorf("Of(same short title) = %v and %v, want two stories", one, other)
	}
}

func TestFingerprint_Text(t *testing.T) {
	for f, want := range map[story.Fingerprint]string{0: "", 0xab: "00000000000000ab", 1<<64 - 1: "ffffffffffffffff"} {
		if got := f.String(); got != want {
			t.Errorf("String of %d = %q, want %q", uint64(f), got, want)
		}
	}
}

func TestGroup(t *testing.T) {
	if got := story.Group([]story.Fingerprint{7, 0, 9, 7, 0, 9, 8}); !slices.Equal(got, []int{0, 1, 2, 0, 3, 2, 4}) {
		t.Errorf("Group = %v, want [0 1 2 0 3 2 4]", got)
	}
	if got := story.Group(nil); len(got) != 0 {
		t.Errorf("Group(nil) = %v, want none", got)
	}
}

// No text makes Of panic, and a text has the same fingerprint each time.
func TestOf_AnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		title, body := rapid.String().Draw(t, "title"), rapid.String().Draw(t, "body")
		link := rapid.String().Draw(t, "link")
		f := story.Of(title, body, link)
		if f != story.Of(title, body, link) {
			t.Fatalf("Of(%q, %q, %q) is not the same twice", title, body, link)
		}
	})
}

// Of reads a bounded part of a text, so that a hostile text costs no more than a long one.
func TestOf_LongText(t *testing.T) {
	long := strings.Repeat(headline+" ", 1+story.MaxBytes/len(headline))
	want := story.Of("", long)
	if got := story.Of("", long+"and more"); want == 0 || got != want {
		t.Errorf("Of(a text with more behind MaxBytes) = %v, want %v", got, want)
	}
	if got := story.Of("", "Contoso "+long); got == want {
		t.Errorf("Of(a long text that begins otherwise) = %v, want another", got)
	}
}

// BenchmarkOf is the cost of a fingerprint, of a title and of texts that are made to cost much.
func BenchmarkOf(b *testing.B) {
	run := func(name, text string) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				story.Of("", text)
			}
		})
	}
	run("title", headline)
	for _, piece := range []string{"rt @a: ", "… ", "via @", " - a", "http://", "a.b", "&amp;", "[pdf]", "ｱﾞ", "\u0300", "1 "} {
		run(piece, strings.Repeat(piece, 1+story.MaxBytes/len(piece)))
	}
}
