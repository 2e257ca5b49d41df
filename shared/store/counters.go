package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
)

// Rows of the counters table that this file owns:
//
//	pk org_…  sk "rate#2026-11-20T11"  requests of the UTC hour, kept for a day
const sortRate = "rate#"

// Take counts a request of a workspace in the hour that began at start, never over limit: one conditional write.
func (s *Store) Take(ctx context.Context, orgID string, start time.Time, limit int) (taken int, ok bool, err error) {
	item, err := s.table.Update(ctx, table.Update{
		Table: CountersTable,
		Key:   table.Key{Partition: orgID, Sort: sortRate + start.UTC().Format("2006-01-02T15")},
		If:    table.Any(table.Missing("hits"), table.Less("hits", int64(limit))),
		Add:   map[string]int64{"hits": 1},
		Set:   map[string]any{table.ExpiryAttribute: start.Add(24 * time.Hour).Unix()},
	})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return limit, false, nil
	case err != nil:
		return 0, false, fmt.Errorf("take from the hour's requests: %w", err)
	}
	return int(integer(item, "hits")), true, nil
}
