package searchstore

import (
	"context"
	"encoding/json"
	"fmt"

	"earshot/shared/port/table"
	"earshot/shared/search"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// A part holds as many results as fit into so many bytes of JSON, and at most so many. Its row stays below a row's
// bound, even if nothing can be compressed.
const (
	partBytes   = 300 << 10
	partResults = 100
)

// PutSearchResults stores the results of an attempt, each as JSON, and returns how many parts they are. A result of
// more than 300 KiB is an error.
func (s *Store) PutSearchResults(
	ctx context.Context, of search.Search, attempt string, results []json.RawMessage,
) (parts int, err error) {
	for from := 0; from < len(results); parts++ {
		to, size := from, 0
		for to < len(results) && to-from < partResults && (to == from || size+len(results[to]) <= partBytes) {
			size += len(results[to])
			to++
		}
		if size > partBytes {
			return 0, fmt.Errorf("store a search's results: one has %d bytes", size)
		}
		content, err := store.Packed(results[from:to])
		if err != nil {
			return 0, err
		}
		err = s.Table.Put(ctx, table.Put{Table: rows.CountersTable, Item: table.Item{
			table.PartitionAttribute: of.WorkspaceID,
			table.SortAttribute:      partKey(of.WorkspaceID, of.ID, attempt, parts).Sort,
			"content":                content,
			table.ExpiryAttribute:    of.ExpiresAt.Unix(),
		}})
		if err != nil {
			return 0, fmt.Errorf("store a search's results: %w", err)
		}
		from = to
	}
	return parts, nil
}

// SearchResults reads the results of a completed search.
func (s *Store) SearchResults(ctx context.Context, of search.Search) ([]json.RawMessage, error) {
	results := []json.RawMessage{}
	for part := range of.Parts {
		item, err := s.Get(ctx, rows.CountersTable, partKey(of.WorkspaceID, of.ID, of.Attempt, part))
		if err != nil {
			return nil, err
		}
		if item == nil {
			return nil, store.ErrNotFound // it expired a moment ago
		}
		var some []json.RawMessage
		if err := store.Unpack(rows.Bytes(item, "content"), &some); err != nil {
			return nil, fmt.Errorf("read a search's results: %w", err)
		}
		results = append(results, some...)
	}
	return results, nil
}

func partKey(orgID, id, attempt string, part int) table.Key {
	return table.Key{Partition: orgID, Sort: fmt.Sprintf("%s%s#%s#%04d", rows.SortSearchPart, id, attempt, part)}
}
