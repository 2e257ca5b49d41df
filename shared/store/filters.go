package store

import (
	"context"
	"fmt"

	"earshot/shared/keyword"
	"earshot/shared/port/table"
)

// Row of the core table: pk org_…, sk "filters".
const sortFilters = "filters"

// Filters reads the filters that hold for all of a workspace's keywords.
func (s *Store) Filters(ctx context.Context, orgID string) (keyword.Filters, error) {
	item, err := s.get(ctx, CoreTable, table.Key{Partition: orgID, Sort: sortFilters})
	if err != nil {
		return keyword.Filters{}, err
	}
	return keyword.Filters{
		NegativeKeywords: strs(item, "negativeKeywords"), NegativeAuthors: strs(item, "negativeAuthors"),
		NegativeSubreddits: strs(item, "negativeSubreddits"), PositiveSubreddits: strs(item, "positiveSubreddits"),
		NegativeRepos: strs(item, "negativeRepos"),
	}, nil
}

// PutFilters stores them in place of those that were.
func (s *Store) PutFilters(ctx context.Context, orgID string, f keyword.Filters) error {
	return s.putSettings(ctx, "store filters", orgID, table.Item{
		table.PartitionAttribute: orgID, table.SortAttribute: sortFilters,
		"negativeKeywords": fromStrings(f.NegativeKeywords), "negativeAuthors": fromStrings(f.NegativeAuthors),
		"negativeSubreddits": fromStrings(f.NegativeSubreddits), "positiveSubreddits": fromStrings(f.PositiveSubreddits),
		"negativeRepos": fromStrings(f.NegativeRepos),
	})
}

func (s *Store) putSettings(ctx context.Context, doing, orgID string, item table.Item) error {
	err := s.table.Transact(ctx, table.Transaction{Writes: []table.Write{table.Put{Table: CoreTable, Item: item}, s.listens(orgID, 0)}})
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}
