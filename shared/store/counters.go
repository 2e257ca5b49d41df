package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Take counts a request of a workspace in the hour that began at start, never over limit. It is one conditional write:
// if the table's response is lost, the repeat may count the request twice. Counting exactly once would cost twice the
// capacity.
func (s *Kernel) Take(ctx context.Context, orgID string, start time.Time, limit int) (taken int, ok bool, err error) {
	item, err := s.Table.Update(ctx, hit(rows.SortRate, orgID, start, limit))
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return limit, false, nil
	case err != nil:
		return 0, false, fmt.Errorf("take from the hour's rate: %w", err)
	}
	return int(rows.Integer(item, rows.Hits)), true, nil
}

// TakeExport counts an export of a workspace in the hour that began at start, once and never over limit.
func (s *Kernel) TakeExport(ctx context.Context, orgID string, start time.Time, limit int) (ok bool, err error) {
	return s.WriteOnce(ctx, "take from the hour's exports", hit(rows.SortExports, orgID, start, limit))
}

// ReturnExport gives back, once, an export that TakeExport counted and that failed.
func (s *Kernel) ReturnExport(ctx context.Context, orgID string, start time.Time) error {
	_, err := s.WriteOnce(ctx, "return an export", table.Update{
		Table: rows.CountersTable, Key: hourKey(rows.SortExports, orgID, start),
		If: table.More(rows.Hits, int64(0)), Add: map[string]int64{rows.Hits: -1},
	})
	return err
}

func hourKey(window, orgID string, start time.Time) table.Key {
	return table.Key{Partition: orgID, Sort: window + start.UTC().Format("2006-01-02T15")}
}

func hit(window, orgID string, start time.Time, limit int) table.Update {
	return table.Update{
		Table: rows.CountersTable,
		Key:   hourKey(window, orgID, start),
		If:    rows.Room(rows.Hits, 1, int64(limit)),
		Add:   map[string]int64{rows.Hits: 1},
		Set:   map[string]any{table.ExpiryAttribute: start.Add(24 * time.Hour).Unix()},
	}
}

// QuotaKey returns the key of a workspace's count of this month's mentions.
func (s *Kernel) QuotaKey(orgID string) table.Key {
	return table.Key{Partition: orgID, Sort: rows.SortQuota + s.Clock.Now().UTC().Format("2006-01")}
}
