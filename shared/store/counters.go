package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

// Take counts a request of a workspace in the hour that began at start, never over limit: one conditional write.
func (s *Store) Take(ctx context.Context, orgID string, start time.Time, limit int) (taken int, ok bool, err error) {
	return s.take(ctx, sortRate, orgID, start, limit)
}

// TakeExport counts an export of a workspace in the hour that began at start, never over limit.
func (s *Store) TakeExport(ctx context.Context, orgID string, start time.Time, limit int) (ok bool, err error) {
	_, ok, err = s.take(ctx, sortExports, orgID, start, limit)
	return ok, err
}

// ReturnExport gives back an export that was taken and came to nothing.
func (s *Store) ReturnExport(ctx context.Context, orgID string, start time.Time) error {
	_, err := s.table.Update(ctx, table.Update{
		Table: CountersTable, Key: table.Key{Partition: orgID, Sort: sortExports + start.UTC().Format("2006-01-02T15")},
		If: table.More(hits, int64(0)), Add: map[string]int64{hits: -1},
	})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("return an export: %w", err)
	}
	return nil
}

func (s *Store) take(ctx context.Context, window, orgID string, start time.Time, limit int) (taken int, ok bool, err error) {
	item, err := s.table.Update(ctx, table.Update{
		Table: CountersTable,
		Key:   table.Key{Partition: orgID, Sort: window + start.UTC().Format("2006-01-02T15")},
		If:    room(hits, 1, int64(limit)),
		Add:   map[string]int64{hits: 1},
		Set:   map[string]any{table.ExpiryAttribute: start.Add(24 * time.Hour).Unix()},
	})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return limit, false, nil
	case err != nil:
		return 0, false, fmt.Errorf("take from the hour's %s: %w", strings.TrimSuffix(window, "#"), err)
	}
	return int(integer(item, hits)), true, nil
}
