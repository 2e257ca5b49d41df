// Package receivers is the function for who receives what feeds and alerts tell ("feeds" in the contract): the secrets
// that sign it, the log of deliveries, sending again, and unsubscribing from mail. Another workspace's delivery is treated
// exactly like one that does not exist.
package receivers

import (
	"context"
	"errors"

	"earshot/shared/alert"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/store"
	"earshot/shared/store/alertstore"
	"earshot/shared/store/deliverystore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Group names the function. Its operations are of the group feeds.
const Group = "receivers"

// tag is the group of its operations.
const tag = "feeds"

// Store is the part of the store that the function uses.
type Store interface {
	// Feed and Notification return store.ErrNotFound if there is none.
	Feed(ctx context.Context, orgID string, id int64) (feed.Feed, error)
	Notification(ctx context.Context, orgID string, id int64) (feed.Notification, error)
	// ChangeFeed does not repeat a change. Returns store.ErrNotFound, store.ErrConflict, and the change's own error.
	ChangeFeed(
		ctx context.Context, orgID string, id int64, request string, change func(*feed.Feed) error,
	) (feed.Feed, error)
	// ChangeNotification calls the change again if another writer gets in between. Returns store.ErrNotFound,
	// store.ErrConflict, and the change's own error.
	ChangeNotification(
		ctx context.Context, orgID string, id int64, request string, change func(*feed.Notification) error,
	) (feed.Notification, error)
	// Alert returns store.ErrNotFound if there is none.
	Alert(ctx context.Context, orgID string, id int64) (alertstore.Watched, error)
	// ChangeAlert is ChangeNotification for alerts.
	ChangeAlert(
		ctx context.Context, orgID string, id int64, request string, change func(*alert.Alert) error,
	) (alertstore.Watched, error)
	// Delivery returns store.ErrNotFound if there is none.
	Delivery(ctx context.Context, orgID, id string) (deliverystore.Delivery, error)
	// Deliveries lists the newest first. A page may be short while next says that more follow.
	Deliveries(ctx context.Context, q deliverystore.Query) (found []deliverystore.Delivery, next string, err error)
	// ResendDelivery makes a delivery due now, unless may returns an error. Returns store.ErrNotFound, and may's error.
	ResendDelivery(
		ctx context.Context, orgID, id, request string, may func(deliverystore.Delivery) error,
	) (deliverystore.Delivery, error)
	// Endpoint reads what is known of an endpoint.
	Endpoint(ctx context.Context, orgID string, name delivery.Endpoint) (deliverystore.Endpoint, error)
	WakeEndpoint(ctx context.Context, orgID string, name delivery.Endpoint) error
	// EnableEndpoint brings an endpoint back that was disabled.
	EnableEndpoint(ctx context.Context, orgID string, name delivery.Endpoint) error
	// Unsilence lets an owner's mails go again to those who unsubscribed, and forgets that addresses bounced.
	Unsilence(ctx context.Context, orgID string, of delivery.Owner, addresses []string) error
	// Unsubscribe takes an address from an owner's mails.
	Unsubscribe(ctx context.Context, orgID string, of delivery.Owner, address string) error
	// Workspace returns store.ErrNotFound if there is none.
	Workspace(ctx context.Context, id string) (workspace.Workspace, error)
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store Store
	Queue queue.Queue // of what is sent again
	Clock clock.Clock
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	registerSigning(api, o)
	registerDeliveries(api, o)
	registerUnsubscribe(api, o)
}

// destinations returns the own destinations of an owner, or the client's error if it does not exist.
func (o Options) destinations(
	ctx context.Context, org string, of delivery.Owner,
) (destinations []feed.Destination, enabled bool, err error) {
	switch of.Kind {
	case delivery.Notification:
		n, err := o.Store.Notification(ctx, org, of.ID)
		return n.Destinations, n.Enabled, notificationProblem(err)
	case delivery.Alert:
		a, err := o.Store.Alert(ctx, org, of.ID)
		return a.Destinations, a.Enabled, alertProblem(err)
	}
	f, err := o.Store.Feed(ctx, org, of.ID)
	return f.Destinations, true, feedProblem(err)
}

// alertProblem returns the client's error for an error of the store.
func alertProblem(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return problem.New(problem.AlertNotFound, "No alert has this id. GET /api/v2/alerts lists them.")
	case errors.Is(err, store.ErrConflict):
		return problem.New(problem.InvalidInput, "Other requests keep changing this alert. Send the request again.").
			Because(err)
	}
	return err
}

// notificationProblem returns the client's error for an error of the store.
func notificationProblem(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return problem.New(
			problem.NotificationNotFound, "No notification has this id. GET /api/v2/notifications lists them.",
		)
	case errors.Is(err, store.ErrConflict):
		return problem.New(problem.InvalidInput, "Other requests keep changing this notification. Send the request again.").
			Because(err)
	}
	return err
}

// feedProblem returns the client's error for an error of the store.
func feedProblem(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return problem.New(problem.FeedNotFound, "No feed has this id. GET /api/v2/feeds lists them.")
	case errors.Is(err, store.ErrConflict):
		return problem.New(
			problem.FeedFilterWriteConflict, "Another writer changed the feed at the same time. Send the request again.",
		).Because(err)
	}
	return err
}
