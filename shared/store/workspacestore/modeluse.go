package workspacestore

import (
	"context"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// A ModelKind is what a model is asked for, by the contract's names.
type ModelKind string

// The kinds.
const (
	Wizard  ModelKind = "wizard"
	Summary ModelKind = "summary"
	Judge   ModelKind = "judge"
	Agent   ModelKind = "agent"
)

// ModelKinds lists the kinds.
func ModelKinds() []ModelKind { return []ModelKind{Wizard, Summary, Judge, Agent} }

// Tokens are those of a model's requests and responses, by its own count.
type Tokens struct {
	Input, Output int64
}

// ModelUse is what a workspace's requests to the model took on a day of UTC.
type ModelUse struct {
	Day    string // "2026-11-28"
	ByKind map[ModelKind]Tokens
}

// countTime bounds the write that counts a response, which is there even if the caller's time is over.
const countTime = 3 * time.Second

// Count adds a response's tokens to those of today, once.
func (b ModelBudget) Count(ctx context.Context, orgID string, input, output int) error {
	if input <= 0 && output <= 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), countTime)
	defer cancel()
	now := b.Store.Clock.Now().UTC()
	_, err := b.Store.WriteOnce(ctx, "count the model's tokens", table.Update{
		Table: rows.CountersTable, Key: usedKey(orgID, now),
		Add: map[string]int64{
			string(b.Kind) + "Input": int64(max(0, input)), string(b.Kind) + "Output": int64(max(0, output)),
		},
		Set: map[string]any{table.ExpiryAttribute: now.Add(48 * time.Hour).Unix()},
	})
	return err
}

// ModelUse reads what the workspace's requests to the model took today.
func (s *Store) ModelUse(ctx context.Context, orgID string) (ModelUse, error) {
	now := s.Clock.Now().UTC()
	item, err := s.Get(ctx, rows.CountersTable, usedKey(orgID, now))
	use := ModelUse{Day: now.Format(rows.DayForm), ByKind: map[ModelKind]Tokens{}}
	for _, kind := range ModelKinds() {
		use.ByKind[kind] = Tokens{
			Input: rows.Integer(item, string(kind)+"Input"), Output: rows.Integer(item, string(kind)+"Output"),
		}
	}
	return use, err
}

func usedKey(orgID string, now time.Time) table.Key {
	return table.Key{Partition: orgID, Sort: rows.SortTokensUsed + now.Format(rows.DayForm)}
}
