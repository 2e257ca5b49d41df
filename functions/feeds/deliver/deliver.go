// Package deliver is the function that tells destinations of mentions and alerts ("feeds" in the contract). The queue
// deliveries calls it, with a workspace whose announcements are to be made into deliveries, with an endpoint that is due or
// whose digest is, or with an alert that is to be evaluated.
//
// The rows of the store are the truth. A message may come twice or be lost, and the function may die at any point: what
// it did not finish is due again, and what it does twice is one event with one id. One caller at a time works on an
// endpoint, with a bounded number of attempts in flight, so that a slow endpoint takes nobody else's time.
package deliver

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"earshot/events/message/due"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/feed/audience"
	"earshot/shared/member"
	"earshot/shared/mention"
	"earshot/shared/port/clock"
	"earshot/shared/port/mail"
	"earshot/shared/port/queue"
	"earshot/shared/store"
	"earshot/shared/store/deliverystore"
	"earshot/shared/store/mentionstore"
	"earshot/shared/worker"
	"earshot/shared/workspace"
)

// Group names the function.
const Group = "deliver"

// How it works.
const (
	invocation    = time.Minute      // the longest
	lease         = 90 * time.Second // longer than an invocation
	margin        = 20 * time.Second // what must remain of an invocation to make further attempts
	slow          = 5 * time.Second  // an attempt after which a call ends, so that other endpoints have their turn
	announcements = 20               // read at once
	drained       = 100              // deliveries of a disabled endpoint that are ended at once
	perLetter     = 20               // mentions that a mail or a message quotes; it counts the others
)

// Store is the part of the store that the function uses.
type Store interface {
	audience.Store
	Alerts
	Summaries
	// Workspace, Feed and Notification return store.ErrNotFound if there is none.
	Workspace(ctx context.Context, id string) (workspace.Workspace, error)
	Feed(ctx context.Context, orgID string, id int64) (feed.Feed, error)
	Notification(ctx context.Context, orgID string, id int64) (feed.Notification, error)

	// Members are all of a workspace.
	Members(ctx context.Context, orgID string) ([]member.Member, []member.Move, error)

	Announcements(ctx context.Context, orgID string, limit int) ([]mentionstore.Announcement, error)
	// Number returns store.ErrNotFound if the announcement is gone.
	Number(ctx context.Context, a mentionstore.Announcement) (mentionstore.Announcement, error)
	EndAnnouncement(ctx context.Context, a mentionstore.Announcement) error
	ToldMentions(ctx context.Context, orgID string, sourceIDs []string) ([]mention.Mention, error)

	// Gather and SealDigest return deliverystore.ErrEarlier.
	Gather(ctx context.Context, g deliverystore.Gathered) error
	SealDigest(ctx context.Context, orgID string, to delivery.Endpoint) error
	SealedDigests(ctx context.Context, orgID string, to delivery.Endpoint) ([]deliverystore.Sealed, error)
	GatheredMentions(
		ctx context.Context, of deliverystore.Sealed, after string,
		each func(id string, sourceIDs []string, sequence int64) error,
	) error
	SaveProgress(
		ctx context.Context, of deliverystore.Sealed, progress []byte, batch string, parts []deliverystore.Part,
	) (bool, error)
	DigestParts(ctx context.Context, of deliverystore.Sealed, batch string) ([]deliverystore.Part, error)
	EndDigest(ctx context.Context, of deliverystore.Sealed, told int) error

	AddDeliveries(ctx context.Context, all []deliverystore.Delivery) error
	DueDeliveries(
		ctx context.Context, orgID string, to delivery.Endpoint, limit int,
	) ([]deliverystore.Delivery, error)
	// WaitingDeliveries are those that are due later too.
	WaitingDeliveries(
		ctx context.Context, orgID string, to delivery.Endpoint, limit int,
	) ([]deliverystore.Delivery, error)
	NextDelivery(ctx context.Context, orgID string, to delivery.Endpoint) (at time.Time, ok bool, err error)
	RecordAttempt(
		ctx context.Context, d deliverystore.Delivery, o delivery.Outcome, random float64,
	) (deliverystore.Delivery, error)
	// RecordReached stores who has a delivery that is still pending.
	RecordReached(ctx context.Context, d deliverystore.Delivery) error
	GiveUpDelivery(ctx context.Context, d deliverystore.Delivery) (deliverystore.Delivery, error)
	Endpoints(ctx context.Context, orgID string) ([]deliverystore.Endpoint, error)
	WakeEndpoint(ctx context.Context, orgID string, name delivery.Endpoint) error
	ClaimEndpoint(
		ctx context.Context, orgID string, name delivery.Endpoint, lease time.Duration,
	) (deliverystore.Endpoint, bool, error)
	ReleaseEndpoint(ctx context.Context, e deliverystore.Endpoint, next time.Time) (ok bool, err error)
	RefreshEndpoint(ctx context.Context, e deliverystore.Endpoint) (deliverystore.Endpoint, bool, error)
	// DisabledFirst reports whether it is the first call of the workspace and the hour.
	DisabledFirst(ctx context.Context, orgID string, at time.Time) (bool, error)
	// Silenced returns which addresses get no mail of an owner, and why.
	Silenced(
		ctx context.Context, orgID string, of delivery.Owner, addresses []string,
	) (map[string]delivery.Silence, error)
}

