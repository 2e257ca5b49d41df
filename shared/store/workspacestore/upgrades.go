package workspacestore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// UpgradeLink is a link to the upgrade page: the workspace that it stands for, and the API key that asked for it.
type UpgradeLink struct {
	WorkspaceID string
	KeyID       string // the key that asked for it
	ExpiresAt   time.Time
	Wished      workspace.Plan // the plan that it was spent on; empty: it is not spent
}

// UpgradeWish is a workspace's wish for another plan. ChangeWorkspace with that plan grants and ends it.
type UpgradeWish struct {
	WorkspaceID string
	KeyID       string // the key that asked for the link
	Plan        workspace.Plan
	WishedAt    time.Time
}

func linkKey(digest [sha256.Size]byte) table.Key {
	return table.Key{Partition: rows.PartitionLink + hex.EncodeToString(digest[:]), Sort: rows.SortLink}
}

// CreateUpgradeLink stores a link by the digest of its secret.
func (s *Store) CreateUpgradeLink(ctx context.Context, digest [sha256.Size]byte, link UpgradeLink) error {
	key := linkKey(digest)
	err := s.Table.Put(ctx, table.Put{Table: rows.CountersTable, Item: table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"org":                    link.WorkspaceID,
		"key":                    link.KeyID,
		"goodUntil":              rows.FromMoment(link.ExpiresAt),
		table.ExpiryAttribute:    link.ExpiresAt.Unix() + 1,
	}})
	if err != nil {
		return fmt.Errorf("store an upgrade link: %w", err)
	}
	return nil
}

// UpgradeLink reads a link, spent or not. Returns ErrNotFound if it is unknown or expired. It is expired at ExpiresAt
// itself.
func (s *Store) UpgradeLink(ctx context.Context, digest [sha256.Size]byte) (UpgradeLink, error) {
	item, err := s.Get(ctx, rows.CountersTable, linkKey(digest))
	if err != nil {
		return UpgradeLink{}, err
	}
	link := UpgradeLink{
		WorkspaceID: rows.Text(item, "org"),
		KeyID:       rows.Text(item, "key"),
		ExpiresAt:   rows.ToMoment(rows.Integer(item, "goodUntil")),
		Wished:      workspace.Plan(rows.Text(item, "wished")),
	}
	if item == nil || !s.Clock.Now().Before(link.ExpiresAt) {
		return UpgradeLink{}, store.ErrNotFound
	}
	return link, nil
}

// SpendUpgradeLink spends a link that UpgradeLink returned, once however many try. It stores the wish of the link's
// workspace in place of an earlier wish. The link says what it was spent on until it expires. Returns ErrNotFound if
// the link is spent or expired by now, or if its workspace is gone.
func (s *Store) SpendUpgradeLink(
	ctx context.Context, digest [sha256.Size]byte, link UpgradeLink, plan workspace.Plan,
) error {
	now := s.Clock.Now()
	err := s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
		table.Update{
			Table: rows.CountersTable,
			Key:   linkKey(digest),
			Set:   map[string]any{"wished": string(plan)},
			If:    table.All(table.More("goodUntil", rows.FromMoment(now)), table.Missing("wished")),
		},
		table.Check{Table: rows.CoreTable, Key: rows.OwnerKey(link.WorkspaceID), If: table.Present()},
		table.Put{
			Table: rows.CoreTable,
			Item: table.Item{table.PartitionAttribute: rows.Upgrades, table.SortAttribute: link.WorkspaceID,
				"plan": string(plan), "key": link.KeyID, "wishedAt": rows.FromTime(now)},
		},
	}})
	var canceled *table.Canceled
	if errors.As(err, &canceled) && (canceled.Failed(0) || canceled.Failed(1)) {
		return store.ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("spend an upgrade link: %w", err)
	}
	return nil
}

// UpgradeWishes lists the wishes of all workspaces, one each, ordered by the workspaces' ids.
func (s *Store) UpgradeWishes(ctx context.Context) ([]UpgradeWish, error) {
	return store.AllOf(
		ctx,
		s.Kernel,
		"upgrade wishes",
		table.Query{Partition: rows.Upgrades, Consistent: true},
		func(item table.Item) UpgradeWish {
			return UpgradeWish{
				WorkspaceID: table.KeyOf(item).Sort,
				KeyID:       rows.Text(item, "key"),
				Plan:        workspace.Plan(rows.Text(item, "plan")),
				WishedAt:    rows.ToTime(rows.Text(item, "wishedAt")),
			}
		},
	)
}

// forgetWish returns the write that deletes a workspace's wish.
func forgetWish(orgID string) table.Write {
	return table.Delete{Table: rows.CoreTable, Key: table.Key{Partition: rows.Upgrades, Sort: orgID}}
}
