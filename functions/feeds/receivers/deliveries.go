package receivers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/events/message/due"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/store"
	"earshot/shared/store/deliverystore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

const deliveryRules = "A delivery is an event on its way to one destination. Its `id` is the event's, the same in each " +
	"attempt: a webhook gets it as `webhook-id`. An event is tried ten times within 75 hours and 35 minutes, until the " +
	"destination takes it; a webhook takes it with any 2xx within 15 seconds, and `Retry-After` is honored. A 410, or " +
	"five days without a success, disables the destination: what waits there and what comes is `disabled` then, and " +
	"the workspace's admins get a mail. After " +
	"five time-outs in a row a destination gets one attempt a minute. Addresses that unsubscribed, that bounced for " +
	"good or that complained get no mail. A delivery whose addresses all do not want it is `disabled` too, and its " +
	"attempt says why; the destination stays in use unless all of them bounced.\n\n"

func registerDeliveries(api *web.API, o Options) {
	example := deliveryExample()
	web.Register(api, web.Operation{
		ID:      "listDeliveries",
		Method:  http.MethodGet,
		Path:    "/api/v2/deliveries",
		Group:   tag,
		Summary: "List deliveries",
		Description: deliveryRules + "Lists the deliveries of the last 30 days, newest first. A page may have fewer " +
			"than `limit` while more follow: `pagination.nextCursor` is null at the end alone. A feedId, a " +
			"notificationId or an alertId that the workspace does not have is FEED_NOT_FOUND, NOTIFICATION_NOT_FOUND or " +
			"ALERT_NOT_FOUND. One owner's deliveries are selected: give notificationId or alertId, not both.",
		Codes:   []problem.Code{problem.FeedNotFound, problem.NotificationNotFound, problem.AlertNotFound},
		Example: DeliveryList{Data: []Delivery{example}},
	}, o.list)
	web.Register(api, web.Operation{
		ID:          "getDelivery",
		Method:      http.MethodGet,
		Path:        "/api/v2/deliveries/{id}",
		Group:       tag,
		Summary:     "Read a delivery",
		Description: "Reads a delivery of the last 30 days, with its last 20 attempts. An unknown id is NOT_FOUND.",
		Codes:       []problem.Code{problem.NotFound},
		Example:     example,
	}, o.read)
	web.Register(api, web.Operation{
		ID:      "resendDelivery",
		Method:  http.MethodPost,
		Path:    "/api/v2/deliveries/{id}/resend",
		Group:   tag,
		Scope:   workspace.Write,
		Summary: "Send a delivery again",
		Description: "Makes a delivery due now, whatever became of it, with the same id and ten attempts before it. If " +
			"its destination is disabled, switched off or removed, this is INVALID_INPUT: enable it first. The last event of " +
			"an alert goes where the alert had its destination, even if that is removed or the alert is deleted. The request has " +
			"no body. An unknown id is NOT_FOUND.",
		Codes:   []problem.Code{problem.NotFound, problem.InvalidInput},
		Example: example,
	}, o.resend)
	for _, of := range []struct {
		what, path, id string
		code           problem.Code
		owner          func(int64) delivery.Owner
	}{
		{"notification", "/api/v2/notifications/{id}", "Notification", problem.NotificationNotFound, delivery.OfNotification},
		{"feed", "/api/v2/feeds/{id}", "Feed", problem.FeedNotFound, delivery.OfFeed},
		{"alert", "/api/v2/alerts/{id}", "Alert", problem.AlertNotFound, delivery.OfAlert},
	} {
		web.Register(api, web.Operation{
			ID:      "enable" + of.id,
			Method:  http.MethodPost,
			Path:    of.path + "/enable",
			Group:   tag,
			Scope:   workspace.Write,
			Summary: "Use a " + of.what + "'s disabled destinations and addresses again",
			Description: "Brings back the " + of.what + "'s own destinations that were disabled because they answered " +
				"410 or took nothing for five days. What was not sent meanwhile stays `disabled`: recover sends it. Its mails " +
				"go again to addresses that unsubscribed from them, and to those of its destination that bounced or " +
				"complained: ask these people first. The request has no body.",
			Codes:   []problem.Code{of.code},
			Example: DestinationsEnabled{OK: true},
		}, func(ctx context.Context, in *OwnerID) (*DestinationsEnabled, error) {
			return o.enable(ctx, of.owner(in.ID))
		})
		web.Register(api, web.Operation{
			ID:      "recover" + of.id,
			Method:  http.MethodPost,
			Path:    of.path + "/recover",
			Group:   tag,
			Scope:   workspace.Write,
			Summary: "Send again what a " + of.what + " could not deliver",
			Description: "Makes due what the " + of.what + "'s own destinations did not get since a time: deliveries that " +
				"are `failed` or `disabled`. It takes the newest 500. While `complete` is false, send the request again " +
				"for the rest. Deliveries to a destination that is disabled stay as they are. If there are no others, this " +
				"is INVALID_INPUT: enable it first.",
			Codes:   []problem.Code{of.code, problem.InvalidInput},
			Example: Recovered{Recovered: 12, Complete: true},
		}, func(ctx context.Context, in *RecoverInput) (*Recovered, error) {
			return o.recover(ctx, of.owner(in.ID), in.Body.Since)
		})
	}
}

