package archive

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"earshot/shared/post"
)

func TestPack(t *testing.T) {
	title, body, author := "A title", strings.Repeat("words \u0001 日本語 👍 ", 5_000), "someone"
	followers := int64(1 << 40)
	for _, p := range []post.Post{
		{Source: "x", SourceID: "x_1", PostedAt: time.UnixMilli(1_700_000_000_123).UTC(), Body: &body},
		{
			Source:               "hackernews",
			SourceID:             "hackernews_story_1",
			PostedAt:             time.UnixMilli(1_800_000_000_999).UTC(),
			Title:                &title,
			Author:               &author,
			AuthorFollowers:      &followers,
			IsReply:              true,
			URL:                  "https://example.com/?a=b",
			Engagement:           map[string]int64{"points": 3},
			EngagementObservedAt: time.UnixMilli(1_800_000_000_000).UTC(),
		},
	} {
		by := &packer{}
		for range 2 * plain {
			document, err := by.pack(&p)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Unpack(&document)
			if err != nil || fmt.Sprintf("%+v", deref(got)) != fmt.Sprintf("%+v", deref(p)) {
				t.Fatalf("Unpack(document %d) = %.500s, %v, want %.500s", by.packed, fmt.Sprintf("%+v", deref(got)), err,
					fmt.Sprintf("%+v", deref(p)))
			}
			document.Content = document.Content[:len(document.Content)/2]
			if _, err := Unpack(&document); err == nil {
				t.Fatalf("Unpack(half of document %d) = nil error", by.packed)
			}
			if made := by.tables != nil; made != (by.packed > plain) {
				t.Fatalf("after %d documents: tables made = %v", by.packed, made)
			}
		}
	}
}

func BenchmarkUnpack(b *testing.B) {
	body := "We moved to Northwind last week, and it pages us when it should, at four in the morning."
	document, err := pack(&post.Post{
		Source:   "x",
		SourceID: "x_1",
		PostedAt: time.UnixMilli(1_700_000_000_123),
		Body:     &body,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Unpack(&document); err != nil {
			b.Fatal(err)
		}
	}
}

// deref returns what a post's pointers point to.
func deref(p post.Post) []any {
	all := []any{p.Source, p.SourceID, p.URL, p.PostedAt, p.IsReply, p.Engagement, p.EngagementObservedAt}
	for _, text := range []*string{p.Title, p.Body, p.Author} {
		if text != nil {
			all = append(all, *text)
		}
	}
	if p.AuthorFollowers != nil {
		all = append(all, *p.AuthorFollowers)
	}
	return all
}

func TestProbe(t *testing.T) {
	at := time.Date(2026, 11, 1, 12, 0, 0, 999_000_000, time.UTC)
	seen := map[ID]bool{}
	for others := range maxProbes {
		id := probe(at, nameOf("hackernews_comment_1"), others)
		if seen[id] || id < FirstID(at) || id >= LastID(at) {
			t.Errorf("probe %d = %v, which was tried before or is out of its bounds", others, id)
		}
		seen[id] = true
	}
	for _, at := range []time.Time{{}, post.Earliest.Add(-time.Hour), time.Unix(0, 0)} {
		if id := FirstID(at); id != 0 {
			t.Errorf("FirstID(%v) = %v, want the first", at, id)
		}
	}
}
