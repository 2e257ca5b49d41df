package sqlitearchive_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"earshot/shared/embedded/sqlitearchive"
	"earshot/shared/post"
	"earshot/shared/source"
)

// Posts are added while others search, from two programs: every search answers, and what was added is found.
func TestAdd_WhileSearching(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	first, err := sqlitearchive.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := sqlitearchive.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	const batches, each = 20, 25
	var writers, readers sync.WaitGroup
	for i, archive := range []*sqlitearchive.Archive{first, second} {
		writers.Go(func() {
			for n := range batches {
				var posts []post.Post
				for k := range each {
					posts = append(posts, made((i*batches+n)*each+k, "hackernews", false, now.Add(-time.Duration(k)*time.Minute), "lantern number"))
				}
				if err := archive.Add(t.Context(), posts); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	for _, archive := range []*sqlitearchive.Archive{first, second} {
		readers.Go(func() {
			for {
				if _, err := archive.Source("hackernews").Search(t.Context(), source.Query{Text: "lantern", Exact: true, Since: now.Add(-time.Hour), Until: now.Add(time.Hour), Max: 10}); err != nil {
					t.Error(err)
				}
				if _, err := archive.Source("hackernews").Newest(t.Context()); err != nil {
					t.Error(err)
				}
				if _, err := archive.Platforms(t.Context()); err != nil {
					t.Error(err)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	for _, archive := range []*sqlitearchive.Archive{first, second} {
		if ids := found(t, archive.Source("hackernews"), source.Query{Text: "lantern", Exact: true}); len(ids) != 2*batches*each {
			t.Errorf("%d posts, want %d", len(ids), 2*batches*each)
		}
		if end, err := archive.Source("hackernews").Newest(t.Context()); err != nil || !end.Equal(now) {
			t.Errorf("%v %v", end, err)
		}
	}
}

// What others add is seen, though where the posts end is remembered.
func TestNewest_AddedByOthers(t *testing.T) {
	archive := open(t)
	for i := range 3 {
		at := now.Add(time.Duration(i) * time.Hour)
		if err := archive.Add(t.Context(), []post.Post{made(i, "hackernews", false, at, "x")}); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if end, err := archive.Source("hackernews").Newest(t.Context()); err != nil || !end.Equal(at) {
				t.Errorf("%v %v, want %v", end, err, at)
			}
			if held, err := archive.Source("hackernews").Held(t.Context()); err != nil || held != int64(i+1) {
				t.Errorf("%d posts %v, want %d", held, err, i+1)
			}
		}
	}
}

// Whatever is searched for, there is an answer: nothing of it is read as a language of the index.
func TestSearch_Hostile(t *testing.T) {
	archive := open(t)
	if err := archive.Add(t.Context(), []post.Post{made(1, "hackernews", false, now, "lantern"), made(2, "hackernews", false, now, "text NEAR AND OR NOT zero\x00byte")}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"\x00", "a\x00b", `"`, `""`, `"; DROP TABLE posts; --`, "*", "lan*", "text:lantern", "NEAR(a b)", "AND", "OR", "NOT", "^lantern", "{text}: x", "-lantern", "(", ")",
		"\xff\xfe", "\u202e", "\u0301", "e\u0301", "👩‍🚀", strings.Repeat("a ", 50_000), strings.Repeat("a", 1<<20), strings.Repeat("ノ", 10_000), "ǅ", "İ", "'", "%", "_", "\\", "\n"} {
		for _, exact := range []bool{true, false} {
			found(t, archive.Source("hackernews"), source.Query{Text: text, Exact: exact})
		}
	}
	for text, want := range map[string]int{"NOT": 1, "lan*": 0, "a OR lantern": 0, "text:lantern": 0, "^lantern": 1} {
		if ids := found(t, archive.Source("hackernews"), source.Query{Text: text, Exact: true}); len(ids) != want {
			t.Errorf("%s finds %v", text, ids)
		}
	}
	if ids := found(t, archive.Source("hackernews' OR 1=1 --"), source.Query{Text: "lantern"}); len(ids) != 0 {
		t.Errorf("%v", ids)
	}
}

// A batch into an archive of 50,000 posts, and where it ends, beside the same of an archive of 500.
func BenchmarkArchive(b *testing.B) {
	text := strings.Repeat("some words about lanterns and the sea, number ", 6)
	fill := func(n int) (*sqlitearchive.Archive, string) {
		path := filepath.Join(b.TempDir(), "archive.db")
		archive, err := sqlitearchive.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { archive.Close() })
		for from := 0; from < n; from += 500 {
			add(b, archive, from, 500, text)
		}
		return archive, path
	}
	small, _ := fill(500)
	large, path := fill(50_000)
	next := 1_000_000
	var short, long, end, cached time.Duration
	timed := func(total *time.Duration, do func()) {
		began := time.Now()
		do()
		*total += time.Since(began)
	}
	for b.Loop() {
		timed(&short, func() { add(b, small, next, 250, text) })
		timed(&long, func() { add(b, large, next, 250, text) })
		next += 250
		newest := func() {
			if _, err := large.Source("hackernews").Newest(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
		timed(&end, newest)
		timed(&cached, newest)
	}
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	per := func(total time.Duration) float64 { return float64(total.Microseconds()) / float64(b.N) / 1000 }
	b.ReportMetric(per(long), "ms/250-posts")
	b.ReportMetric(per(long)/per(short), "large/small")
	b.ReportMetric(per(end), "ms/newest")
	b.ReportMetric(per(cached), "ms/newest-again")
	b.ReportMetric(float64(info.Size())/float64(50_000+250*b.N), "bytes/post")
}

func add(b *testing.B, archive *sqlitearchive.Archive, from, n int, text string) {
	posts := make([]post.Post, n)
	for i := range posts {
		posts[i] = made(from+i, "hackernews", false, now.Add(-time.Duration(from+i)*time.Minute), fmt.Sprint(text, from+i))
	}
	if err := archive.Add(context.Background(), posts); err != nil {
		b.Fatal(err)
	}
}
