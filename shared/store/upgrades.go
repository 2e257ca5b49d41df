package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/workspace"
)

// Rows of links to the upgrade page and of what is wished there:
//
//	counters: pk "upgrade#<digest>"  sk "link"   a link, by the SHA-256 of its secret; it is removed when it is spent
//	core:     pk upgrades            sk org_…    the plan that a workspace wishes for, until its plan is changed
const (
	partitionLink = "upgrade#"
	sortLink      = "link"
	upgrades      = "upgrades"
)

// An UpgradeLink is whom a link to the upgrade page speaks for.
type UpgradeLink struct {
	WorkspaceID string
	KeyID       string // the key that asked for it
	ExpiresAt   time.Time
}

// An UpgradeWish is what a workspace wishes for. It is granted by giving it the plan (ChangeWorkspace), which ends the wish.
type UpgradeWish struct {
	WorkspaceID string
	KeyID       string // the key that asked for the link
	Plan        workspace.Plan
	WishedAt    time.Time
}

func linkKey(digest [sha256.Size]byte) table.Key {
	return table.Key{Partition: partitionLink + hex.EncodeToString(digest[:]), Sort: sortLink}
}

// CreateUpgradeLink stores a link by the digest of its secret.
func (s *Store) CreateUpgradeLink(ctx context.Context, digest [sha256.Size]byte, link UpgradeLink) error {
	key := linkKey(digest)
	err := s.table.Put(ctx, table.Put{Table: CountersTable, Item: table.Item{
		table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "org": link.WorkspaceID, "key": link.KeyID,
		"goodUntil": fromMoment(link.ExpiresAt), table.ExpiryAttribute: link.ExpiresAt.Unix() + 1,
	}})
	if err != nil {
		return fmt.Errorf("store an upgrade link: %w", err)
	}
	return nil
}

// UpgradeLink reads a link that is still good. Answers ErrNotFound for one that is unknown, spent or expired; it is expired at
// ExpiresAt itself.
func (s *Store) UpgradeLink(ctx context.Context, digest [sha256.Size]byte) (UpgradeLink, error) {
	item, err := s.get(ctx, CountersTable, linkKey(digest))
	if err != nil {
		return UpgradeLink{}, err
	}
	link := UpgradeLink{WorkspaceID: str(item, "org"), KeyID: str(item, "key"), ExpiresAt: toMoment(integer(item, "goodUntil"))}
	if item == nil || !s.clock.Now().Before(link.ExpiresAt) {
		return UpgradeLink{}, ErrNotFound
	}
	return link, nil
}

// SpendUpgradeLink spends a link that UpgradeLink has answered, once however many try, and notes what its workspace wishes for in
// place of an earlier wish. Answers ErrNotFound when the link is spent or expired by now, or its workspace is gone.
func (s *Store) SpendUpgradeLink(ctx context.Context, digest [sha256.Size]byte, link UpgradeLink, plan workspace.Plan) error {
	now := s.clock.Now()
	err := s.table.Transact(ctx, table.Transaction{Writes: []table.Write{
		table.Delete{Table: CountersTable, Key: linkKey(digest), If: table.More("goodUntil", fromMoment(now))},
		table.Check{Table: CoreTable, Key: ownerKey(link.WorkspaceID), If: table.Present()},
		table.Put{Table: CoreTable, Item: table.Item{table.PartitionAttribute: upgrades, table.SortAttribute: link.WorkspaceID,
			"plan": string(plan), "key": link.KeyID, "wishedAt": fromTime(now)}},
	}})
	var canceled *table.Canceled
	if errors.As(err, &canceled) && (canceled.Failed(0) || canceled.Failed(1)) {
		return ErrNotFound
	}
	if err != nil {
		return fmt.Errorf("spend an upgrade link: %w", err)
	}
	return nil
}

// UpgradeWishes lists what workspaces wish for, one wish each, by the workspaces' ids.
func (s *Store) UpgradeWishes(ctx context.Context) ([]UpgradeWish, error) {
	return allOf(ctx, s, "upgrade wishes", table.Query{Partition: upgrades, Consistent: true}, func(item table.Item) UpgradeWish {
		return UpgradeWish{WorkspaceID: table.KeyOf(item).Sort, KeyID: str(item, "key"), Plan: workspace.Plan(str(item, "plan")),
			WishedAt: toTime(str(item, "wishedAt"))}
	})
}

// forgetWish is the part of a transaction that ends a workspace's wish.
func forgetWish(orgID string) table.Write {
	return table.Delete{Table: CoreTable, Key: table.Key{Partition: upgrades, Sort: orgID}}
}
