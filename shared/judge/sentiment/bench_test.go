package sentiment_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earshot/shared/judge/sentiment"
	"earshot/shared/mention"
)

// posts have the length and kind of real posts.
var posts = []string{
	"Anyone else seeing timeouts with the new API since this morning? Our dashboards are all red.",
	"Just switched our whole team over and honestly it is the best decision we made this year 🎉 onboarding took ten minutes",
	"meh",
	"I really wanted to like it but the editor crashes EVERY time I open a large file, and support never answered. Cancelling.",
	"Release 4.2 is out: https://example.com/releases/4.2 — adds keyboard shortcuts, a dark theme and import from CSV.",
	"@someone thanks so much, that fixed it :)",
	"Is there a way to export the results as JSON? I couldn't find it in the docs.",
	"so slooooow today... wtf is going on 😡",
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sentiment.New(); err != nil {
			b.Fatal(err)
		}
	}
}

// The first judgement pays for the pages of the tables that it touches.
func BenchmarkFirst(b *testing.B) {
	start := time.Now()
	judge(b).Judge(posts[0])
	first := time.Since(start)
	for b.Loop() {
		judge(b).Judge(posts[0])
	}
	b.ReportMetric(float64(first.Microseconds()), "µs-first")
}

func BenchmarkPosts(b *testing.B) { measure(b, judge(b), posts) }

func BenchmarkLongText(b *testing.B) {
	measure(b, judge(b), []string{strings.Repeat(strings.Join(posts, "\n"), 130)})
}

func BenchmarkComments(b *testing.B) {
	folder := os.Getenv("DATA_DIR")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	file, err := os.ReadFile(filepath.Join(folder, "sentiment", "goemotions_3class_dev.tsv"))
	if err != nil {
		b.Skipf("no real data (DATA_DIR names its folder): %v", err)
	}
	j := judge(b)
	classes := map[string]mention.Sentiment{"0": mention.Negative, "1": mention.Neutral, "2": mention.Positive}
	all, right := map[string]int{}, map[string]int{}
	var texts []string
	for line := range strings.Lines(string(file)) {
		class, text, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		texts = append(texts, text)
		all[class]++
		if j.Judge(text) == classes[class] {
			right[class]++
		}
	}
	measure(b, j, texts)
	macro := 0.0
	for class, n := range all {
		recall := float64(right[class]) / float64(n)
		b.Logf("%s: recall %.3f of %d", classes[class], recall, n)
		macro += recall / float64(len(classes))
	}
	b.ReportMetric(macro, "macro-recall")
}

func measure(b *testing.B, j *sentiment.Judge, texts []string) {
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		j.Judge(texts[i])
		if i++; i == len(texts) {
			i = 0
		}
	}
}
