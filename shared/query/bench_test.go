package query_test

import (
	"strings"
	"testing"

	"earshot/shared/post"
	"earshot/shared/query"
)

const benched = `"acme cloud" lantern -jobs OR title:größe author:jane lang:de OR 東京 site:example.com`

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		query.Parse(benched)
	}
}

// The first Matches of a query builds its matcher.
func BenchmarkMatches_First(b *testing.B) {
	b.ReportAllocs()
	p := &post.Post{Source: "news", Body: new("the quick brown fox")}
	for b.Loop() {
		q, _ := query.Parse(benched)
		q.Matches(p, "english")
	}
}

func BenchmarkMatches(b *testing.B) {
	q, _ := query.Parse(benched)
	p := &post.Post{
		Source: "news",
		URL:    "https://example.com/a",
		Title:  new("A lantern"),
		Body:   new(strings.Repeat("the quick brown fox sees a lantern ", 30)),
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(p.Text())))
	for b.Loop() {
		q.Matches(p, "english")
	}
}

func BenchmarkIndex(b *testing.B) {
	for name, piece := range map[string]string{"latin": "the quick brown fox sees a lantern ", "han": "東京の素晴らしい製品。",
		"accents": "Größe zählt für café "} {
		b.Run(name, func(b *testing.B) {
			p := &post.Post{Source: "news", URL: "https://example.com/a", Body: new(strings.Repeat(piece, 1000/len(piece)))}
			b.ReportAllocs()
			b.SetBytes(int64(len(p.Text())))
			for b.Loop() {
				query.Index(p, "english")
			}
		})
	}
}

func BenchmarkFTS(b *testing.B) {
	q, _ := query.Parse(benched)
	b.ReportAllocs()
	for b.Loop() {
		q.FTS()
	}
}
