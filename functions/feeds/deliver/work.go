package deliver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"earshot/events/message/due"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/feed/notice"
	"earshot/shared/parallel"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
	"earshot/shared/store"
	"earshot/shared/store/deliverystore"
	"earshot/shared/worker"
	"earshot/shared/workspace"
)

// A desk is one caller's work on an endpoint.
type desk struct {
	Options
	workspace workspace.Workspace
	endpoint  deliverystore.Endpoint
	place     *place // nil: the destination is gone, or switched off
	worked    bool   // whether an attempt was made
	disabled  bool   // whether an attempt disabled the endpoint
	slow      bool   // whether an attempt took longer than a call may wait while others want its place
}

// A place is where an endpoint leads at the moment.
type place struct {
	destination feed.Destination
	signing     feed.Signing
	name        string // of the notification or the feed
}

// work makes the attempts that are due at an endpoint.
func (o Options) work(ctx context.Context, orgID string, to delivery.Endpoint) error {
	w, err := o.Store.Workspace(ctx, orgID)
	if errors.Is(err, store.ErrNotFound) {
		return nil // it was deleted, and its deliveries with it
	}
	if err != nil {
		return err
	}
	e, mine, err := o.Store.ClaimEndpoint(ctx, orgID, to, lease)
	if err != nil || !mine {
		return err
	}
	d := &desk{Options: o, workspace: w, endpoint: e}
	if d.place, err = o.placeOf(ctx, orgID, to); err != nil {
		return err
	}
	for {
		next, err := d.round(ctx)
		if err != nil {
			return err // the lease ends, and the endpoint is due then
		}
		if next.IsZero() && enough(ctx) && !d.slow {
			continue
		}
		released, err := d.release(ctx, next)
		for err == nil && !released && (!enough(ctx) || d.slow) { // what was added is for the next call
			released, err = d.release(ctx, time.Time{})
		}
		if err != nil || released {
			return err
		}
	}
}

// never is when an endpoint is due at which nothing waits.
var never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// round makes the attempts that may be made at once. It returns the zero time if there may be more, else when the
// endpoint is due again.
func (d *desk) round(ctx context.Context) (next time.Time, err error) {
	now := d.Clock.Now()
	at, usable := d.endpoint.Health.Next(now)
	if usable && at.After(now) {
		return at, nil
	}
	list := d.Store.DueDeliveries
	if !usable {
		list = d.Store.WaitingDeliveries // what is due tomorrow waits in vain too
	}
	waiting, err := list(ctx, d.workspace.ID, d.endpoint.Name, d.atOnce(usable))
	if err != nil {
		return time.Time{}, err
	}
	if len(waiting) == 0 {
		at, waits, err := d.Store.NextDelivery(ctx, d.workspace.ID, d.endpoint.Name)
		switch {
		case err != nil:
			return time.Time{}, err
		case !waits:
			return never, nil
		case !at.After(d.Clock.Now()): // a row was mended, or became due meanwhile
			return time.Time{}, nil
		}
		return at, nil
	}
	if d.worked && usable && d.place != nil { // attempts take time, in which people change or remove a destination
		if d.place, err = d.placeOf(ctx, d.workspace.ID, d.endpoint.Name); err != nil {
			return time.Time{}, err
		}
		waiting = waiting[:min(len(waiting), d.atOnce(usable))]
	}
	switch {
	case !usable:
		return time.Time{}, d.drain(ctx, waiting)
	case d.place == nil:
		vain := slices.DeleteFunc(slices.Clone(waiting), deliverystore.Delivery.Addressed)
		if len(vain) > 0 {
			return time.Time{}, d.drain(ctx, vain)
		}
		waiting = waiting[:1]
	}
	return time.Time{}, d.attempt(ctx, waiting)
}

// to returns the desk of a delivery, whose place may be its own.
func (d *desk) to(of deliverystore.Delivery) *desk {
	if !of.Addressed() {
		return d
	}
	own, to := *d, of.Report.Recipient
	own.place = &place{to.Destination, to.Signing, to.Name}
	return &own
}

