package shards

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"earshot/shared/archive"
	"earshot/shared/post"
	"earshot/shared/query"
)

// A disk is a file that counts its reads.
type disk struct {
	content []byte
	ranges  int
	bytes   int64
	fail    error
}

func (d *disk) GetRange(_ context.Context, _ string, offset, length int64) ([]byte, error) {
	if d.fail != nil {
		return nil, d.fail
	}
	part := d.content[min(offset, int64(len(d.content))):min(offset+length, int64(len(d.content)))]
	d.ranges++
	d.bytes += int64(len(part))
	return bytes.Clone(part), nil
}

// written writes a shard of posts with words of the frequencies that texts have (Zipf).
func written(t testing.TB, posts int) (archive.Shard, *disk) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 4, 200_000)
	w, err := newWriter(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.abandon()
	base := archive.FirstID(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	for i := range posts {
		var text strings.Builder
		for range 10 + r.IntN(50) {
			fmt.Fprintf(&text, "w%d ", zipf.Uint64())
		}
		body, author := text.String(), fmt.Sprint("user", r.IntN(posts/8))
		e := query.Index(&post.Post{
			Source: "hackernews",
			URL:    "https://news.ycombinator.com/item?id=1",
			Body:   &body,
			Author: &author,
		}, "english")
		if err := w.add(t.Context(), base+archive.ID(int64(i)*86400*256/int64(posts)), "hackernews", e); err != nil {
			t.Fatal(err)
		}
	}
	path, shard, err := w.finish(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	shard.Key = "key"
	return shard, &disk{content: content}
}

// cold searches a shard of which nothing is cached, as Search does.
func cold(t testing.TB, shard *archive.Shard, d *disk, text string) []archive.ID {
	t.Helper()
	q, faults := query.Parse(text)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	expression, _ := q.FTS()
	cache, err := NewCache(CacheOptions{Files: d})
	if err != nil {
		t.Fatal(err)
	}
	h, err := readHead(t.Context(), d, shard)
	if err != nil {
		t.Fatal(err)
	}
	if expression = prune(expression, h.filter.lacks); expression == "" {
		return nil
	}
	found, err := find(t.Context(), shard, cache, h, expression, 0, 1<<60, 100)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A cold query reads its shard's head, the pages of its words and little else.
func TestFind_Ranges(t *testing.T) {
	shard, d := written(t, 40_000)
	if shard.Index < 2*smallFile {
		t.Fatalf("the index has %d bytes: it would be read whole", shard.Index)
	}
	for text, most := range map[string]int{
		"w199998 zebra": 1, "zebra OR yak": 1, "author:user77": 3, "w0": 4, "w100 w200": 4, `"w1 w2"`: 8,
		"w5 w6 w7 w800": 8, `"w20 w3" w9`: 8, "w9 -w10 source:hackernews site:ycombinator.com": 8,
	} {
		d.ranges, d.bytes = 0, 0
		found := cold(t, &shard, d, text)
		t.Logf("%s: %d posts, %d ranges, %d KB", text, len(found), d.ranges, d.bytes>>10)
		if d.ranges > most {
			t.Errorf("%s takes %d ranges, want at most %d", text, d.ranges, most)
		}
		if most > 1 && len(found) == 0 {
			t.Errorf("%s finds nothing", text)
		}
	}
}

// A read that fails is an error of the search, whatever it wraps.
func TestFind_ReadFails(t *testing.T) {
	shard, d := written(t, 5_000)
	for _, cause := range []error{io.EOF, io.ErrUnexpectedEOF, errors.New("no answer"), context.DeadlineExceeded} {
		d.fail = fmt.Errorf("read: %w", cause)
		cache, err := NewCache(CacheOptions{Files: d})
		if err != nil {
			t.Fatal(err)
		}
		if found, err := find(t.Context(), &shard, cache, nil, everyPost, 0, 1<<60, 10); !errors.Is(err, cause) {
			t.Errorf("find = %d posts, %v, want %v", len(found), err, cause)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d.fail = nil
	cache, err := NewCache(CacheOptions{Files: d})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := find(ctx, &shard, cache, nil, everyPost, 0, 1<<60, 10); !errors.Is(err, context.Canceled) {
		t.Errorf("find = %v, want context.Canceled", err)
	}
}

func TestToHead_Damaged(t *testing.T) {
	shard, d := written(t, 6_000)
	form := d.content[shard.Index:]
	if _, err := toHead(&shard, form); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		damaged := bytes.Clone(form[:rapid.IntRange(0, len(form)).Draw(t, "length")])
		for range rapid.IntRange(1, 8).Draw(t, "flips") {
			if len(damaged) > 0 {
				damaged[rapid.IntRange(0, min(len(damaged), 64)-1).Draw(t, "at")] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
			}
		}
		h, err := toHead(&shard, damaged)
		if err == nil {
			h.filter.lacks("word")
		}
	})
}

func TestFilter_NoFalseNegatives(t *testing.T) {
	for _, words := range []int{0, 1, 2, 3, 100, 10_000} {
		var keys []uint64
		for i := range words {
			keys = append(keys, wordKey(fmt.Sprint("word", i)), wordKey(fmt.Sprint("word", i/2)))
		}
		form, err := newFilter(keys)
		if err != nil {
			t.Fatal(err)
		}
		f, err := toFilter(form)
		if err != nil {
			t.Fatalf("%d words: %v", words, err)
		}
		wrong := 0
		for i := range words {
			if f.lacks(fmt.Sprint("word", i)) {
				t.Errorf("of %d words the filter lacks number %d", words, i)
			}
		}
		for i := range 10_000 {
			if !f.lacks(fmt.Sprint("other", i)) {
				wrong++
			}
		}
		if wrong > 100 {
			t.Errorf("of %d words: %d of 10000 others pass, want one in 256", words, wrong)
		}
	}
}

func TestPrune(t *testing.T) {
	lacks := func(word string) bool { return strings.HasPrefix(word, "no") }
	for _, c := range []struct{ expression, want string }{
		{`"a"`, `"a"`},
		{`"no"`, ``},
		{`"a no b"`, ``},
		{`"a no" *`, `"a no" *`},
		{`"no a" *`, ``},
		{`"a" AND "no"`, ``},
		{`"a" OR "no"`, `"a"`},
		{`"a" AND ("no" OR "nope")`, ``},
		{`("no") OR ("b")`, `("b")`},
		{`"a" NOT "no"`, `"a"`},
		{`"a" NOT ("no" OR "b")`, `"a" NOT ("b")`},
		{`"no" NOT "b"`, ``},
		{`{title body} : ("a b" OR "no") AND {facts} : "e"`, `{title body} : ("a b") AND {facts} : "e"`},
		{`{title} : "no" OR "b"`, `"b"`},
		{`NEAR("no" "b")`, `NEAR("no" "b")`},
		{`"no""quoted"`, `"no""quoted"`},
		{`"no-dash"`, `"no-dash"`}, // the tokenizer would divide it
		{`"a`, `"a`},
		{`(("a")`, `(("a")`},
		{strings.Repeat("(", 1000) + `"no"` + strings.Repeat(")", 1000),
			strings.Repeat("(", 1000) + `"no"` + strings.Repeat(")", 1000)},
		{``, ``},
	} {
		if got := prune(c.expression, lacks); got != c.want {
			t.Errorf("prune(%.100s) = %.100s, want %.100s", c.expression, got, c.want)
		}
	}
}

// Every post has the word by which all posts are found.
func TestEveryPost(t *testing.T) {
	word := strings.Trim(strings.TrimPrefix(everyPost, "{facts} : "), `"`)
	for _, p := range []post.Post{{}, {Source: "reddit", URL: "https://example.com/a"}} {
		if e := query.Index(&p, ""); !slices.Contains(strings.Fields(e.Facts), word) {
			t.Errorf("the facts %q lack the word %q", e.Facts, word)
		}
	}
}

// Blocks are the file's bytes, whatever memory and disk have room for.
func TestReader_Bytes(t *testing.T) {
	content := make([]byte, 20*blockSize+123)
	r := rand.New(rand.NewPCG(7, 7))
	for i := range content {
		content[i] = byte(r.Uint32())
	}
	for name, o := range map[string]CacheOptions{
		"memory":      {},
		"disk":        {Memory: 1, Folder: filepath.Join(t.TempDir(), "blocks")},
		"little disk": {Memory: 1, Folder: filepath.Join(t.TempDir(), "blocks"), Disk: 3 * blockSize},
	} {
		d := &disk{content: content}
		o.Files = d
		cache, err := NewCache(o)
		if err != nil {
			t.Fatal(err)
		}
		cache.memory.most = max(cache.memory.most/16, 8*blockSize) // less than the file
		file := newReader(t.Context(), cache, "a/key", int64(len(content)))
		for range 300 {
			offset := r.Int64N(int64(len(content)) + 10)
			into := make([]byte, 1+r.IntN(3*blockSize))
			n, err := file.ReadAt(into, offset)
			want := content[min(offset, int64(len(content))):min(offset+int64(len(into)), int64(len(content)))]
			if !bytes.Equal(into[:n], want) || n < len(into) && err != io.EOF || n == len(into) && err != nil {
				t.Fatalf("%s: ReadAt(%d bytes, %d) = %d, %v", name, len(into), offset, n, err)
			}
		}
		walked := newReader(t.Context(), cache, "another", int64(len(content)))
		d.ranges = 0
		if _, err := io.Copy(io.Discard, io.NewSectionReader(walked, 0, walked.size)); err != nil || d.ranges > 5 {
			t.Errorf("%s: a walk over 21 blocks takes %d ranges, %v, want at most 5", name, d.ranges, err)
		}
	}
}

func TestCache_ShortFile(t *testing.T) {
	cache, err := NewCache(CacheOptions{Files: &disk{content: make([]byte, 10)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newReader(t.Context(), cache, "k", 20).ReadAt(make([]byte, 20), 0); err == nil || err == io.EOF {
		t.Errorf("ReadAt of a file that is too short = %v, want an error", err)
	}
}
