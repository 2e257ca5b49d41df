package rivals_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/match"
	"earshot/shared/post"
	"earshot/shared/text/fold"
)

// BenchmarkMatcher finds keywords without conditions in real comments: brands, single words and pairs of words. Earshot
// folds each comment and finds the edges of words by UAX #29. daachorse gets folded comments, and an approximation of
// those edges. Their counts may differ by 2 %.
func BenchmarkMatcher(b *testing.B) {
	var posts []post.Post
	var folded []string
	for _, line := range dataFile(b, "sentiment/goemotions_3class_dev.tsv") {
		_, body, _ := strings.Cut(line, "\t")
		posts = append(posts, post.Post{Source: "reddit", Body: &body})
		folded = append(folded, strings.Join(strings.Fields(fold.Form(body)), " "))
	}
	var brands, words []string
	for _, line := range dataFile(b, "lists/simple_icons_brands.tsv") {
		brand, _, _ := strings.Cut(line, "\t")
		brands = append(brands, brand)
	}
	for _, line := range dataFile(b, "lists/scowl_words_le80.tsv") {
		if word, size, _ := strings.Cut(line, "\t"); size >= "50" && len(word) >= 4 && !strings.Contains(word, "'") {
			words = append(words, word)
		}
	}
	for _, count := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 2))
			pick := func(from []string) string { return from[random.IntN(len(from))] }
			var workspaces []match.Workspace
			var texts []string
			for known := map[string]bool{}; len(texts) < count; {
				text := pick(words) + " " + pick(words)
				switch random.IntN(3) {
				case 0:
					text = pick(brands)
				case 1:
					text = pick(words)
				}
				form := fold.Form(text)
				if known[form] || strings.Trim(form, "abcdefghijklmnopqrstuvwxyz0123456789 ") != "" {
					continue
				}
				known[form] = true
				if len(texts)%50 == 0 {
					workspaces = append(workspaces, match.Workspace{ID: fmt.Sprint("org_", len(workspaces))})
				}
				of := &workspaces[len(workspaces)-1]
				of.Keywords = append(of.Keywords, keyword.Keyword{ID: int64(len(texts)%50 + 1), Text: text, ExactMatch: true})
				texts = append(texts, form)
			}
			matcher, err := match.Compile(workspaces)
			must(b, err)
			daachorse := start(b, "DAACHORSE", writeLines(b, texts), writeLines(b, folded))
			var hits match.Hits
			earshot := func() (took float64, counted int) {
				begun := time.Now()
				for i := range posts {
					matcher.Match(&posts[i], &hits)
					for _, hit := range hits.List {
						counted += len(hit.Keywords)
					}
				}
				return float64(time.Since(begun).Nanoseconds()), counted
			}
			_, own := earshot()
			_, other := daachorse.round("")
			if apart := float64(own-other) / float64(own); own == 0 || apart > 0.02 || apart < -0.02 {
				b.Fatalf("Earshot counts %d hits, daachorse %d", own, other)
			}
			var ours, theirs []float64
			for b.Loop() {
				took, _ := earshot()
				ours = append(ours, took)
				took, _ = daachorse.round("")
				theirs = append(theirs, took)
			}
			report(b, "daachorse", ours, theirs, float64(len(posts)))
			b.ReportMetric(float64(own)/float64(len(posts)), "hits/post")
		})
	}
}
