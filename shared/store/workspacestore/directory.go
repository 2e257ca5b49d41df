package workspacestore

import (
	"context"
	"fmt"

	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// listed returns the write that adds an owner to a directory.
func listed(directory, id string, entry table.Item) table.Write {
	entry[table.PartitionAttribute], entry[table.SortAttribute] = directory, id
	return table.Put{Table: rows.CoreTable, Item: entry}
}

func fromListedWorkspace(w workspace.Workspace) table.Item {
	entry := fromWorkspace(w)
	delete(entry, "secret")
	return entry
}

// Workspaces lists up to limit of a deployment's workspaces, oldest first, starting behind the id after. It leaves out
// each one's Secret. Fewer than limit are the last.
func (s *Store) Workspaces(ctx context.Context, after string, limit int) ([]workspace.Workspace, error) {
	workspaces := []workspace.Workspace{}
	query := table.Query{Table: rows.CoreTable, Partition: rows.DirectoryOfWorkspaces, Consistent: true}
	if after != "" {
		query.After = &table.Position{Key: table.Key{Partition: rows.DirectoryOfWorkspaces, Sort: after}}
	}
	for len(workspaces) < limit {
		query.Limit = limit - len(workspaces)
		page, err := s.Table.Query(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("list workspaces: %w", err)
		}
		for _, item := range page.Items {
			workspaces = append(workspaces, rows.ToWorkspace(item))
		}
		if page.Next == nil {
			break
		}
		query.After = page.Next
	}
	return workspaces, nil
}

// Agencies lists a deployment's agencies, oldest first.
func (s *Store) Agencies(ctx context.Context) ([]workspace.Agency, error) {
	return store.AllOf(
		ctx, s.Kernel, "agencies", table.Query{Partition: rows.DirectoryOfAgencies, Consistent: true}, toAgency,
	)
}
