package rivals_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

const rowCount = 1_000_000

// drawRows draws rows as a store has them, and writes them as the lines of a table.
func drawRows() (rows []filter.Row, lines []string) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	rows = make([]filter.Row, rowCount)
	lines = append(lines, "source\tlanguage\tsentiment\tauthor\tfollowers\tisReply\ttags\tkeywords")
	for i := range rows {
		row := &rows[i]
		row.Reset()
		row.Timestamp = mention.Timestamp(time.Date(2026, 6, 1, 0, 0, i, 0, time.UTC))
		row.Source = pick("twitter", "twitter", "reddit", "reddit", "reddit_comment", "hackernews", "bluesky", "news")
		row.Language = pick("english", "english", "english", "german", "french", "spanish")
		row.Sentiment = mention.Sentiments()[random.IntN(len(mention.Sentiments()))]
		row.Author, row.IsReply = fmt.Sprintf("harbor%d", random.IntN(50_000)), random.IntN(3) == 0
		followers := "NULL"
		if row.Source == "twitter" {
			row.Followers = int64(random.IntN(100_000))
			followers = fmt.Sprint(row.Followers)
		}
		var keywords []string
		for n := range 1 + random.IntN(3) {
			row.Tags = append(row.Tags, string(mention.Tags()[random.IntN(15)]))
			row.KeywordIDs = append(row.KeywordIDs, int64(1+random.IntN(60)))
			keywords = append(keywords, fmt.Sprint(row.KeywordIDs[n]))
		}
		lines = append(lines, strings.Join([]string{row.Source, row.Language, string(row.Sentiment), row.Author, followers,
			fmt.Sprint(row.IsReply), strings.Join(row.Tags, "|"), strings.Join(keywords, "|")}, "\t"))
	}
	return rows, lines
}

// BenchmarkFilters counts the mentions of a million that a filter takes, on one core: plain columns, lists in a row, and
// fifty conditions on both.
func BenchmarkFilters(b *testing.B) {
	rows, lines := drawRows()
	var authors, numbers []string
	for n := range 40 {
		authors = append(authors, fmt.Sprintf("harbor%d", n*1000))
		numbers = append(numbers, fmt.Sprint(n+1))
	}
	tag := string(mention.Tags()[3])
	columns := `{"source":["reddit"]},{"sentiment":["positive"]},{"language":["english"]}`
	for name, c := range map[string]struct{ operator, conditions, sql string }{
		"columns": {"AND", columns,
			`source = 'reddit' AND sentiment = '` + string(mention.Positive) + `' AND language = 'english'`},
		"lists": {"AND", fmt.Sprintf(`{"tag":[%q]},{"keyword":[7,8]}`, tag),
			fmt.Sprintf(`list_contains(tags, '%s') AND list_has_any(keywords, [7, 8])`, tag)},
		"fifty": {"OR", fmt.Sprintf(`{"author":["%s"]},{"keyword":[%s]},{"minXFollowers":99000}`,
			strings.Join(authors, `"]},{"author":["`), strings.Join(numbers[:8], `]},{"keyword":[`)),
			fmt.Sprintf(`author = '%s' OR list_contains(keywords, %s) OR (source = 'twitter' AND followers >= 99000)`,
				strings.Join(authors, `' OR author = '`), strings.Join(numbers[:8], `) OR list_contains(keywords, `))},
	} {
		b.Run(name, func(b *testing.B) {
			parsed, faults := filter.Parse(fmt.Appendf(nil, `{"operator":%q,"groups":[{"operator":%q,"conditions":[%s]}]}`,
				c.operator, c.operator, c.conditions))
			if len(faults) > 0 {
				b.Fatal(faults)
			}
			takes := filter.Compile(parsed).Row
			duckdb := start(b, "DUCKDB", writeLines(b, lines))
			earshot := func() (took float64, counted int) {
				begun := time.Now()
				for i := range rows {
					if takes(&rows[i]) {
						counted++
					}
				}
				return float64(time.Since(begun).Nanoseconds()), counted
			}
			_, own := earshot()
			if _, other := duckdb.round(c.sql); own != other || own == 0 {
				b.Fatalf("Earshot counts %d mentions, DuckDB %d", own, other)
			}
			var ours, theirs []float64
			for b.Loop() {
				took, _ := earshot()
				ours = append(ours, took)
				took, _ = duckdb.round(c.sql)
				theirs = append(theirs, took)
			}
			report(b, "duckdb", ours, theirs, rowCount)
			b.ReportMetric(100*float64(own)/rowCount, "%taken")
		})
	}
}
