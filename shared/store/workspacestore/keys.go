package workspacestore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// MaxKeys is how many API keys an owner can have. One transaction must be able to delete them with their owner, its
// listings in the directory and the agency, and its upgrade wish, and record the purge and the request.
const MaxKeys = table.MaxTransaction - 6

// ErrTooManyKeys means that the owner has MaxKeys keys.
var ErrTooManyKeys = fmt.Errorf("store: an owner has at most %d API keys", MaxKeys)

// ErrKeyRevoked means that the key which an earlier attempt of this request made has been revoked since.
var ErrKeyRevoked = fmt.Errorf("store: the key that this request made is revoked")

// CreateKey stores a new key under its owner, whose id is key.Workspace or key.Agency. An existing key stays unchanged.
// Returns ErrNotFound if there is no such owner, and ErrTooManyKeys, which is exact however many calls run at once.
func (s *Store) CreateKey(ctx context.Context, key workspace.Key) error {
	_, err := s.CreateKeyOnce(ctx, key, "")
	return err
}

// CreateKeyOnce is CreateKey for a named request that a client may repeat: a repeat makes no key and returns the first
// one, whose id differs from the given one. Returns CreateKey's errors and ErrKeyRevoked.
func (s *Store) CreateKeyOnce(
	ctx context.Context, key workspace.Key, request string,
) (created workspace.Key, err error) {
	ownerID := ""
	if key.Master() {
		ownerID = key.Agency.ID
	} else {
		ownerID = key.Workspace.ID
	}
	err = s.Settle(ctx, "create a key", func() error {
		item, err := s.Row(ctx, rows.OwnerKey(ownerID))
		if err != nil {
			return err
		}
		earlier, err := s.Made(ctx, ownerID, request)
		if err != nil {
			return err
		}
		if earlier != "" {
			found, _, err := s.Credentials(ctx, earlier, "")
			if err != nil {
				return err
			}
			if found == nil {
				return ErrKeyRevoked
			}
			created = *found
			return nil
		}
		created = key
		ids := rows.Texts(item, "keys")
		if slices.Contains(ids, key.ID) {
			return nil
		}
		if len(ids) >= MaxKeys {
			return ErrTooManyKeys
		}
		version := rows.Integer(item, "version")
		row := fromKey(key)
		if key.Master() {
			row["owner"] = map[string]any(fromAgency(toAgency(item)))
		} else {
			row["owner"] = map[string]any(fromWorkspace(rows.ToWorkspace(item)))
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: append([]table.Write{
			table.Update{Table: rows.CoreTable, Key: rows.OwnerKey(ownerID), If: table.Equal("version", version),
				Set: map[string]any{"version": version + 1, "keys": rows.FromTexts(append(ids, key.ID))}},
			table.Put{Table: rows.CoreTable, Item: row, If: table.Absent()},
		}, s.Making(ownerID, request, key.ID)...)})
	})
	return created, err
}

// Keys lists the keys of a workspace or an agency, newest first. Returns ErrNotFound if there is no such owner.
func (s *Store) Keys(ctx context.Context, ownerID string) ([]workspace.Key, error) {
	owner, err := s.Row(ctx, rows.OwnerKey(ownerID))
	if err != nil {
		return nil, err
	}
	keys := []workspace.Key{}
	gets := []table.Get{}
	for _, id := range rows.Texts(owner, "keys") {
		gets = append(
			gets, table.Get{Table: rows.CoreTable, Key: table.Key{Partition: id, Sort: rows.SortKey}, Consistent: true},
		)
	}
	if len(gets) == 0 {
		return keys, nil
	}
	items, err := table.GetAll(ctx, s.Table, gets)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	for _, item := range items {
		if key := toKey(item); key != nil { // else it has been revoked meanwhile
			keys = append(keys, *key)
		}
	}
	slices.SortFunc(keys, func(a, b workspace.Key) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(b.ID, a.ID))
	})
	return keys, nil
}

// RevokeKey deletes a key of a workspace or an agency at once. It is unknown from then on, and its place is free.
// Returns ErrNotFound if the owner has no such key.
func (s *Store) RevokeKey(ctx context.Context, ownerID, id string) error {
	return s.RevokeKeyOnce(ctx, ownerID, id, "")
}

