package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
)

// Rows of the counters table that this file owns, each kept for a day after its hour:
//
//	pk org_…  sk "rate#2026-11-20T11"     requests of the UTC hour
//	pk org_…  sk "exports#2026-11-20T11"  exports that were begun in it
//	pk org_…  sk "invitations#2026-11-20" invitation mails of the UTC day: see invitationmails.go
const (
	sortRate        = "rate#"
	sortExports     = "exports#"
	sortInvitations = "invitations#"
)

// hits is the attribute that counts.
const hits = "hits"

// Take counts a request of a workspace in the hour that began at start, never over limit: one conditional write, which
// a lost response of the table may have counted twice. To count every request once would cost twice the capacity.
func (s *Store) Take(ctx context.Context, orgID string, start time.Time, limit int) (taken int, ok bool, err error) {
	item, err := s.table.Update(ctx, hit(sortRate, orgID, start, limit))
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return limit, false, nil
	case err != nil:
		return 0, false, fmt.Errorf("take from the hour's rate: %w", err)
	}
	return int(integer(item, hits)), true, nil
}

// TakeExport counts an export of a workspace in the hour that began at start, once and never over limit.
func (s *Store) TakeExport(ctx context.Context, orgID string, start time.Time, limit int) (ok bool, err error) {
	return s.writeOnce(ctx, "take from the hour's exports", hit(sortExports, orgID, start, limit))
}

// ReturnExport gives back, once, an export that was taken and came to nothing.
func (s *Store) ReturnExport(ctx context.Context, orgID string, start time.Time) error {
	_, err := s.writeOnce(ctx, "return an export", table.Update{
		Table: CountersTable, Key: hourKey(sortExports, orgID, start),
		If: table.More(hits, int64(0)), Add: map[string]int64{hits: -1},
	})
	return err
}

func hourKey(window, orgID string, start time.Time) table.Key {
	return table.Key{Partition: orgID, Sort: window + start.UTC().Format("2006-01-02T15")}
}

func hit(window, orgID string, start time.Time, limit int) table.Update {
	return table.Update{
		Table: CountersTable,
		Key:   hourKey(window, orgID, start),
		If:    room(hits, 1, int64(limit)),
		Add:   map[string]int64{hits: 1},
		Set:   map[string]any{table.ExpiryAttribute: start.Add(24 * time.Hour).Unix()},
	}
}
