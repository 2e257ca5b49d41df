package workspacestore

import (
	"context"
	"time"

	"earshot/shared/store"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// ModelBudget bounds the tokens of a model that each workspace may spend in a day.
type ModelBudget struct {
	Store *store.Kernel
	Daily int
	For   string // a purpose with its own budget; empty for the judge
	Kind  ModelKind
}

// Spend takes tokens, once, from the workspace's rest of today. Returns false, and takes none, if fewer are left.
func (b ModelBudget) Spend(ctx context.Context, orgID string, tokens int) (ok bool, err error) {
	if tokens > b.Daily {
		return false, nil
	}
	now := b.Store.Clock.Now().UTC()
	purpose := ""
	if b.For != "" {
		purpose = b.For + "#"
	}
	return b.Store.WriteOnce(ctx, "spend on the model", table.Update{
		Table: rows.CountersTable,
		Key:   table.Key{Partition: orgID, Sort: rows.SortTokens + purpose + now.Format(rows.DayForm)},
		If:    rows.Room("spent", int64(tokens), int64(b.Daily)),
		Add:   map[string]int64{"spent": int64(tokens)},
		Set:   map[string]any{table.ExpiryAttribute: now.Add(48 * time.Hour).Unix()},
	})
}
