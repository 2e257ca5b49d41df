package store

import (
	"context"
	"errors"
	"fmt"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Draw takes n ids of a workspace's sequence and returns the first. Ids that are drawn and not used stay unused.
func (s *Kernel) Draw(ctx context.Context, orgID, sequence string, n int) (first int64, err error) {
	item, err := s.Table.Update(
		ctx,
		table.Update{Table: rows.CountersTable, Key: table.Key{Partition: orgID, Sort: sequence},
			Add: map[string]int64{"last": int64(n)}},
	)
	if err != nil {
		return 0, fmt.Errorf("draw ids: %w", err)
	}
	return rows.Integer(item, "last") - int64(n) + 1, nil
}

// reservedIDs is how many ids an import sets aside at once. From lastReserved on an import sets none aside, because
// drawing one by one never gets there.
const (
	reservedIDs  = 1_000
	lastReserved = 1 << 52
)

// Reserve keeps Draw from returning an id that came from outside.
func (s *Kernel) Reserve(ctx context.Context, orgID, sequence string, id int64) error {
	key := table.Key{Partition: orgID, Sort: sequence}
	s.reserving.Lock()
	enough := id > lastReserved || s.reserved[key] >= id
	s.reserving.Unlock()
	if enough {
		return nil
	}
	last := id + reservedIDs
	_, err := s.Table.Update(ctx, table.Update{Table: rows.CountersTable, Key: key,
		If: table.Any(table.Missing("last"), table.Less("last", last)), Set: map[string]any{"last": last}})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("reserve an id: %w", err)
	}
	s.reserving.Lock()
	defer s.reserving.Unlock()
	s.reserved[key] = max(s.reserved[key], last)
	return nil
}
