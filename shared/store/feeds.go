package store

import (
	"context"
	"fmt"

	"earshot/shared/feed"
	"earshot/shared/port/table"
)

// Rows of the core table, of feeds: pk org_…, sk "feed#<id>".
const sortFeed = "feed#"

func feedKey(orgID string, id int64) table.Key {
	return table.Key{Partition: orgID, Sort: sortFeed + idKey(id)}
}

// Feed reads a feed. Answers ErrNotFound.
func (s *Store) Feed(ctx context.Context, orgID string, id int64) (feed.Feed, error) {
	item, err := s.get(ctx, CoreTable, feedKey(orgID, id))
	if err != nil {
		return feed.Feed{}, err
	}
	if item == nil {
		return feed.Feed{}, ErrNotFound
	}
	return feed.Feed{ID: id, Name: str(item, "name"), SimpleFilters: bytes(item, "simpleFilters"), AdvancedFilters: bytes(item, "advancedFilters")}, nil
}

// PutFeed stores a feed in place of one with its id.
func (s *Store) PutFeed(ctx context.Context, orgID string, f feed.Feed) error {
	key := feedKey(orgID, f.ID)
	item := table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "id": f.ID, "name": f.Name}
	if len(f.SimpleFilters) > 0 {
		item["simpleFilters"] = f.SimpleFilters
	}
	if len(f.AdvancedFilters) > 0 {
		item["advancedFilters"] = f.AdvancedFilters
	}
	if err := s.table.Put(ctx, table.Put{Table: CoreTable, Item: item}); err != nil {
		return fmt.Errorf("store a feed: %w", err)
	}
	return nil
}
