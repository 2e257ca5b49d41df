// Package archivestore keeps what the archive of posts has in the tables: its documents, the batches of those that are
// in no shard yet, and its manifest. See package archive for what they mean.
//
// Functions import it that add to the archive, search it or build its shards.
package archivestore

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"earshot/shared/archive"
	"earshot/shared/parallel"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Store is the archive's part of the tables. It is an archive.Store.
type Store struct{ *store.Kernel }

// New returns the store over a kernel.
func New(k *store.Kernel) *Store { return &Store{k} }

// maxManifest bounds the text of a manifest.
const maxManifest = 16 << 20

// ArchiveManifest returns the manifest.
func (s *Store) ArchiveManifest(ctx context.Context) (archive.Manifest, error) {
	item, err := s.Get(ctx, rows.CountersTable, rows.ManifestKey())
	if err != nil || item == nil {
		return archive.Manifest{}, err
	}
	packed := flate.NewReader(bytes.NewReader(rows.Bytes(item, rows.AttrManifest)))
	text, err := io.ReadAll(io.LimitReader(packed, maxManifest))
	if err != nil {
		return archive.Manifest{}, fmt.Errorf("read the archive's manifest: %w", err)
	}
	var m archive.Manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return archive.Manifest{}, fmt.Errorf("read the archive's manifest: %w", err)
	}
	m.Rev = rows.Integer(item, "rev")
	return m, nil
}

// PutArchiveManifest stores a manifest in place of the one that was read.
func (s *Store) PutArchiveManifest(ctx context.Context, m *archive.Manifest) (ok bool, err error) {
	text, err := json.Marshal(m)
	if err != nil {
		return false, fmt.Errorf("store the archive's manifest: %w", err)
	}
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.DefaultCompression) // the level is valid
	if _, err := w.Write(text); err != nil {
		return false, fmt.Errorf("store the archive's manifest: %w", err)
	}
	if err := w.Close(); err != nil {
		return false, fmt.Errorf("store the archive's manifest: %w", err)
	}
	condition := table.Absent()
	if m.Rev > 0 {
		condition = table.Equal("rev", m.Rev)
	}
	key := rows.ManifestKey()
	err = s.Table.Put(ctx, table.Put{
		Table: rows.CountersTable,
		Item: table.Item{
			table.PartitionAttribute: key.Partition,
			table.SortAttribute:      key.Sort,
			rows.AttrManifest:        packed.Bytes(),
			"rev":                    m.Rev + 1,
		},
		If: condition,
	})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("store the archive's manifest: %w", err)
	}
	m.Rev++
	return true, nil
}

// readsAtOnce is how many batches of documents are read at the same time.
const readsAtOnce = 8

// Documents reads documents. A document that was stored within the last second may be missing.
func (s *Store) Documents(ctx context.Context, ids []archive.ID) ([]*archive.Document, error) {
	found := make([]*archive.Document, len(ids))
	parts := (len(ids) + table.MaxBatchGet - 1) / table.MaxBatchGet
	errs := make([]error, parts)
	parallel.Few(readsAtOnce, parts, func(i int) {
		from := i * table.MaxBatchGet
		to := min(from+table.MaxBatchGet, len(ids))
		errs[i] = s.documents(ctx, ids[from:to], found[from:to])
	})
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("read documents: %w", err)
	}
	return found, nil
}

func (s *Store) documents(ctx context.Context, ids []archive.ID, found []*archive.Document) error {
	places := make([]int, len(ids))
	for i := range places {
		places[i] = i
	}
	for len(places) > 0 {
		gets := make([]table.Get, len(places))
		for i, place := range places {
			gets[i] = table.Get{Table: rows.ArchiveTable, Key: rows.PostKey(int64(ids[place]))}
		}
		batch, err := s.Table.BatchGet(ctx, gets)
		if err != nil {
			return err
		}
		for i, item := range batch.Items {
			if item != nil {
				found[places[i]] = toDocument(item)
			}
		}
		left := make([]int, len(batch.Unprocessed))
		for i, n := range batch.Unprocessed {
			left[i] = places[n]
		}
		places = left
	}
	return nil
}

