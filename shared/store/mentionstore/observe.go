package mentionstore

import (
	"context"
	"errors"
	"time"

	"earshot/shared/mention"
	"earshot/shared/store"
)

// Observe gives a mention the engagement counters of its post at a time, by Ingest's rule, and reports whether they
// were new. A missing mention is no error: it was deleted meanwhile.
func (s *Store) Observe(
	ctx context.Context, orgID, sourceID string, counters map[string]int64, at time.Time,
) (changed bool, err error) {
	seen := mention.Mention{Engagement: counters, EngagementObservedAt: at.UTC().Truncate(time.Millisecond)}
	_, err = s.ChangeMention(ctx, orgID, sourceID, func(m *mention.Mention) (bool, error) {
		changed = observe(m, seen)
		return changed, nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return changed && err == nil, err
}
