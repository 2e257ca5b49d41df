package filter_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
)

// stockOf draws rows as a store has them: platforms and languages by their shares, a few tags, keywords and counters each, and
// digests of texts from a vocabulary that is used as Zipf has it.
func stockOf(count int) []filter.Row {
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.2, 4, 20000)
	platforms := []string{"twitter", "twitter", "twitter", "reddit", "reddit", "reddit_comment", "hackernews", "bluesky",
		"youtube", "news", "github", "REDDIT"}
	tongues := []string{"english", "english", "english", "german", "french", "spanish", "japanese", ""}
	metrics := map[string][]string{"twitter": {"likes", "retweets", "replies", "views"}, "reddit": {"score", "comments"},
		"youtube": {"views", "likes"}}
	start := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	rows := make([]filter.Row, count)
	for i := range rows {
		row := &rows[i]
		row.Reset()
		row.Timestamp = mention.Timestamp(start.Add(time.Duration(random.IntN(180*24*3600)) * time.Second))
		row.Source = platforms[random.IntN(len(platforms))]
		row.Language = tongues[random.IntN(len(tongues))]
		row.Sentiment = append(mention.Sentiments(), "")[random.IntN(4)]
		row.Score = random.IntN(4) - 1
		for range random.IntN(4) {
			row.Tags = append(row.Tags, string(mention.Tags()[random.IntN(15)]))
		}
		for range 1 + random.IntN(3) {
			row.KeywordIDs = append(row.KeywordIDs, int64(1+random.IntN(60)))
		}
		row.IsReply, row.Engaged = random.IntN(3) == 0, random.IntN(20) == 0
		row.Author = fmt.Sprintf("Harbor%d", random.IntN(50000))
		if row.Source == "twitter" {
			row.Followers = int64(random.IntN(100000))
		}
		if random.IntN(20) == 0 {
			row.Rating = float64(1 + random.IntN(5))
		}
		for _, metric := range metrics[row.Source] {
			row.Engagement = append(row.Engagement, filter.Counter{Metric: metric, Count: int64(random.IntN(500))})
		}
		var text strings.Builder
		for range 10 + random.IntN(60) {
			fmt.Fprintf(&text, "word%d ", zipf.Uint64())
		}
		body := text.String()
		row.Words = filter.Digest(nil, &body)
	}
	// A store has the row that it asks about at hand; here a million wait, so what belongs to one lies together.
	var digests []byte
	var tags []string
	var ids []int64
	var counters []filter.Counter
	for i := range rows {
		together(&digests, &rows[i].Words)
		together(&tags, &rows[i].Tags)
		together(&ids, &rows[i].KeywordIDs)
		together(&counters, &rows[i].Engagement)
	}
	return rows
}

// together moves a list to the end of all.
func together[V any](all, list *[]V) {
	from := len(*all)
	*all = append(*all, *list...)
	*list = (*all)[from:len(*all):len(*all)]
}

// fifty is a filter of as many conditions as there may be, of every key, none of which decides early: joined by OR they are
// seldom true, joined by AND seldom false.
func fifty(operator string) map[string]any {
	not := map[string]string{"OR": "", "AND": "!"}[operator]
	var conditions []any
	add := func(name string, value any) { conditions = append(conditions, map[string]any{not + name: value}) }
	for i := range 10 {
		add("author", []string{fmt.Sprintf("harbor%d", 60000+i), "@quietharbor"})
		add("text", []string{fmt.Sprintf("rare%d", i), fmt.Sprintf("word%d seldom%d", 100+i, i)})
		add("keyword", []int{100 + i, 200 + i})
		add("engagement", []any{map[string]any{"source": "twitter", "metric": []string{"likes", "views", "score"}[i%3],
			"value": 400 + 20*i}})
	}
	add("source", []string{"linkedin", "tiktok"})
	add("language", []string{"italian", "pt"})
	add("tag", []string{"ai_generated"})
	add("reviewRating", []int{5})
	add("minXFollowers", 99000)
	add("maxXFollowers", 100)
	add("source", []string{"podcasts"})
	add("language", []string{"dutch"})
	add("relevance", []int{2})
	add("sentiment", []string{"negative"})
	return map[string]any{"operator": operator,
		"groups": []any{map[string]any{"operator": operator, "conditions": conditions}}}
}

// BenchmarkRows asks a predicate of 50 conditions about a million rows that differ, on one core: rows a second, and how many
// pass. "pairs" has a group for every two conditions, joined the other way. "plain" reads the fields of each row that
// it would look at, and decides nothing: the part of the time that is memory's.
func BenchmarkRows(b *testing.B) {
	const count = 1_000_000
	rows := stockOf(count)
	runtime.GC() // what making the rows has left is none of the time to measure
	run := func(name string, row func(*filter.Row) bool) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			passed, asked := 0, 0
			for b.Loop() {
				for i := range rows {
					if row(&rows[i]) {
						passed++
					}
				}
				asked += count
			}
			b.ReportMetric(float64(asked)/b.Elapsed().Seconds()/1e6, "Mrows/s")
			b.ReportMetric(100*float64(passed)/float64(asked), "%pass")
			b.ReportMetric(0, "ns/op")
		})
	}
	pairs := fifty("AND")
	var groups []any
	for pair := range slices.Chunk(pairs["groups"].([]any)[0].(map[string]any)["conditions"].([]any), 2) {
		groups = append(groups, map[string]any{"operator": "OR", "conditions": pair})
	}
	pairs["groups"] = groups
	for name, form := range map[string]map[string]any{"or": fifty("OR"), "and": fifty("AND"), "pairs": pairs} {
		raw, err := json.Marshal(form)
		if err != nil {
			b.Fatal(err)
		}
		f, faults := filter.Parse(raw)
		if len(faults) > 0 || f.Conditions() != filter.MaxConditions {
			b.Fatal(faults, f.Conditions())
		}
		run(name, filter.Compile(f).Row)
	}
	run("plain", func(row *filter.Row) bool {
		sum := len(row.Author) + int(row.Timestamp[9]) + len(row.Source) + len(row.Language)
		for _, tag := range row.Tags {
			sum += int(tag[0])
		}
		for _, id := range row.KeywordIDs {
			sum += int(id)
		}
		for _, word := range row.Words {
			sum += int(word)
		}
		return sum%2 == 0
	})
}

// BenchmarkMention is the exact answer on a text of 100 words and on one of 100 KiB.
func BenchmarkMention(b *testing.B) {
	raw, _ := json.Marshal(fifty("OR"))
	f, _ := filter.Parse(raw)
	p := filter.Compile(f)
	for name, words := range map[string]int{"post": 100, "article": 17000} {
		body := strings.Repeat("Harbor ", words)
		m := mention.Mention{Source: "reddit", Body: &body, PostedAt: time.Unix(1, 0)}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				p.Mention(&m)
			}
		})
	}
}
