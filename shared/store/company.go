package store

import (
	"context"
	"maps"
	"reflect"

	"earshot/shared/port/table"
	"earshot/shared/workspace"
)

// Row of the core table: pk org_…, sk "company"; "rev" is raised by every change.
const sortCompany = "company"

func companyKey(orgID string) table.Key { return table.Key{Partition: orgID, Sort: sortCompany} }

// Company reads what a workspace says of itself; the zero Company when it has said nothing.
func (s *Store) Company(ctx context.Context, orgID string) (workspace.Company, error) {
	item, err := s.get(ctx, CoreTable, companyKey(orgID))
	return toCompany(item), err
}

// PutCompany stores it in place of what was.
func (s *Store) PutCompany(ctx context.Context, orgID string, c workspace.Company) error {
	c.UpdatedAt = s.clock.Now()
	return s.settle(ctx, "store a company", func() error {
		return s.table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Update{Table: CoreTable, Key: companyKey(orgID), Set: fromCompany(c), Add: map[string]int64{"rev": 1}},
			s.listens(orgID, 0),
		}})
	})
}

// ChangeCompany reads what a workspace says of itself, changes it and stores it; the change may be called more than once. What is
// the same after the change is not written, unless nothing was there. Answers ErrConflict when others keep changing it.
func (s *Store) ChangeCompany(ctx context.Context, orgID string, change func(*workspace.Company) error) (changed workspace.Company, err error) {
	err = s.settle(ctx, "change a company", func() error {
		item, err := s.get(ctx, CoreTable, companyKey(orgID))
		if err != nil {
			return err
		}
		old := toCompany(item)
		changed = toCompany(item) // with lists of its own
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
		changed.Revision, changed.UpdatedAt = old.Revision+1, s.instant()
		row := table.Put{Table: CoreTable, Item: companyRow(orgID, changed), If: same}
		return s.table.Transact(ctx, table.Transaction{Writes: []table.Write{row, s.listens(orgID, 0)}})
	})
	return changed, err
}

// companyRow is the row of a company, whole.
func companyRow(orgID string, c workspace.Company) table.Item {
	key := companyKey(orgID)
	row := table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "rev": c.Revision}
	maps.Copy(row, fromCompany(c))
	return row
}

func fromCompany(c workspace.Company) map[string]any {
	return map[string]any{
		"name": c.Name, "domain": c.Domain, "description": c.Description, "products": fromStrings(c.Products), "audience": c.Audience,
		"relevanceGuidelines": c.RelevanceGuidelines, "excludeTerms": fromStrings(c.ExcludeTerms), "updatedAt": fromTime(c.UpdatedAt),
	}
}

func toCompany(item table.Item) workspace.Company {
	return workspace.Company{
		Name: str(item, "name"), Domain: str(item, "domain"), Description: str(item, "description"), Products: strs(item, "products"),
		Audience: str(item, "audience"), RelevanceGuidelines: str(item, "relevanceGuidelines"), ExcludeTerms: strs(item, "excludeTerms"),
		UpdatedAt: toTime(str(item, "updatedAt")), Revision: integer(item, "rev"),
	}
}
