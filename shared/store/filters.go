package store

import (
	"context"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/port/table"
)

// Row of the core table: pk org_…, sk "filters". "rev" counts its changes.
const sortFilters = "filters"

// GlobalFilters are a workspace's filters as they are kept.
type GlobalFilters struct {
	keyword.Filters
	UpdatedAt time.Time // zero: they never were set
	Revision  int64     // counts their changes; 0: they never were set
}

// Filters reads the filters that hold for all of a workspace's keywords.
func (s *Store) Filters(ctx context.Context, orgID string) (keyword.Filters, error) {
	kept, err := s.GlobalFilters(ctx, orgID)
	return kept.Filters, err
}

// GlobalFilters reads them with when they were set. The lists are never nil.
func (s *Store) GlobalFilters(ctx context.Context, orgID string) (GlobalFilters, error) {
	item, err := s.get(ctx, CoreTable, table.Key{Partition: orgID, Sort: sortFilters})
	if err != nil {
		return GlobalFilters{}, err
	}
	return toFilters(item), nil
}

// ChangeFilters reads the filters, changes them and stores them, of however many change them at once each change once; nothing is
// written when the change answers false. The change may be called more than once. Answers table.ErrTooLarge when no row can hold
// them, and ErrConflict when others keep changing them.
func (s *Store) ChangeFilters(ctx context.Context, orgID string, change func(*keyword.Filters) (bool, error)) (changed GlobalFilters, err error) {
	err = s.settle(ctx, "change filters", func() error {
		key := table.Key{Partition: orgID, Sort: sortFilters}
		item, err := s.get(ctx, CoreTable, key)
		if err != nil {
			return err
		}
		changed = toFilters(item)
		differs, err := change(&changed.Filters)
		if err != nil || !differs {
			return err
		}
		condition := table.Absent()
		if item != nil {
			condition = table.Equal("rev", changed.Revision)
		}
		changed.Revision++
		changed.UpdatedAt = s.instant()
		return s.table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Put{Table: CoreTable, Item: fromFilters(key, changed), If: condition}, s.listens(orgID, 0)}})
	})
	return changed, err
}

// PutFilters stores filters in place of those that were.
func (s *Store) PutFilters(ctx context.Context, orgID string, f keyword.Filters) error {
	_, err := s.ChangeFilters(ctx, orgID, func(kept *keyword.Filters) (bool, error) {
		*kept = f
		return true, nil
	})
	return err
}

func toFilters(item table.Item) GlobalFilters {
	return GlobalFilters{Filters: keyword.Filters{
		NegativeKeywords: strs(item, "negativeKeywords"), NegativeAuthors: strs(item, "negativeAuthors"),
		NegativeSubreddits: strs(item, "negativeSubreddits"), PositiveSubreddits: strs(item, "positiveSubreddits"),
		NegativeRepos: strs(item, "negativeRepos"),
	}, UpdatedAt: toTime(str(item, "updatedAt")), Revision: integer(item, "rev")}
}

func fromFilters(key table.Key, f GlobalFilters) table.Item {
	return table.Item{
		table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "rev": f.Revision, "updatedAt": fromTime(f.UpdatedAt),
		"negativeKeywords": fromStrings(f.NegativeKeywords), "negativeAuthors": fromStrings(f.NegativeAuthors),
		"negativeSubreddits": fromStrings(f.NegativeSubreddits), "positiveSubreddits": fromStrings(f.PositiveSubreddits),
		"negativeRepos": fromStrings(f.NegativeRepos),
	}
}
