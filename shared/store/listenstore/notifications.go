package listenstore

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"earshot/shared/feed"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Rows of the core table that hold notifications:
//
//	pk org_…  sk "notification#<id>"  a notification
//	pk org_…  sk "notifications"      their number ("notifications"), how often one was tied to a feed, by its
//	                                  creation or a change ("tied"), and how many feeds were deleted ("feedsGone")
//
// A notification is deleted with its feed. A writer that ties a notification to a feed reads the feed first, and writes
// only if no feed was deleted since. A writer that deletes a feed lists its notifications first, and writes only if
// none was tied since. Both meet in the row of all notifications, so changes of the feed itself do not hinder them.
const (
	attrTied      = "tied"
	attrFeedsGone = "feedsGone"
)

// Errors of CreateNotification and ChangeNotification.
var (
	// ErrNotificationLimit means that the workspace has feed.MaxNotifications notifications.
	ErrNotificationLimit = errors.New("store: the workspace has reached its limit of notifications")
	// ErrNoFeed means that the workspace does not have the feed that a notification is to be tied to.
	ErrNoFeed = errors.New("store: the workspace has no such feed")
)

func notificationsKey(orgID string) table.Key {
	return table.Key{Partition: orgID, Sort: rows.SortNotifications}
}

// notificationsCounted returns the change of the number of notifications.
func notificationsCounted(orgID string, by int64) table.Update {
	return table.Update{Table: rows.CoreTable, Key: notificationsKey(orgID), Add: map[string]int64{"notifications": by}}
}

// tie returns the change of the row of all notifications that ties a notification to a feed. Returns ErrNoFeed if there
// is no such feed.
func (s *Store) tie(ctx context.Context, orgID string, feedID int64) (table.Update, error) {
	items, err := table.GetAll(ctx, s.Table, []table.Get{
		{Table: rows.CoreTable, Key: notificationsKey(orgID), Consistent: true},
		{Table: rows.CoreTable, Key: rows.FeedKey(orgID, feedID), Consistent: true},
	})
	if err != nil {
		return table.Update{}, fmt.Errorf("read a notification's feed: %w", err)
	}
	if items[1] == nil {
		return table.Update{}, ErrNoFeed
	}
	return table.Update{Table: rows.CoreTable, Key: notificationsKey(orgID), Add: map[string]int64{attrTied: 1},
		If: unmoved(attrFeedsGone, items[0])}, nil
}

// unmoved returns the condition that a counter has the value that it has in item. A missing counter is 0.
func unmoved(counter string, item table.Item) table.Condition {
	if _, counts := item[counter]; !counts {
		return table.Missing(counter)
	}
	return table.Equal(counter, rows.Integer(item, counter))
}

// CreateNotification stores a new notification and returns it with its id and times. request, by its name in Repeated
// of the HTTP kit, makes one: a repeat returns that notification, or ErrNotFound if it was deleted since. Returns
// ErrNoFeed, and ErrNotificationLimit, which is exact however many calls run at once.
func (s *Store) CreateNotification(
	ctx context.Context, orgID string, n feed.Notification, request string,
) (feed.Notification, error) {
	var earlier int64
	n.ID = 0
	err := s.Settle(ctx, "create a notification", func() (err error) {
		if earlier, err = s.MadeID(ctx, orgID, request); earlier != 0 || err != nil {
			return err
		}
		counted, err := s.tie(ctx, orgID, n.FeedID)
		if err != nil {
			return err
		}
		if n.ID == 0 {
			if n.ID, err = s.Draw(ctx, orgID, rows.SequenceOfNotifications, 1); err != nil {
				return err
			}
		}
		n.CreatedAt, n.Revision = s.Instant(), 1
		n.UpdatedAt = n.CreatedAt
		counted.Add["notifications"] = 1
		counted.If = table.All(counted.If, rows.Room("notifications", 1, feed.MaxNotifications))
		err = s.Table.Transact(ctx, table.Transaction{Writes: append([]table.Write{
			table.Put{Table: rows.CoreTable, Item: fromNotification(orgID, n), If: table.Absent()}, counted,
		}, s.Making(orgID, request, strconv.FormatInt(n.ID, 10))...)})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && canceled.Failed(1) && (request == "" || !canceled.Failed(2)) &&
			rows.Integer(canceled.Reasons[1].Item, "notifications") >= feed.MaxNotifications {
			return ErrNotificationLimit
		}
		return err
	})
	switch {
	case errors.Is(err, store.ErrConflict):
		// ErrConflict would say that somebody changed the notification, which is new.
		return feed.Notification{}, errors.New("create a notification: too many writers at once")
	case err != nil:
		return feed.Notification{}, err
	case earlier != 0:
		return s.Notification(ctx, orgID, earlier)
	}
	return n, nil
}

// Notification reads a notification. Returns ErrNotFound if there is none.
func (s *Store) Notification(ctx context.Context, orgID string, id int64) (feed.Notification, error) {
	return store.One(ctx, s.Kernel, rows.NotificationKey(orgID, id), toNotification)
}

// Notifications lists a workspace's notifications, oldest first.
func (s *Store) Notifications(ctx context.Context, orgID string) ([]feed.Notification, error) {
	return store.AllOf(
		ctx, s.Kernel, "notifications", table.Query{Partition: orgID, Prefix: rows.SortNotification, Consistent: true},
		toNotification,
	)
}

