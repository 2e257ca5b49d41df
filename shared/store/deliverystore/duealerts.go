package deliverystore

import (
	"context"
	"time"

	"earshot/shared/store/rows"
)

// A DueAlert names an alert that is to be evaluated.
type DueAlert struct {
	WorkspaceID string
	ID          int64
	At          time.Time // since when
}

// DueAlerts lists alerts that are to be evaluated, the longest overdue first, at most limit.
func (s *Store) DueAlerts(ctx context.Context, limit int) (due []DueAlert, err error) {
	items, err := s.DueRows(ctx, rows.WorkAlerts, limit)
	for _, item := range items {
		due = append(due, DueAlert{rows.Text(item, "org"), rows.Integer(item, "id"), rows.DueAt(item)})
	}
	return due, err
}
