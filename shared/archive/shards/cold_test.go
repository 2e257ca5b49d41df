package shards_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/archive/shards"
	"earshot/shared/port/table"
	"earshot/shared/post"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
)

// daily is how many posts BenchmarkCold has a day.
var daily = flag.Int("daily", 500, "posts a day of BenchmarkCold")

// A distant store answers each range after a while, and counts them.
type distant struct {
	shards.Files
	takes time.Duration

	mu     sync.Mutex
	ranges map[string]int // by file
}

func (d *distant) GetRange(ctx context.Context, key string, offset, length int64) ([]byte, error) {
	d.mu.Lock()
	d.ranges[key]++
	d.mu.Unlock()
	time.Sleep(d.takes)
	return d.Files.GetRange(ctx, key, offset, length)
}

// distantTable answers each read of several documents after a while.
type distantTable struct {
	table.Table
	takes time.Duration
}

func (d distantTable) BatchGet(ctx context.Context, gets []table.Get) (table.Batch, error) {
	time.Sleep(d.takes)
	return d.Table.BatchGet(ctx, gets)
}

// BenchmarkCold searches a month of posts that was built day by day, with a reader that has read nothing yet, over a
// store that answers a range in 30 ms and a table that answers in 10 ms. It reports for each kind of query the longest
// search, the most ranges of a shard and the shards that were read.
func BenchmarkCold(b *testing.B) {
	w := newWorld(b)
	r := rand.New(rand.NewPCG(7, 8))
	zipf := rand.NewZipf(r, 1.1, 4, 400_000)
	number := 0
	for range 30 {
		var posts []post.Post
		for range *daily {
			number++
			var text strings.Builder
			for range 10 + r.IntN(50) {
				fmt.Fprintf(&text, "w%d ", zipf.Uint64())
			}
			body, author := text.String(), fmt.Sprint("user", r.IntN(30_000))
			posts = append(posts, post.Post{
				Source: "hackernews", SourceID: fmt.Sprint("hackernews_comment_", number), Body: &body, Author: &author,
				PostedAt: w.Clock.Now().Add(-time.Duration(r.IntN(86_400)) * time.Second),
			})
		}
		w.add(posts...)
		w.pass(24 * time.Hour)
		w.build(0)
	}
	w.store = archivestore.New(store.New(distantTable{w.Table, 10 * time.Millisecond}, w.Clock))
	b.ReportMetric(float64(len(w.manifest().Shards)), "shards")
	kinds := map[string]func() string{
		"rare":    func() string { return fmt.Sprintf("w%d", 100_000+r.IntN(300_000)) },
		"common":  func() string { return fmt.Sprintf("w%d", r.IntN(50)) },
		"several": func() string { return fmt.Sprintf("w%d w%d", 50+r.IntN(200), 50+r.IntN(200)) },
		"phrase":  func() string { return fmt.Sprintf(`"w%d w%d"`, r.IntN(100), r.IntN(100)) },
		"author":  func() string { return fmt.Sprintf("author:user%d", r.IntN(30_000)) },
	}
	for b.Loop() {
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			var longest time.Duration
			most, searched := 0, 0
			for range 10 {
				files := &distant{Files: w.files, takes: 30 * time.Millisecond, ranges: map[string]int{}}
				reader := w.newReader(files)
				_, q := parsed(b, kinds[kind]())
				began := time.Now()
				page, err := reader.Search(b.Context(), shards.Request{Query: q, Since: since, Until: until, Limit: 100})
				must(b, err)
				longest, searched = max(longest, time.Since(began)), max(searched, page.Searched)
				for _, n := range files.ranges {
					most = max(most, n)
				}
			}
			b.ReportMetric(float64(longest.Milliseconds()), kind+"-most-ms")
			b.ReportMetric(float64(most), kind+"-most-ranges/shard")
			b.ReportMetric(float64(searched), kind+"-most-shards")
		}
	}
}
