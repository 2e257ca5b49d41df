package collect

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/source"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
)

const (
	observed = 72 * time.Hour // the age up to which a mention is observed
	fresh    = time.Hour      // counters younger than this are not looked up again
)

// observe looks up, every few hours, the counters of a keyword's mentions of the last days. Failures are counted and
// logged, and tried again with the next fetch. The posts are fetched in any case.
func (t *turn) observe(ctx context.Context, task *listenstore.Task) {
	from, ok := t.source.(source.Observer)
	now := t.c.Clock.Now()
	every := observeEvery * (t.period / hourly)
	if !ok || t.about.Observes <= 0 || task.KeywordID == 0 || now.Before(task.ObservedAt.Add(every)) ||
		!enough(ctx, margin) {
		return
	}
	if err := t.lookUp(ctx, from, task, now); err != nil {
		worker.Count(ctx, "unobserved", 1)
		t.c.Log.WarnContext(ctx, "engagement counters were not looked up", "source", t.about.Name, "cause", err)
		return
	}
	task.ObservedAt = now
}

func (t *turn) lookUp(ctx context.Context, from source.Observer, task *listenstore.Task, now time.Time) error {
	ids, err := t.observable(ctx, task, now)
	if err != nil || len(ids) == 0 {
		return err
	}
	var counters map[string]map[string]int64
	failure, err := t.call(ctx, func(ctx context.Context) (err error) {
		counters, err = from.Engagement(ctx, ids)
		return err
	})
	if err != nil {
		return err
	}
	if failure != nil {
		if failure.RetryAfter > 0 {
			t.over = true // the platform's adapter is blocked, so every further request would fail too
		}
		return failure
	}
	for _, id := range slices.Sorted(maps.Keys(counters)) {
		if !slices.Contains(ids, id) {
			continue
		}
		changed, err := t.c.Tasks.Observe(ctx, task.WorkspaceID, id, counters[id], now)
		if err != nil {
			return err
		}
		if changed {
			worker.Count(ctx, "observed", 1)
		}
	}
	return nil
}

// observable returns the sourceIds of the newest mentions whose counters may have changed, those looked up longest ago
// first.
func (t *turn) observable(ctx context.Context, task *listenstore.Task, now time.Time) ([]string, error) {
	of, faults := filter.ParseSimple(fmt.Appendf(nil, `{"source": [%q], "keyword": [%d]}`, task.Source, task.KeywordID))
	if len(faults) > 0 {
		return nil, nil // a platform that no mention can be filtered by
	}
	query := mentionstore.MentionsQuery{
		WorkspaceID: task.WorkspaceID,
		All:         true,
		Limit:       mentionstore.MaxMentionsPage,
	}.Narrowed(of)
	query.Start = now.Add(-observed)
	page, err := t.c.Tasks.Mentions(ctx, query)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(
		page.Mentions, func(a, b mention.Mention) int { return a.EngagementObservedAt.Compare(b.EngagementObservedAt) },
	)
	var ids []string
	for _, m := range page.Mentions {
		if len(ids) < t.about.Observes && !m.EngagementObservedAt.After(now.Add(-fresh)) {
			ids = append(ids, m.SourceID)
		}
	}
	return ids, nil
}
