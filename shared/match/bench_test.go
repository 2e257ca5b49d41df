package match

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/post"
)

// dataFile returns the lines of a file of real comments. They are never committed, only read from DATA_DIR, or from
// shared/data next to the repository.
func dataFile(b *testing.B, name string) []string {
	b.Helper()
	dir := os.Getenv("DATA_DIR")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	file, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		b.Skipf("measures on data that is not there: %v", err)
	}
	defer file.Close()
	var lines []string
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		lines = append(lines, scanner.Text())
	}
	return lines
}

func comments(b *testing.B) (posts []post.Post, bytes int) {
	for _, line := range dataFile(b, "sentiment/goemotions_3class_dev.tsv") {
		_, body, _ := strings.Cut(line, "\t")
		posts = append(posts, post.Post{Source: "reddit", Body: &body})
		bytes += len(body)
	}
	return posts, bytes
}

// drawn returns n keywords, in workspaces of 50, as people write them. A fifth are brands. A brand that is a common
// word has a term, unless it is tracked bare. A quarter are single, less common words. The others are two words. Three
// of four are exact, one of fifty minds case, a third have terms, and half have exclusions. Equal seeds draw equal
// keywords.
func drawn(b *testing.B, n int, bare bool) []Workspace {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var brands, words, rare []string
	common := map[string]bool{}
	for _, line := range dataFile(b, "lists/simple_icons_brands.tsv") {
		title, _, _ := strings.Cut(line, "\t")
		brands = append(brands, title)
	}
	for _, line := range dataFile(b, "lists/scowl_words_le80.tsv") {
		word, size, _ := strings.Cut(line, "\t")
		if strings.HasSuffix(word, "'s") {
			continue
		}
		words = append(words, word)
		if size <= "70" {
			common[strings.ToLower(word)] = true
		}
		if size >= "50" && len(word) >= 4 {
			rare = append(rare, word)
		}
	}
	pick := func(from []string) string { return from[random.IntN(len(from))] }
	few := func(most int) (list []string) {
		for range 1 + random.IntN(most) {
			list = append(list, pick(words))
		}
		return list
	}
	var workspaces []Workspace
	for i := range n {
		if i%50 == 0 {
			workspaces = append(workspaces,
				Workspace{ID: fmt.Sprint("org_", i/50), Filters: keyword.Filters{NegativeKeywords: few(3)}})
		}
		k := keyword.Keyword{ID: int64(i%50 + 1), ExactMatch: random.IntN(4) > 0, CaseSensitive: random.IntN(50) == 0}
		switch draw := random.IntN(100); {
		case draw < 20:
			if k.Text = pick(brands); !bare && common[strings.ToLower(k.Text)] {
				k.Text += " " + pick(words)
			}
		case draw < 45:
			k.Text = pick(rare)
		default:
			k.Text = pick(words) + " " + pick(words)
		}
		if !k.ExactMatch && len(k.Text) < 5 {
			k.ExactMatch = true
		}
		if random.IntN(3) == 0 {
			k.AdditionalTerms = few(6)
		}
		if random.IntN(2) == 0 {
			k.ExcludeWords = few(8)
		}
		w := &workspaces[len(workspaces)-1]
		w.Keywords = append(w.Keywords, k)
	}
	return workspaces
}

func compiled(b *testing.B, n int, bare bool) *Matcher {
	b.Helper()
	m, err := Compile(drawn(b, n, bare))
	if err != nil {
		b.Fatal(err)
	}
	return m
}

func folding(posts []post.Post) func() {
	var hits Hits
	return func() {
		for i := range posts {
			hits.texts[0].reset(&hits.normalizer, "")
			hits.texts[1].reset(&hits.normalizer, *posts[i].Body)
		}
	}
}

func matching(m *Matcher, posts []post.Post) func() {
	var hits Hits
	return func() {
		for i := range posts {
			m.Match(&posts[i], &hits)
		}
	}
}

// The promised ratios. Each is of the least times of rounds over all comments, taken in turns, because other programs
// only add to a time. Bare is the harder mix. It tracks brands like Just, NOW and Make alone, so that a post matches
// many keywords. Match finds, checks and returns each of them.
func BenchmarkMatch(b *testing.B) {
	posts, bytes := comments(b)
	for _, mix := range []struct {
		name string
		bare bool
	}{{"anchored", false}, {"bare", true}} {
		b.Run(mix.name, func(b *testing.B) {
			small, large := compiled(b, 10_000, mix.bare), compiled(b, 100_000, mix.bare)
			rounds := [...]func(){folding(posts), matching(small, posts), matching(large, posts)}
			var least [len(rounds)]float64
			for i := range rounds {
				rounds[i]()
				least[i] = math.Inf(1)
			}
			for b.Loop() {
				for i, round := range rounds {
					start := time.Now()
					round()
					least[i] = min(least[i], float64(time.Since(start).Nanoseconds()))
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(perPost(small, posts), "10k-keywords/post")
			b.ReportMetric(perPost(large, posts), "100k-keywords/post")
			b.ReportMetric(least[0]/float64(bytes), "fold-ns/byte")
			b.ReportMetric(least[1]/float64(bytes), "10k-ns/byte")
			b.ReportMetric(least[2]/float64(bytes), "100k-ns/byte")
			b.ReportMetric(least[1]/least[0], "10k/fold")
			b.ReportMetric(least[2]/least[1], "100k/10k")
		})
	}
}

// perPost returns how many keywords a post matches on average.
func perPost(m *Matcher, posts []post.Post) float64 {
	var hits Hits
	keywords := 0
	for i := range posts {
		m.Match(&posts[i], &hits)
		keywords += len(hits.matched)
	}
	return float64(keywords) / float64(len(posts))
}

func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			workspaces := drawn(b, n, false)
			var m *Matcher
			for b.Loop() {
				m, _ = Compile(workspaces)
			}
			b.ReportMetric(float64(m.Stats().Bytes)/float64(n), "bytes/keyword")
			b.ReportMetric(float64(len(m.keywords.states)), "states")
		})
	}
}
