// Package feeds is the function of saved filters, where their mentions are sent, notifications, and the Slack connection ("feeds" in
// the contract). Another workspace's feed is treated exactly as one that does not exist.
package feeds

import (
	"context"
	"net/netip"

	"earshot/shared/port/clock"
	"earshot/shared/port/mail"
	"earshot/shared/web"
)

// Group names the function, its tag and its folder.
const Group = "feeds"

// Store is what the function asks of the store.
type Store interface {
	Feeds
	Notifications
}

// Options are what the function works with. A document-only API needs none of it.
type Options struct {
	Store Store
	Clock clock.Clock

	Slack   Slack
	Webhook Webhook
	Mail    mail.Mailer // nil: the deployment sends no mail, and says so
	// Lookup resolves a name of the internet. An error means that it has no address now. It can be told to stop by the context.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	registerFeeds(api, o)
	registerNotifications(api, o)
	registerSlack(api, o)
}