// DeliveryID names a delivery.
type DeliveryID struct {
	ID string `path:"id" maxLength:"64" doc:"The delivery's id." example:"evt_01KAG7Z8M03F5T9QW2X4Y6B8CD"`
}

// OwnerID names a feed or a notification.
type OwnerID struct {
	ID int64 `path:"id" minimum:"1" maximum:"9007199254740991" doc:"The id."`
}

// ListDeliveriesInput selects deliveries.
type ListDeliveriesInput struct {
	FeedID         int64  `query:"feedId" minimum:"1" maximum:"9007199254740991" doc:"Deliveries of the feed's mentions alone, also those of its notifications."`
	NotificationID int64  `query:"notificationId" minimum:"1" maximum:"9007199254740991" doc:"Deliveries of the notification's own destinations alone."`
	AlertID        int64  `query:"alertId" minimum:"1" maximum:"9007199254740991" doc:"Deliveries of the alert alone."`
	Status         string `query:"status" enum:"pending,delivered,failed,disabled" doc:"Deliveries with this status alone."`
	Cursor         string `query:"cursor" minLength:"1" doc:"The nextCursor of a page with the same parameters."`
	Limit          int    `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"Deliveries on a page, at most."`
}

// Resolve refuses two owners.
func (in *ListDeliveriesInput) Resolve(huma.Context) []error {
	if in.NotificationID == 0 || in.AlertID == 0 {
		return nil
	}
	return web.Faults(problem.Detail{
		Path: "query.alertId", Code: "exclusive", Message: "Give notificationId or alertId, not both.",
	})
}

// RecoverInput says since when to recover.
type RecoverInput struct {
	OwnerID
	Body struct {
		Since time.Time `json:"since" doc:"From when on deliveries are sent again; those of the last 30 days are kept." example:"2026-11-20T00:00:00Z"`
	}
}

// DeliveryList is a page of deliveries.
type DeliveryList struct {
	Data       []Delivery     `json:"data"`
	Pagination web.Pagination `json:"pagination"`
}

// Delivery is a delivery on the wire.
type Delivery struct {
	ID             string           `json:"id" doc:"The event's id." example:"evt_01KAG7Z8M03F5T9QW2X4Y6B8CD"`
	Type           string           `json:"type" example:"mention.created"`
	Status         string           `json:"status" enum:"pending,delivered,failed,disabled"`
	FeedID         web.Null[int64]  `json:"feedId" doc:"The feed that shows the mentions; null for an alert that watches filters."`
	NotificationID web.Null[int64]  `json:"notificationId" doc:"The notification whose destination it goes to; null for a destination of the feed."`
	AlertID        web.Null[int64]  `json:"alertId" doc:"The alert that it tells of; null for other events."`
	Destination    string           `json:"destination" enum:"EMAIL,SLACK,WEBHOOK" doc:"The type of the destination."`
	SourceIDs      []string         `json:"sourceIds" doc:"The mentions that it tells of; of an alert, those that it quotes."`
	Sequence       int64            `json:"sequence" doc:"Number of its first mention among those that the feed told of, from 1; 0 for an alert. Numbers are skipped now and then: a gap is no lost event."`
	Digest         web.Null[Digest] `json:"digest" doc:"The interval of a digest; null for other events."`
	CreatedAt      string           `json:"createdAt" format:"date-time" doc:"Of a digest, the end of its interval."`
	NextAttemptAt  web.Null[string] `json:"nextAttemptAt" format:"date-time" doc:"When it is tried next; null unless it is pending."`
	Attempts       []Attempt        `json:"attempts" doc:"The last 20 attempts, the first first."`
}

