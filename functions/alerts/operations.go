package alerts

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	"earshot/shared/alert"
	"earshot/shared/feed"
	"earshot/shared/store"
	"earshot/shared/store/alertstore"
	"earshot/shared/web"
	"earshot/shared/web/destinationwire"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

const alertRules = "An alert watches a figure of the relevant mentions that a feed shows (`feedId`) or that `filters` take, " +
	"over a `window` that ends at a full hour of UTC. It fires once when its `condition` holds, and resolves when the " +
	"figure has returned by a tenth of `value`: above 100 resolves at 90, below 10 at 11, and rises_by 50 at a rise of 45 " +
	"per cent. Then it can fire again. `minimum` keeps an alert from firing on few mentions. A share has no value while " +
	"no mention has a sentiment, and an alert without a value stays as it is. Reach and engagement add up hours: an " +
	"author who writes in two hours counts twice. `POST /api/v2/alerts/preview` says what a condition would have done.\n\n" +
	"Destinations are those of notifications. An alert is sent at once, so the only `frequency` is instant. A WEBHOOK gets " +
	"the events `alert.fired` and `alert.resolved`, signed with a secret of the alert's own. If an alert is deleted, " +
	"disabled or changed in what it watches while it is firing, the destinations that it had get `alert.resolved` " +
	"within minutes. So does a destination that is removed from it, while the alert goes on firing for the others. " +
	"`resolvedBecause` says why: returned, changed, disabled, deleted, destination_removed, keyword_deleted or feed_deleted. "

// codes are those of a refused alert.
var codes = append([]problem.Code{
	problem.FeedNotFound, problem.FilterConditionLimitExceeded, problem.MentionKeywordUnknown, problem.InvalidInput,
}, destinationwire.Codes...)

func (w watch) registerAlerts(api *web.API) {
	web.Register(api, web.Operation{
		ID: "listAlerts", Method: http.MethodGet, Path: "/api/v2/alerts", Group: Group,
		Summary:     "List alerts",
		Description: "Lists all alerts with their states, oldest first.",
		Example:     AlertList{Data: []Alert{example()}},
	}, w.list)
	web.Register(api, web.Operation{
		ID:      "createAlert",
		Method:  http.MethodPost,
		Path:    "/api/v2/alerts",
		Group:   Group,
		Scope:   workspace.Write,
		ETag:    true,
		Summary: "Create an alert",
		Description: alertRules + destinationwire.Rules + "\n\nA filter has at most 50 conditions " +
			"(FILTER_CONDITION_LIMIT_EXCEEDED) and 32 KiB. A keyword id that the workspace does not have is " +
			"MENTION_KEYWORD_UNKNOWN. FEED_NOT_FOUND means that the workspace has no such feed. A workspace has at most 100 " +
			"alerts. One more is INVALID_INPUT.\n\nA request that is repeated with its Idempotency-Key returns the alert " +
			"that it made. If that alert has been deleted, the response is ALERT_NOT_FOUND.",
		Codes:   append([]problem.Code{problem.AlertNotFound}, codes...),
		Example: example(),
	}, w.create)
	web.Register(api, web.Operation{
		ID:      "getAlert",
		Method:  http.MethodGet,
		Path:    "/api/v2/alerts/{id}",
		Group:   Group,
		ETag:    true,
		Summary: "Read an alert",
		Codes:   []problem.Code{problem.AlertNotFound},
		Example: example(),
	}, w.read)
	web.Register(api, web.Operation{
		ID:      "updateAlert",
		Method:  http.MethodPatch,
		Path:    "/api/v2/alerts/{id}",
		Group:   Group,
		Scope:   workspace.Write,
		ETag:    true,
		IfMatch: true,
		Summary: "Change an alert",
		Description: alertRules + destinationwire.Rules +
			"\n\nProperties that you leave out stay. A property that you give " +
			"is replaced as a whole. A feed takes the place of filters, and filters that of a feed. A change of `feedId`, " +
			"`filters` or `condition` begins with a new `state`, in which the alert is not firing, and so does one that " +
			"disables the alert.\n\nA feed that the alert watches may have been deleted, and so may keywords that its filters name: sent back unchanged, they are " +
			"accepted.\n\nThe deletion of a keyword disables the alerts whose filters name it and no other keyword in its " +
			"place. The deletion of a feed disables the alerts that watch it, at the next full hour. `state.pausedBecause` " +
			"says which it was. Enable such an alert with other `filters` or another `feedId`. With the old ones it is " +
			"MENTION_KEYWORD_UNKNOWN or FEED_NOT_FOUND.\n\n" +
			"With If-Match, an alert that changed since you read it is not changed: the response is " +
			"FEED_FILTER_WRITE_CONFLICT. Read it again. An evaluation does not count as a change.",
		Codes:   append([]problem.Code{problem.AlertNotFound}, codes...),
		Example: example(),
	}, w.change)
	web.Register(api, web.Operation{
		ID:      "deleteAlert",
		Method:  http.MethodDelete,
		Path:    "/api/v2/alerts/{id}",
		Group:   Group,
		Scope:   workspace.Write,
		Summary: "Delete an alert",
		Codes:   []problem.Code{problem.AlertNotFound},
		Example: AlertDeleted{OK: true},
	}, w.delete)
}

func (w watch) list(ctx context.Context, _ *struct{}) (*AlertList, error) {
	all, err := w.store.Alerts(ctx, web.CallerOf(ctx).Workspace.ID)
	if err != nil {
		return nil, err
	}
	answer := &AlertList{Data: make([]Alert, len(all))}
	for i, one := range all {
		if answer.Data[i], err = fromAlert(one); err != nil {
			return nil, err
		}
	}
	return answer, nil
}

