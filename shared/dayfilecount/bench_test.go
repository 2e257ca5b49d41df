package dayfilecount_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/dayfilecount"
	"earshot/shared/mention"
	"earshot/shared/parquetfile"
	"earshot/shared/worldtest"
)

// BenchmarkCountDays counts 10 million synthetic mentions in ten files, on one core. It prints mentions/s of a core and
// the bytes of a mention in a file.
func BenchmarkCountDays(b *testing.B) {
	const days, each = 10, 1_000_000
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := &shelf{files: map[string][]byte{}}
	s.Counter = dayfilecount.Counter{Manifest: s, Files: s}
	day := worldtest.Now.Truncate(24*time.Hour).AddDate(0, 0, -1)
	s.files["day"] = synthetic(b, day, each)
	for range days { // the same mentions again, because making them takes longer than counting them
		s.days = append(s.days, analytics.FileDay{Day: day, Key: "day", Mentions: each})
	}
	period := analytics.Period{Start: day, End: worldtest.Now, Zone: time.UTC}
	for _, c := range []struct {
		name       string
		dimensions []analytics.Dimension
		aggregates []analytics.Aggregate
	}{
		{"3columns", []analytics.Dimension{analytics.Source, analytics.Sentiment}, []analytics.Aggregate{analytics.Count}},
		{"tags", []analytics.Dimension{analytics.Tag, analytics.Keyword}, []analytics.Aggregate{analytics.Count, analytics.Engagement}},
		{"authors", nil, []analytics.Aggregate{analytics.Authors, analytics.Reach}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			q := analytics.Query{
				WorkspaceID: "org_1", Period: period, Granularity: analytics.Day, Dimensions: c.dimensions, Aggregates: c.aggregates,
			}
			for b.Loop() {
				rows, err := s.CountDays(b.Context(), q, s.days, nil)
				if err != nil {
					b.Fatal(err)
				}
				total := int64(0)
				for _, row := range rows {
					total += row.Mentions
				}
				if total < days*each {
					b.Fatalf("%d mentions were counted", total)
				}
			}
			b.ReportMetric(float64(days*each)*float64(b.N)/b.Elapsed().Seconds(), "mentions/s")
			b.ReportMetric(float64(len(s.files["day"]))/each, "bytes/mention")
		})
	}
}

// synthetic returns a file of a day's mentions without texts.
func synthetic(b *testing.B, day time.Time, n int) []byte {
	b.Helper()
	r := rand.New(rand.NewPCG(uint64(day.Unix()), 1))
	var out bytes.Buffer
	w := parquetfile.NewWriter(&out)
	posted := day.Add(24 * time.Hour)
	for i := range n {
		posted = posted.Add(-time.Duration(r.IntN(170)) * time.Millisecond)
		number := r.IntN(20_000)
		author, followers := fmt.Sprint("author", number), int64(number*7)
		m := mention.Mention{
			ID: int64(n - i), SourceID: fmt.Sprint("post_", n-i), Source: []string{"reddit", "twitter", "hackernews", "bluesky"}[r.IntN(4)],
			PostedAt: posted, Language: []string{"english", "german", "french"}[r.IntN(3)], Author: &author, AuthorFollowers: &followers,
			Sentiment: []mention.Sentiment{"", mention.Positive, mention.Neutral, mention.Negative}[r.IntN(4)],
			Tags:      mention.Tags()[:r.IntN(3)], Keywords: []mention.Keyword{{ID: r.Int64N(8) + 1, Text: "northwind"}},
			Engagement: map[string]int64{"points": r.Int64N(50)},
		}
		if err := w.Write(&m); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}
