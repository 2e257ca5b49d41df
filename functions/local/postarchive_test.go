package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"earshot/shared/embedded/fault/faulttest"
	"earshot/shared/embedded/sqlitearchive"
	"earshot/shared/port/table"
	"earshot/shared/post"
	"earshot/shared/source"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
	"earshot/shared/worldtest"
)

func lanterns(from, n int) (all []post.Post) {
	for i := range n {
		body := fmt.Sprintf("A lantern of case %d.", from+i)
		all = append(all, post.Post{
			Source:   "hackernews",
			SourceID: fmt.Sprintf("hackernews_story_%d", from+i),
			URL:      fmt.Sprintf("https://news.example/%d", from+i),
			Body:     &body,
			PostedAt: worldtest.Now.Add(-time.Duration(from+i) * time.Minute),
		})
	}
	return all
}

// found counts the posts that the archive finds.
func (a *postArchive) found(t *testing.T) (n int) {
	t.Helper()
	sources, err := a.reader.Sources(t.Context())
	worldtest.Must(t, err)
	for _, each := range sources {
		page, err := each.Search(t.Context(), source.Query{
			Text: "lantern", Exact: true, Since: worldtest.Now.Add(-24 * time.Hour), Until: worldtest.Now.Add(time.Hour),
		})
		worldtest.Must(t, err)
		n += len(page.Posts)
	}
	return n
}

// The archive of an earlier version moves whole and once, whatever kills the program meanwhile. Its file goes away
// only then. A file that an earlier version makes anew moves too.
func TestMoveEarlier_Killed(t *testing.T) {
	faulttest.EachStep(t, 5, func(t *testing.T, step *faulttest.Step) {
		w := worldtest.NewWorld(t)
		folder := t.TempDir()
		put := func(posts []post.Post) {
			earlier, err := sqlitearchive.Open(filepath.Join(folder, earlierArchive))
			worldtest.Must(t, err)
			worldtest.Must(t, earlier.Add(t.Context(), posts))
			worldtest.Must(t, earlier.Close())
		}
		put(lanterns(0, 3))
		dying, err := openPostArchive(archivestore.New(store.New(table.Retrying(w.Mortal(w.Table)), w.Clock)), folder)
		worldtest.Must(t, err)
		move := func(a *postArchive, stdout io.Writer) error {
			earlier, err := openEarlier(folder)
			if err != nil || earlier == nil {
				return err
			}
			defer earlier.Close()
			return a.moveEarlier(t.Context(), earlier, folder, stdout)
		}
		step.Die(t, w.Life, func() error { return move(dying, io.Discard) })
		next, err := openPostArchive(archivestore.New(store.New(w.Table, w.Clock)), folder)
		worldtest.Must(t, err)
		var told strings.Builder
		worldtest.Must(t, move(next, &told))
		if n := next.found(t); n != 3 {
			t.Errorf("%d posts are found, want 3", n)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("the folder holds %v, %v", left, err)
		}
		told.Reset()
		worldtest.Must(t, move(next, &told))
		if told.Len() > 0 {
			t.Errorf("without a file it says %q", told.String())
		}
		put(lanterns(2, 3))
		worldtest.Must(t, move(next, &told))
		if n := next.found(t); n != 5 || !strings.Contains(told.String(), "Moved 3 posts") {
			t.Errorf("%d posts are found, want 5; it says %q", n, told.String())
		}
	})
}

// A move that is stopped keeps the file for the next start.
func TestStartMoving_Stopped(t *testing.T) {
	w := worldtest.NewWorld(t)
	folder := t.TempDir()
	earlier, err := sqlitearchive.Open(filepath.Join(folder, earlierArchive))
	worldtest.Must(t, err)
	worldtest.Must(t, earlier.Add(t.Context(), lanterns(0, 3)))
	a, err := openPostArchive(archivestore.New(store.New(w.Table, w.Clock)), folder)
	worldtest.Must(t, err)
	ended, end := context.WithCancel(t.Context())
	end()
	a.startMoving(ended, earlier, folder, io.Discard, nil)()
	if _, err := os.Stat(filepath.Join(folder, earlierArchive)); err != nil {
		t.Error(err)
	}
}

// What was built is found as before, and takes the place of the batches.
func TestBuildAll(t *testing.T) {
	w := worldtest.NewWorld(t)
	a, err := openPostArchive(archivestore.New(store.New(w.Table, w.Clock)), t.TempDir())
	worldtest.Must(t, err)
	for range 2 {
		worldtest.Must(t, a.add(t.Context(), lanterns(0, 3)))
		worldtest.Must(t, a.buildAll(t.Context()))
		m, err := a.store.ArchiveManifest(t.Context())
		if err != nil || len(m.Shards) != 1 || m.Shards[0].Posts != 3 {
			t.Errorf("%+v, %v, want one shard of three posts", m.Shards, err)
		}
		if n := a.found(t); n != 3 {
			t.Errorf("%d posts are found, want 3", n)
		}
	}
}
