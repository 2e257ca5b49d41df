package shards_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"earshot/shared/archive"
	"earshot/shared/archive/shards"
	"earshot/shared/embedded/fault"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/folderblob"
	"earshot/shared/port/blob"
	"earshot/shared/port/table"
	"earshot/shared/post"
	"earshot/shared/query"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
	"earshot/shared/worldtest"
)

var must = worldtest.Must

// linkless is a folder as a blob. The archive asks for no links.
type linkless struct{ *folderblob.Blob }

func (linkless) Link(context.Context, string, time.Duration) (string, error) {
	return "", errors.New("a folder has no links")
}

// A world has an archive. Its process can die at each write.
type world struct {
	*worldtest.World
	mortal archive.Store // of the process that dies
	store  archive.Store // past all faults
	files  shards.Files
	folder string // of files
	dying  shards.Files
	reader *shards.Reader
	t      testing.TB
}

func newWorld(t testing.TB) *world {
	w := &world{World: worldtest.NewWorld(t), t: t}
	w.mortal = archivestore.New(store.New(table.Retrying(w.Mortal(w.Table)), w.Clock))
	w.store = archivestore.New(store.New(w.Table, w.Clock))
	w.folder = t.TempDir()
	w.files = folderblob.New(w.folder)
	w.dying = fault.Blob(linkless{folderblob.New(w.folder)}, w.Life.Set())
	w.reader = w.newReader(w.files)
	return w
}

func (w *world) newReader(files shards.Ranger) *shards.Reader {
	cache, err := shards.NewCache(shards.CacheOptions{Files: files})
	must(w.t, err)
	return shards.NewReader(w.store, cache)
}

// builder returns a builder whose process can die.
func (w *world) builder(maxPosts int64) shards.Builder {
	cache, err := shards.NewCache(shards.CacheOptions{Files: w.dying})
	must(w.t, err)
	return shards.Builder{
		Store:    w.mortal,
		Files:    w.dying,
		Cache:    cache,
		Clock:    w.Clock,
		Folder:   w.t.TempDir(),
		Language: func(string) string { return "english" },
		MaxPosts: maxPosts,
	}
}

func (w *world) add(posts ...post.Post) {
	w.t.Helper()
	must(w.t, archive.Add(w.t.Context(), w.mortal, w.Clock, posts))
}

func (w *world) build(maxPosts int64) shards.Built {
	w.t.Helper()
	built, err := w.builder(maxPosts).Build(w.t.Context())
	must(w.t, err)
	return built
}

func (w *world) pass(d time.Duration) { w.Clock.Freeze(w.Clock.Now().Add(d)) }

func (w *world) manifest() archive.Manifest {
	w.t.Helper()
	m, err := w.store.ArchiveManifest(w.t.Context())
	must(w.t, err)
	return m
}

// parsed returns a query of the archive for a text of the language of search.
func parsed(t testing.TB, text string) (query.Query, shards.Query) {
	t.Helper()
	q, faults := query.Parse(text)
	if len(faults) > 0 {
		t.Fatalf("Parse(%q): %v", text, faults)
	}
	expression, _ := q.FTS()
	return q, shards.Query{Expression: expression, Keep: func(p *post.Post) bool { return q.Matches(p, "english") }}
}

var since, until = worldtest.Now.Add(-400 * 24 * time.Hour), worldtest.Now.Add(400 * 24 * time.Hour)

// all pages through the matches of a text.
func (w *world) all(text string, limit int) (sourceIDs []string) {
	w.t.Helper()
	q := shards.Query{}
	if text != "" {
		_, q = parsed(w.t, text)
	}
	return w.pages(shards.Request{Query: q, Since: since, Until: until, Limit: limit})
}

func (w *world) pages(request shards.Request) (sourceIDs []string) {
	w.t.Helper()
	for {
		page, err := w.reader.Search(w.t.Context(), request)
		must(w.t, err)
		if len(page.Posts) > request.Limit {
			w.t.Fatalf("a page has %d posts, want at most %d", len(page.Posts), request.Limit)
		}
		for _, found := range page.Posts {
			sourceIDs = append(sourceIDs, found.Post.SourceID)
		}
		if page.Next == 0 {
			return sourceIDs
		}
		request.Before = page.Next
	}
}