// Digest is what a digest's delivery tells of.
type Digest struct {
	From     string `json:"from" format:"date-time" doc:"The interval's beginning, which is in it."`
	To       string `json:"to" format:"date-time" doc:"Its end, which is not in it."`
	Part     int    `json:"part" doc:"Number of the event among those of the interval, from 1."`
	Parts    int    `json:"parts" doc:"How many events tell of the interval."`
	Mentions int    `json:"mentions" doc:"Mentions of the interval, with those that this event does not list."`
}

// Attempt is an attempt at a delivery.
type Attempt struct {
	At         string           `json:"at" format:"date-time" doc:"When it ended."`
	Status     web.Null[int64]  `json:"status" doc:"Status of a webhook's response; null without one, and for mail and Slack."`
	DurationMS int64            `json:"durationMs"`
	Error      web.Null[string] `json:"error" doc:"Why the destination did not take it; of one that was delivered, which addresses or channels it does not reach, and why. null if all took it."`
	Response   web.Null[string] `json:"response" doc:"The first 1,024 bytes of a webhook's response, as text. A stranger wrote it."`
}

// DestinationsEnabled is the response to enabling destinations.
type DestinationsEnabled struct {
	OK bool `json:"ok"`
}

// Recovered is the response to a recovery.
type Recovered struct {
	Recovered int  `json:"recovered" doc:"Deliveries that are due now."`
	Complete  bool `json:"complete" doc:"Whether these are all."`
}

func (o Options) list(ctx context.Context, in *ListDeliveriesInput) (*DeliveryList, error) {
	caller := web.CallerOf(ctx)
	query := deliverystore.Query{WorkspaceID: caller.Workspace.ID, FeedID: in.FeedID, Limit: in.Limit}
	if in.NotificationID != 0 {
		owner := delivery.OfNotification(in.NotificationID)
		query.Owner = &owner
	}
	if in.Status != "" {
		query.Statuses = []delivery.Status{delivery.Status(in.Status)}
	}
	if in.AlertID != 0 {
		owner := delivery.OfAlert(in.AlertID)
		query.Owner = &owner
	}
	for _, owner := range []delivery.Owner{
		delivery.OfFeed(in.FeedID), delivery.OfNotification(in.NotificationID), delivery.OfAlert(in.AlertID),
	} {
		if owner.ID == 0 {
			continue
		}
		if _, _, err := o.destinations(ctx, caller.Workspace.ID, owner); err != nil {
			return nil, err
		}
	}
	selected := []any{"deliveries", in.FeedID, in.NotificationID, in.AlertID, in.Status}
	if in.Cursor != "" {
		if err := web.OpenCursor(caller, selected, in.Cursor, &query.After); err != nil {
			return nil, err
		}
	}
	found, next, err := o.Store.Deliveries(ctx, query)
	if err != nil {
		return nil, err
	}
	answer := &DeliveryList{Data: make([]Delivery, len(found))}
	for i, one := range found {
		answer.Data[i] = fromDelivery(one)
	}
	if next != "" {
		cursor, err := web.SealCursor(caller, selected, next)
		if err != nil {
			return nil, err
		}
		answer.Pagination.NextCursor = web.Some(cursor)
	}
	return answer, nil
}

func (o Options) read(ctx context.Context, in *DeliveryID) (*Delivery, error) {
	return shownDelivery(o.Store.Delivery(ctx, web.CallerOf(ctx).Workspace.ID, in.ID))
}

func (o Options) resend(ctx context.Context, in *DeliveryID) (*Delivery, error) {
	org := web.CallerOf(ctx).Workspace.ID
	again, err := o.Store.ResendDelivery(ctx, org, in.ID, web.Repeated(ctx), func(d deliverystore.Delivery) error {
		return o.usable(ctx, org, d)
	})
	if err == nil {
		err = o.wake(ctx, org, again.Endpoint)
	}
	return shownDelivery(again, err)
}

