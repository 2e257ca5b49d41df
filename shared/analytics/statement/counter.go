package statement

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"earshot/shared/analytics"
	"earshot/shared/port/warehouse"
)

// A Manifest says which files of days are valid.
type Manifest interface {
	// ValidDays lists the days of UTC in a time whose files hold the mentions as they are now, ascending.
	ValidDays(ctx context.Context, orgID string, start, end time.Time) ([]analytics.FileDay, error)
}

// A Counter counts mentions in day files by SQL. It implements analytics.DayFiles.
type Counter struct {
	Manifest
	Warehouse warehouse.Warehouse
	Location  string // what precedes the files' keys in their addresses: "s3://bucket/"
}

var _ analytics.DayFiles = Counter{}

// CountDays counts the mentions of a query on some days. Returns analytics.NotInFiles for what SQL cannot say exactly.
// What would read more than the engine allows is beyond the budget. So is everything while the engine has too much to
// do: a shorter period is answered without it.
func (c Counter) CountDays(
	ctx context.Context, q analytics.Query, days []analytics.FileDay, apart []analytics.AuthorKey,
) ([]analytics.DayRow, error) {
	if groups := q.KeywordGroups(); groups != nil && len(groups) == 0 && slices.Contains(q.Dimensions, analytics.Keyword) {
		return nil, nil // no group, no row
	}
	var filled []analytics.FileDay
	for _, day := range days {
		if day.Key != "" {
			filled = append(filled, day)
		}
	}
	if len(filled) == 0 {
		return nil, nil
	}
	start, end := q.Window()
	made, err := New(q, Source{q.WorkspaceID, c.Location, start, end, filled}, apart)
	var part Inexpressible
	if errors.As(err, &part) {
		return nil, analytics.NotInFiles{Part: string(part)}
	} else if err != nil {
		return nil, err
	}
	result, err := c.Warehouse.Query(ctx, made.Statement)
	if errors.Is(err, warehouse.ErrTooMuch) || errors.Is(err, warehouse.ErrThrottled) {
		return nil, fmt.Errorf("%w: %w", analytics.ErrBudget, err)
	} else if err != nil {
		return nil, fmt.Errorf("count mentions in files: %w", err)
	}
	return made.Rows(result.Rows)
}