// same compares without regard to order.
func same(t testing.TB, what string, got, want []string) {
	t.Helper()
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("%s: found %d posts %.300s, want %d %.300s", what, len(got), fmt.Sprint(got), len(want), fmt.Sprint(want))
	}
}

func made(n int, at time.Time, text string) post.Post {
	author := fmt.Sprint("user", n%7)
	return post.Post{
		Source:   []string{"hackernews", "reddit", "bluesky"}[n%3],
		SourceID: fmt.Sprintf("hackernews_comment_%d", n),
		URL:      "https://news.ycombinator.com/item?id=" + fmt.Sprint(n),
		PostedAt: at,
		Body:     &text,
		Author:   &author,
		IsReply:  n%5 == 0,
	}
}

// vocabulary has words of several scripts, some of which contain others.
var vocabulary = []string{
	"acme", "Acme", "cloud", "acmecloud", "wave", "barn", "it's", "C++", "node.js", "größe", "東京都", "東京", "京都です", "สวัสดี",
	"日本 ",
	"acme-cloud.io", "@acme", "the", "the", "the", "and", "and", "ac\u200bme", "İstanbul", "e\u0301te\u0301", "👍",
	"_under_", "\"quoted\"",
}

func randomText(r *rand.Rand, words int) string {
	var b strings.Builder
	for range words {
		b.WriteString(vocabulary[r.IntN(len(vocabulary))])
		if r.IntN(6) > 0 {
			b.WriteByte(' ')
		}
	}
	if b.Len() == 0 {
		return "x"
	}
	return b.String()
}

// randomPosts returns posts of 30 days, many of them in the same seconds.
func randomPosts(r *rand.Rand, from, n int) (posts []post.Post) {
	for i := range n {
		at := worldtest.Now.Add(-time.Duration(r.IntN(30*24*60)) * time.Minute)
		p := made(from+i, at, randomText(r, r.IntN(8)))
		if r.IntN(3) == 0 {
			title := randomText(r, 1+r.IntN(3))
			p.Title = &title
		}
		must := p.Clean(worldtest.Now)
		if must != nil {
			panic(must)
		}
		posts = append(posts, p)
	}
	return posts
}

// randomQuery returns a text that Parse takes.
func randomQuery(r *rand.Rand) string {
	for {
		var terms []string
		for range 1 + r.IntN(3) {
			term := ""
			switch r.IntN(10) {
			case 0:
				term = "author:user" + fmt.Sprint(r.IntN(8))
			case 1:
				term = "source:" + []string{"hackernews", "reddit", "bluesky", "news"}[r.IntN(4)]
			case 2:
				term = `title:` + strings.TrimSpace(vocabulary[r.IntN(len(vocabulary))])
			case 3, 4:
				term = `"` + strings.ReplaceAll(randomText(r, 1+r.IntN(3)), `"`, "") + `"`
			case 5:
				term = "site:ycombinator.com"
			default:
				term = strings.TrimSpace(vocabulary[r.IntN(len(vocabulary))])
			}
			if r.IntN(5) == 0 {
				term = "-" + term
			}
			if r.IntN(6) == 0 {
				term = "OR " + term
			}
			terms = append(terms, term)
		}
		text := strings.Join(terms, " ")
		if _, faults := query.Parse(text); len(faults) == 0 {
			return text
		}
	}
}

