package workspacestore

import (
	"context"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// SearchesUsed is how many searches a workspace has made in its life.
func (s *Store) SearchesUsed(ctx context.Context, orgID string) (int, error) {
	item, err := s.Get(ctx, rows.CountersTable, table.Key{Partition: orgID, Sort: rows.SortSearches})
	return int(rows.Integer(item, "used")), err
}

// KeywordsUsed is how many keywords a workspace has: the count that its plan's bound is held against.
func (s *Store) KeywordsUsed(ctx context.Context, orgID string) (int, error) {
	item, err := s.Get(ctx, rows.CoreTable, table.Key{Partition: rows.Listeners, Sort: orgID})
	return int(rows.Integer(item, "keywords")), err
}
