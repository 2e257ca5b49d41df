package workspacestore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// CreateWorkspace stores a new workspace, and draws its Secret if it has none. With an AgencyID the agency must exist
// and lists the workspace. It does not check the agency's limit: ReserveWorkspace does. Returns ErrConflict if the id
// is taken or is being purged, and ErrNotFound if there is no such agency.
func (s *Store) CreateWorkspace(ctx context.Context, w workspace.Workspace) error {
	writes := append(founding(w), rows.Unpurged(w.ID))
	if w.AgencyID != "" {
		writes = append(
			writes,
			table.Check{
				Table: rows.CoreTable,
				Key:   table.Key{Partition: w.AgencyID, Sort: rows.SortAgency},
				If:    table.Present(),
			},
			table.Put{Table: rows.CoreTable, Item: table.Item{
				table.PartitionAttribute: w.AgencyID,
				table.SortAttribute:      rows.SortMember + w.ID,
				"createdAt":              rows.FromTime(w.CreatedAt),
			}},
		)
	}
	err := s.Table.Transact(ctx, table.Transaction{Writes: writes})
	var canceled *table.Canceled
	switch {
	case errors.As(err, &canceled) && (canceled.Failed(0) || canceled.Failed(2)):
		return store.ErrConflict
	case errors.As(err, &canceled) && w.AgencyID != "" && canceled.Failed(3):
		return store.ErrNotFound
	case err != nil:
		return fmt.Errorf("create a workspace: %w", err)
	}
	return nil
}

// founding returns the two writes that make a workspace, without its agency's part. The first fails if the id is taken.
// It draws the workspace's Secret if it has none.
func founding(w workspace.Workspace) []table.Write {
	if len(w.Secret) == 0 {
		w.Secret = make([]byte, 32)
		rand.Read(w.Secret)
	}
	item := fromWorkspace(w)
	item[table.PartitionAttribute], item[table.SortAttribute] = w.ID, rows.SortWorkspace
	item["version"], item["keys"] = int64(1), []any{}
	return []table.Write{table.Put{Table: rows.CoreTable, Item: item, If: table.Absent()},
		listed(rows.DirectoryOfWorkspaces, w.ID, fromListedWorkspace(w))}
}

// Workspace reads a workspace. Returns ErrNotFound if there is none.
func (s *Store) Workspace(ctx context.Context, id string) (workspace.Workspace, error) {
	return store.One(ctx, s.Kernel, table.Key{Partition: id, Sort: rows.SortWorkspace}, rows.ToWorkspace)
}

// ChangeWorkspace reads a workspace, changes it and stores it together with its keys' copies. The change may be called
// more than once, and cannot change ID, AgencyID and Secret. A new plan ends a wish for one. Returns ErrNotFound if
// there is no such workspace, and ErrConflict if others keep changing it.
func (s *Store) ChangeWorkspace(ctx context.Context, id string, change func(*workspace.Workspace) error) error {
	return s.changeOwner(
		ctx,
		table.Key{Partition: id, Sort: rows.SortWorkspace},
		func(item table.Item) (map[string]any, []table.Write, error) {
			w := rows.ToWorkspace(item)
			kept := w
			if err := change(&w); err != nil {
				return nil, nil, err
			}
			w.ID, w.AgencyID, w.Secret = kept.ID, kept.AgencyID, kept.Secret
			beside := []table.Write{listed(rows.DirectoryOfWorkspaces, id, fromListedWorkspace(w))}
			if w.Plan != kept.Plan {
				beside = append(beside, forgetWish(id))
			}
			return fromWorkspace(w), beside, nil
		},
	)
}

// DeleteWorkspace deletes a workspace and its keys, which are unknown from then on, and schedules the purge of
// everything else. A repeat does nothing.
func (s *Store) DeleteWorkspace(ctx context.Context, id string) error {
	return s.Settle(ctx, "delete a workspace", func() error {
		item, err := s.Get(ctx, rows.CoreTable, rows.OwnerKey(id))
		if err != nil || item == nil {
			return err
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: s.deletion(item)})
	})
}

// deletion returns the writes that delete a workspace whose row was read.
func (s *Store) deletion(item table.Item) []table.Write {
	id := rows.Text(item, "id")
	writes := []table.Write{
		table.Delete{
			Table: rows.CoreTable,
			Key:   rows.OwnerKey(id),
			If:    table.Equal("version", rows.Integer(item, "version")),
		},
		table.Delete{
			Table: rows.CoreTable,
			Key:   table.Key{Partition: rows.DirectoryOfWorkspaces, Sort: id},
		},
		forgetWish(id),
		rows.Purging(id, s.Clock.Now()),
	}
	if agency := rows.Text(item, "agencyId"); agency != "" {
		writes = append(
			writes, table.Delete{Table: rows.CoreTable, Key: table.Key{Partition: agency, Sort: rows.SortMember + id}},
		)
	}
	for _, keyID := range rows.Texts(item, "keys") {
		writes = append(
			writes, table.Delete{Table: rows.CoreTable, Key: table.Key{Partition: keyID, Sort: rows.SortKey}},
		)
	}
	return writes
}