// ChangeNotification reads a notification, changes it and stores it. The change may be called more than once and cannot
// change the id. A change that alters nothing is not stored. request, by its name in Repeated of the HTTP kit, changes
// once: a repeat returns the notification as it is. Returns ErrNotFound, ErrNoFeed if the new feed does not exist,
// ErrConflict if others keep changing it, and the change's own error.
func (s *Store) ChangeNotification(ctx context.Context, orgID string, id int64, request string,
	change func(*feed.Notification) error) (changed feed.Notification, err error) {
	err = s.Settle(ctx, "change a notification", func() error {
		earlier, err := s.MadeID(ctx, orgID, request)
		if err != nil {
			return err
		}
		old, err := s.Notification(ctx, orgID, id)
		changed = old
		if earlier != 0 || err != nil {
			return err
		}
		if err := change(&changed); err != nil {
			return err
		}
		if reflect.DeepEqual(changed, old) {
			return nil
		}
		changed.ID, changed.CreatedAt, changed.UpdatedAt = old.ID, old.CreatedAt, s.Instant()
		changed.Revision = old.Revision + 1
		put := table.Put{
			Table: rows.CoreTable,
			Item:  fromNotification(orgID, changed),
			If:    table.Equal("rev", old.Revision),
		}
		writes := []table.Write{put}
		if changed.FeedID != old.FeedID {
			tied, err := s.tie(ctx, orgID, changed.FeedID)
			if err != nil {
				return err
			}
			writes = append(writes, tied)
		}
		return s.Table.Transact(
			ctx, table.Transaction{Writes: append(writes, s.Making(orgID, request, rows.IDKey(id))...)},
		)
	})
	return changed, err
}

// DeleteNotification deletes a notification. request, by its name in Repeated of the HTTP kit, deletes once: a repeat
// returns nil. Returns ErrNotFound if there is none.
func (s *Store) DeleteNotification(ctx context.Context, orgID string, id int64, request string) error {
	return s.Settle(ctx, "delete a notification", func() error {
		if earlier, err := s.MadeID(ctx, orgID, request); earlier != 0 || err != nil {
			return err
		}
		err := s.Table.Transact(ctx, table.Transaction{Writes: append([]table.Write{
			table.Delete{Table: rows.CoreTable, Key: rows.NotificationKey(orgID, id), If: table.Present()},
			notificationsCounted(orgID, -1),
		}, s.Making(orgID, request, rows.IDKey(id))...)})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && canceled.Failed(0) && (request == "" || !canceled.Failed(2)) {
			return store.ErrNotFound
		}
		return err
	})
}

// withFeed returns the deletions of the notifications tied to a feed, and the change of the row of all notifications
// that goes with the feed's. The change fails once another notification is tied.
func (s *Store) withFeed(
	ctx context.Context, orgID string, feedID int64,
) (deletions []table.Write, counted table.Update, err error) {
	all, err := s.Get(ctx, rows.CoreTable, notificationsKey(orgID)) // before they are listed
	if err != nil {
		return nil, table.Update{}, err
	}
	query := table.Query{Table: rows.CoreTable, Partition: orgID, Prefix: rows.SortNotification, Consistent: true}
	err = s.Each(ctx, query, func(item table.Item) {
		if rows.Integer(item, "feedId") == feedID {
			deletions = append(
				deletions, table.Delete{Table: rows.CoreTable, Key: table.KeyOf(item), If: table.Present()},
			)
		}
	})
	if err != nil {
		return nil, table.Update{}, fmt.Errorf("list a feed's notifications: %w", err)
	}
	return deletions, table.Update{
		Table: rows.CoreTable,
		Key:   notificationsKey(orgID),
		Add:   map[string]int64{attrFeedsGone: 1},
		If:    unmoved(attrTied, all),
	}, nil
}

func fromNotification(orgID string, n feed.Notification) table.Item {
	key := rows.NotificationKey(orgID, n.ID)
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"rev":                    n.Revision,
		"id":                     n.ID,
		"name":                   n.Name,
		"feedId":                 n.FeedID,
		"enabled":                n.Enabled,
		"createdAt":              rows.FromTime(n.CreatedAt),
		"updatedAt":              rows.FromTime(n.UpdatedAt),
	}
	FromSigning(item, n.Signing)
	if n.FeedIndex != nil {
		item["feedIndex"] = int64(*n.FeedIndex)
	}
	if len(n.Destinations) > 0 {
		item["destinations"] = FromDestinations(n.Destinations)
	}
	return item
}

func toNotification(item table.Item) feed.Notification {
	n := feed.Notification{
		ID:        rows.Integer(item, "id"),
		Name:      rows.Text(item, "name"),
		FeedID:    rows.Integer(item, "feedId"),
		Enabled:   rows.Boolean(item, "enabled"),
		Signing:   ToSigning(item),
		CreatedAt: rows.ToTime(rows.Text(item, "createdAt")),
		UpdatedAt: rows.ToTime(rows.Text(item, "updatedAt")),
		Revision:  rows.Integer(item, "rev"),
	}
	if index := rows.Pointer[int64](item, "feedIndex"); index != nil {
		at := int(*index)
		n.FeedIndex = &at
	}
	n.Destinations = ToDestinations(item)
	return n
}
