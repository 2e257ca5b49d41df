// Package postarchive opens the archive of posts of a deployment: its documents in the tables, its shards in a bucket
// of Amazon S3.
//
// Only mains and tests import it.
package postarchive

import (
	"os"
	"path/filepath"

	"earshot/shared/archive"
	"earshot/shared/archive/shards"
	"earshot/shared/aws/s3blob"
)

// Bytes of shards that a function keeps between calls. A Lambda has 512 MB of disk unless it asks for more.
const (
	memory = 32 << 20
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

// FromEnvironment opens the archive over its store and the bucket in the deployment's variable ARCHIVE_BUCKET. It sends
// nothing. env is os.Getenv or a stand-in.
func FromEnvironment(env func(string) string, stored archive.Store) (*Archive, error) {
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
	return &Archive{Store: stored, Files: files, Cache: cache, Reader: shards.NewReader(stored, cache)}, nil
}