// RevokeKeyOnce is RevokeKey for a named request that a client may repeat: a repeat returns nil.
func (s *Store) RevokeKeyOnce(ctx context.Context, ownerID, id, request string) error {
	return s.Settle(ctx, "revoke a key", func() error {
		item, err := s.Get(ctx, rows.CoreTable, rows.OwnerKey(ownerID))
		if err != nil {
			return err
		}
		ids := rows.Texts(item, "keys")
		at := slices.Index(ids, id)
		if at < 0 {
			earlier, err := s.Made(ctx, ownerID, request)
			if err == nil && (earlier == "" || earlier != id) {
				err = store.ErrNotFound
			}
			return err
		}
		version := rows.Integer(item, "version")
		return s.Table.Transact(ctx, table.Transaction{Writes: append([]table.Write{
			table.Update{Table: rows.CoreTable, Key: rows.OwnerKey(ownerID), If: table.Equal("version", version),
				Set: map[string]any{"version": version + 1, "keys": rows.FromTexts(slices.Delete(ids, at, at+1))}},
			table.Delete{Table: rows.CoreTable, Key: table.Key{Partition: id, Sort: rows.SortKey}},
		}, s.Making(ownerID, request, id)...)})
	})
}

// Credentials reads a key and, if orgID is not empty, that workspace, in one round trip. Either is nil if it does not
// exist. The id of a grant of the workspace stands for the key that the grant is, in two round trips.
func (s *Store) Credentials(ctx context.Context, keyID, orgID string) (*workspace.Key, *workspace.Workspace, error) {
	if strings.HasPrefix(keyID, workspace.PrefixGrant) {
		key, err := s.granted(ctx, keyID, orgID)
		if err != nil || key == nil {
			return nil, nil, err
		}
		return key, key.Workspace, nil
	}
	keyRow := table.Get{Table: rows.CoreTable, Key: table.Key{Partition: keyID, Sort: rows.SortKey}, Consistent: true}
	if orgID == "" {
		item, err := s.Table.Get(ctx, keyRow)
		if err != nil {
			return nil, nil, fmt.Errorf("read a key: %w", err)
		}
		return toKey(item), nil, nil
	}
	orgRow := table.Get{
		Table:      rows.CoreTable,
		Key:        table.Key{Partition: orgID, Sort: rows.SortWorkspace},
		Consistent: true,
	}
	batch, err := s.Table.BatchGet(ctx, []table.Get{keyRow, orgRow})
	if err != nil {
		return nil, nil, fmt.Errorf("read a key and a workspace: %w", err)
	}
	if batch.Items[1] == nil {
		return toKey(batch.Items[0]), nil, nil
	}
	w := rows.ToWorkspace(batch.Items[1])
	return toKey(batch.Items[0]), &w, nil
}

func fromKey(k workspace.Key) table.Item {
	return table.Item{
		table.PartitionAttribute: k.ID, table.SortAttribute: rows.SortKey,
		"name": k.Name, "digest": k.Digest[:], "scope": int64(k.Scope), "master": k.Master(),
		"createdAt": rows.FromTime(k.CreatedAt), "goodUntil": rows.FromMoment(k.ExpiresAt),
	}
}

func toKey(item table.Item) *workspace.Key {
	if item == nil {
		return nil
	}
	key := &workspace.Key{
		ID:        table.KeyOf(item).Partition,
		Name:      rows.Text(item, "name"),
		Scope:     workspace.Scope(rows.Integer(item, "scope")),
		CreatedAt: rows.ToTime(rows.Text(item, "createdAt")),
		ExpiresAt: rows.ToMoment(rows.Integer(item, "goodUntil")),
	}
	if digest := rows.Bytes(item, "digest"); len(digest) == sha256.Size {
		key.Digest = [sha256.Size]byte(digest)
	}
	owner, _ := item["owner"].(map[string]any)
	if rows.Boolean(item, "master") {
		agency := toAgency(owner)
		key.Agency = &agency
	} else {
		w := rows.ToWorkspace(owner)
		key.Workspace = &w
	}
	return key
}
