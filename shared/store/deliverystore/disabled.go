package deliverystore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// noted is how long the row of an hour in which an endpoint was disabled is kept.
const noted = 24 * time.Hour

// DisabledFirst notes that an endpoint of the workspace was disabled at a time, and reports whether it is the first of
// the workspace in that hour of UTC.
func (s *Store) DisabledFirst(ctx context.Context, orgID string, at time.Time) (bool, error) {
	hour := at.UTC().Truncate(time.Hour)
	err := s.Table.Put(ctx, table.Put{Table: rows.CoreTable, If: table.Absent(), Item: table.Item{
		table.PartitionAttribute: rows.Deliveries(orgID),
		table.SortAttribute:      rows.SortDisabled + rows.FromTime(hour),
		table.ExpiryAttribute:    hour.Add(noted).Unix(),
	}})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("note a disabled endpoint: %w", err)
	}
	return true, nil
}