// atOnce returns how many deliveries a round takes.
func (d *desk) atOnce(usable bool) int {
	switch {
	case !usable || d.place == nil:
		return drained
	case d.place.destination.Type == feed.Slack, d.place.destination.Sent() != feed.FormatStandard:
		return 1 // products take a message a second
	}
	return d.endpoint.Health.AtOnce()
}

// drain ends deliveries without an attempt.
func (d *desk) drain(ctx context.Context, waiting []deliverystore.Delivery) error {
	failed := make([]error, len(waiting))
	parallel.Few(delivery.InFlight, len(waiting), func(i int) { _, failed[i] = d.Store.GiveUpDelivery(ctx, waiting[i]) })
	worker.Count(ctx, "givenUp", len(waiting))
	return errors.Join(failed...)
}

// attempt makes one attempt at each delivery, all at the same time, and stores what came of them.
func (d *desk) attempt(ctx context.Context, waiting []deliverystore.Delivery) error {
	d.worked = true
	feeds, err := d.feedsOf(ctx, waiting)
	if err != nil {
		return err
	}
	outcomes, failed := make([]*delivery.Outcome, len(waiting)), make([]error, len(waiting))
	parallel.Few(len(waiting), len(waiting), func(i int) {
		one, out, err := d.to(waiting[i]).tell(ctx, waiting[i], feeds[waiting[i].FeedID])
		if errors.Is(err, errUnfinished) {
			failed[i] = d.Store.RecordReached(ctx, one)
			return
		}
		if err != nil {
			failed[i] = err
			return
		}
		if out == nil { // there is nothing to tell any more
			_, failed[i] = d.Store.GiveUpDelivery(ctx, one)
			return
		}
		outcomes[i] = out
		_, failed[i] = d.Store.RecordAttempt(ctx, one, *out, d.Random())
	})
	outcomes = slices.DeleteFunc(outcomes, func(o *delivery.Outcome) bool { return o == nil })
	slices.SortStableFunc(outcomes,
		func(a, b *delivery.Outcome) int { return cmp.Compare(a.At.UnixNano(), b.At.UnixNano()) })
	was := d.endpoint.Health
	for _, out := range outcomes {
		d.slow = d.slow || out.Took >= slow
		d.endpoint.Health = d.endpoint.Health.After(*out)
		switch {
		case out.OK():
			worker.Count(ctx, "delivered", 1)
		case out.Unwanted:
			worker.Count(ctx, "unwanted", 1)
		default:
			worker.Count(ctx, "failed", 1)
		}
	}
	if was.DisabledAt.IsZero() && !d.endpoint.Health.DisabledAt.IsZero() {
		worker.Count(ctx, "disabled", 1)
		d.disabled = true
	}
	return errors.Join(failed...)
}

// feedsOf reads the feeds of deliveries, each once. Those that are deleted are left out.
func (d *desk) feedsOf(ctx context.Context, all []deliverystore.Delivery) (map[int64]*feed.Feed, error) {
	feeds := map[int64]*feed.Feed{}
	for _, one := range all {
		if _, known := feeds[one.FeedID]; known || one.Report != nil {
			continue
		}
		f, err := d.Store.Feed(ctx, d.workspace.ID, one.FeedID)
		switch {
		case errors.Is(err, store.ErrNotFound):
			feeds[one.FeedID] = nil
		case err != nil:
			return nil, err
		default:
			feeds[one.FeedID] = &f
		}
	}
	return feeds, nil
}