// Shards of all sizes and ages, merged ones among them, posts that are in none yet, one index of all posts, and a scan
// of all posts find the same.
func TestSearch_LikeScan(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 5))
	many, one := newWorld(t), newWorld(t)
	var posts []post.Post
	for batch := range 30 {
		some := randomPosts(r, 1000*batch, 5+r.IntN(20))
		some = append(some, posts[max(len(posts)-3, 0):]...) // some come again
		many.add(some...)
		one.add(some...)
		posts = append(posts, some...)
		if many.pass(time.Hour); batch%3 > 0 {
			many.build(int64(20 + r.IntN(60)))
		}
	}
	slices.SortFunc(posts, func(a, b post.Post) int { return strings.Compare(a.SourceID, b.SourceID) })
	posts = slices.CompactFunc(posts, func(a, b post.Post) bool { return a.SourceID == b.SourceID })
	one.pass(time.Hour)
	one.build(0)
	if n := len(one.manifest().Shards); n != 1 {
		t.Fatalf("%d shards, want one index of all posts", n)
	}
	listed := many.manifest().Shards
	if merged := slices.ContainsFunc(listed, func(s archive.Shard) bool { return s.Level > 0 }); len(listed) < 5 ||
		!merged {
		t.Fatalf("%d shards, merged ones among them: %v", len(listed), merged)
	}
	found := 0
	for range *queries {
		text := randomQuery(r)
		q, a := parsed(t, text)
		var window shards.Request
		window.Since = worldtest.Now.Add(-time.Duration(r.IntN(30*24*3600)) * time.Second)
		window.Until = window.Since.Add(time.Duration(r.IntN(30*24*3600)) * time.Second)
		if r.IntN(2) == 0 {
			window.Since, window.Until = since, until
		}
		var want []string
		for i := range posts {
			at := posts[i].PostedAt
			if !at.Before(window.Since) && at.Before(window.Until) && q.Matches(&posts[i], "english") {
				want = append(want, posts[i].SourceID)
			}
		}
		found += len(want)
		window.Query, window.Limit = a, 1+r.IntN(40)
		steps := 0
		window.Enough = func() bool { steps++; return steps%(1+r.IntN(3)) == 0 }
		inMany := many.pages(window)
		same(t, text, inMany, want)
		window.Enough = nil
		if inOne := one.pages(window); !slices.Equal(inOne, inMany) {
			t.Errorf("%s: one index has %.300s, shards have %.300s", text, fmt.Sprint(inOne), fmt.Sprint(inMany))
		}
		if t.Failed() {
			t.Fatalf("the query %q, %+v", text, a.Expression)
		}
	}
	if found < *queries {
		t.Errorf("%d posts were found by %d queries: they are too narrow to show anything", found, *queries)
	}
}

// Each killed builder leaves every post visible once, and the next one goes on. No file is left that nothing names.
func TestBuild_Killed(t *testing.T) {
	faulttest.EachStep(t, 10, func(t *testing.T, step *faulttest.Step) {
		w := newWorld(t)
		r := rand.New(rand.NewPCG(1, 1))
		posts := randomPosts(r, 0, 60)
		w.add(posts[:30]...)
		w.add(posts[30:]...)
		w.pass(time.Hour)
		w.build(20)
		w.add(randomPosts(r, 100, 20)...)
		must(t, archive.Delete(t.Context(), w.store, w.Clock, idsOf(t, w, posts[:3])))
		w.pass(25 * time.Hour)
		want := w.all("", 50)
		if len(want) != 77 {
			t.Fatalf("%d posts, want 77", len(want))
		}
		builder := w.builder(20)
		err := step.Die(t, w.Life, func() error {
			_, err := builder.Build(t.Context())
			return err
		})
		if step.Met && err == nil {
			t.Error("the killed builder succeeded")
		}
		same(t, "after the death", w.all("", 50), want)
		for range 3 {
			w.pass(2 * time.Hour)
			w.build(20)
			same(t, "after the next build", w.all("", 50), want)
		}
		m := w.manifest()
		if len(m.Pending)+len(m.Old)+len(m.Deleted) > 0 {
			t.Errorf("%d files are pending, %d are old and %d deletions are open", len(m.Pending), len(m.Old), len(m.Deleted))
		}
		if batches, err := w.store.Batches(t.Context(), "", ""); err != nil || len(batches) > 0 {
			t.Errorf("%d batches are left, %v", len(batches), err)
		}
		if files, want := w.stored(), len(m.Shards); files != want {
			t.Errorf("%d files are stored, want %d", files, want)
		}
	})
}

// stored counts the files that the archive has stored.
func (w *world) stored() int {
	w.t.Helper()
	n := 0
	must(w.t, filepath.WalkDir(w.folder, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			n++
		}
		return err
	}))
	return n
}

