package store

import (
	"context"

	"earshot/shared/port/table"
	"earshot/shared/workspace"
)

// Row of the core table: pk org_…, sk "company".
const sortCompany = "company"

// Company reads what a workspace says of itself; the zero Company when it has said nothing.
func (s *Store) Company(ctx context.Context, orgID string) (workspace.Company, error) {
	item, err := s.get(ctx, CoreTable, table.Key{Partition: orgID, Sort: sortCompany})
	if err != nil {
		return workspace.Company{}, err
	}
	return workspace.Company{
		Name: str(item, "name"), Domain: str(item, "domain"), Description: str(item, "description"), Products: strs(item, "products"),
		Audience: str(item, "audience"), RelevanceGuidelines: str(item, "relevanceGuidelines"), ExcludeTerms: strs(item, "excludeTerms"),
		UpdatedAt: toTime(str(item, "updatedAt")),
	}, nil
}

// PutCompany stores it in place of what was.
func (s *Store) PutCompany(ctx context.Context, orgID string, c workspace.Company) error {
	return s.putSettings(ctx, "store a company", orgID, table.Item{
		table.PartitionAttribute: orgID, table.SortAttribute: sortCompany, "name": c.Name, "domain": c.Domain, "description": c.Description,
		"products": fromStrings(c.Products), "audience": c.Audience, "relevanceGuidelines": c.RelevanceGuidelines,
		"excludeTerms": fromStrings(c.ExcludeTerms), "updatedAt": fromTime(s.clock.Now()),
	})
}
