package workspacestore

import (
	"context"
	"maps"
	"reflect"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// Company reads a workspace's company profile; the zero Company if there is none.
func (s *Store) Company(ctx context.Context, orgID string) (workspace.Company, error) {
	item, err := s.Get(ctx, rows.CoreTable, rows.CompanyKey(orgID))
	return rows.ToCompany(item), err
}

// PutCompany replaces a workspace's company profile.
func (s *Store) PutCompany(ctx context.Context, orgID string, c workspace.Company) error {
	c.UpdatedAt = s.Clock.Now()
	return s.Settle(ctx, "store a company", func() error {
		return s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Update{
				Table: rows.CoreTable,
				Key:   rows.CompanyKey(orgID),
				Set:   FromCompany(c),
				Add:   map[string]int64{"rev": 1},
			},
			s.Listens(orgID, 0),
		}})
	})
}

// ChangeCompany reads a workspace's company profile, changes it and stores it. The change may be called more than once.
// It writes nothing if the change changes nothing, unless there was no row. Returns ErrConflict if others keep changing
// it.
func (s *Store) ChangeCompany(
	ctx context.Context, orgID string, change func(*workspace.Company) error,
) (changed workspace.Company, err error) {
	err = s.Settle(ctx, "change a company", func() error {
		item, err := s.Get(ctx, rows.CoreTable, rows.CompanyKey(orgID))
		if err != nil {
			return err
		}
		old := rows.ToCompany(item)
		changed = rows.ToCompany(item) // a copy, because the change may write into its lists
		if err := change(&changed); err != nil {
			return err
		}
		changed.Revision, changed.UpdatedAt = old.Revision, old.UpdatedAt
		if item != nil && reflect.DeepEqual(changed, old) {
			return nil
		}
		same := table.Equal("rev", old.Revision)
		if old.Revision == 0 {
			same = table.Missing("rev")
		}
		changed.Revision, changed.UpdatedAt = old.Revision+1, s.Instant()
		row := table.Put{Table: rows.CoreTable, Item: companyRow(orgID, changed), If: same}
		return s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{row, s.Listens(orgID, 0)}})
	})
	return changed, err
}

// companyRow returns the complete row of a company.
func companyRow(orgID string, c workspace.Company) table.Item {
	key := rows.CompanyKey(orgID)
	row := table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "rev": c.Revision}
	maps.Copy(row, FromCompany(c))
	return row
}

// FromCompany returns the attributes of a company.
func FromCompany(c workspace.Company) map[string]any {
	return map[string]any{
		"name":                c.Name,
		"domain":              c.Domain,
		"description":         c.Description,
		"products":            rows.FromTexts(c.Products),
		"audience":            c.Audience,
		"handles":             rows.FromTexts(c.Handles),
		"relevanceGuidelines": c.RelevanceGuidelines,
		"excludeTerms":        rows.FromTexts(c.ExcludeTerms),
		"updatedAt":           rows.FromTime(c.UpdatedAt),
	}
}
