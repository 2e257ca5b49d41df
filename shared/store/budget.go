package store

import (
	"context"
	"time"

	"earshot/shared/port/table"
)

// Rows of the counters table: pk org_…, sk "tokens#2026-11-20", what a workspace spent on the model on that day of UTC; what it spent for a
// purpose of its own has that before the day, "tokens#setup#2026-11-20".
const sortTokens = "tokens#"

// A ModelBudget is how many of a model's tokens each workspace may spend on a day.
type ModelBudget struct {
	Store *Store
	Daily int
	For   string // a purpose with a budget of its own; empty: the judge's
}

// Spend takes tokens, once, from what the workspace has left today; false when it has not that many, and then none are
// taken.
func (b ModelBudget) Spend(ctx context.Context, orgID string, tokens int) (ok bool, err error) {
	if tokens > b.Daily {
		return false, nil
	}
	now := b.Store.clock.Now().UTC()
	purpose := ""
	if b.For != "" {
		purpose = b.For + "#"
	}
	return b.Store.writeOnce(ctx, "spend on the model", table.Update{
		Table: CountersTable, Key: table.Key{Partition: orgID, Sort: sortTokens + purpose + now.Format(dayForm)},
		If:  room("spent", int64(tokens), int64(b.Daily)),
		Add: map[string]int64{"spent": int64(tokens)},
		Set: map[string]any{table.ExpiryAttribute: now.Add(48 * time.Hour).Unix()},
	})
}
