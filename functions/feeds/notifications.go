package feeds

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
	"earshot/shared/web/destinationwire"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Notifications is the part of the store that the operations of notifications use.
type Notifications interface {
	// Notification returns store.ErrNotFound if there is none.
	Notification(ctx context.Context, orgID string, id int64) (feed.Notification, error)
	// Notifications are all of a workspace, oldest first.
	Notifications(ctx context.Context, orgID string) ([]feed.Notification, error)
	// CreateNotification returns store.ErrNotificationLimit, store.ErrNoFeed, and store.ErrNotFound for a repeated
	// request whose notification was deleted since.
	CreateNotification(
		ctx context.Context, orgID string, n feed.Notification, request string,
	) (feed.Notification, error)
	// ChangeNotification calls the change again if another writer gets in between. It does not call it for a repeated
	// request that was done. Returns store.ErrNotFound, store.ErrNoFeed, store.ErrConflict, and the change's own error.
	ChangeNotification(
		ctx context.Context, orgID string, id int64, request string, change func(*feed.Notification) error,
	) (feed.Notification, error)
	// DeleteNotification returns store.ErrNotFound if there is none.
	DeleteNotification(ctx context.Context, orgID string, id int64, request string) error
	// Feed returns store.ErrNotFound if there is none.
	Feed(ctx context.Context, orgID string, id int64) (feed.Feed, error)
	// Mentions reads a page of a list, newest first.
	Mentions(ctx context.Context, query mentionstore.MentionsQuery) (mentionstore.MentionsPage, error)
	// Silenced returns which addresses get no mail of an owner, as they are written there, and why.
	Silenced(
		ctx context.Context, orgID string, of delivery.Owner, addresses []string,
	) (map[string]delivery.Silence, error)
}

type notifications struct {
	store Notifications
	with  Options
}

const notificationRules = "A notification is an order to send a feed's new mentions. It sends them to its own " +
	"`destinations`, or to the feed's destination at `feedDestinationIndex`, whatever that destination is at " +
	"the time. It cannot have both. With neither it sends nothing. A feed's own destinations are sent to in any " +
	"case, and a mention goes to each of them once.\n\n" + deliveryRules

// deliveryRules tell clients what is sent, and when.
const deliveryRules = "A destination with the frequency instant gets each relevant mention that the feed begins to " +
	"show, within seconds: also a late post, one of a backfill, and one that it shows by a correction within " +
	"a day of its collection. Other filters, and counters that grow later, tell of nothing that was collected before. " +
	"A WEBHOOK gets an event `mention.created` for each mention, signed as Standard Webhooks " +
	"has it, with `data` that holds the `feed`, a `sequence` number in the feed and the `mention`. The numbers grow, and " +
	"some are skipped now and then: a gap is no lost event. An event of more than 20 KB is `truncated`: its mention has " +
	"no text, and `url` reads it. EMAIL and SLACK get one message for mentions that were " +
	"found together, or one for each with deliveryMode individual. GET " +
	"/api/v2/deliveries lists what was sent and what came of it.\n\nhourly, daily and weekly send a digest at the end " +
	"of each interval: at the full hour of UTC, or at `time` in `timezone`. A local time that a day does not have is sent " +
	"at the next one that exists, and one that a day has twice is sent the first time. The intervals follow each other " +
	"without a gap, and a mention is in one of them: by when it was found, not by when it was posted. An interval " +
	"without mentions sends nothing. A WEBHOOK gets an event `mentions.digest` with `data` that holds the `feed`, `from` " +
	"(in the interval), `to` (not in it), `figures` and `mentions`: 50 at most, so that a large interval has several " +
	"events, `part` of `parts`, with the same figures. A mention of more than 8 KB is `truncated` there, and `apiUrl` " +
	"reads it. EMAIL and SLACK get one message with the figures, and the 20 mentions that weigh the most, by keyword. " +
	"With `summary: true` a weekly digest also says what the mentions that were posted in the interval say: an event as " +
	"`summary`, the object of GET /api/v2/ai/summaries/{summaryId}, and messages as themes with sentences. The digest waits " +
	"for it for ten minutes at most. `summary` is null if none was asked for or written in time. " +
	"When a destination's schedule changes, the interval that has begun ends by the new one.\n\n"

// notificationCodes are the codes for a refused notification.
var notificationCodes = append(
	[]problem.Code{problem.FeedNotFound, problem.DestinationIndexOutOfRange},
	destinationwire.Codes...)

