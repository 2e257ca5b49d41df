package feed_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"earshot/shared/post"
	"earshot/shared/source/feed"
	"earshot/shared/source/fetch"
)

const item = `<item><title>T</title><link>https://a.example/1</link>` + dated + `</item>`

const dated = `<pubDate>Thu, 07 May 2026 06:00:00 GMT</pubDate>`

func rss(inside string) string { return "<rss version=\"2.0\"><channel>" + inside + "</channel></rss>" }

func TestParse(t *testing.T) {
	at := time.Date(2026, 5, 7, 6, 0, 0, 0, time.UTC)
	one := []feed.Item{{Link: "https://a.example/1", Title: "T", At: at}}
	titled := func(title string) []feed.Item {
		return []feed.Item{{Link: "https://a.example/1", Title: title, At: at}}
	}
	for _, c := range []struct {
		name, content string
		want          []feed.Item
	}{
		{"RSS", rss(`<item><title>A &amp;amp; B</title><link> https://a.example/1 </link><guid>g</guid>` +
			`<author>x@a.example (Tide Wright)</author><description>short</description><pubDate>Thu, 07 May 2026 08:00:00 +0200</pubDate></item>`),
			[]feed.Item{{
				ID:     "g",
				Link:   "https://a.example/1",
				Title:  "A &amp; B",
				HTML:   "short",
				Author: "Tide Wright",
				At:     at,
			}}},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>T</title><id>i</id><link href="https://a.example/1"/>` +
			`<updated>2026-05-07T06:00:00Z</updated><summary>s</summary></entry></feed>`,
			[]feed.Item{{ID: "i", Link: "https://a.example/1", Title: "T", HTML: "s", At: at}}},
		{"Atom, edited", `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>T</title><link href="https://a.example/1"/>` +
			`<published>2026-05-07T06:00:00Z</published><updated>2026-05-07T09:00:00Z</updated></entry></feed>`,
			[]feed.Item{{Link: "https://a.example/1", Title: "T", At: at, Edited: at.Add(3 * time.Hour)}}},
		{"Atom, updated when published", `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>T</title>` +
			`<link href="https://a.example/1"/><published>2026-05-07T06:00:00Z</published><updated>2026-05-07T06:00:00Z</updated>` +
			`</entry></feed>`, one},
		{"RDF", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" ` +
			`xmlns:dc="http://purl.org/dc/elements/1.1/"><channel/><item><title>T</title><link>https://a.example/1</link>` +
			`<dc:date>2026-05-07T06:00:00Z</dc:date></item></rdf:RDF>`, one},
		{"the guid is the link", rss(`<item><title>T</title><guid>https://a.example/2</guid>` + dated + `</item>`),
			[]feed.Item{{ID: "https://a.example/2", Link: "https://a.example/2", Title: "T", At: at}}},
		{"no date", rss(`<item><title>T</title><link>https://a.example/1</link></item>` + item), one},
		{"a bad date", rss(`<item><title>T</title><pubDate>yesterday</pubDate></item>` + item), one},
		{"a script for a link", rss(`<item><title>T</title><link>javascript:alert(1)</link>` + dated + `</item>`),
			[]feed.Item{{Title: "T", At: at}}},
		{"Latin-1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + strings.Replace(rss(item), "T", "\xe9t\xe9", 1),
			titled("été")},
		{"control characters", strings.Replace(rss(item), "T<", "a\x00b\x1bc<", 1), titled("abc")},
		{"a byte that is not UTF-8", strings.Replace(rss(item), "T<", "caf\xe9<", 1), titled("caf\uFFFD")},
		{"a byte that is not the declared UTF-8",
			"<?xml version='1.0' encoding='UTF-8'?>" + strings.Replace(rss(item), "T<", "caf\xe9<", 1),
			titled("caf\uFFFD")},
		{"no characters", strings.Replace(rss(item), "T<", "a\ufffeb&#x1F;c&#0;d&#xD800;e&#x110000;f&#65;&#x1F600;<", 1),
			titled("abcdefA😀")},
		{"no character in Latin-1",
			"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + strings.Replace(rss(item), "T<", "\xe9&#x1F;&#233;<", 1),
			titled("éé")},
		{"a byte order mark", "\ufeff\n" + rss(item), one},
		{"an entity of its own",
			`<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>` +
				strings.Replace(rss(item), "T<", "&b;&c;<", 1), titled("&b;&c;")},
		{"none", rss(""), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := feed.Parse([]byte(c.content))
			if err != nil || fmt.Sprint(got.Items) != fmt.Sprint(c.want) {
				t.Errorf("reads %+v, %v", got.Items, err)
			}
		})
	}
}

