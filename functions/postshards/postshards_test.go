package postshards_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"earshot/functions/postshards"
	"earshot/shared/archive"
	"earshot/shared/archive/shards"
	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/folderblob"
	"earshot/shared/port/table"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
	"earshot/shared/worker"
	"earshot/shared/worldtest"
)

var must = worldtest.Must

func posts(n int) (all []post.Post) {
	for i := range n {
		body := fmt.Sprintf("A lantern of case %d.", i)
		all = append(all, post.Post{
			Source:   "hackernews",
			SourceID: fmt.Sprintf("hackernews_story_%d", i),
			URL:      fmt.Sprintf("https://news.example/%d", i),
			Body:     &body,
			PostedAt: worldtest.Now.Add(-time.Duration(i) * time.Minute),
		})
	}
	return all
}

// Killed at each write, called again and called once more, the function leaves each post in a shard, once.
func TestHandler_Killed(t *testing.T) {
	faulttest.EachStep(t, 3, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		files := folderblob.New(t.TempDir())
		cache, err := shards.NewCache(shards.CacheOptions{Files: files})
		must(t, err)
		kept := archivestore.New(store.New(w.Table, w.Clock))
		must(t, archive.Add(t.Context(), kept, w.Clock, posts(3)))
		w.Clock.Freeze(w.Clock.Now().Add(time.Hour))
		call := func(s archive.Store) error {
			return postshards.Handler(
				worker.Options{Function: postshards.Group, Log: slog.New(slog.DiscardHandler), Clock: w.Clock},
				postshards.Options{
					Store: s, Files: files, Cache: cache, Clock: w.Clock, Folder: t.TempDir(),
					Language: func(string) string { return "english" },
				},
			)(t.Context(), json.RawMessage("{}"))
		}
		step.Die(t, w.Life, func() error {
			return call(archivestore.New(store.New(table.Retrying(w.Mortal(w.Table)), w.Clock)))
		})
		for range 2 {
			must(t, call(kept))
			w.Clock.Freeze(w.Clock.Now().Add(2 * time.Hour))
		}
		batches, err := kept.Batches(t.Context(), "", "")
		must(t, err)
		m, err := kept.ArchiveManifest(t.Context())
		must(t, err)
		if len(batches) > 0 || len(m.Shards) != 1 || m.Shards[0].Posts != 3 {
			t.Errorf("%d batches and the shards %+v, want one shard of three posts", len(batches), m.Shards)
		}
		page, err := shards.NewReader(kept, cache).Source("hackernews").Search(t.Context(), source.Query{
			Text: "lantern", Exact: true, Since: worldtest.Now.Add(-time.Hour), Until: worldtest.Now.Add(time.Hour),
		})
		if err != nil || len(page.Posts) != 3 {
			t.Errorf("found %d posts, %v, want 3", len(page.Posts), err)
		}
	})
}

// A call builds 5,000 posts as soon as they rest. Fewer wait until the first has been there for an hour.
func TestHandler_Large(t *testing.T) {
	for _, c := range []struct {
		rule   string
		posts  int
		waited time.Duration
		built  bool
	}{
		{"few, at rest", 3, 21 * time.Minute, false},
		{"few, before an hour", 3, 58 * time.Minute, false},
		{"few, after an hour", 3, time.Hour, true},
		{"one too few, at rest", 4_999, 21 * time.Minute, false},
		{"many, at rest", 5_000, 21 * time.Minute, true},
		{"many, not at rest", 5_000, 19 * time.Minute, false},
	} {
		t.Run(c.rule, func(t *testing.T) {
			w := worldtest.NewWorld(t)
			files := folderblob.New(t.TempDir())
			cache, err := shards.NewCache(shards.CacheOptions{Files: files})
			must(t, err)
			kept := archivestore.New(store.New(w.Table, w.Clock))
			must(t, archive.Add(t.Context(), kept, w.Clock, posts(c.posts)))
			w.Clock.Freeze(w.Clock.Now().Add(c.waited))
			must(t, postshards.Handler(
				worker.Options{Function: postshards.Group, Log: slog.New(slog.DiscardHandler), Clock: w.Clock},
				postshards.Options{
					Store: kept, Files: files, Cache: cache, Clock: w.Clock, Folder: t.TempDir(),
					Language: func(string) string { return "english" },
				},
			)(t.Context(), json.RawMessage("{}")))
			m, err := kept.ArchiveManifest(t.Context())
			if err != nil || (len(m.Shards) > 0) != c.built {
				t.Errorf("%d shards, %v, want some: %v", len(m.Shards), err, c.built)
			}
		})
	}
}

// Without the time for another shard, the posts wait in their batches and nothing fails.
func TestRun_Late(t *testing.T) {
	w := worldtest.NewWorld(t)
	files := folderblob.New(t.TempDir())
	cache, err := shards.NewCache(shards.CacheOptions{Files: files})
	must(t, err)
	kept := archivestore.New(store.New(w.Table, w.Clock))
	must(t, archive.Add(t.Context(), kept, w.Clock, posts(3)))
	w.Clock.Freeze(w.Clock.Now().Add(time.Hour))
	o := postshards.Options{
		Store: kept, Files: files, Cache: cache, Clock: w.Clock, Folder: t.TempDir(),
		Language: func(string) string { return "" },
	}
	short, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	must(t, postshards.Run(short, o))
	if m, err := kept.ArchiveManifest(t.Context()); err != nil || len(m.Shards) > 0 {
		t.Errorf("%d shards, %v, want none", len(m.Shards), err)
	}
	o.Margin = time.Second
	must(t, postshards.Run(short, o))
	if m, err := kept.ArchiveManifest(t.Context()); err != nil || len(m.Shards) != 1 {
		t.Errorf("%d shards, %v, want one", len(m.Shards), err)
	}
}
