package workspacestore

import (
	"context"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// SearchesUsed returns how many searches a workspace has ever made.
func (s *Store) SearchesUsed(ctx context.Context, orgID string) (int, error) {
	item, err := s.Get(ctx, rows.CountersTable, table.Key{Partition: orgID, Sort: rows.SortSearches})
	return int(rows.Integer(item, "used")), err
}

// KeywordsUsed returns how many keywords a workspace has, which its plan bounds.
func (s *Store) KeywordsUsed(ctx context.Context, orgID string) (int, error) {
	item, err := s.Get(ctx, rows.CoreTable, table.Key{Partition: rows.Listeners, Sort: orgID})
	return int(rows.Integer(item, "keywords")), err
}