func TestParse_NotAFeed(t *testing.T) {
	nested := func(depth int) string { return strings.Repeat("<x:a>", depth) + strings.Repeat("</x:a>", depth) }
	names := func(n int) (names string) {
		for i := range n {
			names += fmt.Sprintf(` xmlns:n%d="https://a.example/%d"`, i, i)
		}
		return names
	}
	for name, content := range map[string]string{
		"nothing":           "",
		"white space":       " \n\t",
		"HTML":              "<!doctype html><html><body><p>Hello",
		"JSON":              `{"version":"https://jsonfeed.org/version/1.1","title":"x","items":[]}`,
		"text":              "Hello",
		"other XML":         "<urlset><url/></urlset>",
		"half a feed":       rss(item)[:60],
		"deep":              rss(`<item xmlns:x="https://a.example/">` + nested(300) + "</item>"),
		"a million deep":    rss(`<item xmlns:x="https://a.example/">` + nested(1_000_000)),
		"many namespaces":   rss("<item" + names(65) + "/>"),
		"nested namespaces": rss("<item" + names(40) + "><a" + names(40) + "/></item>"),
		"many attributes":   rss("<item" + strings.ReplaceAll(names(65), "xmlns:", "") + "/>"),
		"UTF-16":            "\xff\xfe<\x00r\x00s\x00s\x00>\x00",
	} {
		if got, err := feed.Parse([]byte(content)); err == nil {
			t.Errorf("%s: reads %+v", name, got)
		}
	}
	if _, err := feed.Parse(
		[]byte(rss("<item" + names(20) + ">" + strings.Repeat("<a"+names(10)+"></a>", 1000) + "</item>"))); err != nil {
		t.Errorf("namespaces that are out of scope count: %v", err)
	}
}

// A feed's encoding may stand in the header alone.
func TestRead_Charset(t *testing.T) {
	for _, c := range []struct{ name, kind, content, want string }{
		{"in the header", "text/xml; charset=ISO-8859-1", rss(item), "caf\xe9"},
		{"in the document", "text/xml; charset=utf-8", `<?xml version="1.0" encoding="ISO-8859-1"?>` + rss(item), "caf\xe9"},
		{"wrong in the header", "text/xml; charset=ISO-8859-1", rss(item), "café"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", c.kind)
				io.WriteString(w, strings.Replace(c.content, "T<", c.want+"<", 1))
			}))
			defer server.Close()
			api := fetch.New(fetch.Options{AnyHost: true}).Caller(fetch.Platform{BaseURL: server.URL})
			got, _, err := feed.Read(t.Context(), api, fetch.Request{})
			if err != nil || len(got.Items) != 1 || got.Items[0].Title != "café" {
				t.Errorf("Read = %+v, %v, want the title café", got, err)
			}
		})
	}
}

func TestMany(t *testing.T) {
	got, err := feed.Parse([]byte(rss(strings.Repeat(item, feed.MaxItems+10))))
	if err != nil || len(got.Items) != feed.MaxItems {
		t.Errorf("reads %d items (%v), at most %d are looked at", len(got.Items), err, feed.MaxItems)
	}
}

func FuzzParse(f *testing.F) {
	for _, file := range []string{"../medium/testdata/tag.xml", "../newsletter/testdata/harbor.xml",
		"../newsletter/testdata/tides.xml"} {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte(rss(item)))
	f.Fuzz(func(t *testing.T, content []byte) {
		got, err := feed.Parse(content)
		if err != nil {
			return
		}
		for _, one := range got.Items {
			if one.At.IsZero() || one.At.Location() != time.UTC || one.Link != "" && post.Web(one.Link) == "" {
				t.Errorf("reads %+v", one)
			}
		}
	})
}