// CreateAgency stores a new agency. Returns ErrConflict if the id is taken.
func (s *Store) CreateAgency(ctx context.Context, a workspace.Agency) error {
	item := fromAgency(a)
	item[table.PartitionAttribute], item[table.SortAttribute] = a.ID, rows.SortAgency
	item["version"], item["keys"] = int64(1), []any{}
	// A transaction recognizes its own repeat. A conditional put would take its own row for another's.
	err := s.Table.Transact(
		ctx,
		table.Transaction{Writes: []table.Write{table.Put{Table: rows.CoreTable, Item: item, If: table.Absent()},
			listed(rows.DirectoryOfAgencies, a.ID, fromAgency(a))}},
	)
	var canceled *table.Canceled
	if errors.As(err, &canceled) {
		return store.ErrConflict
	}
	if err != nil {
		return fmt.Errorf("create an agency: %w", err)
	}
	return nil
}

// Agency reads an agency. Returns ErrNotFound if there is none.
func (s *Store) Agency(ctx context.Context, id string) (workspace.Agency, error) {
	return store.One(ctx, s.Kernel, table.Key{Partition: id, Sort: rows.SortAgency}, toAgency)
}

// ChangeAgency changes an agency as ChangeWorkspace does a workspace.
func (s *Store) ChangeAgency(ctx context.Context, id string, change func(*workspace.Agency) error) error {
	return s.changeOwner(
		ctx,
		table.Key{Partition: id, Sort: rows.SortAgency},
		func(item table.Item) (map[string]any, []table.Write, error) {
			a := toAgency(item)
			if err := change(&a); err != nil {
				return nil, nil, err
			}
			a.ID = id
			return fromAgency(a), []table.Write{listed(rows.DirectoryOfAgencies, id, fromAgency(a))}, nil
		},
	)
}

// changeOwner stores a changed owner, its keys' copies of it, and the further writes that the change returns.
func (s *Store) changeOwner(
	ctx context.Context, key table.Key, change func(table.Item) (map[string]any, []table.Write, error),
) error {
	return s.Settle(ctx, "change "+key.Sort, func() error {
		item, err := s.Row(ctx, key)
		if err != nil {
			return err
		}
		version := rows.Integer(item, "version")
		changed, beside, err := change(item)
		if err != nil {
			return err
		}
		owner := map[string]any{"version": version + 1}
		for name, value := range changed {
			owner[name] = value
		}
		writes := append(
			[]table.Write{
				table.Update{Table: rows.CoreTable, Key: key, If: table.Equal("version", version), Set: owner},
			},
			beside...)
		for _, keyID := range rows.Texts(item, "keys") {
			writes = append(
				writes,
				table.Update{Table: rows.CoreTable, Key: table.Key{Partition: keyID, Sort: rows.SortKey},
					Set: map[string]any{"owner": changed}},
			)
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: writes})
	})
}

func fromWorkspace(w workspace.Workspace) table.Item {
	item := table.Item{
		"id": w.ID, "name": w.Name, "agencyId": w.AgencyID, "plan": string(w.Plan), "flags": rows.FromTexts(w.Flags),
		"secret": w.Secret, "createdAt": rows.FromTime(w.CreatedAt),
	}
	if w.Flex.On() {
		item["flexCap"], item["flexBudget"], item["flexPrice"] = int64(w.Flex.Cap), int64(
			w.Flex.Budget,
		), int64(w.Flex.Price)
	}
	return item
}

func fromAgency(a workspace.Agency) table.Item {
	return table.Item{
		"id":             a.ID,
		"name":           a.Name,
		"anchorId":       a.AnchorID,
		"active":         a.Active,
		"workspaceLimit": int64(a.WorkspaceLimit),
		"flexPrice":      int64(a.FlexPrice),
		"createdAt":      rows.FromTime(a.CreatedAt),
	}
}

func toAgency(item table.Item) workspace.Agency {
	return workspace.Agency{
		ID:             rows.Text(item, "id"),
		Name:           rows.Text(item, "name"),
		AnchorID:       rows.Text(item, "anchorId"),
		Active:         rows.Boolean(item, "active"),
		WorkspaceLimit: int(rows.Integer(item, "workspaceLimit")),
		FlexPrice:      int(rows.Integer(item, "flexPrice")),
		CreatedAt:      rows.ToTime(rows.Text(item, "createdAt")),
	}
}
