package analytics

import (
	"context"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/analytics/files"
	"earshot/shared/store/mentionstore"
)

// A Manifest tells queries which files of days are valid.
type Manifest struct {
	Store interface {
		DayFiles(ctx context.Context, orgID string, start, end time.Time) ([]mentionstore.DayFile, error)
	}
}

// ValidDays lists the days of UTC in a time whose files hold the mentions as they are now, ascending.
func (m Manifest) ValidDays(
	ctx context.Context, orgID string, start, end time.Time,
) (days []analytics.FileDay, err error) {
	manifests, err := m.Store.DayFiles(ctx, orgID, start, end)
	for _, each := range manifests {
		if each.Valid(files.Version) {
			days = append(days, analytics.FileDay{Day: each.Day, Key: each.Key, Mentions: each.Rows})
		}
	}
	return days, err
}
