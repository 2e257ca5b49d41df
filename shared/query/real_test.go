package query_test

import (
	"bufio"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/language"
	"earshot/shared/post"
	"earshot/shared/query"
)

// real reads posts that people wrote: titles of Hacker News, comments of Reddit and sentences in 75 languages, every
// fifth of each. They are never committed, only read from DATA_DIR, or from shared/data beside the repository.
func real(b *testing.B) (all []*subject) {
	b.Helper()
	dir := os.Getenv("DATA_DIR")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	open := func(name string) *os.File {
		file, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			b.Skipf("measures on data that is not there: %v", err)
		}
		b.Cleanup(func() { file.Close() })
		return file
	}
	rows, err := csv.NewReader(open("language/hn_posts_2016_dev.csv")).ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	for _, row := range rows[1:] {
		all = append(all, &subject{
			language: "english",
			post:     post.Post{Source: "hackernews", Title: &row[1], URL: row[2], Author: &row[5]},
		})
	}
	for _, name := range []string{"language/lingua_sentences_dev.tsv", "sentiment/goemotions_3class_dev.tsv"} {
		for lines := bufio.NewScanner(open(name)); lines.Scan(); {
			code, text, _ := strings.Cut(lines.Text(), "\t")
			spoken, _ := language.Parse(code)
			all = append(all, &subject{language: spoken, post: post.Post{Source: "reddit", Body: &text, IsReply: true}})
		}
	}
	kept := all[:0]
	for i, s := range all {
		if i%5 == 0 {
			s.known = map[string]bool{}
			kept = append(kept, s)
		}
	}
	return kept
}

// Queries of words and phrases of real posts: the index with Matches behind it finds what Matches finds alone, and for
// every tenth query what the naive evaluator does. candidates/match is how many posts the index finds for one that
// matches, of queries without negated texts, which Matches alone removes. index/scan is the share of a scan's time.
func BenchmarkReal(b *testing.B) {
	all := real(b)
	db := index(b, all)
	draw := rapid.Custom(func(t *rapid.T) [][]wanted { return drawQuery(t, all) })
	var candidates, matches, queries, differ int
	var scan, indexed time.Duration
	for b.Loop() {
		want := draw.Example(queries)
		q, faults := query.Parse(written(want))
		if len(faults) > 0 {
			b.Fatalf("Parse(%q) = %+v", written(want), faults)
		}
		began := time.Now()
		met := map[int]bool{}
		for i, s := range all {
			if q.Matches(&s.post, s.language) {
				met[i+1] = true
			}
		}
		scan += time.Since(began)
		began = time.Now()
		expression, exact := q.FTS()
		found := search(b, db, expression)
		removed := 0
		for row := range found {
			if !exact && !q.Matches(&all[row-1].post, all[row-1].language) {
				delete(found, row)
				removed++
			}
		}
		indexed += time.Since(began)
		for i, s := range all {
			if met[i+1] != found[i+1] || queries%10 == 0 && met[i+1] != s.meets(want) {
				differ++
				b.Errorf("%q finds post %d: %v by a scan, %v by the index", written(want), i, met[i+1], found[i+1])
			}
		}
		if queries++; !negatesText(q) {
			candidates, matches = candidates+len(found)+removed, matches+len(met)
		}
	}
	b.ReportMetric(float64(queries), "queries")
	b.ReportMetric(float64(len(all)), "posts")
	b.ReportMetric(float64(candidates)/float64(max(1, matches)), "candidates/match")
	b.ReportMetric(float64(indexed)/float64(scan), "index/scan")
	b.ReportMetric(float64(differ), "differ")
}

func negatesText(q query.Query) bool {
	for _, terms := range q.Alternatives() {
		for _, t := range terms {
			if t.Negated && (t.Field == query.Text || t.Field == query.Title) {
				return true
			}
		}
	}
	return false
}