// Webhook calls webhooks.
type Webhook interface {
	// Post sends a signed event to a URL, once, and returns what came of it. Returns the context's own error.
	Post(ctx context.Context, url string, m delivery.Message) (delivery.Outcome, error)
}

// Slack calls the Slack of a workspace.
type Slack interface {
	// Post writes a message into a channel. Returns feed.ErrSlackNotConnected, *feed.Undelivered and the context's own
	// error.
	Post(ctx context.Context, orgID, channelID string, m feed.SlackMessage) error
}

// Options configure the function.
type Options struct {
	Store   Store
	Webhook Webhook
	Slack   Slack
	Mail    mail.Mailer // nil if the deployment sends no mail
	BaseURL string      // of the API, without a slash at its end: begins the links in mails to unsubscribe
	Queue   queue.Queue
	Clock   clock.Clock
	Random  func() float64 // from 0 to 1, lengthens waits
	// Pause waits between two messages to a channel of Slack, which takes one a second; nil waits by the machine's clock.
	Pause func(ctx context.Context, d time.Duration) error

	log *slog.Logger // of the worker
}

// Handler works on what the queue's messages name.
func Handler(w worker.Options, o Options) worker.QueueHandler {
	if o.Pause == nil {
		o.Pause = pause
	}
	o.log = w.Log
	return worker.Queue(w, o.handle)
}

func (o Options) handle(ctx context.Context, m worker.Message) error {
	asked, err := due.Read(m.Body)
	if err != nil {
		return worker.Reject(err)
	}
	ctx, cancel := context.WithTimeout(ctx, invocation)
	defer cancel()
	if asked.Alert != 0 {
		return o.evaluate(ctx, asked.WorkspaceID, asked.Alert)
	}
	if asked.Endpoint == "" {
		return o.expand(ctx, asked.WorkspaceID)
	}
	to, ok := delivery.ParseEndpoint(asked.Endpoint)
	if !ok {
		return worker.Reject(errors.New("the body names no endpoint"))
	}
	if asked.Digest {
		return o.digest(ctx, asked.WorkspaceID, to)
	}
	return o.work(ctx, asked.WorkspaceID, to)
}

// expand makes the announcements of a workspace into deliveries, and hands the endpoints on.
func (o Options) expand(ctx context.Context, orgID string) error {
	for enough(ctx) {
		all, err := o.Store.Announcements(ctx, orgID, announcements)
		if err != nil || len(all) == 0 {
			return err
		}
		listens, err := audience.Read(ctx, o.Store, orgID)
		if err != nil {
			return err
		}
		disabled, err := o.disabled(ctx, orgID)
		if err != nil {
			return err
		}
		for _, a := range all {
			err := o.announce(ctx, a, listens, disabled)
			if errors.Is(err, deliverystore.ErrEarlier) {
				break // the list has them first, when it is read again
			}
			if err != nil {
				return err
			}
		}
	}
	return due.Send(ctx, o.Queue, 0, due.Work{WorkspaceID: orgID})
}

