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
	"time"

	"earshot/events/message/due"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
)

// Group names the function.
const Group = "deliveries"

const (
	// most is how much of each kind one call hands on.
	most = 1_000
	// overdue is how late work is that nobody did. Those who work on an endpoint make it due later. So this is not a slow
	// receiver, but a failure of the queue or of deliver.
	overdue = 15 * time.Minute
)

// Store is what the function asks of the store.
type Store interface {
	// Announcing lists the workspaces that have announcements.
	Announcing(ctx context.Context, most int) ([]mentionstore.Announced, error)
	DueEndpoints(ctx context.Context, limit int) ([]deliverystore.Endpoint, error)
	DueDigests(ctx context.Context, limit int) ([]deliverystore.DueDigest, error)
	DueAlerts(ctx context.Context, limit int) ([]deliverystore.DueAlert, error)
}

// Options configure the function.
type Options struct {
	Store Store
	Queue queue.Queue
	Clock clock.Clock
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
	late, before := 0, o.Clock.Now().Add(-overdue)
	add := func(work due.Work, since time.Time) {
		all = append(all, work)
		if since.Before(before) {
			late++
		}
	}
	for _, a := range announcing {
		add(due.Work{WorkspaceID: a.WorkspaceID}, a.Since)
	}
	for _, e := range endpoints {
		add(due.Work{WorkspaceID: e.WorkspaceID, Endpoint: e.Name.String()}, e.DueAt)
	}
	for _, d := range digests {
		add(due.Work{WorkspaceID: d.WorkspaceID, Endpoint: d.Endpoint.String(), Digest: true}, d.At)
	}
	for _, a := range alerts {
		add(due.Work{WorkspaceID: a.WorkspaceID, Alert: a.ID}, a.At)
	}
	worker.Count(ctx, "announcing", len(announcing))
	worker.Count(ctx, "endpoints", len(endpoints))
	worker.Count(ctx, "digests", len(digests))
	worker.Count(ctx, "alerts", len(alerts))
	worker.Count(ctx, "overdue", late)
	err := errors.Join(unread, failed, unlisted, unwatched)
	if len(all) > 0 {
		if unsent := due.Send(ctx, o.Queue, 0, all...); unsent != nil {
			err = errors.Join(err, fmt.Errorf("hand on deliveries: %w", unsent))
		}
	}
	return err
}
