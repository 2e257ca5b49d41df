package collect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/events/message"
	"earshot/shared/keyword"
	"earshot/shared/port/queue"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/worker"
)

// backfillsAtOnce is how many due backfills are sent in one invocation.
const backfillsAtOnce = 100

// dispatch sends what is due of backfills to their queue. A message that is lost is sent again a minute later, and one
// that comes twice meets a claim.
func (c *Collector) dispatch(ctx context.Context) error {
	due, err := c.Tasks.DueBackfills(ctx, backfillsAtOnce)
	if err != nil || len(due) == 0 {
		return err
	}
	messages := make([]queue.Message, len(due))
	for i, b := range due {
		body, err := queue.JSON(message.Backfill{
			WorkspaceID: b.WorkspaceID, KeywordID: b.KeywordID, Kind: b.Kind, Run: b.Run,
		})
		if err != nil {
			return err
		}
		messages[i].Body = body
	}
	if err := c.Queue.Send(ctx, queue.Backfills, messages...); err != nil {
		return fmt.Errorf("queue backfills: %w", err)
	}
	worker.Count(ctx, "backfills", len(due))
	return nil
}

// lookBacks starts the look backs of new keywords that have none. done reports whether it finished.
func (c *Collector) lookBacks(
	ctx context.Context, orgID string, keywords []keyword.Keyword, needed time.Duration,
) (done bool, err error) {
	now := c.Clock.Now()
	isNew := func(k *keyword.Keyword) bool { return !k.Paused && k.CreatedAt.After(now.Add(-lookBack)) }
	had := map[int64]bool{}
	for i := range keywords {
		k := &keywords[i]
		if !c.Archived || !isNew(k) || had[k.ID] {
			continue
		}
		if len(had) == 0 { // the first new one: read which keywords have looked back
			there, err := c.Tasks.Backfills(ctx, orgID)
			if err != nil {
				return false, err
			}
			had[0] = true
			for _, b := range there {
				had[b.KeywordID] = had[b.KeywordID] || b.Kind == listenstore.LookBack
			}
			if had[k.ID] {
				continue
			}
		}
		if !enough(ctx, needed) {
			return false, nil
		}
		_, err := c.Tasks.StartBackfill(ctx, listenstore.Backfill{
			WorkspaceID: orgID,
			KeywordID:   k.ID,
			Kind:        listenstore.LookBack,
			Days:        int(lookBack / day),
			Since:       k.CreatedAt.Add(-lookBack),
			Until:       now,
		}, 0, "")
		if err != nil && !errors.Is(err, store.ErrNotFound) { // deleted meanwhile
			return false, err
		}
	}
	return true, nil
}
