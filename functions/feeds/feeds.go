// Package feeds is the function of saved filters, their destinations, notifications, and the Slack connection ("feeds"
// in the contract). Another workspace's feed is treated exactly like one that does not exist.
package feeds

import (
	"context"
	"net/netip"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/port/clock"
	"earshot/shared/port/mail"
	"earshot/shared/web"
	"earshot/shared/web/destinationwire"
)

// Group names the function, its tag and its folder.
const Group = "feeds"

// Store is the part of the store that the function uses.
type Store interface {
	Feeds
	Notifications
	Connections
	Receiving
}

// Receiving is the part of the store that follows changes of destinations.
type Receiving interface {
	// RescheduleDigests has the open intervals of an owner's digests end by the schedules of its destinations.
	RescheduleDigests(ctx context.Context, orgID string, of delivery.Owner, to []feed.Destination) error
	// EnableEndpoint brings an endpoint back that was disabled.
	EnableEndpoint(ctx context.Context, orgID string, name delivery.Endpoint) error
}

// redirect follows a change of an owner's destinations, however often it is called. What was disabled was the receiver
// before, so a destination with a new address or channel is used again.
func (o Options) redirect(ctx context.Context, orgID string, of delivery.Owner, old, now []feed.Destination) error {
	for _, d := range feed.Removed(now, old) { // what now has and old had not
		if err := o.Store.EnableEndpoint(ctx, orgID, delivery.Endpoint{Owner: of, Kind: string(d.Type)}); err != nil {
			return err
		}
	}
	return o.Store.RescheduleDigests(ctx, orgID, of, now)
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store Store
	Clock clock.Clock

	// Receiver begins the addresses of this machine that a webhook may have; empty: none. Only the workbench sets it.
	Receiver string

	Slack   Slack
	Webhook Webhook
	Mail    mail.Mailer // nil if the deployment sends no mail, which responses then say
	// Lookup resolves a name of the internet. An error means that the name has no address now. The context can end it.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
}

// destinations returns what checks destinations.
func (o Options) destinations() destinationwire.Checker {
	return destinationwire.Checker{Slack: o.Slack, Receiver: o.Receiver, Lookup: o.Lookup}
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	registerFeeds(api, o)
	registerNotifications(api, o)
	registerSlack(api, o)
}
