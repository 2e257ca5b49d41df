package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"earshot/shared/port/table"
)

// Rows of the counters table: pk org_…, sk "dismissed#<id>", an item of the workspace's attention that a user has put away.
const (
	sortDismissed = "dismissed#"
	dismissedKept = 90 * 24 * time.Hour
)

// Dismiss puts an item away for 90 days. Putting it away again changes nothing.
func (s *Store) Dismiss(ctx context.Context, orgID, id string) error {
	err := s.table.Put(ctx, table.Put{Table: CountersTable, Item: table.Item{
		table.PartitionAttribute: orgID, table.SortAttribute: sortDismissed + id, table.ExpiryAttribute: s.clock.Now().Add(dismissedKept).Unix(),
	}})
	if err != nil {
		return fmt.Errorf("dismiss what needs attention: %w", err)
	}
	return nil
}

// Dismissed are the ids of what was put away in the last 90 days.
func (s *Store) Dismissed(ctx context.Context, orgID string) (map[string]bool, error) {
	ids := map[string]bool{}
	query := table.Query{Table: CountersTable, Partition: orgID, Prefix: sortDismissed, Consistent: true}
	err := s.each(ctx, query, func(item table.Item) { ids[table.KeyOf(item).Sort[len(sortDismissed):]] = true })
	if err != nil {
		return nil, fmt.Errorf("read what was dismissed: %w", err)
	}
	return ids, nil
}

// LastMentioned are the days of UTC on which the keywords of a workspace had their last mentions, as far as days are kept: about a
// hundred. Keywords without a mention in that time are not there. It is one range of a few rows a keyword.
func (s *Store) LastMentioned(ctx context.Context, orgID string) (map[int64]time.Time, error) {
	last := map[int64]time.Time{}
	err := s.each(ctx, table.Query{Table: CountersTable, Partition: orgID, Prefix: sortDays, Consistent: true}, func(item table.Item) {
		month, text, _ := strings.Cut(table.KeyOf(item).Sort[len(sortDays):], "#")
		id, err := strconv.ParseInt(text, 10, 64)
		first, bad := time.Parse(monthForm, month)
		if err != nil || bad != nil {
			return
		}
		for day := first.AddDate(0, 1, -1); !day.Before(first); day = day.AddDate(0, 0, -1) {
			if integer(item, dayAttribute(day)) > 0 {
				if day.After(last[id]) {
					last[id] = day
				}
				return
			}
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read when keywords were mentioned: %w", err)
	}
	return last, nil
}

// KeywordsMade is the last id that a keyword of the workspace was given; 0: it never had one.
func (s *Store) KeywordsMade(ctx context.Context, orgID string) (int64, error) {
	item, err := s.get(ctx, CountersTable, table.Key{Partition: orgID, Sort: sequenceOfKeywords})
	return integer(item, "last"), err
}