func registerNotifications(api *web.API, o Options) {
	n := notifications{o.Store, o}
	web.Register(api, web.Operation{
		ID: "listNotifications", Method: http.MethodGet, Path: "/api/v2/notifications", Group: Group,
		Summary:     "List notifications",
		Description: "Lists all notifications, oldest first. Deleting a feed deletes its notifications.",
		Example:     NotificationList{Data: []Notification{notificationExample()}},
	}, n.list)
	web.Register(api, web.Operation{
		ID:      "createNotification",
		Method:  http.MethodPost,
		Path:    "/api/v2/notifications",
		Group:   Group,
		Scope:   workspace.Write,
		ETag:    true,
		Summary: "Create a notification",
		Description: notificationRules + destinationwire.Rules + "\n\nA workspace has at most 100 notifications. One " +
			"more is INVALID_INPUT. FEED_NOT_FOUND means that the workspace has no such feed. " +
			"DESTINATION_INDEX_OUT_OF_RANGE means that the feed has no destination at the index.",
		Codes:   notificationCodes,
		Example: notificationExample(),
	}, n.create)
	web.Register(api, web.Operation{
		ID:      "getNotification",
		Method:  http.MethodGet,
		Path:    "/api/v2/notifications/{id}",
		Group:   Group,
		ETag:    true,
		Summary: "Read a notification",
		Codes:   []problem.Code{problem.NotificationNotFound},
		Example: notificationExample(),
	}, n.read)
	web.Register(api, web.Operation{
		ID:      "updateNotification",
		Method:  http.MethodPatch,
		Path:    "/api/v2/notifications/{id}",
		Group:   Group,
		Scope:   workspace.Write,
		ETag:    true,
		IfMatch: true,
		Summary: "Change a notification",
		Description: notificationRules + destinationwire.Rules + "\n\nProperties that you leave out stay. To change " +
			"between own destinations and the feed's, remove one and give the other in the same request: " +
			"`{\"destinations\": [], \"feedDestinationIndex\": 0}`. The feed and the index are checked if the " +
			"request has either. A notification in a response can be sent back as it is.\n\nWith If-Match, a " +
			"notification that changed since you read it is not changed: the response is " +
			"FEED_FILTER_WRITE_CONFLICT. Read it again.",
		Codes: append(
			[]problem.Code{problem.NotificationNotFound},
			notificationCodes...),
		Example: notificationExample(),
	}, n.change)
	web.Register(api, web.Operation{
		ID:      "deleteNotification",
		Method:  http.MethodDelete,
		Path:    "/api/v2/notifications/{id}",
		Group:   Group,
		Scope:   workspace.Write,
		Summary: "Delete a notification",
		Codes:   []problem.Code{problem.NotificationNotFound},
		Example: NotificationDeleted{OK: true},
	}, n.delete)
	registerNotificationTest(api, n)
}

func (n notifications) list(ctx context.Context, _ *struct{}) (*NotificationList, error) {
	all, err := n.store.Notifications(ctx, web.CallerOf(ctx).Workspace.ID)
	if err != nil {
		return nil, err
	}
	answer := &NotificationList{Data: make([]Notification, len(all))}
	for i, one := range all {
		answer.Data[i] = fromNotification(one)
	}
	return answer, nil
}

func (n notifications) read(ctx context.Context, in *NotificationID) (*Notification, error) {
	found, err := n.store.Notification(ctx, web.CallerOf(ctx).Workspace.ID, in.ID)
	return notified(ctx, found, err)
}

// notified returns the response with a notification.
func notified(ctx context.Context, shown feed.Notification, err error) (*Notification, error) {
	if err != nil {
		return nil, notificationProblem(err)
	}
	web.Revision(ctx, shown.Revision)
	wire := fromNotification(shown)
	return &wire, nil
}

func (n notifications) create(ctx context.Context, in *CreateNotificationInput) (*Notification, error) {
	org := web.CallerOf(ctx).Workspace.ID
	made := feed.Notification{
		Name:         strings.TrimSpace(in.Body.Name),
		FeedID:       in.Body.FeedID,
		Destinations: destinationwire.ToDestinations(in.Body.Destinations),
		FeedIndex:    toIndex(in.Body.FeedIndex),
		Enabled:      in.Body.Enabled == nil || *in.Body.Enabled,
	}
	if err := n.check(ctx, org, made, true, false); err != nil {
		return nil, err
	}
	if err := n.with.destinations().Check(ctx, org, made.Destinations); err != nil {
		return nil, err
	}
	made, err := n.store.CreateNotification(ctx, org, made, web.Repeated(ctx))
	if errors.Is(err, listenstore.ErrNotificationLimit) {
		return nil, problem.New(
			problem.InvalidInput, "The workspace has %d notifications, the most it can have. Delete one first.",
			feed.MaxNotifications,
		)
	}
	return notified(ctx, made, err)
}

