package store

import (
	"context"

	"earshot/shared/port/table"
)

// Row of the counters table: pk org_…, sk "searches", whose "used" counts the searches of the workspace's life.
const sortSearches = "searches"

// SearchesUsed is how many searches a workspace has made in its life.
func (s *Store) SearchesUsed(ctx context.Context, orgID string) (int, error) {
	item, err := s.get(ctx, CountersTable, table.Key{Partition: orgID, Sort: sortSearches})
	return int(integer(item, "used")), err
}

// KeywordsUsed is how many keywords a workspace has: the count that its plan's bound is held against.
func (s *Store) KeywordsUsed(ctx context.Context, orgID string) (int, error) {
	item, err := s.get(ctx, CoreTable, table.Key{Partition: listeners, Sort: orgID})
	return int(integer(item, "keywords")), err
}
