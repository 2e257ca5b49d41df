package shards_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"earshot/shared/archive"
	"earshot/shared/archive/shards"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/sqlitearchive"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/worldtest"
)

func (w *world) found(s *shards.Source, q source.Query) (ids []string) {
	w.t.Helper()
	if q.Until.IsZero() {
		q.Since, q.Until = since, until
	}
	for {
		page, err := s.Search(w.t.Context(), q)
		must(w.t, err)
		for _, p := range page.Posts {
			ids = append(ids, p.SourceID)
		}
		if q.After = page.Next; q.After == "" {
			return ids
		}
	}
}

func on(platform string, n int, reply bool, at time.Time, text string) post.Post {
	p := made(n, at, text)
	p.Source, p.IsReply, p.SourceID = platform, reply, fmt.Sprintf("%s_post_%d", platform, n)
	return p
}

// A platform of the archive is searched as the platform would be, in shards and before.
func TestSource_Search(t *testing.T) {
	w := newWorld(t)
	texts := []string{"We use Box at work", "boxes and Boxing", "a wave barn", "wavebarn is down", "the barn wave",
		"see acme-cloud.io for more", "100% of it",
		"素晴らしいノースウィンドの製品", "Größe zählt", "C++ and \"quotes\" _under_", "box's lid",
		"a ｃｒａｔｅ", "a cr\u00adate", "a cr\u200bate", "a CRATE"}
	var posts []post.Post
	for i, text := range texts {
		posts = append(posts, on("hackernews", i, false, worldtest.Now.Add(-time.Duration(i)*time.Hour), text))
	}
	w.add(posts...)
	w.add(on("reddit", 1, false, worldtest.Now, "Box"))
	for _, state := range []string{"in no shard", "in a shard"} {
		for _, c := range []struct {
			text  string
			exact bool
			want  []int
		}{
			{"box", true, []int{0, 10}},
			{"BOX", false, []int{0, 1, 10}},
			{"Wave Barn", true, []int{2}},
			{"acme-cloud.io", true, []int{5}},
			{"Acme Cloud", true, []int{5}},
			{"100%", false, []int{6}},
			{"_", false, []int{9}},
			{"ノースウィンド", true, []int{7}},
			{"größe", true, []int{8}},
			{"grosse", true, nil},
			{`"quotes"`, false, []int{9}},
			{`") OR text:("box`, true, nil},
			{"crate", false, []int{11, 12, 13, 14}},
			{"ｃｒａｔｅ", false, []int{11, 12, 13, 14}},
			{"", false, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
		} {
			var want []string
			for _, n := range c.want {
				want = append(want, posts[n].SourceID)
			}
			for _, most := range []int{0, 1, 3} {
				if got := w.found(w.reader.Source("hackernews"),
					source.Query{Text: c.text, Exact: c.exact, Max: most}); !slices.Equal(got, want) {
					t.Errorf("%s: %q exact %v, %d a page: %v, want %v", state, c.text, c.exact, most, got, want)
				}
			}
		}
		window := source.Query{Text: "box", Exact: true, Since: posts[10].PostedAt, Until: posts[0].PostedAt}
		if got := w.found(w.reader.Source("hackernews"), window); !slices.Equal(got, []string{posts[10].SourceID}) {
			t.Errorf("%s: a window begins with its first moment and ends before its last: %v", state, got)
		}
		w.pass(time.Hour)
		w.build(0)
	}
	if _, err := w.reader.Source("hackernews").Search(t.Context(), source.Query{Text: "box", After: "nonsense"}); err == nil {
		t.Error("nonsense is a page's Next")
	}
}

// Comments on Reddit are a platform of their own, and Bluesky's two ways are one.
func TestPlatforms(t *testing.T) {
	w := newWorld(t)
	w.add(
		on("reddit", 1, false, worldtest.Now, "lantern"), on("reddit", 2, true, worldtest.Now, "lantern"),
		on("bluesky", 3, false, worldtest.Now, "lantern"), on("firehose", 4, false, worldtest.Now, "lantern"),
		on("trustpilot", 5, false, worldtest.Now, "lantern"),
	)
	for _, state := range []string{"in no shard", "in a shard"} {
		platforms, err := w.reader.Platforms(t.Context())
		if want := []string{"bluesky", "reddit", "reddit_comment", "trustpilot"}; err != nil ||
			!slices.Equal(platforms, want) {
			t.Errorf("%s: %v %v, want %v", state, platforms, err, want)
		}
		for platform, want := range map[string]int{"reddit": 1, "reddit_comment": 1, "bluesky": 2, "firehose": 0,
			"trustpilot": 1, `x" OR "e`: 0} {
			s := w.reader.Source(platform)
			if got := w.found(s, source.Query{Text: "lantern", Exact: true}); len(got) != want {
				t.Errorf("%s: %s has %v", state, platform, got)
			}
			if held, err := s.Held(t.Context()); err != nil || held != int64(want) {
				t.Errorf("%s: %s holds %d posts, %v, want %d", state, platform, held, err, want)
			}
		}
		w.pass(time.Hour)
		w.build(0)
	}
}

// A frozen file and some posts of today: the archive ends where the file does, until today's are more than stragglers.
func TestSource_Newest(t *testing.T) {
	w := newWorld(t)
	hackernews := w.reader.Source("hackernews")
	if end, err := hackernews.Newest(t.Context()); err != nil || !end.IsZero() {
		t.Errorf("%v %v", end, err)
	}
	frozen := time.Date(2016, 9, 26, 3, 0, 0, 500_000_000, time.UTC)
	add := func(from, n int, until time.Time) {
		var posts []post.Post
		for i := range n {
			posts = append(posts, on("hackernews", from+i, false, until.Add(-time.Duration(i)*time.Hour), "text"))
		}
		w.add(posts...)
	}
	add(0, 100, frozen)
	for _, c := range []struct {
		add  int
		want time.Time
	}{{0, frozen}, {4, frozen}, {5, worldtest.Now}} {
		add(1000*(c.add+1), c.add, worldtest.Now)
		if end, err := hackernews.Newest(t.Context()); err != nil || !end.Equal(c.want) {
			t.Errorf("%d more: %v %v, want %v", c.add, end, err, c.want)
		}
		w.pass(time.Hour)
		w.build(0)
	}
}

// Whatever is searched for, there is an answer: nothing of it is read as a language of the index.
func TestSource_Hostile(t *testing.T) {
	w := newWorld(t)
	w.add(on("hackernews", 1, false, worldtest.Now, "lantern"),
		on("hackernews", 2, false, worldtest.Now, "text NEAR AND OR NOT zero\uFFFDbyte"))
	w.pass(time.Hour)
	w.build(0)
	for _, text := range []string{"\x00", "a\x00b", `"`, `""`, `"; DROP TABLE posts; --`, "*", "lan*",
		"title:lantern", "NEAR(a b)", "AND", "OR", "NOT", "^lantern", "{title}: x", "-lantern",
		"(", ")", "\xff\xfe", "\u202e", "\u0301", "e\u0301", "👩‍🚀", "'", "%", "_", "\\", "\n", "ǅ", "İ", "東",
		string(make([]byte, 1<<16))} {
		for _, exact := range []bool{true, false} {
			w.found(w.reader.Source("hackernews"), source.Query{Text: text, Exact: exact})
		}
	}
}

// An archive of before moves over whole, however often its process dies, and once.
func TestMove_Killed(t *testing.T) {
	before, err := sqlitearchive.Open(filepath.Join(t.TempDir(), "archive.db"))
	must(t, err)
	defer before.Close()
	posts := randomPosts(rand.New(rand.NewPCG(8, 8)), 0, 25)
	must(t, before.Add(t.Context(), posts))
	faulttest.EachStep(t, 10, func(t *testing.T, step *faulttest.Step) {
		w := newWorld(t)
		step.Die(t, w.Life, func() error {
			_, err := archive.Move(t.Context(), w.mortal, w.Clock, few{before})
			return err
		})
		_, err := archive.Move(t.Context(), w.mortal, w.Clock, few{before})
		must(t, err)
		same(t, "after the second start", w.all("", 10), sourceIDs(posts))
		if _, err := archive.Move(t.Context(), w.mortal, w.Clock, few{before}); err != nil {
			t.Errorf("Move after its end: %v", err)
		}
		same(t, "moved once more", w.all("", 10), sourceIDs(posts))
		w.pass(time.Hour)
		w.build(0)
		same(t, "in shards", w.all("", 10), sourceIDs(posts))
	})
}

// few moves a few posts at a time.
type few struct{ archive.Earlier }

func (f few) After(ctx context.Context, place string) ([]post.Post, string, error) {
	posts, _, err := f.Earlier.After(ctx, place)
	if len(posts) > 10 {
		posts = posts[:10]
	}
	from, _ := strconv.Atoi(place) // the archive numbers its posts
	return posts, strconv.Itoa(from + len(posts)), err
}
