package shards

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/archive"
	"earshot/shared/post"
	"earshot/shared/query"
)

// archived is how many posts BenchmarkArchive builds shards of. The guide's figures are of 400,000.
var archived = flag.Int("archived", 100_000, "posts of BenchmarkArchive")

// folder reads files of a local folder and counts.
type folder struct {
	path          string
	ranges, bytes int64
}

func (f *folder) GetRange(_ context.Context, key string, offset, length int64) ([]byte, error) {
	file, err := os.Open(filepath.Join(f.path, key))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	part := make([]byte, length)
	n, _ := file.ReadAt(part, offset)
	f.ranges++
	f.bytes += int64(n)
	return part[:n], nil
}

// BenchmarkArchive builds shards of posts with words of the frequencies that texts have, and searches each shard cold, the
// newest first, until 100 posts are found. It reports bytes and posts a second of the build and, for each kind of query,
// percentiles of the time, ranges and shards of a query. Run it with -benchtime 1x.
func BenchmarkArchive(b *testing.B) {
	for b.Loop() {
		benchmark(b, b.TempDir(), *archived)
	}
}

func benchmark(b *testing.B, path string, posts int) {
	const a, words = 400_000, 400_000
	r := rand.New(rand.NewPCG(5, 6))
	zipf := rand.NewZipf(r, 1.1, 4, words)
	first := archive.FirstID(time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC))
	step := int64(30*24*3600) * 256 / int64(posts)
	var made []archive.Shard
	var size, packed, text int64
	var pause time.Duration // what making posts takes
	began := time.Now()
	for from := 0; from < posts; from += a {
		w, err := newWriter(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		for i := from; i < min(from+a, posts); i++ {
			pausing := time.Now()
			p := synthetic(r, zipf, i)
			pause += time.Since(pausing)
			text += int64(len(*p.Body))
			if i%100 == 0 {
				packed += archive.PackedSize(&p)
			}
			if err := w.add(b.Context(), first+archive.ID(int64(i)*step), "hackernews", entry(&p, "english")); err != nil {
				b.Fatal(err)
			}
		}
		file, shard, err := w.finish(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		shard.Key = fmt.Sprint("shard", from)
		if err := os.Rename(file, filepath.Join(path, shard.Key)); err != nil {
			b.Fatal(err)
		}
		w.abandon()
		made, size = append(made, shard), size+shard.Size()
	}
	took := time.Since(began) - pause
	b.ReportMetric(float64(posts)/took.Seconds(), "posts/s")
	b.ReportMetric(float64(size)/float64(posts), "B/post")
	b.ReportMetric(float64(text)/float64(posts), "text-B/post")
	b.ReportMetric(float64(packed)/float64((posts+99)/100), "document-B/post")
	b.ReportMetric(float64(len(made)), "shards")
	slices.Reverse(made)
	for _, kind := range []struct {
		name string
		text func() string
	}{
		{"rare", func() string { return fmt.Sprintf("w%d", 100_000+r.IntN(300_000)) }},
		{"common", func() string { return fmt.Sprintf("w%d", r.IntN(50)) }},
		{"several", func() string { return fmt.Sprintf("w%d w%d", 50+r.IntN(200), 50+r.IntN(200)) }},
		{"phrase", func() string { return fmt.Sprintf(`"w%d w%d"`, r.IntN(100), r.IntN(100)) }},
		{"absent", func() string { return fmt.Sprintf("zebra%d", r.IntN(1000)) }},
	} {
		const queries = 60
		var times []time.Duration
		var ranges, bytes, searched, most int64
		for range queries {
			files := &folder{path: path}
			cache, err := NewCache(CacheOptions{Files: files})
			if err != nil {
				b.Fatal(err)
			}
			parsed, faults := query.Parse(kind.text())
			if len(faults) > 0 {
				b.Fatal(faults)
			}
			expression, _ := parsed.FTS()
			asked := time.Now()
			found := 0
			for i := range made {
				before := files.ranges
				h, err := readHead(b.Context(), files, &made[i])
				if err != nil {
					b.Fatal(err)
				}
				if pruned := prune(expression, h.filter.lacks); pruned != "" {
					ids, err := find(b.Context(), &made[i], cache, h, pruned, 0, 1<<60, 100)
					if err != nil {
						b.Fatal(err)
					}
					found += len(ids)
				}
				searched++
				if most = max(most, files.ranges-before); found >= 100 {
					break
				}
			}
			times = append(times, time.Since(asked))
			ranges, bytes = ranges+files.ranges, bytes+files.bytes
		}
		slices.Sort(times)
		b.ReportMetric(float64(times[queries/2].Microseconds())/1000, kind.name+"-p50-ms")
		b.ReportMetric(float64(times[queries*99/100].Microseconds())/1000, kind.name+"-p99-ms")
		b.ReportMetric(float64(ranges)/queries, kind.name+"-ranges")
		b.ReportMetric(float64(most), kind.name+"-most-ranges/shard")
		b.ReportMetric(float64(bytes)/queries/1e6, kind.name+"-MB")
		b.ReportMetric(float64(searched)/queries, kind.name+"-shards")
	}
}

func synthetic(r *rand.Rand, zipf *rand.Zipf, n int) post.Post {
	var text strings.Builder
	for range 10 + r.IntN(50) {
		fmt.Fprintf(&text, "w%d ", zipf.Uint64())
	}
	body, author := text.String(), fmt.Sprint("user", r.IntN(30_000))
	return post.Post{
		Source:   "hackernews",
		SourceID: fmt.Sprint("hackernews_comment_", 40_000_000+n),
		URL:      fmt.Sprint("https://news.ycombinator.com/item?id=", 40_000_000+n),
		PostedAt: time.Date(2026, 10, 1, 0, 0, n, 0, time.UTC),
		Body:     &body,
		Author:   &author,
	}
}
