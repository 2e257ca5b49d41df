package receivers

import (
	"context"
	"net/http"

	"earshot/shared/alert"
	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

const signingRules = "A webhook gets the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` of Standard " +
	"Webhooks (https://www.standardwebhooks.com), whose libraries verify them with this secret. A signature is `v1,` and, " +
	"in base64, the HMAC-SHA256 of `{id}.{timestamp}.{body}`. Its key is what follows `whsec_`, decoded from base64. The " +
	"header has several signatures with a space between them while two secrets sign: one must match. Reject a timestamp that is more than five minutes off, and " +
	"process each `webhook-id` once: an event may come more than once, always with the same id.\n\n"

const rotationRules = "Replaces the secret. For 24 hours each event is signed with the new secret and the previous " +
	"one, so that you can change the receiver in that time. A second rotation in these hours ends the secret before " +
	"the previous one at once. "

func registerSigning(api *web.API, o Options) {
	example := SigningSecret{
		Secret:            "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
		Previous:          web.Some("whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA="),
		PreviousExpiresAt: web.Some("2026-11-21T10:15:00.000Z"),
	}
	web.Register(api, web.Operation{
		ID:      "getNotificationSigningSecret",
		Method:  http.MethodGet,
		Path:    "/api/v2/notifications/{id}/signing-secret",
		Group:   tag,
		Scope:   workspace.Admin,
		Summary: "Read a notification's signing secret",
		Description: signingRules + "This secret signs what the notification's own webhook gets. What it sends to its " +
			"feed's destination is signed with the feed's secret.",
		Codes:   []problem.Code{problem.NotificationNotFound},
		Example: example,
	}, o.ofNotification)
	web.Register(api, web.Operation{
		ID:          "rotateNotificationSigningSecret",
		Method:      http.MethodPost,
		Path:        "/api/v2/notifications/{id}/signing-secret/rotate",
		Group:       tag,
		Scope:       workspace.Admin,
		Secret:      true,
		Summary:     "Replace a notification's signing secret",
		Description: rotationRules + "The request has no body.",
		Codes:       []problem.Code{problem.NotificationNotFound},
		Example:     example,
	}, o.rotateNotification)
	web.Register(api, web.Operation{
		ID:          "getAlertSigningSecret",
		Method:      http.MethodGet,
		Path:        "/api/v2/alerts/{id}/signing-secret",
		Group:       tag,
		Scope:       workspace.Admin,
		Summary:     "Read an alert's signing secret",
		Description: signingRules + "This secret signs what the alert's webhook gets.",
		Codes:       []problem.Code{problem.AlertNotFound},
		Example:     example,
	}, o.ofAlert)
	web.Register(api, web.Operation{
		ID:          "rotateAlertSigningSecret",
		Method:      http.MethodPost,
		Path:        "/api/v2/alerts/{id}/signing-secret/rotate",
		Group:       tag,
		Scope:       workspace.Admin,
		Secret:      true,
		Summary:     "Replace an alert's signing secret",
		Description: rotationRules + "The request has no body.",
		Codes:       []problem.Code{problem.AlertNotFound},
		Example:     example,
	}, o.rotateAlert)
	web.Register(api, web.Operation{
		ID:          "getFeedSigningSecret",
		Method:      http.MethodGet,
		Path:        "/api/v2/feeds/{id}/signing-secret",
		Group:       tag,
		Scope:       workspace.Admin,
		Summary:     "Read a feed's signing secret",
		Description: signingRules + "This secret signs what the webhook among the feed's destinations gets.",
		Codes:       []problem.Code{problem.FeedNotFound},
		Example:     example,
	}, o.ofFeed)
	web.Register(api, web.Operation{
		ID:      "rotateFeedSigningSecret",
		Method:  http.MethodPost,
		Path:    "/api/v2/feeds/{id}/signing-secret/rotate",
		Group:   tag,
		Scope:   workspace.Admin,
		Secret:  true,
		Summary: "Replace a feed's signing secret",
		Description: rotationRules + "The request has no body. If another request changes the feed meanwhile, the " +
			"response is FEED_FILTER_WRITE_CONFLICT. Send it again.",
		Codes:   []problem.Code{problem.FeedNotFound, problem.FeedFilterWriteConflict},
		Example: example,
	}, o.rotateFeed)
}

// SigningSecret holds the secrets that sign what a webhook gets.
type SigningSecret struct {
	Secret            string           `json:"secret" doc:"The secret, as the libraries of Standard Webhooks take it." example:"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="`
	Previous          web.Null[string] `json:"previous" doc:"The secret before the last rotation, while it still signs."`
	PreviousExpiresAt web.Null[string] `json:"previousExpiresAt" format:"date-time" doc:"When previous ends."`
}

func (o Options) ofNotification(ctx context.Context, in *OwnerID) (*SigningSecret, error) {
	found, err := o.Store.Notification(ctx, web.CallerOf(ctx).Workspace.ID, in.ID)
	if err != nil {
		return nil, notificationProblem(err)
	}
	return o.signingSecret(ctx, delivery.OfNotification(in.ID), found.Signing)
}

func (o Options) rotateNotification(ctx context.Context, in *OwnerID) (*SigningSecret, error) {
	now := o.Clock.Now()
	changed, err := o.Store.ChangeNotification(ctx, web.CallerOf(ctx).Workspace.ID, in.ID, web.Repeated(ctx),
		func(one *feed.Notification) error {
			one.Signing = one.Signing.Rotated(now)
			return nil
		})
	if err != nil {
		return nil, notificationProblem(err)
	}
	return o.signingSecret(ctx, delivery.OfNotification(in.ID), changed.Signing)
}

func (o Options) ofAlert(ctx context.Context, in *OwnerID) (*SigningSecret, error) {
	found, err := o.Store.Alert(ctx, web.CallerOf(ctx).Workspace.ID, in.ID)
	if err != nil {
		return nil, alertProblem(err)
	}
	return o.signingSecret(ctx, delivery.OfAlert(in.ID), found.Signing)
}

func (o Options) rotateAlert(ctx context.Context, in *OwnerID) (*SigningSecret, error) {
	now := o.Clock.Now()
	changed, err := o.Store.ChangeAlert(ctx, web.CallerOf(ctx).Workspace.ID, in.ID, web.Repeated(ctx),
		func(one *alert.Alert) error {
			one.Signing = one.Signing.Rotated(now)
			return nil
		})
	if err != nil {
		return nil, alertProblem(err)
	}
	return o.signingSecret(ctx, delivery.OfAlert(in.ID), changed.Signing)
}

func (o Options) ofFeed(ctx context.Context, in *OwnerID) (*SigningSecret, error) {
	found, err := o.Store.Feed(ctx, web.CallerOf(ctx).Workspace.ID, in.ID)
	if err != nil {
		return nil, feedProblem(err)
	}
	return o.signingSecret(ctx, delivery.OfFeed(in.ID), found.Signing)
}

func (o Options) rotateFeed(ctx context.Context, in *OwnerID) (*SigningSecret, error) {
	now := o.Clock.Now()
	changed, err := o.Store.ChangeFeed(ctx, web.CallerOf(ctx).Workspace.ID, in.ID, web.Repeated(ctx),
		func(one *feed.Feed) error {
			one.Signing = one.Signing.Rotated(now)
			return nil
		})
	if err != nil {
		return nil, feedProblem(err)
	}
	return o.signingSecret(ctx, delivery.OfFeed(in.ID), changed.Signing)
}

// signingSecret returns the response with an owner's secrets.
func (o Options) signingSecret(
	ctx context.Context, of delivery.Owner, stored feed.Signing,
) (*SigningSecret, error) {
	secrets, err := delivery.SecretsOf(stored, web.CallerOf(ctx).Workspace.Secret, of, o.Clock.Now())
	if err != nil {
		return nil, err
	}
	answer := &SigningSecret{Secret: secrets.Current.String()}
	if secrets.Previous != nil {
		answer.Previous = web.Some(secrets.Previous.String())
		answer.PreviousExpiresAt = web.Some(web.FormatTime(secrets.Until))
	}
	return answer, nil
}
