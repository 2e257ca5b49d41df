package listenstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Rows of the counters table: pk org_…, sk "dismissed#<id>", an attention item of the workspace that a user dismissed.
const (
	dismissedKept = 90 * 24 * time.Hour
)

// Dismiss hides an attention item for 90 days. A repeat changes nothing.
func (s *Store) Dismiss(ctx context.Context, orgID, id string) error {
	err := s.Table.Put(ctx, table.Put{Table: rows.CountersTable, Item: table.Item{
		table.PartitionAttribute: orgID,
		table.SortAttribute:      rows.SortDismissed + id,
		table.ExpiryAttribute:    s.Clock.Now().Add(dismissedKept).Unix(),
	}})
	if err != nil {
		return fmt.Errorf("dismiss an attention item: %w", err)
	}
	return nil
}

// Dismissed returns the ids of the items that were dismissed in the last 90 days.
func (s *Store) Dismissed(ctx context.Context, orgID string) (map[string]bool, error) {
	ids := map[string]bool{}
	query := table.Query{Table: rows.CountersTable, Partition: orgID, Prefix: rows.SortDismissed, Consistent: true}
	err := s.Each(ctx, query, func(item table.Item) { ids[table.KeyOf(item).Sort[len(rows.SortDismissed):]] = true })
	if err != nil {
		return nil, fmt.Errorf("read the dismissed attention items: %w", err)
	}
	return ids, nil
}

// LastMentioned returns the day of UTC of each keyword's last mention, as far back as days are kept: about a hundred
// days. It leaves out keywords without a mention in that time. It reads one range of a few rows a keyword.
func (s *Store) LastMentioned(ctx context.Context, orgID string) (map[int64]time.Time, error) {
	last := map[int64]time.Time{}
	err := s.Each(
		ctx,
		table.Query{Table: rows.CountersTable, Partition: orgID, Prefix: rows.SortDays, Consistent: true},
		func(item table.Item) {
			month, text, _ := strings.Cut(table.KeyOf(item).Sort[len(rows.SortDays):], "#")
			id, err := strconv.ParseInt(text, 10, 64)
			first, bad := time.Parse(rows.MonthForm, month)
			if err != nil || bad != nil {
				return
			}
			for day := first.AddDate(0, 1, -1); !day.Before(first); day = day.AddDate(0, 0, -1) {
				if rows.Integer(item, rows.DayAttribute(day)) > 0 {
					if day.After(last[id]) {
						last[id] = day
					}
					return
				}
			}
		},
	)
	if err != nil {
		return nil, fmt.Errorf("read when keywords were last mentioned: %w", err)
	}
	return last, nil
}

// KeywordsMade returns the last keyword id that the workspace drew; 0 if it never had a keyword.
func (s *Store) KeywordsMade(ctx context.Context, orgID string) (int64, error) {
	item, err := s.Get(ctx, rows.CountersTable, table.Key{Partition: orgID, Sort: rows.SequenceOfKeywords})
	return rows.Integer(item, "last"), err
}