func idsOf(t testing.TB, w *world, posts []post.Post) (ids []archive.ID) {
	t.Helper()
	for _, p := range posts {
		id, found, err := archive.IDOf(t.Context(), w.store, p.SourceID, p.PostedAt)
		if err != nil || !found {
			t.Fatalf("IDOf(%s) = %v, %v", p.SourceID, found, err)
		}
		ids = append(ids, id)
	}
	return ids
}

// Each killed Add stores nothing twice when it is repeated, and leaves nothing that is never found.
func TestAdd_Killed(t *testing.T) {
	faulttest.EachStep(t, 10, func(t *testing.T, step *faulttest.Step) {
		w := newWorld(t)
		posts := randomPosts(rand.New(rand.NewPCG(2, 2)), 0, 20)
		_ = step.Die(t, w.Life, func() error { return archive.Add(t.Context(), w.mortal, w.Clock, posts) })
		w.pass(time.Hour)
		w.build(0)
		w.add(posts...)
		same(t, "before the next build", w.all("", 7), sourceIDs(posts))
		w.pass(time.Hour)
		w.build(0)
		same(t, "after the next build", w.all("", 7), sourceIDs(posts))
	})
}

func sourceIDs(posts []post.Post) (ids []string) {
	for _, p := range posts {
		ids = append(ids, p.SourceID)
	}
	return ids
}

// Callers that add the same posts at once store each once. Thousands of posts may have the same second.
func TestAdd_AtOnce(t *testing.T) {
	w := newWorld(t)
	posts := randomPosts(rand.New(rand.NewPCG(3, 3)), 0, 2_000)
	for i := range posts {
		posts[i].PostedAt = worldtest.Now.Truncate(24 * time.Hour)
	}
	faulttest.AtOnce(3, func(n int) {
		part := slices.Clone(posts[n*200 : 1600+n*200])
		rand.New(rand.NewPCG(uint64(n), 1)).Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		if err := archive.Add(t.Context(), w.mortal, w.Clock, part); err != nil {
			t.Error(err)
		}
	})
	same(t, "in no shard", w.all("", 500), sourceIDs(posts))
	w.pass(time.Hour)
	w.build(0)
	same(t, "in shards", w.all("", 500), sourceIDs(posts))
	if n := w.manifest().Shards[0].Posts; n != int64(len(posts)) {
		t.Errorf("the shard has %d posts, want %d", n, len(posts))
	}
}

// A deleted post is found no more at once, is not stored again, and is out of the index within a day.
func TestDelete(t *testing.T) {
	w := newWorld(t)
	posts := []post.Post{made(1, worldtest.Now, "secret lantern"), made(2, worldtest.Now, "lantern"),
		made(3, worldtest.Now, "lantern secret")}
	w.add(posts...)
	w.pass(time.Hour)
	w.build(0)
	ids := idsOf(t, w, posts[:2])
	must(t, archive.Delete(t.Context(), w.store, w.Clock, []archive.ID{ids[0]}))
	same(t, "at once", w.all("lantern", 10), sourceIDs(posts[1:]))
	w.add(posts...)
	same(t, "after the post came again", w.all("lantern", 10), sourceIDs(posts[1:]))
	before := w.manifest().Shards[0]
	w.pass(11 * time.Hour)
	w.build(0)
	if after := w.manifest().Shards[0]; after.Key != before.Key {
		t.Error("a shard was rebuilt before deletions could gather")
	}
	w.pass(2 * time.Hour)
	w.build(0)
	m := w.manifest()
	if len(m.Shards) != 1 || m.Shards[0].Key == before.Key || m.Shards[0].Posts != 2 || len(m.Deleted) != 0 {
		t.Errorf("after 13 hours: %+v, want one shard of 2 posts made anew and no open deletion", m)
	}
	same(t, "after the rebuild", w.all("lantern", 10), sourceIDs(posts[1:]))
	documents, err := w.store.Documents(t.Context(), ids)
	if err != nil || documents[0] == nil || documents[0].Content != nil || documents[1].Content == nil {
		t.Errorf("Documents = %+v, %v, want the first without content", documents, err)
	}
}

