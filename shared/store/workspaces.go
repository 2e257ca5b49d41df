package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"earshot/shared/port/table"
	"earshot/shared/workspace"
)

// Rows of the core table, of workspaces, agencies and their keys:
//
//	pk org_…  sk "workspace"     a workspace; "keys" lists the ids of its API keys
//	pk agc_…  sk "agency"        an agency; "keys" lists the ids of its master keys
//	pk agc_…  sk "workspace#org" a workspace of the agency, or its place while it is being made (agencyworkspaces.go)
//	pk key_…  sk "key"           an API key, with a copy of its owner
//
// A request must learn a key and its owner by one read, and must see every change of either at once. So a key's row
// carries its owner, and whoever changes an owner changes its keys in the same transaction; the owner's "version" keeps
// a key from being added in between. The directory (directory.go) follows in the same transactions.
const (
	sortWorkspace = "workspace"
	sortAgency    = "agency"
	sortKey       = "key"
	sortMember    = "workspace#"
)

// CreateWorkspace stores a new workspace. A workspace with an AgencyID is listed with that agency, which must be there; whether the
// agency has room for it is not asked (ReserveWorkspace does). The workspace's Secret is drawn here when it has none. Answers
// ErrConflict when the id is taken, or of a workspace that is being purged, and ErrNotFound when there is no such agency.
func (s *Store) CreateWorkspace(ctx context.Context, w workspace.Workspace) error {
	writes := append(founding(w), unpurged(w.ID))
	if w.AgencyID != "" {
		writes = append(writes,
			table.Check{Table: CoreTable, Key: table.Key{Partition: w.AgencyID, Sort: sortAgency}, If: table.Present()},
			table.Put{Table: CoreTable, Item: table.Item{
				table.PartitionAttribute: w.AgencyID, table.SortAttribute: sortMember + w.ID, "createdAt": fromTime(w.CreatedAt),
			}})
	}
	err := s.table.Transact(ctx, table.Transaction{Writes: writes})
	var canceled *table.Canceled
	switch {
	case errors.As(err, &canceled) && (canceled.Failed(0) || canceled.Failed(2)):
		return ErrConflict
	case errors.As(err, &canceled) && w.AgencyID != "" && canceled.Failed(3):
		return ErrNotFound
	case err != nil:
		return fmt.Errorf("create a workspace: %w", err)
	}
	return nil
}

// founding is the part of a transaction that makes a workspace, without its agency's part: two writes, of which the first fails when the
// id is taken. The workspace's Secret is drawn when it has none.
func founding(w workspace.Workspace) []table.Write {
	if len(w.Secret) == 0 {
		w.Secret = make([]byte, 32)
		rand.Read(w.Secret)
	}
	item := fromWorkspace(w)
	item[table.PartitionAttribute], item[table.SortAttribute] = w.ID, sortWorkspace
	item["version"], item["keys"] = int64(1), []any{}
	return []table.Write{table.Put{Table: CoreTable, Item: item, If: table.Absent()},
		listed(directoryOfWorkspaces, w.ID, fromListedWorkspace(w))}
}

// Workspace reads a workspace. Answers ErrNotFound.
func (s *Store) Workspace(ctx context.Context, id string) (workspace.Workspace, error) {
	return one(ctx, s, table.Key{Partition: id, Sort: sortWorkspace}, toWorkspace)
}

// ChangeWorkspace reads a workspace, changes it and stores it together with its keys' copies. The change may be called
// more than once. ID, AgencyID and Secret cannot be changed. Another plan is the end of a wish for one. Answers ErrNotFound,
// and ErrConflict when others keep changing it.
func (s *Store) ChangeWorkspace(ctx context.Context, id string, change func(*workspace.Workspace) error) error {
	return s.changeOwner(ctx, table.Key{Partition: id, Sort: sortWorkspace}, func(item table.Item) (map[string]any, []table.Write, error) {
		w := toWorkspace(item)
		kept := w
		if err := change(&w); err != nil {
			return nil, nil, err
		}
		w.ID, w.AgencyID, w.Secret = kept.ID, kept.AgencyID, kept.Secret
		beside := []table.Write{listed(directoryOfWorkspaces, id, fromListedWorkspace(w))}
		if w.Plan != kept.Plan {
			beside = append(beside, forgetWish(id))
		}
		return fromWorkspace(w), beside, nil
	})
}

// DeleteWorkspace removes a workspace and its keys: from then on each of them is unknown, and everything else that it has is to be
// purged. Deleting it again does nothing.
func (s *Store) DeleteWorkspace(ctx context.Context, id string) error {
	return s.settle(ctx, "delete a workspace", func() error {
		item, err := s.get(ctx, CoreTable, ownerKey(id))
		if err != nil || item == nil {
			return err
		}
		return s.table.Transact(ctx, table.Transaction{Writes: s.deletion(item)})
	})
}

