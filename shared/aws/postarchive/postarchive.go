// Package postarchive opens the archive of posts of a deployment: its documents in the tables, its shards in a bucket
// of Amazon S3.
//
// Only mains and tests import it.
package postarchive

import (
	"context"
	"os"
	"path/filepath"

	"earshot/shared/archive"
	"earshot/shared/archive/shards"
	"earshot/shared/aws/s3blob"
	"earshot/shared/port/clock"
	"earshot/shared/post"
	"earshot/shared/store"
	"earshot/shared/store/archivestore"
)

// Bytes of shards that a function keeps between calls. A Lambda has 512 MB of disk unless it asks for more.
const (
	memory = 64 << 20
	disk   = 256 << 20
)

// An Archive reads shards. It is safe for concurrent use.
type Archive struct {
	Store archive.Store
	Files *s3blob.Blob
	Cache *shards.Cache
	// Reader searches the archive. Its method Sources lists the platforms.
	Reader *shards.Reader
}

// FromEnvironment opens the archive over a kernel's tables and the bucket in the deployment's variable ARCHIVE_BUCKET.
// It sends nothing. env is os.Getenv or a stand-in.
func FromEnvironment(env func(string) string, kernel *store.Kernel) (*Archive, error) {
	files, err := s3blob.ArchiveFromEnvironment(env)
	if err != nil {
		return nil, err
	}
	cache, err := shards.NewCache(shards.CacheOptions{
		Files: files, Memory: memory, Folder: filepath.Join(os.TempDir(), "archive"), Disk: disk,
	})
	if err != nil {
		return nil, err
	}
	stored := archivestore.New(kernel)
	return &Archive{Store: stored, Files: files, Cache: cache, Reader: shards.NewReader(stored, cache)}, nil
}

// Adding returns what adds posts to the archive. It needs the tables alone.
func Adding(kernel *store.Kernel, now clock.Clock) func(context.Context, []post.Post) error {
	stored := archivestore.New(kernel)
	return func(ctx context.Context, posts []post.Post) error { return archive.Add(ctx, stored, now, posts) }
}