// Two builders that take the same posts list them once.
func TestBuild_AtOnce(t *testing.T) {
	faulttest.EachStep(t, 5, func(t *testing.T, step *faulttest.Step) {
		w := newWorld(t)
		posts := randomPosts(rand.New(rand.NewPCG(4, 4)), 0, 40)
		w.add(posts...)
		w.pass(time.Hour)
		builder := w.builder(25)
		err, otherErr := step.Come(w.Life,
			func() error { _, err := builder.Build(t.Context()); return err },
			func() error {
				other := builder
				other.Store, other.Files = w.store, w.files
				_, err := other.Build(t.Context())
				return err
			})
		if err != nil || otherErr != nil {
			t.Errorf("Build = %v and %v", err, otherErr)
		}
		same(t, "after both", w.all("", 9), sourceIDs(posts))
		listed := int64(0)
		for _, s := range w.manifest().Shards {
			listed += s.Posts
		}
		if listed != int64(len(posts)) {
			t.Errorf("shards list %d posts, want %d", listed, len(posts))
		}
	})
}

// A post can be found as soon as it was added, before any shard has it.
func TestSearch_InNoShard(t *testing.T) {
	w := newWorld(t)
	w.add(made(1, worldtest.Now, "a lantern"), made(2, worldtest.Now, "no light"))
	same(t, "at once", w.all("lantern", 10), []string{"hackernews_comment_1"})
	if built := w.build(0); built.Shards != 0 {
		t.Errorf("%d shards were built of a batch that may not be whole", built.Shards)
	}
}

// Damaged and missing files are errors, never posts that are missing or found by mistake.
func TestSearch_Damaged(t *testing.T) {
	w := newWorld(t)
	w.add(randomPosts(rand.New(rand.NewPCG(5, 5)), 0, 50)...)
	w.pass(time.Hour)
	w.build(0)
	shard := w.manifest().Shards[0]
	whole, err := w.files.GetRange(t.Context(), shard.Key, 0, blob.MaxRange)
	must(t, err)
	for name, content := range map[string]string{
		"cut":   string(whole[:shard.Index/2]),
		"empty": "",
		"noise": strings.Repeat("noise", int(shard.Index/5+1)),
	} {
		must(t, w.files.Put(t.Context(), shard.Key, blob.File{
			Content: strings.NewReader(content), Size: int64(len(content)), ContentType: "application/octet-stream", Name: "a",
		}))
		_, q := parsed(t, "acme")
		page, err := w.newReader(w.files).Search(t.Context(), shards.Request{Query: q, Since: since, Until: until, Limit: 10})
		if err == nil {
			t.Errorf("%s: Search = %d posts and no error", name, len(page.Posts))
		}
	}
	must(t, w.files.Delete(t.Context(), shard.Key))
	_, q := parsed(t, "acme")
	if _, err := w.newReader(w.files).Search(t.Context(),
		shards.Request{Query: q, Since: since, Until: until, Limit: 10}); err == nil {
		t.Error("a missing file is no error")
	}
}

// A builder that was killed leaves a folder. A later one removes it, and spares one in which another may still write.
func TestBuild_FolderOfKilled(t *testing.T) {
	w := newWorld(t)
	b := w.builder(100)
	for name, age := range map[string]time.Duration{
		"shard-other": 2 * time.Hour, "earshot-shard-old": 2 * time.Hour, "earshot-shard-begun": 2 * time.Hour,
		"earshot-shard-new": 0,
	} {
		folder := filepath.Join(b.Folder, name)
		must(t, os.Mkdir(folder, 0o700))
		file := filepath.Join(folder, "written.db")
		must(t, os.WriteFile(file, []byte("half"), 0o600))
		written := time.Now().Add(-age)
		must(t, os.Chtimes(folder, written, written))
		if name != "earshot-shard-begun" {
			must(t, os.Chtimes(file, written, written))
		}
	}
	_, err := b.Build(t.Context())
	must(t, err)
	left, err := filepath.Glob(filepath.Join(b.Folder, "*"))
	must(t, err)
	for i := range left {
		left[i] = filepath.Base(left[i])
	}
	if want := []string{"earshot-shard-begun", "earshot-shard-new", "shard-other"}; !slices.Equal(left, want) {
		t.Errorf("after a build there are %v, want %v", left, want)
	}
}