// usable returns the client's error if nothing is sent of a delivery: its destination is disabled or gone. It would end as
// disabled, without an attempt that says why.
func (o Options) usable(ctx context.Context, org string, d deliverystore.Delivery) error {
	to := d.Endpoint
	path := fmt.Sprintf("/api/v2/%ss/%d", to.Owner.Kind, to.Owner.ID)
	destinations, enabled, err := o.destinations(ctx, org, to.Owner)
	var gone *problem.Problem
	deleted := errors.As(err, &gone)
	switch {
	case err != nil && !deleted:
		return err
	case d.Addressed():
	case deleted:
		return problem.New(problem.InvalidInput,
			"The %s of this delivery is deleted, so nothing is sent to its destination any more.", to.Owner.Kind)
	case !slices.ContainsFunc(destinations, func(d feed.Destination) bool { return string(d.Type) == to.Kind }):
		return problem.New(problem.InvalidInput,
			"The %s has no destination of the type %s any more. PATCH %s adds one.", to.Owner.Kind, to.Kind, path)
	case !enabled:
		return problem.New(problem.InvalidInput,
			"The %s is switched off. PATCH %s with enabled true switches it on.", to.Owner.Kind, path)
	}
	known, err := o.Store.Endpoint(ctx, org, to)
	if err != nil || known.Health.DisabledAt.IsZero() {
		return err
	}
	since := web.FormatTime(known.Health.DisabledAt)
	if deleted {
		return problem.New(problem.InvalidInput, "The destination is disabled since %s, and its %s is deleted. Nothing "+
			"is sent to it any more.", since, to.Owner.Kind)
	}
	return problem.New(problem.InvalidInput,
		"The destination is disabled since %s. POST %s/enable brings it back.", since, path)
}

// wake has an endpoint worked on now. Without the queue, the schedule does it within a minute.
func (o Options) wake(ctx context.Context, org string, to delivery.Endpoint) error {
	if err := o.Store.WakeEndpoint(ctx, org, to); err != nil {
		return err
	}
	_ = due.Send(ctx, o.Queue, 0, due.Work{WorkspaceID: org, Endpoint: to.String()})
	return nil
}

func (o Options) enable(ctx context.Context, of delivery.Owner) (*DestinationsEnabled, error) {
	org := web.CallerOf(ctx).Workspace.ID
	destinations, _, err := o.destinations(ctx, org, of)
	if err != nil {
		return nil, err
	}
	var addresses []string
	for _, destination := range destinations {
		addresses = append(addresses, destination.Emails...)
	}
	if err := o.Store.Unsilence(ctx, org, of, addresses); err != nil {
		return nil, err
	}
	for _, kind := range []feed.DestinationType{feed.Email, feed.Slack, feed.Webhook} {
		if err := o.Store.EnableEndpoint(ctx, org, delivery.Endpoint{Owner: of, Kind: string(kind)}); err != nil {
			return nil, err
		}
	}
	return &DestinationsEnabled{OK: true}, nil
}

// recovered is how many deliveries one request sends again.
const recovered = 500

func (o Options) recover(ctx context.Context, of delivery.Owner, since time.Time) (*Recovered, error) {
	org := web.CallerOf(ctx).Workspace.ID
	_, _, err := o.destinations(ctx, org, of)
	var gone *problem.Problem
	if errors.As(err, &gone) && gone.Code == problem.AlertNotFound {
		return nil, problem.New(problem.AlertNotFound, "No alert has this id. GET /api/v2/alerts lists them. "+
			"POST /api/v2/deliveries/{id}/resend sends the last event of one that is deleted.")
	}
	if err != nil {
		return nil, err
	}
	found, complete, err := o.undelivered(ctx, org, of, since)
	if err != nil {
		return nil, err
	}
	var refused error
	type way struct {
		to        delivery.Endpoint
		addressed bool
	}
	usable, woken, sent := map[way]error{}, map[delivery.Endpoint]bool{}, 0
	for _, one := range found {
		by := way{one.Endpoint, one.Addressed()}
		unusable, known := usable[by]
		if !known {
			unusable = o.usable(ctx, org, one)
			usable[by] = unusable
		}
		var unfit *problem.Problem
		switch {
		case errors.As(unusable, &unfit):
			refused = unusable
			continue
		case unusable != nil:
			return nil, unusable
		}
		_, err := o.Store.ResendDelivery(ctx, org, one.ID, "", nil)
		switch {
		case errors.Is(err, store.ErrNotFound):
			continue // it expired
		case err != nil:
			return nil, err
		}
		woken[one.Endpoint] = true
		sent++
	}
	if sent == 0 && refused != nil {
		return nil, refused
	}
	for to := range woken {
		if err := o.wake(ctx, org, to); err != nil {
			return nil, err
		}
	}
	return &Recovered{Recovered: sent, Complete: complete}, nil
}