func (w watch) read(ctx context.Context, in *AlertID) (*Alert, error) {
	found, err := w.store.Alert(ctx, web.CallerOf(ctx).Workspace.ID, in.ID)
	return shown(ctx, found, err)
}

// shown returns the response with an alert.
func shown(ctx context.Context, found alertstore.Watched, err error) (*Alert, error) {
	if err != nil {
		return nil, refused(err)
	}
	web.Revision(ctx, found.Revision)
	wire, err := fromAlert(found)
	return &wire, err
}

func (w watch) create(ctx context.Context, in *CreateAlertInput) (*Alert, error) {
	org, made := web.CallerOf(ctx).Workspace.ID, in.Body.toAlert()
	if err := w.checkWatched(ctx, org, alert.Alert{}, made); err != nil {
		return nil, err
	}
	if err := w.destinations.Check(ctx, org, made.Destinations); err != nil {
		return nil, err
	}
	stored, err := w.store.CreateAlert(ctx, org, made, web.Repeated(ctx))
	return shown(ctx, stored, err)
}

func (w watch) change(ctx context.Context, in *UpdateAlertInput) (*Alert, error) {
	org := web.CallerOf(ctx).Workspace.ID
	if given := in.Body.Destinations; given != nil && len(*given) > 0 {
		// Slack is called outside of the change, and only if the alert exists.
		now, err := w.store.Alert(ctx, org, in.ID)
		if err != nil {
			return nil, refused(err)
		}
		if err := w.destinations.Check(ctx, org, destinationwire.ToDestinations(*given), now.Destinations...); err != nil {
			return nil, err
		}
	}
	changed, err := w.store.ChangeAlert(ctx, org, in.ID, web.Repeated(ctx), func(a *alert.Alert) error {
		if err := web.Expected(ctx, a.Revision, "alert"); err != nil {
			return err
		}
		old := *a
		in.Body.apply(a)
		return w.checkWatched(ctx, org, old, *a)
	})
	return shown(ctx, changed, err)
}

func (w watch) delete(ctx context.Context, in *AlertID) (*AlertDeleted, error) {
	if err := w.store.DeleteAlert(ctx, web.CallerOf(ctx).Workspace.ID, in.ID, web.Repeated(ctx)); err != nil {
		return nil, refused(err)
	}
	return &AlertDeleted{OK: true}, nil
}

// checkWatched returns a problem unless an alert watches a feed of the workspace, or a filter that can be stored. What
// the old alert watched is accepted, but for a feed that is deleted when the alert is enabled.
func (w watch) checkWatched(ctx context.Context, org string, old, a alert.Alert) error {
	switch {
	case a.FeedID == 0 && len(a.Filters) == 0:
		return problem.Invalid(problem.Detail{
			Path: "feedId", Code: "required", Message: "An alert watches a feed or a filter. Give feedId or filters.",
		})
	case a.FeedID == 0 && a.Enabled && old.Paused == alert.KeywordDeleted && bytes.Equal(a.Filters, old.Filters):
		return w.checkFilters(ctx, org, nil, a.Filters, problem.FilterConditionLimitExceeded)
	case a.FeedID == 0 && !bytes.Equal(a.Filters, old.Filters):
		return w.checkFilters(ctx, org, old.Filters, a.Filters, problem.FilterConditionLimitExceeded)
	case a.FeedID != 0 && (a.FeedID != old.FeedID || a.Enabled && !old.Enabled):
		_, err := w.feed(ctx, org, a.FeedID)
		return err
	}
	return nil
}

// feed reads a feed that is to be watched.
func (w watch) feed(ctx context.Context, org string, id int64) (feed.Feed, error) {
	found, err := w.store.Feed(ctx, org, id)
	if errors.Is(err, store.ErrNotFound) {
		return found, problem.New(problem.FeedNotFound, "No feed has the id in feedId. GET /api/v2/feeds lists the feeds.")
	}
	return found, err
}

// refused returns the client's error for an error of the store.
func refused(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return problem.New(problem.AlertNotFound, "No alert has this id. GET /api/v2/alerts lists them.")
	case errors.Is(err, alertstore.ErrAlertLimit):
		return problem.New(
			problem.InvalidInput, "The workspace has %d alerts, the most it can have. Delete one first.", alert.MaxAlerts,
		)
	case errors.Is(err, store.ErrConflict):
		return problem.New(problem.InvalidInput, "Other requests keep changing this alert. Send the request again.").
			Because(err)
	}
	return err
}

// example returns the document's example.
func example() Alert {
	wire, _ := fromAlert(alertstore.Watched{Alert: alert.Alert{
		ID:     2,
		Name:   "Complaints",
		FeedID: 1,
		Condition: alert.Condition{
			Metric: alert.Mentions, Comparison: alert.RisesBy, Value: 100, Window: alert.Day, Baseline: alert.Weekday,
		},
		Destinations: []feed.Destination{
			feed.Destination{Type: feed.Email, Emails: []string{"alerts@northwind.example"}}.WithDefaults(),
		},
		Remind:  alert.Daily,
		Enabled: true,
	}})
	wire.CreatedAt, wire.UpdatedAt = "2026-11-20T10:15:00.000Z", "2026-11-20T10:15:00.000Z"
	wire.State = AlertState{
		Firing: true, Since: web.Some("2026-11-21T09:00:00.000Z"), Value: web.Some(130.0), Baseline: web.Some(61.5),
		EvaluatedAt: web.Some("2026-11-21T11:00:00.000Z"),
	}
	return wire
}
