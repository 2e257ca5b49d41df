// Package deliveries is the function that finds what is to be delivered and is due: announcements whose message was lost,
// endpoints whose wait is over, those whose caller died, digests whose interval is over, and alerts that are to be evaluated.
// It hands them on to the queue deliveries. A schedule calls it every minute.
//
// It may be killed anywhere, run again and run twice at once: what it names is looked at again, and is done once.
package deliveries

import (
	"context"
	"errors"
	"fmt"

	"earshot/events/message/due"
	"earshot/shared/port/queue"
	"earshot/shared/store/deliverystore"
	"earshot/shared/worker"
)

// Group names the function.
const Group = "deliveries"

// most is how much of each kind one call hands on.
const most = 1_000

// Store is what the function asks of the store.
type Store interface {
	// Announcing lists the workspaces that have announcements.
	Announcing(ctx context.Context, most int) (orgIDs []string, err error)
	DueEndpoints(ctx context.Context, limit int) ([]deliverystore.Endpoint, error)
	DueDigests(ctx context.Context, limit int) ([]deliverystore.DueDigest, error)
	DueAlerts(ctx context.Context, limit int) ([]deliverystore.DueAlert, error)
}

// Options configure the function.
type Options struct {
	Store Store
	Queue queue.Queue
}

// Handler handles a tick of the schedule.
func Handler(on worker.Options, o Options) worker.ScheduleHandler {
	return worker.Schedule(on, func(ctx context.Context, _ worker.Tick) error { return Run(ctx, o) })
}

// Run hands on what is due. A failure of one kind does not keep the other back.
func Run(ctx context.Context, o Options) error {
	announcing, unread := o.Store.Announcing(ctx, most)
	endpoints, failed := o.Store.DueEndpoints(ctx, most)
	digests, unlisted := o.Store.DueDigests(ctx, most)
	alerts, unwatched := o.Store.DueAlerts(ctx, most)
	var all []due.Work
	for _, id := range announcing {
		all = append(all, due.Work{WorkspaceID: id})
	}
	for _, e := range endpoints {
		all = append(all, due.Work{WorkspaceID: e.WorkspaceID, Endpoint: e.Name.String()})
	}
	for _, d := range digests {
		all = append(all, due.Work{WorkspaceID: d.WorkspaceID, Endpoint: d.Endpoint.String(), Digest: true})
	}
	for _, a := range alerts {
		all = append(all, due.Work{WorkspaceID: a.WorkspaceID, Alert: a.ID})
	}
	worker.Count(ctx, "announcing", len(announcing))
	worker.Count(ctx, "endpoints", len(endpoints))
	worker.Count(ctx, "digests", len(digests))
	worker.Count(ctx, "alerts", len(alerts))
	err := errors.Join(unread, failed, unlisted, unwatched)
	if len(all) > 0 {
		if unsent := due.Send(ctx, o.Queue, 0, all...); unsent != nil {
			err = errors.Join(err, fmt.Errorf("hand on deliveries: %w", unsent))
		}
	}
	return err
}
