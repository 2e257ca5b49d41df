package archive

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
)

// A Manifest lists what the archive has. It is one row, so that shards appear and disappear together.
type Manifest struct {
	Shards []Shard
	// Taken is the sort key up to which batches are in shards. They are dropped after the manifest was stored.
	Taken string
	// Pending are keys of files that a builder may be storing, with the time from which nobody is.
	Pending []File
	// Old are keys of files that no reader needs from a time on.
	Old []File
	// Deleted are deleted posts that a shard's index may still find.
	Deleted []Deletion
	// Moved is how far an older archive was moved into this one; empty before it and after.
	Moved string
	// Rev counts the manifest's changes. 0 is one that was never stored.
	Rev int64
}

// A Shard is an immutable file that finds posts by their words. Package shards has its form. Its entry in the manifest
// makes it visible.
type Shard struct {
	Key     string    `json:"key"` // of the file
	Version int       `json:"version"`
	First   ID        `json:"first"` // of its oldest post
	Last    ID        `json:"last"`  // of its newest post
	Posts   int64     `json:"posts"`
	Index   int64     `json:"index"`  // bytes of the SQLite file
	Filter  int64     `json:"filter"` // bytes of the filter behind it
	Hot     int64     `json:"hot"`    // bytes of the copied pages behind the filter
	SHA256  string    `json:"sha256"` // of the file
	Level   int       `json:"level"`  // how often its posts were merged
	Made    time.Time `json:"made"`
	// Platforms counts the posts of each platform.
	Platforms map[string]int64 `json:"platforms"`
}

// Size returns the bytes of the whole file.
func (s *Shard) Size() int64 { return s.Index + s.Filter + s.Hot }

// A File is a stored file that may be deleted from a time on.
type File struct {
	Key   string    `json:"key"`
	Until time.Time `json:"until"`
}

// A Deletion is a deleted post.
type Deletion struct {
	ID ID        `json:"id"`
	At time.Time `json:"at"`
}

// A Document is a post as the table holds it.
type Document struct {
	// Name is a hash of the post's sourceId. It stays when the post is deleted, so that nobody stores the post again.
	Name int64
	// Content is the post, packed. It is nil if the post was deleted.
	Content []byte
}

// A Batch lists posts that were stored together and are in no shard yet.
type Batch struct {
	Key       string           // sorts by time
	IDs       []ID             // ascending
	Platforms map[string]int64 // how many of the posts each platform has
}

// Store keeps what the archive has in tables. Its reads see all writes that returned before them, but for Documents,
// which may lag behind by a second.
type Store interface {
	// ArchiveManifest returns the manifest; the zero value if there is none.
	ArchiveManifest(ctx context.Context) (Manifest, error)
	// PutArchiveManifest stores a manifest in place of the one that was read, and raises Rev. Returns false, and stores
	// nothing, if the manifest has changed since.
	PutArchiveManifest(ctx context.Context, m *Manifest) (ok bool, err error)

	// Documents reads documents. The result is aligned with the IDs: nil where there is none.
	Documents(ctx context.Context, ids []ID) ([]*Document, error)
	// PutDocument stores a document where there is none. Otherwise it returns the existing one.
	PutDocument(ctx context.Context, id ID, d Document) (existing *Document, err error)
	// BuryDocument removes a document's content. A missing document is no error.
	BuryDocument(ctx context.Context, id ID) error

	// PutBatch stores a batch under its key.
	PutBatch(ctx context.Context, b Batch) error
	// Batches lists the batches behind a key and before another one, in their order: at least one if there are any, and
	// more as there are.
	Batches(ctx context.Context, after, before string) ([]Batch, error)
	// DropBatches deletes batches. Missing ones are no error.
	DropBatches(ctx context.Context, keys []string) error
}

// Change changes the manifest: it repeats do with the manifest read anew while others change it. do returns false if
// there is nothing to change.
func Change(ctx context.Context, s Store, do func(*Manifest) bool) (Manifest, error) {
	for {
		m, err := s.ArchiveManifest(ctx)
		if err != nil {
			return m, err
		}
		if !do(&m) {
			return m, nil
		}
		ok, err := s.PutArchiveManifest(ctx, &m)
		if err != nil || ok {
			return m, err
		}
	}
}

// List makes stored shards visible.
func (m *Manifest) List(made []Shard) {
	for _, s := range made {
		m.Shards = append(m.Shards, s)
		m.Pending = slices.DeleteFunc(m.Pending, func(f File) bool { return f.Key == s.Key })
	}
	slices.SortFunc(m.Shards, func(a, b Shard) int {
		return cmp.Or(cmp.Compare(a.First, b.First), strings.Compare(a.Key, b.Key))
	})
}

// deleted reports whether a post was deleted.
func (m *Manifest) deleted(id ID) bool {
	return slices.ContainsFunc(m.Deleted, func(d Deletion) bool { return d.ID == id })
}
