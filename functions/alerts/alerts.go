// Package alerts is the function of alerts ("alerts" in the contract): conditions on the figures of a feed or a filter,
// with destinations, and what they would have done in the past. Another workspace's alert is treated exactly like one
// that does not exist.
package alerts

import (
	"context"
	"net/netip"

	"earshot/shared/alert"
	"earshot/shared/analytics"
	"earshot/shared/feed"
	"earshot/shared/port/clock"
	"earshot/shared/store/alertstore"
	"earshot/shared/web"
	"earshot/shared/web/destinationwire"
)

// Group names the function, its tag and its folder.
const Group = "alerts"

// Store is the part of the store that the function uses.
type Store interface {
	analytics.Store
	// Alert returns store.ErrNotFound if there is none.
	Alert(ctx context.Context, orgID string, id int64) (alertstore.Watched, error)
	// Alerts are all of a workspace, oldest first.
	Alerts(ctx context.Context, orgID string) ([]alertstore.Watched, error)
	// CreateAlert returns alertstore.ErrAlertLimit, and store.ErrNotFound for a repeated request whose alert was deleted
	// since.
	CreateAlert(ctx context.Context, orgID string, a alert.Alert, request string) (alertstore.Watched, error)
	// ChangeAlert calls the change again if another writer gets in between. It does not call it for a repeated request
	// that was done. Returns store.ErrNotFound, store.ErrConflict, and the change's own error.
	ChangeAlert(
		ctx context.Context, orgID string, id int64, request string, change func(*alert.Alert) error,
	) (alertstore.Watched, error)
	// DeleteAlert returns store.ErrNotFound if there is none.
	DeleteAlert(ctx context.Context, orgID string, id int64, request string) error
	// Feed returns store.ErrNotFound if there is none.
	Feed(ctx context.Context, orgID string, id int64) (feed.Feed, error)
	// KeywordsKnown takes at most table.MaxBatchGet ids, each once.
	KeywordsKnown(ctx context.Context, orgID string, ids []int64) (map[int64]bool, error)
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store Store
	Clock clock.Clock
	Slack destinationwire.Slack
	// Receiver begins the addresses of this machine that a webhook may have; empty: none. Only the workbench sets it.
	Receiver string
	// Lookup resolves a name of the internet. An error means that the name has no address now. The context can end it.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	w := watch{o.Store, o.Clock, destinationwire.Checker{Slack: o.Slack, Receiver: o.Receiver, Lookup: o.Lookup}}
	w.registerAlerts(api)
	w.registerPreview(api)
}

// watch serves the operations.
type watch struct {
	store        Store
	clock        clock.Clock
	destinations destinationwire.Checker
}
