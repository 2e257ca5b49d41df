package store

import (
	"context"
	"errors"

	"earshot/shared/feed"
	"earshot/shared/port/table"
)

// Rows of the core table, of notifications:
//
//	pk org_…  sk "notification#<id>"  a notification
//	pk org_…  sk "notifications"      how many there are ("notifications")
//
// A notification outlives its feed.
const (
	sortNotification        = "notification#"
	sortNotifications       = "notifications"
	sequenceOfNotifications = "ids#notifications"
)

// ErrNotificationLimit means that the workspace has feed.MaxNotifications notifications.
var ErrNotificationLimit = errors.New("store: the workspace has as many notifications as it may")

func notificationKey(orgID string, id int64) table.Key {
	return table.Key{Partition: orgID, Sort: sortNotification + idKey(id)}
}

// notificationsCounted is the change of their number that goes with making or deleting one.
func notificationsCounted(orgID string, by int64) table.Update {
	return table.Update{Table: CoreTable, Key: table.Key{Partition: orgID, Sort: sortNotifications}, Add: map[string]int64{"notifications": by}}
}

// CreateNotification stores a new notification and answers it with its id and times. A request, by its name in Repeated of the HTTP
// kit, makes one: sent again, it answers the notification that it made, and ErrNotFound when that was deleted since. Answers
// ErrNotificationLimit, exact however many create at once.
func (s *Store) CreateNotification(ctx context.Context, orgID string, n feed.Notification, request string) (feed.Notification, error) {
	made, fresh, err := s.create(ctx, "create a notification", orgID, sequenceOfNotifications, request, func(id int64) creation {
		n.ID, n.CreatedAt, n.Revision = id, s.instant(), 1
		n.UpdatedAt = n.CreatedAt
		counted := notificationsCounted(orgID, 1)
		counted.If = room("notifications", 1, feed.MaxNotifications)
		return creation{
			writes: []table.Write{table.Put{Table: CoreTable, Item: fromNotification(orgID, n), If: table.Absent()}, counted},
			refused: func(canceled *table.Canceled) error {
				if canceled.Failed(1) {
					return ErrNotificationLimit
				}
				return nil
			},
		}
	})
	switch {
	case err != nil:
		return feed.Notification{}, err
	case !fresh:
		return s.Notification(ctx, orgID, made)
	}
	return n, nil
}

// Notification reads a notification. Answers ErrNotFound.
func (s *Store) Notification(ctx context.Context, orgID string, id int64) (feed.Notification, error) {
	return one(ctx, s, notificationKey(orgID, id), toNotification)
}

// Notifications lists a workspace's notifications, oldest first.
func (s *Store) Notifications(ctx context.Context, orgID string) ([]feed.Notification, error) {
	return allOf(ctx, s, "notifications", table.Query{Partition: orgID, Prefix: sortNotification, Consistent: true}, toNotification)
}

// ChangeNotification reads a notification, changes it and stores it; the change may be called more than once and cannot change the
// id. A request, by its name in Repeated of the HTTP kit, changes once: sent again, it answers the notification as it is. Answers
// ErrNotFound, ErrConflict when others keep changing it, and what the change answers.
func (s *Store) ChangeNotification(ctx context.Context, orgID string, id int64, request string,
	change func(*feed.Notification) error) (changed feed.Notification, err error) {
	err = s.settle(ctx, "change a notification", func() error {
		earlier, err := s.madeID(ctx, orgID, request)
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
		changed.ID, changed.CreatedAt, changed.UpdatedAt = old.ID, old.CreatedAt, s.instant()
		changed.Revision = old.Revision + 1
		put := table.Put{Table: CoreTable, Item: fromNotification(orgID, changed), If: table.Equal("rev", old.Revision)}
		return s.table.Transact(ctx, table.Transaction{Writes: append([]table.Write{put}, s.making(orgID, request, idKey(id))...)})
	})
	return changed, err
}

// DeleteNotification removes a notification. A request, by its name in Repeated of the HTTP kit, removes once: sent again, it is done
// already. Answers ErrNotFound.
func (s *Store) DeleteNotification(ctx context.Context, orgID string, id int64, request string) error {
	return s.settle(ctx, "delete a notification", func() error {
		if earlier, err := s.madeID(ctx, orgID, request); earlier != 0 || err != nil {
			return err
		}
		err := s.table.Transact(ctx, table.Transaction{Writes: append([]table.Write{
			table.Delete{Table: CoreTable, Key: notificationKey(orgID, id), If: table.Present()},
			notificationsCounted(orgID, -1),
		}, s.making(orgID, request, idKey(id))...)})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && canceled.Failed(0) && (request == "" || !canceled.Failed(2)) {
			return ErrNotFound
		}
		return err
	})
}

func fromNotification(orgID string, n feed.Notification) table.Item {
	key := notificationKey(orgID, n.ID)
	item := table.Item{
		table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "rev": n.Revision, "id": n.ID, "name": n.Name, "feedId": n.FeedID,
		"enabled": n.Enabled, "createdAt": fromTime(n.CreatedAt), "updatedAt": fromTime(n.UpdatedAt),
	}
	if n.FeedIndex != nil {
		item["feedIndex"] = int64(*n.FeedIndex)
	}
	if len(n.Destinations) > 0 {
		places := make([]any, len(n.Destinations))
		for i, d := range n.Destinations {
			places[i] = fromDestination(d)
		}
		item["destinations"] = places
	}
	return item
}

func toNotification(item table.Item) feed.Notification {
	n := feed.Notification{
		ID: integer(item, "id"), Name: str(item, "name"), FeedID: integer(item, "feedId"), Enabled: boolean(item, "enabled"),
		CreatedAt: toTime(str(item, "createdAt")), UpdatedAt: toTime(str(item, "updatedAt")), Revision: integer(item, "rev"),
	}
	if index := pointer[int64](item, "feedIndex"); index != nil {
		at := int(*index)
		n.FeedIndex = &at
	}
	for _, place := range list(item, "destinations") {
		place, _ := place.(map[string]any)
		n.Destinations = append(n.Destinations, toDestination(place))
	}
	return n
}