// deletion is the transaction that deletes a workspace of which this row was read.
func (s *Store) deletion(item table.Item) []table.Write {
	id := str(item, "id")
	writes := []table.Write{table.Delete{Table: CoreTable, Key: ownerKey(id), If: table.Equal("version", integer(item, "version"))},
		table.Delete{Table: CoreTable, Key: table.Key{Partition: directoryOfWorkspaces, Sort: id}}, forgetWish(id),
		purging(id, s.clock.Now())}
	if agency := str(item, "agencyId"); agency != "" {
		writes = append(writes, table.Delete{Table: CoreTable, Key: table.Key{Partition: agency, Sort: sortMember + id}})
	}
	for _, keyID := range strs(item, "keys") {
		writes = append(writes, table.Delete{Table: CoreTable, Key: table.Key{Partition: keyID, Sort: sortKey}})
	}
	return writes
}

// CreateAgency stores a new agency. Answers ErrConflict when the id is taken.
func (s *Store) CreateAgency(ctx context.Context, a workspace.Agency) error {
	item := fromAgency(a)
	item[table.PartitionAttribute], item[table.SortAttribute] = a.ID, sortAgency
	item["version"], item["keys"] = int64(1), []any{}
	// A transaction, since a repeat of it knows itself: a conditional put would take its own row for another's.
	err := s.table.Transact(ctx, table.Transaction{Writes: []table.Write{table.Put{Table: CoreTable, Item: item, If: table.Absent()},
		listed(directoryOfAgencies, a.ID, fromAgency(a))}})
	var canceled *table.Canceled
	if errors.As(err, &canceled) {
		return ErrConflict
	}
	if err != nil {
		return fmt.Errorf("create an agency: %w", err)
	}
	return nil
}

// Agency reads an agency. Answers ErrNotFound.
func (s *Store) Agency(ctx context.Context, id string) (workspace.Agency, error) {
	return one(ctx, s, table.Key{Partition: id, Sort: sortAgency}, toAgency)
}

// ChangeAgency changes an agency as ChangeWorkspace does a workspace.
func (s *Store) ChangeAgency(ctx context.Context, id string, change func(*workspace.Agency) error) error {
	return s.changeOwner(ctx, table.Key{Partition: id, Sort: sortAgency}, func(item table.Item) (map[string]any, []table.Write, error) {
		a := toAgency(item)
		if err := change(&a); err != nil {
			return nil, nil, err
		}
		a.ID = id
		return fromAgency(a), []table.Write{listed(directoryOfAgencies, id, fromAgency(a))}, nil
	})
}

// changeOwner stores a changed owner and its keys' copies of it, with what else the change wants written.
func (s *Store) changeOwner(ctx context.Context, key table.Key, change func(table.Item) (map[string]any, []table.Write, error)) error {
	return s.settle(ctx, "change "+key.Sort, func() error {
		item, err := s.row(ctx, key)
		if err != nil {
			return err
		}
		version := integer(item, "version")
		changed, beside, err := change(item)
		if err != nil {
			return err
		}
		owner := map[string]any{"version": version + 1}
		for name, value := range changed {
			owner[name] = value
		}
		writes := append([]table.Write{table.Update{Table: CoreTable, Key: key, If: table.Equal("version", version), Set: owner}}, beside...)
		for _, keyID := range strs(item, "keys") {
			writes = append(writes, table.Update{Table: CoreTable, Key: table.Key{Partition: keyID, Sort: sortKey},
				Set: map[string]any{"owner": changed}})
		}
		return s.table.Transact(ctx, table.Transaction{Writes: writes})
	})
}

func fromWorkspace(w workspace.Workspace) table.Item {
	item := table.Item{
		"id": w.ID, "name": w.Name, "agencyId": w.AgencyID, "plan": string(w.Plan), "flags": fromStrings(w.Flags),
		"secret": w.Secret, "createdAt": fromTime(w.CreatedAt),
	}
	if w.Flex.On() {
		item["flexCap"], item["flexBudget"], item["flexPrice"] = int64(w.Flex.Cap), int64(w.Flex.Budget), int64(w.Flex.Price)
	}
	return item
}

func toWorkspace(item table.Item) workspace.Workspace {
	return workspace.Workspace{
		ID: str(item, "id"), Name: str(item, "name"), AgencyID: str(item, "agencyId"), Plan: workspace.Plan(str(item, "plan")),
		Flex:  workspace.Flex{Cap: int(integer(item, "flexCap")), Budget: int(integer(item, "flexBudget")), Price: int(integer(item, "flexPrice"))},
		Flags: strs(item, "flags"), Secret: bytes(item, "secret"), CreatedAt: toTime(str(item, "createdAt")),
	}
}

func fromAgency(a workspace.Agency) table.Item {
	return table.Item{
		"id": a.ID, "name": a.Name, "anchorId": a.AnchorID, "active": a.Active,
		"workspaceLimit": int64(a.WorkspaceLimit), "flexPrice": int64(a.FlexPrice), "createdAt": fromTime(a.CreatedAt),
	}
}

func toAgency(item table.Item) workspace.Agency {
	return workspace.Agency{
		ID: str(item, "id"), Name: str(item, "name"), AnchorID: str(item, "anchorId"), Active: boolean(item, "active"),
		WorkspaceLimit: int(integer(item, "workspaceLimit")), FlexPrice: int(integer(item, "flexPrice")), CreatedAt: toTime(str(item, "createdAt")),
	}
}