// disabled returns the endpoints of a workspace that were given up.
func (o Options) disabled(ctx context.Context, orgID string) (map[delivery.Endpoint]bool, error) {
	known, err := o.Store.Endpoints(ctx, orgID)
	disabled := map[delivery.Endpoint]bool{}
	for _, e := range known {
		disabled[e.Name] = !e.Health.DisabledAt.IsZero()
	}
	return disabled, err
}

// announce stores the deliveries of an announcement. It is ended last: until then all of it may be done again.
func (o Options) announce(
	ctx context.Context, a mentionstore.Announcement, listens *audience.Audience, disabled map[delivery.Endpoint]bool,
) error {
	a, err := o.Store.Number(ctx, a)
	if errors.Is(err, store.ErrNotFound) {
		return nil // another one made its deliveries
	}
	if err != nil {
		return err
	}
	if err := o.gather(ctx, a, listens); err != nil {
		return err
	}
	made := deliveriesOf(a, listens, disabled)
	if err := o.Store.AddDeliveries(ctx, made); err != nil {
		return err
	}
	woken := map[delivery.Endpoint]bool{}
	for _, d := range made {
		if woken[d.Endpoint] || d.State.Status != delivery.Pending {
			continue
		}
		woken[d.Endpoint] = true
		if err := o.Store.WakeEndpoint(ctx, a.WorkspaceID, d.Endpoint); err != nil {
			return err
		}
		work := due.Work{WorkspaceID: a.WorkspaceID, Endpoint: d.Endpoint.String()}
		if err := due.Send(ctx, o.Queue, 0, work); err != nil {
			return err
		}
	}
	worker.Count(ctx, "announced", len(a.Told))
	worker.Count(ctx, "deliveries", len(made))
	return o.Store.EndAnnouncement(ctx, a)
}

// deliveriesOf returns what an announcement's destinations are told. A webhook gets an event for each mention. People get
// a message for each, or one with all of them, as the destination says.
func deliveriesOf(
	a mentionstore.Announcement, listens *audience.Audience, disabled map[delivery.Endpoint]bool,
) (made []deliverystore.Delivery) {
	shown, order := shownBy(a)
	for _, feedID := range order {
		for _, place := range listens.Places(feedID) {
			if place.Destination.Digests() {
				continue
			}
			to := endpointOf(place)
			state := delivery.First(a.At)
			if disabled[to] {
				state = delivery.State{Status: delivery.Disabled}
			}
			one := func(subject string, sequence int64, sourceIDs ...string) {
				made = append(made, deliverystore.Delivery{
					WorkspaceID: a.WorkspaceID,
					ID:          delivery.ID(a.At, a.WorkspaceID, to.String(), delivery.MentionCreated, subject),
					Endpoint:    to,
					Type:        delivery.MentionCreated,
					FeedID:      feedID,
					SourceIDs:   sourceIDs,
					Sequence:    sequence,
					CreatedAt:   a.At,
					State:       state,
				})
			}
			if place.Destination.Type != feed.Webhook && place.Destination.DeliveryMode == feed.Batch {
				one("announcement "+a.ID, a.First[feedID], shown[feedID]...)
				continue
			}
			for i, sourceID := range shown[feedID] {
				one("mention "+sourceID, a.First[feedID]+int64(i), sourceID)
			}
		}
	}
	return made
}

// shownBy returns an announcement's mentions by the feeds that show them, and the feeds in their order.
func shownBy(a mentionstore.Announcement) (shown map[int64][]string, order []int64) {
	shown = map[int64][]string{}
	for _, told := range a.Told {
		for _, id := range told.Feeds {
			if shown[id] == nil {
				order = append(order, id)
			}
			shown[id] = append(shown[id], told.SourceID)
		}
	}
	return shown, order
}

// endpointOf names a place to those who deliver.
func endpointOf(place audience.Place) delivery.Endpoint {
	owner := delivery.OfFeed(place.Feed.ID)
	if place.Notification != nil {
		owner = delivery.OfNotification(place.Notification.ID)
	}
	return delivery.Endpoint{Owner: owner, Kind: string(place.Destination.Type)}
}

// enough reports whether the invocation has time for more attempts.
func enough(ctx context.Context) bool {
	deadline, bound := ctx.Deadline()
	return ctx.Err() == nil && (!bound || time.Until(deadline) >= margin)
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
