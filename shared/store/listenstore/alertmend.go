package listenstore

import (
	"context"
	"fmt"
	"strings"

	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Alerts that one transaction mends, each with three writes and up to some 60 KB. The last ones go with the keyword.
// Beside them the transaction has feeds of up to 3.5 MiB, and room for 4 MB.
const (
	alertsAtOnce     = 32
	alertsAtDeletion = 8
)

// mendAlerts returns the writes that remove a keyword from the filters of the workspace's alerts, one list for each
// alert: see feed.FiltersWithout. Each is on the condition that the alert still has the revision and the state that
// were read. An alert begins with a new state: see rows.EndAlertState. One that is paused already stays as it is.
func (s *Store) mendAlerts(
	ctx context.Context, orgID string, k keyword.Keyword,
) (writes [][]table.Write, mended []feed.Mended, err error) {
	now := rows.FromTime(s.Instant())
	var all []table.Item
	states := map[table.Key]table.Item{}
	query := table.Query{Table: rows.CoreTable, Partition: orgID, Prefix: rows.AlertRows, Consistent: true}
	err = s.Each(ctx, query, func(item table.Item) {
		switch key := table.KeyOf(item); {
		case strings.HasPrefix(key.Sort, rows.SortAlert):
			all = append(all, item)
		case strings.HasPrefix(key.Sort, rows.SortAlertState):
			states[key] = item
		}
	})
	if err != nil {
		return nil, nil, fmt.Errorf("mend alerts: %w", err)
	}
	for _, item := range all {
		filters, revision := rows.Bytes(item, "filters"), rows.Integer(item, "rev")
		if len(filters) == 0 || rows.Text(item, rows.AttrPaused) != "" {
			continue
		}
		without, change, named := feed.FiltersWithout(filters, k.ID, k.Text)
		if !named {
			continue
		}
		id := rows.Integer(item, "id")
		update := table.Update{
			Table: rows.CoreTable, Key: rows.AlertKey(orgID, id), If: table.Equal("rev", revision),
			Set: map[string]any{"rev": revision + 1, "updatedAt": now, rows.AttrWatchesSince: now},
		}
		if change == feed.Paused {
			update.Set["enabled"], update.Set[rows.AttrPaused] = false, feed.PausedByKeyword
			update.Remove = []string{rows.AttrWork, rows.AttrDueAt, "org"}
		} else {
			update.Set["filters"] = without
		}
		of := rows.EndAlertState(item, states[rows.AlertStateKey(orgID, id)], feed.PausedByKeyword, s.Instant())
		writes = append(writes, append(of, update))
		mended = append(mended, feed.Mended{ID: id, Name: rows.Text(item, "name"), Change: change})
	}
	return writes, mended, nil
}

// alertsNamed returns the names of the workspace's alerts, by id.
func (s *Store) alertsNamed(ctx context.Context, orgID string) (map[int64]string, error) {
	names := map[int64]string{}
	query := table.Query{Table: rows.CoreTable, Partition: orgID, Prefix: rows.SortAlert, Consistent: true}
	err := s.Each(ctx, query, func(item table.Item) { names[rows.Integer(item, "id")] = rows.Text(item, "name") })
	if err != nil {
		return nil, fmt.Errorf("list alerts: %w", err)
	}
	return names, nil
}
