package dayfilecount_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/dayfilecount"
	"earshot/shared/filter"
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
		{"tags", []analytics.Dimension{analytics.Tag, analytics.Keyword},
			[]analytics.Aggregate{analytics.Count, analytics.Engagement}},
		{"authors", nil, []analytics.Aggregate{analytics.Authors, analytics.Reach}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			q := analytics.Query{
				WorkspaceID: "org_1",
				Period:      period,
				Granularity: analytics.Day,
				Dimensions:  c.dimensions,
				Aggregates:  c.aggregates,
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

// BenchmarkCountDays_Texts counts mentions with texts of 30 words, on one core, by a word, by a phrase, and by a value
// without a word. It prints mentions/s of a core, and the bytes of a mention in a day file and in an export, which lacks
// the column of words.
func BenchmarkCountDays_Texts(b *testing.B) {
	const days, each = 10, 50_000
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := &shelf{files: map[string][]byte{}}
	s.Counter = dayfilecount.Counter{Manifest: s, Files: s}
	day := worldtest.Now.Truncate(24*time.Hour).AddDate(0, 0, -1)
	var file, export bytes.Buffer
	one, other := parquetfile.NewWriter(&file), parquetfile.NewExportWriter(&export)
	r := rand.New(rand.NewPCG(2, 3))
	for i := range each {
		body := sentence(r)
		m := worldtest.Mention(int64(each-i), fmt.Sprint("post_", i), day.Add(24*time.Hour-time.Duration(i+1)*time.Second))
		m.Title, m.Body = nil, &body
		if err := errors.Join(one.Write(&m), other.Write(&m)); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(one.Close(), other.Close()); err != nil {
		b.Fatal(err)
	}
	s.files["day"] = file.Bytes()
	for range days {
		s.days = append(s.days, analytics.FileDay{Day: day, Key: "day", Mentions: each})
	}
	for _, c := range []struct{ name, filter string }{
		{"word", `{"text":["northwind"]}`},
		{"phrase", `{"text":["runbook northwind"]}`},
		{"letters", `{"text":["??"]}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			f, faults := filter.Parse([]byte(c.filter))
			if len(faults) > 0 {
				b.Fatal(faults)
			}
			q := analytics.Query{
				WorkspaceID: "org_1",
				Period:      analytics.Period{Start: day, End: worldtest.Now, Zone: time.UTC},
				Aggregates:  []analytics.Aggregate{analytics.Count},
				Filter:      f,
			}
			for b.Loop() {
				rows, err := s.CountDays(b.Context(), q, s.days, nil)
				if err != nil || len(rows) != 1 || rows[0].Mentions == 0 || rows[0].Mentions == days*each {
					b.Fatal(rows, err)
				}
			}
			b.ReportMetric(float64(days*each)*float64(b.N)/b.Elapsed().Seconds(), "mentions/s")
			b.ReportMetric(float64(file.Len())/each, "bytes/mention")
			b.ReportMetric(float64(export.Len())/each, "export-bytes/mention")
		})
	}
}

// sentence returns 30 words of 4,000, some of them more often than others, and a mark.
func sentence(r *rand.Rand) string {
	var text strings.Builder
	for range 30 {
		switch n := r.IntN(200); n {
		case 0:
			text.WriteString("northwind ")
		case 1:
			text.WriteString("Runbook ")
		case 2:
			text.WriteString("Why?? ")
		default:
			n = 1 + r.IntN(4_000)
			fmt.Fprintf(&text, "%x%s ", r.IntN(n), "tion"[:n%5])
		}
	}
	return text.String()
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
			ID:              int64(n - i),
			SourceID:        fmt.Sprint("post_", n-i),
			Source:          []string{"reddit", "twitter", "hackernews", "bluesky"}[r.IntN(4)],
			PostedAt:        posted,
			Language:        []string{"english", "german", "french"}[r.IntN(3)],
			Author:          &author,
			AuthorFollowers: &followers,
			Sentiment:       []mention.Sentiment{"", mention.Positive, mention.Neutral, mention.Negative}[r.IntN(4)],
			Tags:            mention.Tags()[:r.IntN(3)],
			Keywords:        []mention.Keyword{{ID: r.Int64N(8) + 1, Text: "northwind"}},
			Engagement:      map[string]int64{"points": r.Int64N(50)},
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
