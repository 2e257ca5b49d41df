package workspacestore

import (
	"context"
	"time"

	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// Collected returns how many mentions a workspace has stored this month, and when the next month begins.
func (s *Store) Collected(ctx context.Context, orgID string) (stored int, resetAt time.Time, err error) {
	item, err := s.Get(ctx, rows.CountersTable, s.QuotaKey(orgID))
	if err != nil {
		return 0, time.Time{}, err
	}
	now := s.Clock.Now().UTC()
	return int(rows.Integer(item, "stored")), time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC), nil
}

// Usage is what a workspace has used of its plan's mentions this month.
type Usage struct {
	Stored  int
	Limit   int
	Stopped bool      // nothing more is collected until ResetAt
	ResetAt time.Time // when the next month begins
}

// Usage reads what a workspace has used this month.
func (s *Store) Usage(ctx context.Context, w workspace.Workspace) (Usage, error) {
	stored, resetAt, err := s.Collected(ctx, w.ID)
	limit := w.MentionLimit()
	return Usage{Stored: stored, Limit: limit, Stopped: stored >= limit, ResetAt: resetAt}, err
}
