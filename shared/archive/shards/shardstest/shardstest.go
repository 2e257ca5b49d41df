// Package shardstest gives tests an archive of posts over a World's tables. Only tests import it.
package shardstest

import (
	"context"
	"testing"

	"earshot/shared/archive"
	"earshot/shared/archive/shards"
	"earshot/shared/embedded/folderblob"
	"earshot/shared/post"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
	"earshot/shared/worldtest"
)

// An Archive keeps posts past all faults. Nobody builds its shards: what was added is found in its batches.
type Archive struct {
	*shards.Reader
	world *worldtest.World
	store archive.Store
}

// New returns the archive of a World.
func New(t testing.TB, w *worldtest.World) *Archive {
	t.Helper()
	cache, err := shards.NewCache(shards.CacheOptions{Files: folderblob.New(t.TempDir())})
	worldtest.Must(t, err)
	s := archivestore.New(store.New(w.Table, w.Clock))
	return &Archive{shards.NewReader(s, cache), w, s}
}

// Add stores posts.
func (a *Archive) Add(ctx context.Context, posts []post.Post) error {
	return archive.Add(ctx, a.store, a.world.Clock, posts)
}
