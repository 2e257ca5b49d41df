package store

import (
	"context"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/workspace"
)

// Rows of the counters table: pk org_…, sk "quota#2026-11", whose "stored" counts the mentions that were collected and stored in that
// month of UTC, by when they were stored. What is imported as it is does not count.
const sortQuota = "quota#"

func (s *Store) quotaKey(orgID string) table.Key {
	return table.Key{Partition: orgID, Sort: sortQuota + s.clock.Now().UTC().Format("2006-01")}
}

// Collected is how many mentions a workspace has stored this month, and when the next month begins.
func (s *Store) Collected(ctx context.Context, orgID string) (stored int, resetAt time.Time, err error) {
	item, err := s.get(ctx, CountersTable, s.quotaKey(orgID))
	if err != nil {
		return 0, time.Time{}, err
	}
	now := s.clock.Now().UTC()
	return int(integer(item, "stored")), time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC), nil
}

// A Usage is what a workspace has had of its plan's mentions this month.
type Usage struct {
	Stored  int
	Limit   int
	Stopped bool      // nothing more is collected until ResetAt
	ResetAt time.Time // when the next month begins
}

// Usage reads what a workspace has had this month.
func (s *Store) Usage(ctx context.Context, w workspace.Workspace) (Usage, error) {
	stored, resetAt, err := s.Collected(ctx, w.ID)
	limit := w.MentionLimit()
	return Usage{Stored: stored, Limit: limit, Stopped: stored >= limit, ResetAt: resetAt}, err
}
