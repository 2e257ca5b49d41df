package shards

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"earshot/shared/archive"
	"earshot/shared/port/blob"
	"earshot/shared/port/clock"
)

// Files keeps shards. A blob.Blob is one.
type Files interface {
	Ranger
	Put(ctx context.Context, key string, file blob.File) error
	Delete(ctx context.Context, key string) error
}

// Builder makes shards. Several may run at once: one of two that take the same posts gives up.
type Builder struct {
	Store archive.Store
	Files Files
	Cache *Cache // reads the shards that are merged
	Clock clock.Clock
	// Folder holds shards while they are written; empty for the system's temporary folder.
	Folder string
	// Language returns the full name of the language of a text; empty if it is unknown.
	Language func(text string) string
	// Late reports that no time is left to begin another shard or merge; nil is never.
	Late func() bool
	// Quiet is how long a batch rests before it is built; 0 is DefaultQuiet.
	Quiet time.Duration
	// Least is how many posts rest before they are built, or Longest how long the first of them has waited, whichever
	// comes first. A Least of 0 builds at once what rests.
	Least   int64
	Longest time.Duration
	// MaxPosts bounds a shard; 0 is DefaultMaxPosts.
	MaxPosts int64
}

const (
	// DefaultQuiet is longer than anything in a deployment runs. So all documents of a batch are there, or will never be.
	DefaultQuiet = 20 * time.Minute
	// DefaultMaxPosts makes shards of about 64 MB for posts of a few sentences.
	DefaultMaxPosts = 400_000
	// maxText bounds the words of a shard in bytes.
	maxText = 512 << 20
	// wholeDay is the number of posts from which on a shard ends with its day.
	wholeDay = 50_000
	// claim is how long a builder may take to store and list a shard.
	claim = time.Hour
	// oldKept is how long a shard is kept that the manifest no longer lists. No search takes as long.
	oldKept = time.Hour
	// rebuildAfter is the age at which a deletion has its shard rebuilt, so that it is done within a day.
	rebuildAfter = 12 * time.Hour
	// clocksDiffer is by how much clocks of two machines may.
	clocksDiffer = time.Minute
	// runsMerged is how many shards of single runs are merged, and shardsMerged how many merged ones.
	runsMerged, shardsMerged = 24, 7
	// maxMerged bounds the posts of a merge.
	maxMerged = 2_000_000
	// Folder begins the key of every shard.
	Folder = "archive/v1/"
)

// Built counts what a Build did.
type Built struct {
	Posts   int64 // that came from batches
	Shards  int   // that were made of them
	Merged  int   // shards that were merged or rebuilt
	Deleted int   // files that nothing needs any more
	Late    bool  // work is left
}

// Build makes shards of the posts that were added, and merges and rebuilds shards that are due. It may be killed
// anywhere: a shard is visible only when the manifest lists it, and the posts stay in their batches until then.
func (b Builder) Build(ctx context.Context) (done Built, err error) {
	if b.Quiet == 0 {
		b.Quiet = DefaultQuiet
	}
	if b.MaxPosts == 0 {
		b.MaxPosts = DefaultMaxPosts
	}
	if b.Late == nil {
		b.Late = func() bool { return false }
	}
	removeAbandoned(b.Folder)
	if err := b.tidy(ctx, &done); err != nil {
		return done, fmt.Errorf("archive: tidy: %w", err)
	}
	for step := b.take; ; {
		if done.Late = b.Late(); done.Late {
			return done, nil
		}
		more, err := step(ctx, &done)
		if err != nil {
			return done, fmt.Errorf("archive: build: %w", err)
		}
		if more {
			continue
		}
		if done.Late = b.Late(); done.Late {
			return done, nil
		}
		if more, err = b.merge(ctx, &done); err != nil || !more {
			if err != nil {
				err = fmt.Errorf("archive: merge: %w", err)
			}
			return done, errors.Join(err, b.tidy(ctx, &done))
		}
		step = b.merge
	}
}

// tidy deletes batches that are in shards, and files that nobody needs.
func (b Builder) tidy(ctx context.Context, done *Built) error {
	m, err := b.Store.ArchiveManifest(ctx)
	if err != nil {
		return err
	}
	for m.Taken != "" {
		taken, err := b.Store.Batches(ctx, "", m.Taken+"~")
		if err != nil {
			return err
		}
		if len(taken) == 0 {
			break
		}
		keys := make([]string, len(taken))
		for i := range taken {
			keys[i] = taken[i].Key
		}
		if err := b.Store.DropBatches(ctx, keys); err != nil {
			return err
		}
	}
	now := b.Clock.Now()
	over := func(f archive.File) bool { return !now.Before(f.Until) }
	live := func(key string) bool {
		return slices.ContainsFunc(m.Shards, func(s archive.Shard) bool { return s.Key == key })
	}
	gone := map[string]bool{}
	for _, f := range slices.Concat(m.Pending, m.Old) {
		if !over(f) {
			continue
		}
		if gone[f.Key] = true; live(f.Key) {
			continue
		}
		if err := b.Files.Delete(ctx, f.Key); err != nil {
			return err
		}
		done.Deleted++
	}
	if len(gone) == 0 {
		return nil
	}
	isGone := func(f archive.File) bool { return gone[f.Key] }
	_, err = archive.Change(ctx, b.Store, func(m *archive.Manifest) bool {
		m.Pending, m.Old = slices.DeleteFunc(m.Pending, isGone), slices.DeleteFunc(m.Old, isGone)
		return true
	})
	return err
}

