package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/workspace"
)

// MaxKeys is how many API keys an owner can have: as many as one transaction can change with it.
const MaxKeys = table.MaxTransaction - 2

// ErrTooManyKeys means that the owner has MaxKeys keys.
var ErrTooManyKeys = fmt.Errorf("store: an owner has at most %d API keys", MaxKeys)

// CreateKey stores a new key under its owner, which key.Workspace or key.Agency names by its id. Answers ErrNotFound when
// there is no such owner and ErrTooManyKeys.
func (s *Store) CreateKey(ctx context.Context, key workspace.Key) error {
	owner := table.Key{Sort: sortWorkspace}
	if key.Master() {
		owner = table.Key{Partition: key.Agency.ID, Sort: sortAgency}
	} else {
		owner.Partition = key.Workspace.ID
	}
	return s.settle(ctx, "create a key", func() error {
		item, err := s.get(ctx, CoreTable, owner)
		if err != nil {
			return err
		}
		if item == nil {
			return ErrNotFound
		}
		ids := strs(item, "keys")
		if slices.Contains(ids, key.ID) {
			return nil
		}
		if len(ids) >= MaxKeys {
			return ErrTooManyKeys
		}
		version := integer(item, "version")
		row := fromKey(key)
		if key.Master() {
			row["owner"] = map[string]any(fromAgency(toAgency(item)))
		} else {
			row["owner"] = map[string]any(fromWorkspace(toWorkspace(item)))
		}
		return s.table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Update{Table: CoreTable, Key: owner, If: table.Equal("version", version),
				Set: map[string]any{"version": version + 1, "keys": fromStrings(append(ids, key.ID))}},
			table.Put{Table: CoreTable, Item: row, If: table.Absent()},
		}})
	})
}

// RevokeKey ends a key at once. Answers ErrNotFound.
func (s *Store) RevokeKey(ctx context.Context, id string) error {
	_, err := s.table.Update(ctx, table.Update{Table: CoreTable, Key: table.Key{Partition: id, Sort: sortKey},
		If: table.Present(), Set: map[string]any{"revoked": true}})
	var failed *table.ConditionFailed
	if errors.As(err, &failed) {
		return ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("revoke a key: %w", err)
	}
	return nil
}

// Credentials reads a key and, when orgID is not empty, that workspace: nil for what there is not. One round trip.
func (s *Store) Credentials(ctx context.Context, keyID, orgID string) (*workspace.Key, *workspace.Workspace, error) {
	keyRow := table.Get{Table: CoreTable, Key: table.Key{Partition: keyID, Sort: sortKey}, Consistent: true}
	if orgID == "" {
		item, err := s.table.Get(ctx, keyRow)
		if err != nil {
			return nil, nil, fmt.Errorf("read a key: %w", err)
		}
		return toKey(item), nil, nil
	}
	orgRow := table.Get{Table: CoreTable, Key: table.Key{Partition: orgID, Sort: sortWorkspace}, Consistent: true}
	batch, err := s.table.BatchGet(ctx, []table.Get{keyRow, orgRow})
	if err != nil {
		return nil, nil, fmt.Errorf("read a key and a workspace: %w", err)
	}
	if batch.Items[1] == nil {
		return toKey(batch.Items[0]), nil, nil
	}
	w := toWorkspace(batch.Items[1])
	return toKey(batch.Items[0]), &w, nil
}

func fromKey(k workspace.Key) table.Item {
	return table.Item{
		table.PartitionAttribute: k.ID, table.SortAttribute: sortKey,
		"name": k.Name, "digest": k.Digest[:], "scope": int64(k.Scope), "master": k.Master(), "revoked": k.Revoked,
		"createdAt": fromTime(k.CreatedAt), "goodUntil": fromMoment(k.ExpiresAt),
	}
}

func toKey(item table.Item) *workspace.Key {
	if item == nil {
		return nil
	}
	key := &workspace.Key{
		ID: table.KeyOf(item).Partition, Name: str(item, "name"), Scope: workspace.Scope(integer(item, "scope")),
		Revoked: boolean(item, "revoked"), CreatedAt: toTime(str(item, "createdAt")), ExpiresAt: toMoment(integer(item, "goodUntil")),
	}
	if digest := bytes(item, "digest"); len(digest) == sha256.Size {
		key.Digest = [sha256.Size]byte(digest)
	}
	owner, _ := item["owner"].(map[string]any)
	if boolean(item, "master") {
		agency := toAgency(owner)
		key.Agency = &agency
	} else {
		w := toWorkspace(owner)
		key.Workspace = &w
	}
	return key
}

// fromMoment keeps a time exactly, as nanoseconds; 0 for the zero time.
func fromMoment(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func toMoment(nanoseconds int64) time.Time {
	if nanoseconds == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanoseconds).UTC()
}