// undelivered lists the newest deliveries of an owner that failed since a time, at most as many as one request sends
// again. It reads on past pages without any, because a repeat would begin at the same pages. complete reports whether
// these are all.
func (o Options) undelivered(
	ctx context.Context, org string, of delivery.Owner, since time.Time,
) (found []deliverystore.Delivery, complete bool, err error) {
	query := deliverystore.Query{
		WorkspaceID: org, Owner: &of, Since: since, Statuses: []delivery.Status{delivery.Failed, delivery.Disabled},
	}
	for len(found) < recovered {
		query.Limit = recovered - len(found)
		page, next, err := o.Store.Deliveries(ctx, query)
		if err != nil {
			return nil, false, err
		}
		if found = append(found, page...); next == "" {
			return found, true, nil
		}
		query.After = next
	}
	return found, false, nil
}

// shownDelivery returns the response with a delivery.
func shownDelivery(shown deliverystore.Delivery, err error) (*Delivery, error) {
	if errors.Is(err, store.ErrNotFound) {
		return nil, problem.New(
			problem.NotFound, "No delivery of the last 30 days has this id. GET /api/v2/deliveries lists them.",
		)
	}
	if err != nil {
		return nil, err
	}
	wire := fromDelivery(shown)
	return &wire, nil
}

func fromDelivery(d deliverystore.Delivery) Delivery {
	wire := Delivery{
		ID:          d.ID,
		Type:        string(d.Type),
		Status:      string(d.State.Status),
		FeedID:      web.NullIfEmpty(d.FeedID),
		Destination: d.Endpoint.Kind,
		SourceIDs:   append([]string{}, d.SourceIDs...),
		Sequence:    d.Sequence,
		CreatedAt:   web.FormatTime(d.CreatedAt),
		Attempts:    make([]Attempt, len(d.Attempts)),
	}
	switch d.Endpoint.Owner.Kind {
	case delivery.Notification:
		wire.NotificationID = web.Some(d.Endpoint.Owner.ID)
	case delivery.Alert:
		wire.AlertID = web.Some(d.Endpoint.Owner.ID)
	}
	if of := d.Digest; of != nil {
		wire.Digest = web.Some(Digest{web.FormatTime(of.From), web.FormatTime(of.To), of.Part, of.Parts, of.Figures.Mentions})
	}
	if d.State.Status == delivery.Pending {
		wire.NextAttemptAt = web.Some(web.FormatTime(d.State.Due))
	}
	for i, o := range d.Attempts {
		attempt := Attempt{At: web.FormatTime(o.At), DurationMS: o.Took.Milliseconds()}
		if o.Reason != "" {
			attempt.Error = web.Some(o.Reason)
		}
		if d.Endpoint.Kind == string(feed.Webhook) && o.Status != 0 {
			attempt.Status, attempt.Response = web.Some(int64(o.Status)), web.Some(o.Response)
		}
		wire.Attempts[i] = attempt
	}
	return wire
}

// deliveryExample returns the document's example.
func deliveryExample() Delivery {
	return Delivery{
		ID:            "evt_01KAG7Z8M03F5T9QW2X4Y6B8CD",
		Type:          string(delivery.MentionCreated),
		Status:        string(delivery.Pending),
		FeedID:        web.Some(int64(1)),
		Destination:   "WEBHOOK",
		SourceIDs:     []string{"hackernews_comment_41907231"},
		Sequence:      42,
		CreatedAt:     "2026-11-20T10:15:00.000Z",
		NextAttemptAt: web.Some("2026-11-20T10:20:02.000Z"),
		Attempts: []Attempt{{
			At: "2026-11-20T10:15:01.000Z", Status: web.Some(int64(503)), DurationMS: 412,
			Error: web.Some("The webhook answered 503."), Response: web.Some("busy"),
		}},
	}
}