// release ends the claim. It returns false if something was added meanwhile, so that there is more to do.
func (d *desk) release(ctx context.Context, next time.Time) (done bool, err error) {
	if d.disabled {
		d.tellOperators(ctx)
		d.tellAdmins(ctx) // before it is stored, so that a call that dies here tells them again
		d.disabled = false
	}
	now := d.Clock.Now()
	at := next
	switch {
	case next.IsZero(): // the call's time is over, or the endpoint is slow
		at = now
	case next.Equal(never):
		at = time.Time{}
	}
	ok, err := d.Store.ReleaseEndpoint(ctx, d.endpoint, at)
	if err != nil {
		return false, err
	}
	if !ok {
		var mine bool
		d.endpoint, mine, err = d.Store.RefreshEndpoint(ctx, d.endpoint)
		return !mine, err
	}
	// The schedule finds what is due. A message is there sooner. Who found nothing to do sends none, so that messages do not
	// add up.
	if wait := at.Sub(now); d.worked && !at.IsZero() && wait <= queue.MaxDelay {
		work := due.Work{WorkspaceID: d.workspace.ID, Endpoint: d.endpoint.Name.String()}
		err = due.Send(ctx, d.Queue, wait, work)
	}
	return true, err
}

// tellOperators logs that the endpoint is disabled. It counts the workspace once an hour, however many of its endpoints
// are disabled, so that an alarm tells a failure of the sender from a customer's receiver that is gone. A workspace that
// cannot be looked up counts. One whose caller dies after that is not counted again.
func (d *desk) tellOperators(ctx context.Context) {
	health := d.endpoint.Health
	d.log.WarnContext(ctx, "an endpoint was disabled", slog.String("workspace", d.workspace.ID),
		slog.String("endpoint", d.endpoint.Name.String()), slog.Bool("gone", health.Gone),
		slog.Time("failingSince", health.FailingSince))
	first, err := d.Store.DisabledFirst(ctx, d.workspace.ID, health.DisabledAt)
	if err != nil || first {
		worker.Count(ctx, "disabledWorkspaces", 1)
	}
}

// tellAdmins mails the workspace's admins that the endpoint is disabled. What cannot be sent is counted: an attention item
// tells of it too.
func (d *desk) tellAdmins(ctx context.Context) {
	admins, err := d.admins(ctx)
	if err != nil || d.Mail == nil || d.place == nil {
		worker.Count(ctx, "unnoticed", 1)
		return
	}
	below := fmt.Sprintf("/api/v2/%ss/%d", d.endpoint.Name.Owner.Kind, d.endpoint.Name.Owner.ID)
	told := notice.Disabled{
		Workspace: d.workspace.Name, Name: d.place.name, Kind: d.place.destination.Type, Gone: d.endpoint.Health.Gone,
		Enable: below + "/enable", Recover: below + "/recover",
	}
	for _, address := range admins {
		var letter mail.Message
		told.Unsubscribe, err = d.unsubscribing(address)
		if err == nil {
			letter, err = told.Mail(address)
		}
		if err == nil {
			err = d.send(ctx, letter)
		}
		if err != nil {
			worker.Count(ctx, "unnoticed", 1)
		}
	}
}

// placeOf returns where an endpoint leads; nil if its owner is gone, is switched off, or has no destination of the kind.
func (o Options) placeOf(ctx context.Context, orgID string, to delivery.Endpoint) (*place, error) {
	var places []feed.Destination
	found := place{}
	switch to.Owner.Kind {
	case delivery.Notification:
		n, err := o.Store.Notification(ctx, orgID, to.Owner.ID)
		if err != nil || !n.Enabled {
			return nil, unlessGone(err)
		}
		places, found.signing, found.name = n.Destinations, n.Signing, n.Name
	case delivery.Feed:
		f, err := o.Store.Feed(ctx, orgID, to.Owner.ID)
		if err != nil {
			return nil, unlessGone(err)
		}
		places, found.signing, found.name = f.Destinations, f.Signing, f.Name
	case delivery.Alert:
		a, err := o.Store.Alert(ctx, orgID, to.Owner.ID)
		if err != nil || !a.Enabled {
			return nil, unlessGone(err)
		}
		places, found.signing, found.name = a.Destinations, a.Signing, a.Name
	}
	for _, destination := range places {
		if string(destination.Type) == to.Kind {
			found.destination = destination
			return &found, nil
		}
	}
	return nil, nil
}

// unlessGone returns an error that is not store.ErrNotFound.
func unlessGone(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