func (n notifications) change(ctx context.Context, in *UpdateNotificationInput) (*Notification, error) {
	org := web.CallerOf(ctx).Workspace.ID
	if given := in.Body.Destinations; given != nil && len(*given) > 0 {
		// Slack is called outside of the change, and only if the notification exists.
		now, err := n.store.Notification(ctx, org, in.ID)
		if err != nil {
			return nil, notificationProblem(err)
		}
		if err := n.with.destinations().Check(ctx, org, destinationwire.ToDestinations(*given), now.Destinations...); err != nil {
			return nil, err
		}
	}
	var before []feed.Destination
	changed, err := n.store.ChangeNotification(ctx, org, in.ID, web.Repeated(ctx), func(one *feed.Notification) error {
		if err := web.Expected(ctx, one.Revision, "notification"); err != nil {
			return err
		}
		old := *one
		before = old.Destinations
		in.Body.apply(one)
		shown := one.FeedID == old.FeedID && sameIndex(one.FeedIndex, old.FeedIndex)
		return n.check(ctx, org, *one, in.Body.FeedID != nil || in.Body.FeedIndex.Given, shown)
	})
	if err == nil && in.Body.Destinations != nil { // also by a repeat of a request that died before this
		err = n.with.redirect(ctx, org, delivery.OfNotification(in.ID), before, changed.Destinations)
	}
	return notified(ctx, changed, err)
}

func (n notifications) delete(ctx context.Context, in *NotificationID) (*NotificationDeleted, error) {
	if err := n.store.DeleteNotification(ctx, web.CallerOf(ctx).Workspace.ID, in.ID, web.Repeated(ctx)); err != nil {
		return nil, notificationProblem(err)
	}
	return &NotificationDeleted{OK: true}, nil
}

// check returns a problem unless a notification is consistent, with its feed as it is now if byFeed is set. If shown is
// set, feed and index are those that the client was shown. The feed may then be missing, because early notifications
// outlived their feeds.
func (n notifications) check(ctx context.Context, org string, one feed.Notification, byFeed, shown bool) error {
	if one.FeedIndex != nil && len(one.Destinations) > 0 {
		return problem.New(
			problem.InvalidInput,
			"A notification cannot have both destinations and feedDestinationIndex. Send an empty list or null for one of them.",
		)
	}
	if !byFeed {
		return nil
	}
	of, err := n.store.Feed(ctx, org, one.FeedID)
	switch {
	case shown && errors.Is(err, store.ErrNotFound):
		return nil
	case err != nil:
		return ofFeed(err)
	}
	if _, err := one.Sends(of); err != nil {
		return indexProblem(of)
	}
	return nil
}

// ofFeed returns the client's error for a notification's feed that cannot be read.
func ofFeed(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return noFeed()
	}
	return err
}

func noFeed() error {
	return problem.New(
		problem.FeedNotFound, "No feed has the notification's feedId. GET /api/v2/feeds lists the feeds.",
	)
}

func sameIndex(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

func indexProblem(of feed.Feed) error {
	if len(of.Destinations) == 0 {
		return problem.New(
			problem.DestinationIndexOutOfRange,
			"The feed has no destinations, so feedDestinationIndex names none. Add one to the feed, or give the notification its own destinations.",
		)
	}
	return problem.New(
		problem.DestinationIndexOutOfRange,
		"The feed has no destination at feedDestinationIndex. Send an index from 0 to %d.", len(of.Destinations)-1,
	)
}

// notificationProblem returns the client's error for an error of the store.
func notificationProblem(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return problem.New(
			problem.NotificationNotFound, "No notification has this id. GET /api/v2/notifications lists them.",
		)
	case errors.Is(err, listenstore.ErrNoFeed): // it was deleted meanwhile
		return noFeed()
	case errors.Is(err, store.ErrConflict):
		return problem.New(problem.InvalidInput, "Other requests keep changing this notification. Send the request again.").
			Because(err)
	}
	return err
}
