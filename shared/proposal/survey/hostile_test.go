package survey_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"earshot/shared/post"
	"earshot/shared/proposal"
	"earshot/shared/proposal/survey"
	"earshot/shared/source"
)

// Whatever a post and a candidate's text are: what is counted is answered as a post, short, still matching when a part
// of it can, and in whole characters.
func FuzzPosts(f *testing.F) {
	f.Add("Quietharbor", "We moved to Quietharbor.", 0)
	f.Add("ﬁ ß", "x\u0301", 900)
	f.Add("a", "\xff\xfe", 3000)
	f.Add("İstanbul", "i\u0307stanbul \u200b", 5)
	f.Fuzz(func(t *testing.T, text, body string, padding int) {
		if len(text) > 100 || len(body) > 2000 {
			t.Skip()
		}
		pad := strings.Repeat("é ", max(0, padding%4000))
		body = pad + body + pad
		s := newShelf("hackernews", 100)
		s.lies = func(source.Query, source.Page) source.Page {
			at := now.Add(-time.Hour)
			return source.Page{Posts: []post.Post{{
				Source:   "hackernews",
				SourceID: "hackernews_story_1",
				PostedAt: at,
				Body:     &body,
			}}}
		}
		survey := survey.New(survey.Options{Sources: []source.Source{s}, Cache: newCache(), Clock: still()})
		c := proposal.Candidate{Ref: "brand", Text: text}
		count, err := survey.Count(t.Context(), "hackernews", c)
		if err != nil {
			return // it can never match
		}
		got, err := survey.Posts(t.Context(), "hackernews", c, 10)
		if err != nil || int64(len(got)) != count.Posts {
			t.Fatalf("%d counted, %d answered: %v", count.Posts, len(got), err)
		}
		for _, p := range got {
			if len(*p.Body) > 4<<10 || utf8.ValidString(body) && !utf8.ValidString(*p.Body) {
				t.Fatalf("%d bytes, valid %t", len(*p.Body), utf8.ValidString(*p.Body))
			}
		}
	})
}

// Whatever lies in the cache: it is asked again, and no harm done.
func FuzzCache(f *testing.F) {
	f.Add([]byte("{}"))
	f.Add([]byte{0x03, 0x00})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, content []byte) {
		s := newShelf("hackernews", 100, posts(3, "Quietharbor", 9, now)...)
		kept := newCache()
		o := survey.Options{Sources: []source.Source{s}, Cache: kept, Clock: still(), Log: slog.New(slog.DiscardHandler)}
		for range 2 {
			if got := survey.New(o).Branch(t.Context(), "hackernews", candidates("quietharbor")); got.Counts["c0"].Posts != 3 {
				t.Fatalf("%+v", got)
			}
			for key := range kept.entries {
				kept.entries[key] = content
			}
		}
	})
}