// take makes shards of batches that rest long enough, up to a shard's posts and a batch more, unless few posts rest and
// none for long. Returns true if there may be more.
func (b Builder) take(ctx context.Context, done *Built) (more bool, err error) {
	m, err := b.Store.ArchiveManifest(ctx)
	if err != nil {
		return false, err
	}
	now := b.Clock.Now().UTC()
	began, before, after := m.Taken, now.Add(-b.Quiet).Format(archive.BatchTime), m.Taken
	var ids []archive.ID
	first := "" // batch's key
	for int64(len(ids)) < b.MaxPosts {
		some, err := b.Store.Batches(ctx, after, before)
		if err != nil {
			return false, err
		}
		if len(some) == 0 {
			break
		}
		if first == "" {
			first = some[0].Key
		}
		for _, batch := range some {
			ids, after = append(ids, batch.IDs...), batch.Key
			if int64(len(ids)) >= b.MaxPosts {
				break
			}
		}
	}
	if after == began || int64(len(ids)) < b.Least && first > now.Add(-b.Longest).Format(archive.BatchTime) {
		return false, nil
	}
	made, err := b.write(ctx, ids, 0)
	if err != nil {
		return false, err
	}
	mine := false
	_, err = archive.Change(ctx, b.Store, func(m *archive.Manifest) bool {
		if mine = m.Taken == began; !mine {
			return false // another builder took these posts; its shards are listed
		}
		m.Taken = after
		m.List(made)
		return true
	})
	if err != nil || !mine {
		return false, err
	}
	for _, s := range made {
		done.Posts += s.Posts
	}
	done.Shards += len(made)
	return true, b.tidy(ctx, done)
}

// write makes and stores shards of posts, whose documents it reads. Posts without a document are left out.
func (b Builder) write(ctx context.Context, ids []archive.ID, level int) (made []archive.Shard, err error) {
	slices.Sort(ids)
	ids = slices.Compact(ids)
	began := b.Clock.Now().UTC().Truncate(time.Millisecond)
	var w *writer
	defer func() {
		if w != nil {
			w.abandon()
		}
	}()
	end := func() error {
		if w == nil {
			return nil
		}
		path, shard, err := w.finish(ctx)
		if err == nil {
			shard.Level, shard.Made = level, began
			err = b.put(ctx, path, &shard)
		}
		w.abandon()
		w, made = nil, append(made, shard)
		return err
	}
	for posts, err := range b.posts(ctx, ids) {
		if err != nil {
			return nil, err
		}
		for i := range posts {
			id, p := posts[i].ID, &posts[i].Post
			if w != nil && (w.shard.Posts >= b.MaxPosts || w.textBytes >= maxText ||
				w.shard.Posts >= wholeDay && day(w.shard.Last) != day(id)) {
				if err := end(); err != nil {
					return nil, err
				}
			}
			if w == nil {
				if w, err = newWriter(ctx, b.Folder); err != nil {
					return nil, err
				}
			}
			if err := w.add(ctx, id, archive.PlatformOf(p), entry(p, b.Language(p.Text()))); err != nil {
				return nil, err
			}
		}
	}
	return made, end()
}

// put stores a shard's file under a key that the manifest names first, so that a file without an owner is found.
func (b Builder) put(ctx context.Context, path string, shard *archive.Shard) error {
	shard.Key = Folder + shard.First.Time().Format("2006-01-02") + "-" + strings.ToLower(rand.Text()) + ".shard"
	if _, err := archive.Change(ctx, b.Store, func(m *archive.Manifest) bool {
		until := b.Clock.Now().Add(claim).UTC().Truncate(time.Millisecond)
		m.Pending = append(m.Pending, archive.File{Key: shard.Key, Until: until})
		return true
	}); err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return b.Files.Put(ctx, shard.Key, blob.File{
		Content:     file,
		Size:        shard.Size(),
		ContentType: "application/octet-stream",
		Name:        "archive.shard",
	})
}

