package setupstore

import (
	"context"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
	"earshot/shared/store/rows"
)

func surveyKey(key string) table.Key {
	return table.Key{Partition: rows.SurveyPartition + key, Sort: rows.SortKept}
}

// Cached returns the content that Cache stored under a key; nil if there is none, or if it has expired.
func (s *Store) Cached(ctx context.Context, key string) ([]byte, error) {
	item, err := s.Get(ctx, rows.CountersTable, surveyKey(key))
	return rows.Bytes(item, "content"), err
}

// Cache stores content under a key for a while, in place of earlier content. Returns table.ErrTooLarge.
func (s *Store) Cache(ctx context.Context, key string, content []byte, period time.Duration) error {
	at := surveyKey(key)
	err := s.Table.Put(
		ctx,
		table.Put{
			Table: rows.CountersTable,
			Item: table.Item{table.PartitionAttribute: at.Partition, table.SortAttribute: at.Sort,
				"content": content, table.ExpiryAttribute: s.Clock.Now().Add(period).Unix()},
		},
	)
	if err != nil {
		return fmt.Errorf("keep a source's answer: %w", err)
	}
	return nil
}

// SpendSurvey takes n requests, once, from the limit of a run for all its stages. Returns false, and takes none, if
// fewer are left.
func (s *Store) SpendSurvey(ctx context.Context, key proposal.Key, n, limit int) (ok bool, err error) {
	if n > limit {
		return false, nil
	}
	return s.WriteOnce(ctx, "take from what a run may ask", table.Update{
		Table: rows.CountersTable, Key: table.Key{Partition: setupContent(key), Sort: rows.SortSurvey},
		If:  rows.Room("spent", int64(n), int64(limit)),
		Add: map[string]int64{"spent": int64(n)},
		Set: map[string]any{table.ExpiryAttribute: s.Clock.Now().Add(outcomesKept).Unix()},
	})
}
