package listenstore

import (
	"context"
	"time"

	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// GlobalFilters holds a workspace's filters as they are stored.
type GlobalFilters struct {
	keyword.Filters
	UpdatedAt time.Time // zero: they never were set
	Revision  int64     // counts their changes; 0 if they were never set
}

// Filters reads the filters that hold for all of a workspace's keywords.
func (s *Store) Filters(ctx context.Context, orgID string) (keyword.Filters, error) {
	kept, err := s.GlobalFilters(ctx, orgID)
	return kept.Filters, err
}

// FiltersAndCompany reads a workspace's filters and its company profile, the zero Company if there is none. It is one
// round trip.
func (s *Store) FiltersAndCompany(ctx context.Context, orgID string) (keyword.Filters, workspace.Company, error) {
	keys := []table.Key{{Partition: orgID, Sort: rows.SortFilters}, rows.CompanyKey(orgID)}
	items, err := s.All(ctx, keys)
	if err != nil {
		return keyword.Filters{}, workspace.Company{}, err
	}
	return ToFilters(items[0]).Filters, rows.ToCompany(items[1]), nil
}

// GlobalFilters reads a workspace's filters with the time of their last change. The lists are never nil.
func (s *Store) GlobalFilters(ctx context.Context, orgID string) (GlobalFilters, error) {
	item, err := s.Get(ctx, rows.CoreTable, table.Key{Partition: orgID, Sort: rows.SortFilters})
	if err != nil {
		return GlobalFilters{}, err
	}
	return ToFilters(item), nil
}

// ChangeFilters reads the filters, changes them and stores them. Of changes at the same time, each takes effect once.
// The change may be called more than once; nothing is written if it returns false. Returns table.ErrTooLarge if no row
// can hold them, and ErrConflict if others keep changing them.
func (s *Store) ChangeFilters(
	ctx context.Context, orgID string, change func(*keyword.Filters) (bool, error),
) (changed GlobalFilters, err error) {
	err = s.Settle(ctx, "change filters", func() error {
		key := table.Key{Partition: orgID, Sort: rows.SortFilters}
		item, err := s.Get(ctx, rows.CoreTable, key)
		if err != nil {
			return err
		}
		changed = ToFilters(item)
		differs, err := change(&changed.Filters)
		if err != nil || !differs {
			return err
		}
		condition := table.Absent()
		if item != nil {
			condition = table.Equal("rev", changed.Revision)
		}
		changed.Revision++
		changed.UpdatedAt = s.Instant()
		return s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Put{Table: rows.CoreTable, Item: fromFilters(key, changed), If: condition}, s.Listens(orgID, 0)}})
	})
	return changed, err
}

// PutFilters replaces a workspace's filters.
func (s *Store) PutFilters(ctx context.Context, orgID string, f keyword.Filters) error {
	_, err := s.ChangeFilters(ctx, orgID, func(kept *keyword.Filters) (bool, error) {
		*kept = f
		return true, nil
	})
	return err
}

// ToFilters reads a workspace's filters from their row.
func ToFilters(item table.Item) GlobalFilters {
	return GlobalFilters{Filters: keyword.Filters{
		NegativeKeywords:   rows.Texts(item, "negativeKeywords"),
		NegativeAuthors:    rows.Texts(item, "negativeAuthors"),
		NegativeSubreddits: rows.Texts(item, "negativeSubreddits"),
		PositiveSubreddits: rows.Texts(item, "positiveSubreddits"),
		NegativeRepos:      rows.Texts(item, "negativeRepos"),
	}, UpdatedAt: rows.ToTime(rows.Text(item, "updatedAt")), Revision: rows.Integer(item, "rev")}
}

func fromFilters(key table.Key, f GlobalFilters) table.Item {
	return table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"rev":                    f.Revision,
		"updatedAt":              rows.FromTime(f.UpdatedAt),
		"negativeKeywords":       rows.FromTexts(f.NegativeKeywords),
		"negativeAuthors":        rows.FromTexts(f.NegativeAuthors),
		"negativeSubreddits":     rows.FromTexts(f.NegativeSubreddits),
		"positiveSubreddits":     rows.FromTexts(f.PositiveSubreddits),
		"negativeRepos":          rows.FromTexts(f.NegativeRepos),
	}
}