func toDocument(item table.Item) *archive.Document {
	return &archive.Document{Name: rows.Integer(item, rows.AttrName), Content: rows.Bytes(item, rows.AttrPost)}
}

// PutDocument stores a document where there is none. Otherwise it returns the existing one.
func (s *Store) PutDocument(ctx context.Context, id archive.ID, d archive.Document) (*archive.Document, error) {
	key := rows.PostKey(int64(id))
	err := s.Table.Put(ctx, table.Put{
		Table: rows.ArchiveTable,
		Item: table.Item{
			table.PartitionAttribute: key.Partition,
			table.SortAttribute:      key.Sort,
			rows.AttrName:            d.Name,
			rows.AttrPost:            d.Content,
		},
		If: table.Absent(),
	})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return toDocument(failed.Item), nil
	case err != nil:
		return nil, fmt.Errorf("store a document: %w", err)
	}
	return nil, nil
}

// BuryDocument removes a document's content.
func (s *Store) BuryDocument(ctx context.Context, id archive.ID) error {
	_, err := s.Table.Update(ctx, table.Update{
		Table:  rows.ArchiveTable,
		Key:    rows.PostKey(int64(id)),
		If:     table.Present(),
		Remove: []string{rows.AttrPost},
	})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("remove a document's content: %w", err)
	}
	return nil
}

// PutBatch stores a batch under its key.
func (s *Store) PutBatch(ctx context.Context, b archive.Batch) error {
	key := rows.BatchKey(b.Key)
	var packed []byte
	last := archive.ID(0)
	for _, id := range b.IDs { // they ascend
		packed = binary.AppendVarint(packed, int64(id-last))
		last = id
	}
	platforms := map[string]any{}
	for name, n := range b.Platforms {
		platforms[name] = n
	}
	err := s.Table.Put(ctx, table.Put{Table: rows.CountersTable, Item: table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		rows.AttrPosts:           packed,
		rows.AttrPlatforms:       platforms,
	}})
	if err != nil {
		return fmt.Errorf("store a batch of posts: %w", err)
	}
	return nil
}

// Batches lists the batches behind a key and before another one, in their order. An empty key is no bound.
func (s *Store) Batches(ctx context.Context, after, before string) ([]archive.Batch, error) {
	query := table.Query{
		Table:      rows.CountersTable,
		Partition:  rows.PartitionArchive,
		From:       rows.SortBatch + after,
		To:         rows.SortBatch + "~",
		Consistent: true,
	}
	if before != "" {
		query.To = rows.SortBatch + before
	}
	for {
		page, err := s.Table.Query(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("list batches of posts: %w", err)
		}
		var found []archive.Batch
		for _, item := range page.Items {
			key := table.KeyOf(item).Sort[len(rows.SortBatch):]
			if key == after || key == before {
				continue
			}
			b := archive.Batch{Key: key, Platforms: map[string]int64{}}
			platforms, _ := item[rows.AttrPlatforms].(map[string]any)
			for name := range platforms {
				b.Platforms[name] = rows.Integer(platforms, name)
			}
			if b.IDs, err = toIDs(rows.Bytes(item, rows.AttrPosts)); err != nil {
				return nil, err
			}
			found = append(found, b)
		}
		if len(found) > 0 || page.Next == nil {
			return found, nil
		}
		query.After = page.Next
	}
}

func toIDs(packed []byte) (ids []archive.ID, err error) {
	last := archive.ID(0)
	for len(packed) > 0 {
		step, n := binary.Varint(packed)
		if n <= 0 {
			return nil, errors.New("read a batch of posts: its numbers are damaged")
		}
		packed, last = packed[n:], last+archive.ID(step)
		ids = append(ids, last)
	}
	return ids, nil
}

// DropBatches deletes batches.
func (s *Store) DropBatches(ctx context.Context, keys []string) error {
	errs := make([]error, len(keys))
	parallel.Few(readsAtOnce, len(keys), func(i int) {
		errs[i] = s.Table.Delete(ctx, table.Delete{Table: rows.CountersTable, Key: rows.BatchKey(keys[i])})
	})
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("delete batches of posts: %w", err)
	}
	return nil
}
