package listenstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// mendFeeds removes a keyword from the filters of the workspace's feeds: see Feed.Without. It returns one put for each
// mended feed, on the condition that the feed still has the revision that was read. Together they are below the 4 MB of
// a transaction, but may be more writes than it has room for.
func (s *Store) mendFeeds(
	ctx context.Context, orgID string, k keyword.Keyword,
) (writes []table.Write, mended []feed.Mended, err error) {
	now := s.Instant()
	query := table.Query{Table: rows.CoreTable, Partition: orgID, Prefix: rows.SortFeed, Consistent: true}
	err = s.Each(ctx, query, func(item table.Item) {
		old := ToFeed(item, nil)
		f, change, named := old.Without(k.ID, k.Text)
		if !named {
			return
		}
		f.Revision, f.UpdatedAt = old.Revision+1, now
		// The feed keeps its counted weight, because Weight includes the growth of a mended feed.
		writes = append(
			writes,
			table.Put{
				Table: rows.CoreTable,
				Item:  FromFeed(orgID, f, rows.Integer(item, "weight")),
				If:    table.Equal("rev", old.Revision),
			},
		)
		mended = append(mended, feed.Mended{ID: f.ID, Name: f.Name, Change: change})
	})
	if err != nil {
		return nil, nil, fmt.Errorf("mend feeds: %w", err)
	}
	return writes, mended, nil
}

// ChangeFeed reads a feed, changes it and stores it. Returns ErrConflict, and does not retry, if another writer changed
// the feed meanwhile. The change is called once and cannot change the id. A Default that it sets is taken from the feed
// that had it, which does not count as a change of that feed. request, by its name in Repeated of the HTTP kit, changes
// once: a repeat returns the feed as it is. A change that alters nothing is not stored. Returns ErrNotFound,
// ErrFeedTooLarge, and the change's own error.
func (s *Store) ChangeFeed(
	ctx context.Context, orgID string, id int64, request string, change func(*feed.Feed) error,
) (feed.Feed, error) {
	earlier, err := s.MadeID(ctx, orgID, request)
	if err != nil {
		return feed.Feed{}, err
	}
	if earlier != 0 {
		return s.Feed(ctx, orgID, earlier)
	}
	item, all, err := s.feedRows(ctx, orgID, id)
	if err != nil {
		return feed.Feed{}, err
	}
	old := ToFeed(item, all)
	changed := old
	if err := change(&changed); err != nil {
		return feed.Feed{}, err
	}
	if reflect.DeepEqual(changed, old) {
		return old, nil
	}
	changed.ID, changed.CreatedAt, changed.UpdatedAt = id, old.CreatedAt, s.Instant()
	changed.Revision = old.Revision + 1
	weight := int64(changed.Weight())
	heavier := weight - rows.Integer(item, "weight")
	if weight > feed.MaxWeight && heavier > 0 {
		return feed.Feed{}, ErrFeedTooLarge
	}
	put := table.Put{
		Table: rows.CoreTable,
		Item:  FromFeed(orgID, changed, weight),
		If:    table.Equal("rev", old.Revision),
	}
	// A change by others of the row of all feeds only repeats the read of that row. The revision guards what was read
	// of the feed.
	const attempts = 8
	for range attempts {
		writes := append([]table.Write{put}, s.Making(orgID, request, strconv.FormatInt(id, 10))...)
		taking := changed.Default != old.Default && changed.Default != (rows.Integer(all, "default") == id)
		if taking || heavier != 0 {
			writes = append(writes, allFeeds(orgID, id, taking, changed.Default, heavier))
		}
		err := s.Table.Transact(ctx, table.Transaction{Writes: writes})
		var canceled *table.Canceled
		switch {
		case err == nil:
			return changed, nil
		case !errors.As(err, &canceled):
			return feed.Feed{}, fmt.Errorf("change a feed: %w", err)
		case request != "" && canceled.Failed(1):
			return s.Feed(ctx, orgID, id)
		case canceled.Failed(0) && canceled.Reasons[0].Item == nil:
			return feed.Feed{}, store.ErrNotFound
		case canceled.Failed(0), canceled.Reasons[0].Code == table.ReasonConflict:
			return feed.Feed{}, store.ErrConflict
		case table.Retryable(err) && canceled.Reasons[len(writes)-1].Code != table.ReasonConflict:
			return feed.Feed{}, fmt.Errorf("change a feed: %w", err) // throttled for too long
		}
		if all, err = s.Get(ctx, rows.CoreTable, rows.FeedsKey(orgID)); err != nil {
			return feed.Feed{}, err
		}
		if heavier > 0 && rows.Integer(all, "weight")+heavier > feed.MaxTogether {
			return feed.Feed{}, ErrFeedTooLarge
		}
	}
	return feed.Feed{}, fmt.Errorf("change a feed: %w", store.ErrConflict)
}

// allFeeds returns the change of the row of all feeds that goes with a change of one feed. The feed becomes the default
// or, with taking, stops being it, and weighs heavier more.
func allFeeds(orgID string, id int64, taking, becomes bool, heavier int64) table.Update {
	update := table.Update{Table: rows.CoreTable, Key: rows.FeedsKey(orgID)}
	var holds []table.Condition
	if heavier != 0 {
		update.Add = map[string]int64{"weight": heavier}
	}
	if heavier > 0 {
		holds = append(holds, table.AtMost("weight", int64(feed.MaxTogether)-heavier))
	}
	if taking && becomes {
		update.Set = map[string]any{"default": id}
	}
	if taking && !becomes {
		update.Remove = []string{"default"}
		holds = append(holds, table.Equal("default", id))
	}
	if len(holds) > 0 {
		update.If = table.All(holds...)
	}
	return update
}

// DeleteFeed deletes a feed with its notifications, even while others change them. If the feed is the default, no feed
// is the default afterwards. If the notifications are more than a transaction holds, it deletes the first of them
// separately, and the feed together with the last. A repeat of request, by its name in Repeated of the HTTP kit,
// returns nil. Returns ErrNotFound, and ErrConflict if others keep changing the feed or tying notifications to feeds.
func (s *Store) DeleteFeed(ctx context.Context, orgID string, id int64, request string) error {
	return s.Settle(ctx, "delete a feed", func() error {
		if earlier, err := s.MadeID(ctx, orgID, request); earlier != 0 || err != nil {
			return err
		}
		item, all, err := s.feedRows(ctx, orgID, id)
		if err != nil {
			return err
		}
		counted := allFeeds(orgID, id, rows.Integer(all, "default") == id, false, -rows.Integer(item, "weight"))
		counted.Add["feeds"] = -1
		tied, notifications, err := s.withFeed(ctx, orgID, id)
		if err != nil {
			return err
		}
		deletion := append([]table.Write{
			table.Delete{
				Table: rows.CoreTable,
				Key:   rows.FeedKey(orgID, id),
				If:    table.Equal("rev", rows.Integer(item, "rev")),
			},
			counted,
		}, s.Making(orgID, request, strconv.FormatInt(id, 10))...)
		for len(tied) > table.MaxTransaction-len(deletion)-1 {
			n := min(len(tied), table.MaxTransaction-1)
			first := append(tied[:n:n], notificationsCounted(orgID, -int64(n)))
			if err := s.Table.Transact(ctx, table.Transaction{Writes: first}); err != nil {
				return err
			}
			tied = tied[n:]
		}
		if len(tied) > 0 {
			notifications.Add["notifications"] = -int64(len(tied))
		}
		return s.Table.Transact(
			ctx, table.Transaction{Writes: slices.Concat(deletion, []table.Write{notifications}, tied)},
		)
	})
}
