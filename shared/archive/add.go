package archive

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/shared/parallel"
	"earshot/shared/port/clock"
	"earshot/shared/post"
)

const (
	// maxBatch is how many posts a batch lists.
	maxBatch = 1_000
	// writesAtOnce is how many documents are stored at the same time.
	writesAtOnce = 16
)

// Add stores posts. A post that is there stays as it is. Add may be killed anywhere and be repeated, and a post that
// others add at the same moment is stored once. It takes one read of half a unit for each post, and one write for each
// new one, of a unit for each kilobyte of its document.
func Add(ctx context.Context, s Store, now clock.Clock, posts []post.Post) error {
	for some := range slices.Chunk(posts, maxBatch) {
		if err := addBatch(ctx, s, now, some); err != nil {
			return fmt.Errorf("archive: add posts: %w", err)
		}
	}
	return nil
}

// An adding is a post on its way into the store.
type adding struct {
	at       time.Time
	platform string
	id       ID
	document Document
	others   int // slots that were tried before
}

func addBatch(ctx context.Context, s Store, now clock.Clock, posts []post.Post) error {
	var left []adding
	names := map[int64]bool{}
	for i := range posts {
		document, err := pack(&posts[i])
		if err != nil {
			return err
		}
		if names[document.Name] {
			continue
		}
		names[document.Name] = true
		left = append(left, adding{
			at:       posts[i].PostedAt,
			platform: PlatformOf(&posts[i]),
			id:       probe(posts[i].PostedAt, document.Name, 0),
			document: document,
		})
	}
	for len(left) > 0 {
		fresh, later, err := place(ctx, s, left)
		if err != nil {
			return err
		}
		left = later
		if len(fresh) == 0 {
			continue
		}
		// The batch comes first. Without it, nobody would ever index a document whose writer died.
		batch := Batch{Key: batchKey(now.Now()), Platforms: map[string]int64{}}
		for _, a := range fresh {
			batch.IDs = append(batch.IDs, a.id)
			batch.Platforms[a.platform]++
		}
		slices.Sort(batch.IDs)
		if err := s.PutBatch(ctx, batch); err != nil {
			return err
		}
		lost, err := store(ctx, s, fresh)
		if err != nil {
			return err
		}
		left = append(left, lost...)
	}
	return nil
}

// place looks each post's slot up. It returns the posts whose slots are free, of several with the same slot the first,
// and those that must be looked up again. It leaves out posts that the store has.
//
// A post goes on to its next slot only when another post is stored in this one, and a slot that is taken stays taken.
// So a post has one place at which all its writers arrive, however many posts they add at once.
func place(ctx context.Context, s Store, left []adding) (fresh, later []adding, err error) {
	var asked []adding
	wanted := map[ID]bool{}
	for _, a := range left {
		if wanted[a.id] {
			later = append(later, a)
			continue
		}
		wanted[a.id] = true
		asked = append(asked, a)
	}
	ids := make([]ID, len(asked))
	for i, a := range asked {
		ids[i] = a.id
	}
	documents, err := s.Documents(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	for i, a := range asked {
		switch {
		case documents[i] == nil:
			fresh = append(fresh, a)
		case documents[i].Name != a.document.Name:
			if a, err = a.next(); err != nil {
				return nil, nil, err
			}
			later = append(later, a)
		}
	}
	return fresh, later, nil
}

// errFull means that tens of thousands of posts have the same second.
var errFull = errors.New("too many posts have the same second")

func (a adding) next() (adding, error) {
	if a.others++; a.others >= maxProbes {
		return a, errFull
	}
	a.id = probe(a.at, a.document.Name, a.others)
	return a, nil
}

// store writes documents, and returns those whose slots others took meanwhile.
func store(ctx context.Context, s Store, fresh []adding) (left []adding, err error) {
	errs, again := make([]error, len(fresh)), make([]bool, len(fresh))
	parallel.Few(writesAtOnce, len(fresh), func(i int) {
		existing, err := s.PutDocument(ctx, fresh[i].id, fresh[i].document)
		errs[i], again[i] = err, existing != nil && existing.Name != fresh[i].document.Name
	})
	for i, a := range fresh {
		if again[i] {
			if a, err = a.next(); err != nil {
				return nil, err
			}
			left = append(left, a)
		}
	}
	return left, errors.Join(errs...)
}

// BatchTime is how the key of a batch begins: the moment, in UTC, in a form of time.Format that sorts.
const BatchTime = "20060102T150405.000Z"

// batchKey returns a key of its own for a batch of a moment.
func batchKey(at time.Time) string { return at.UTC().Format(BatchTime) + "-" + rand.Text() }

// Delete deletes posts: their texts at once, and their words from the shards' indexes when Build runs next. A post that
// is missing is no error. A deleted post is not stored again when a source shows it once more.
func Delete(ctx context.Context, s Store, now clock.Clock, ids []ID) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := Change(ctx, s, func(m *Manifest) (changed bool) {
		for _, id := range ids {
			if !m.deleted(id) {
				m.Deleted = append(m.Deleted, Deletion{id, now.Now().UTC().Truncate(time.Millisecond)})
				changed = true
			}
		}
		return changed
	})
	if err != nil {
		return fmt.Errorf("archive: list deleted posts: %w", err)
	}
	for _, id := range ids {
		if err := s.BuryDocument(ctx, id); err != nil {
			return fmt.Errorf("archive: delete a post: %w", err)
		}
	}
	return nil
}

// IDOf returns the ID of a post by its sourceId and the moment at which it was posted. Returns false if the archive
// lacks the post, or if it was deleted.
func IDOf(ctx context.Context, s Store, sourceID string, postedAt time.Time) (ID, bool, error) {
	name := nameOf(sourceID)
	for others := range maxProbes {
		id := probe(postedAt, name, others)
		found, err := s.Documents(ctx, []ID{id})
		switch {
		case err != nil:
			return 0, false, fmt.Errorf("archive: find a post: %w", err)
		case found[0] == nil:
			return 0, false, nil
		case found[0].Name == name:
			return id, found[0].Content != nil, nil
		}
	}
	return 0, false, nil
}