// posts reads posts in the order of their IDs, many at once, the next ones while the caller works on the last ones.
func (b Builder) posts(ctx context.Context, ids []archive.ID) func(func([]Found, error) bool) {
	return func(yield func([]Found, error) bool) {
		type read struct {
			posts  []Found
			err    error
			caught any // a panic, such as an injected crash
		}
		const at, ahead = 400, 4
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		reads := make(chan chan read, ahead)
		go func() {
			defer close(reads)
			for some := range slices.Chunk(ids, at) {
				result := make(chan read, 1)
				select {
				case reads <- result:
				case <-ctx.Done():
					return
				}
				go func() {
					var r read
					defer func() {
						r.caught = recover()
						result <- r
					}()
					r.posts, r.err = b.read(ctx, some)
				}()
			}
		}()
		for result := range reads {
			r := <-result
			if r.caught != nil {
				panic(r.caught)
			}
			if !yield(r.posts, r.err) || r.err != nil {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// read reads and unpacks documents.
func (b Builder) read(ctx context.Context, ids []archive.ID) ([]Found, error) {
	documents, err := b.Store.Documents(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := make([]Found, 0, len(ids))
	for i, d := range documents {
		if d == nil || d.Content == nil {
			continue
		}
		p, err := archive.Unpack(d)
		if err != nil {
			return nil, err
		}
		found = append(found, Found{ids[i], p})
	}
	return found, nil
}

// day returns the number of an ID's day in UTC.
func day(id archive.ID) int64 { return id.Time().Unix() / (24 * 60 * 60) }

// merge merges shards, or rebuilds one with deleted posts, if any is due. Returns true if there may be more.
func (b Builder) merge(ctx context.Context, done *Built) (more bool, err error) {
	m, err := b.Store.ArchiveManifest(ctx)
	if err != nil {
		return false, err
	}
	some, level := b.due(&m)
	if len(some) == 0 {
		return false, b.forget(ctx)
	}
	var ids []archive.ID
	for i := range some {
		found, err := find(ctx, &some[i], b.Cache, nil, everyPost, some[i].First, some[i].Last, int(some[i].Posts)+1)
		if err != nil {
			return false, err
		}
		ids = append(ids, found...)
	}
	made, err := b.write(ctx, ids, level)
	if err != nil {
		return false, err
	}
	inputs := map[string]bool{}
	for i := range some {
		inputs[some[i].Key] = true
	}
	input := func(s archive.Shard) bool { return inputs[s.Key] }
	mine := false
	if _, err = archive.Change(ctx, b.Store, func(m *archive.Manifest) bool {
		kept := slices.DeleteFunc(slices.Clone(m.Shards), input)
		if mine = len(m.Shards)-len(kept) == len(some); !mine {
			return false // another builder merged some of them
		}
		m.Shards = kept
		for key := range inputs {
			m.Old = append(m.Old, archive.File{Key: key, Until: b.Clock.Now().Add(oldKept).UTC().Truncate(time.Millisecond)})
		}
		m.List(made)
		return true
	}); err != nil || !mine {
		return false, err
	}
	done.Merged += len(some)
	return true, b.forget(ctx)
}

// due returns shards to make anew together, and the level of those that come of them.
func (b Builder) due(m *archive.Manifest) (some []archive.Shard, level int) {
	now := b.Clock.Now()
	for i := range m.Shards {
		s := &m.Shards[i]
		if slices.ContainsFunc(m.Deleted, func(d archive.Deletion) bool {
			return now.Sub(d.At) >= rebuildAfter && mayFind(*s, d)
		}) {
			return []archive.Shard{*s}, s.Level
		}
	}
	levels := map[int][]archive.Shard{}
	oldest := map[int]time.Time{}
	top := 0
	for _, s := range m.Shards {
		if s.Posts >= b.MaxPosts/2 && s.Level > 0 {
			continue // it is large enough
		}
		levels[s.Level] = append(levels[s.Level], s)
		if top = max(top, s.Level); oldest[s.Level].IsZero() || s.Made.Before(oldest[s.Level]) {
			oldest[s.Level] = s.Made
		}
	}
	for level := range top + 1 {
		most := shardsMerged
		if level == 0 {
			most = runsMerged
		}
		old := level == 0 && len(levels[0]) > 1 && now.Sub(oldest[0]) >= 24*time.Hour
		if len(levels[level]) < most && !old {
			continue
		}
		posts := int64(0)
		for _, s := range levels[level] {
			if posts += s.Posts; posts > maxMerged && len(some) > 1 {
				break
			}
			some = append(some, s)
		}
		return some, level + 1
	}
	return nil, 0
}

// mayFind reports whether the shard's index may have a deleted post.
func mayFind(s archive.Shard, d archive.Deletion) bool {
	return s.First <= d.ID && d.ID <= s.Last && !s.Made.After(d.At.Add(clocksDiffer))
}

// forget takes deletions off the list that no shard has any more.
func (b Builder) forget(ctx context.Context) error {
	_, err := archive.Change(ctx, b.Store, func(m *archive.Manifest) bool {
		before := len(m.Deleted)
		m.Deleted = slices.DeleteFunc(m.Deleted, func(d archive.Deletion) bool {
			return b.Clock.Now().Sub(d.At) >= rebuildAfter &&
				!slices.ContainsFunc(m.Shards, func(s archive.Shard) bool { return mayFind(s, d) })
		})
		return len(m.Deleted) < before
	})
	return err
}
