package analytics_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/worldtest"
)

// BenchmarkAuthors is what different authors and their reach cost over AUTHORS_DAYS days (100) of AUTHORS_DAILY
// mentions (274, which are 100,000 a year). It asks by a scan, by the first query, which makes summaries, and by the
// next one. cells counts mentions, which reads the cells that the others read too. It runs on the embedded table, or on
// the server that TABLE_ENDPOINT names.
func BenchmarkAuthors(b *testing.B) {
	days, daily := number(b, "AUTHORS_DAYS", 100), number(b, "AUTHORS_DAILY", 274)
	w := worldtest.NewWorld(b)
	fillDays(b, w, days, daily)
	today := analytics.DaysBefore(worldtest.Now, 0, time.UTC)
	q := analytics.Query{
		WorkspaceID: w.Main.ID,
		Period:      analytics.Period{Start: today.AddDate(0, 0, -days), End: today, Zone: time.UTC},
		Aggregates:  []analytics.Aggregate{analytics.Authors, analytics.Reach},
	}
	top := q
	top.Dimensions, top.Top = []analytics.Dimension{analytics.Author}, 20
	estimated := q
	estimated.Aggregates = estimated.Aggregates[:1]
	cells := q
	cells.Aggregates = []analytics.Aggregate{analytics.Count}
	const unbounded = 1 << 40
	scan := analytics.Limits{Mentions: unbounded, Authors: 5000, Budget: unbounded}
	lists := analytics.Limits{Mentions: 2000, Authors: 5000, Budget: unbounded}
	sketches := analytics.Limits{Mentions: 2000, Authors: 0, Budget: unbounded}
	for _, c := range []struct {
		name   string
		limits analytics.Limits
		query  analytics.Query
		anew   bool // without stored summaries
	}{
		{"cells", lists, cells, false},
		{"scan", scan, q, false},
		{"lists/first", lists, q, true},
		{"lists", lists, q, false},
		{"lists/top", lists, top, false},
		{"sketches/first", sketches, estimated, true},
		{"sketches", sketches, estimated, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			var usage table.Usage
			for b.Loop() {
				if c.anew {
					b.StopTimer()
					emptied(b, w)
					b.StartTimer()
				}
				ctx, meter := table.WithMeter(b.Context())
				if _, err := analytics.RunWithin(ctx, w.Store, c.limits, c.query); err != nil {
					b.Fatal(err)
				}
				usage = meter.Total()
			}
			b.ReportMetric(usage.ReadUnits, "RCU")
			b.ReportMetric(usage.WriteUnits, "WCU")
			b.ReportMetric(float64(usage.Reads+usage.Writes), "roundtrips")
			size := 0
			for _, one := range summaries(b, w) {
				size += len(one.Content)
			}
			b.ReportMetric(float64(size)/float64(days*daily), "stored-B/mention")
		})
	}
}

func number(b *testing.B, name string, usual int) int {
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// summaries reads the summaries of the world's main workspace.
func summaries(b *testing.B, w *worldtest.World) []mention.Summary {
	found, err := w.Store.Summaries(b.Context(), w.Main.ID, worldtest.Now.AddDate(-2, 0, 0), worldtest.Now)
	if err != nil {
		b.Fatal(err)
	}
	return found
}

func emptied(b *testing.B, w *worldtest.World) {
	for _, one := range summaries(b, w) {
		key := table.Key{Partition: w.Main.ID, Sort: rows.SortSummary + one.Day.Format(rows.DayForm)}
		if err := w.Table.Delete(b.Context(), table.Delete{Table: rows.CountersTable, Key: key}); err != nil {
			b.Fatal(err)
		}
	}
}

// fillDays ingests mentions of past days: of four sources, three languages, three sentiments and scores, of up to two
// topics and keywords. A tenth of a workspace's authors write half of its mentions.
func fillDays(b *testing.B, w *worldtest.World, days, daily int) {
	b.Helper()
	var group sync.WaitGroup
	room := make(chan struct{}, 8)
	for day := range days {
		room <- struct{}{}
		group.Go(func() {
			defer func() { <-room }()
			random := rand.New(rand.NewPCG(uint64(day), 1))
			for from := 0; from < daily; from += 30 {
				var batch []mention.Mention
				for n := from; n < min(from+30, daily); n++ {
					batch = append(batch, drawn(random, day, n, days*daily))
				}
				for {
					_, err := w.Store.Ingest(b.Context(), w.Main.ID, 1<<30, batch)
					if err == nil {
						break
					}
					if !table.Retryable(err) {
						b.Error(err)
						return
					}
				}
			}
		})
	}
	group.Wait()
}

func drawn(random *rand.Rand, day, n, total int) mention.Mention {
	start := worldtest.Now.Truncate(24*time.Hour).AddDate(0, 0, -1-day)
	posted := start.Add(time.Duration(random.IntN(24*3600*1000)) * time.Millisecond)
	m := worldtest.Mention(0, fmt.Sprint("post_", day, "_", n), posted)
	body := fmt.Sprintf("Northwind paged us at four in the morning and it was right: disk %d of the primary was full, "+
		"and the runbook that came with the alert was the one that we needed. Number %d.", n, random.IntN(1000))
	m.Body = &body
	m.Source = []string{"hackernews", "reddit", "reddit", "twitter", "twitter", "twitter", "bluesky"}[random.IntN(7)]
	m.Language = []string{"english", "english", "english", "english", "german", "spanish"}[random.IntN(6)]
	m.Sentiment = mention.Sentiments()[random.IntN(3)]
	score := mention.Score(random.IntN(3))
	m.RelevanceScore, m.Relevant = &score, score.Relevant()
	all := mention.Tags()
	m.Tags = []mention.Tag{all[random.IntN(5)], all[random.IntN(5)]}[:random.IntN(3)]
	m.Keywords = worldtest.KeywordsOf(1+random.IntN(7), 1+random.IntN(2))
	who := random.IntN(max(1, total/20))
	if random.IntN(2) == 0 {
		who = total/20 + random.IntN(max(1, total/2))
	}
	handle, followers := fmt.Sprintf("%x_writer", uint64(who)*0x9E3779B97F4A7C15>>30), int64(who%5000)
	m.Author, m.AuthorFollowers = &handle, &followers
	return m
}
