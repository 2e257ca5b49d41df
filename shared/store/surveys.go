package store

import (
	"context"
	"fmt"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/proposal"
)

// Rows of the counters table: pk survey#<key>, sk "kept", what a source answered, for as long as it is good. What sources answer is public:
// workspaces share it. Each has a partition of its own.
const (
	surveyPartition = "survey#"
	sortKept        = "kept"
)

func surveyKey(key string) table.Key {
	return table.Key{Partition: surveyPartition + key, Sort: sortKept}
}

// Cached is what Cache keeps under a key; nil when there is nothing, or no more.
func (s *Store) Cached(ctx context.Context, key string) ([]byte, error) {
	item, err := s.get(ctx, CountersTable, surveyKey(key))
	return bytes(item, "content"), err
}

// Cache keeps content for a while under a key, in place of what was kept. Answers
// table.ErrTooLarge.
func (s *Store) Cache(ctx context.Context, key string, content []byte, period time.Duration) error {
	at := surveyKey(key)
	err := s.table.Put(ctx, table.Put{Table: CountersTable, Item: table.Item{table.PartitionAttribute: at.Partition, table.SortAttribute: at.Sort,
		"content": content, table.ExpiryAttribute: s.clock.Now().Add(period).Unix()}})
	if err != nil {
		return fmt.Errorf("keep a source's answer: %w", err)
	}
	return nil
}

// SpendSurvey takes n requests, once, from the limit that a run has for all its stages; false when it has not that
// many left, and then none are taken.
func (s *Store) SpendSurvey(ctx context.Context, key proposal.Key, n, limit int) (ok bool, err error) {
	if n > limit {
		return false, nil
	}
	return s.writeOnce(ctx, "take from what a run may ask", table.Update{
		Table: CountersTable, Key: table.Key{Partition: setupContent(key), Sort: sortSurvey},
		If:  room("spent", int64(n), int64(limit)),
		Add: map[string]int64{"spent": int64(n)},
		Set: map[string]any{table.ExpiryAttribute: s.clock.Now().Add(outcomesKept).Unix()},
	})
}
