package deliver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/feed/notice"
	"earshot/shared/mention"
	"earshot/shared/port/mail"
	"earshot/shared/store"
	"earshot/shared/store/deliverystore"
	"earshot/shared/summary"
	"earshot/shared/web/deliverywire"
)

// errUnfinished means that an attempt ran out of time between two addresses or channels. Those that have the delivery
// are to be stored, so that the next call goes on with the others.
var errUnfinished = errors.New("deliver: not all addresses were tried in time")

// tell makes an attempt at a delivery of a feed, nil if it is deleted or the delivery is of an alert. It returns the
// delivery as the attempt leaves it, and what came of it. The outcome is nil if there is nothing to tell any more.
// Returns errUnfinished. Another error is the context's or the store's: no attempt was made.
func (d *desk) tell(
	ctx context.Context, of deliverystore.Delivery, f *feed.Feed,
) (deliverystore.Delivery, *delivery.Outcome, error) {
	if f == nil && of.Report == nil {
		return of, nil, nil
	}
	quoted := of.SourceIDs
	if of.Digest == nil {
		quoted = quoted[:min(len(quoted), perLetter)]
	}
	mentions, err := d.Store.ToldMentions(ctx, of.WorkspaceID, quoted)
	if err != nil || len(mentions) == 0 && of.Report == nil {
		return of, nil, err
	}
	said, err := d.said(ctx, of)
	if err != nil {
		return of, nil, err
	}
	var content notice.Content
	switch {
	case of.Report != nil:
		content = notice.OfAlert(d.place.name, *of.Report, mentions)
	case of.Digest == nil:
		content = notice.OfMentions(d.place.name, mentions, len(of.SourceIDs))
	default:
		// A webhook that was one of events when the digest was made has more mentions than a message quotes.
		content = notice.OfDigest(d.place.name, d.place.destination, *of.Digest, mentions[:min(len(mentions), perLetter)])
		content.Themes = notice.ThemesOf(said)
	}
	switch d.place.destination.Type {
	case feed.Webhook:
		if format := d.place.destination.Sent(); format != feed.FormatStandard {
			body, err := notice.Chat(format, content)
			if err != nil {
				return of, nil, err
			}
			out, err := d.post(ctx, of, body)
			if err != nil {
				return of, nil, err
			}
			// The event was taken or not: a call that ends in the pause must not make it again.
			_ = d.Pause(ctx, time.Second)
			return of, out, nil
		}
		out, err := d.call(ctx, of, f, mentions, said)
		return of, out, err
	case feed.Email:
		return d.mail(ctx, of, func(address, unsubscribe string) (mail.Message, error) {
			content.Unsubscribe = unsubscribe
			return notice.Mail(address, content)
		})
	case feed.Slack:
		message, err := notice.SlackMessage(content)
		if err != nil {
			return of, nil, err
		}
		return d.each(ctx, of, d.place.destination.Channels, func(channel string) error {
			err := d.Slack.Post(ctx, of.WorkspaceID, channel, message)
			if err == nil {
				_ = d.Pause(ctx, time.Second) // the channel has the message, also if the call ends in the pause
			}
			return err
		})
	}
	return of, nil, nil
}

// said returns the summary of a digest; nil for none.
func (d *desk) said(ctx context.Context, of deliverystore.Delivery) (*summary.Summary, error) {
	if of.Digest == nil || of.Digest.SummaryID == "" {
		return nil, nil
	}
	s, err := d.Store.Summary(ctx, of.WorkspaceID, of.Digest.SummaryID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return &s, err
}

// call sends an event to a webhook.
func (d *desk) call(
	ctx context.Context, of deliverystore.Delivery, f *feed.Feed, mentions []mention.Mention, said *summary.Summary,
) (out *delivery.Outcome, err error) {
	notification := int64(0)
	if of.Endpoint.Owner.Kind == delivery.Notification {
		notification = of.Endpoint.Owner.ID
	}
	var body []byte
	switch {
	case of.Report != nil:
		body, err = deliverywire.Alert(of.Type, *of.Report, of.CreatedAt, d.place.name, mentions)
	case of.Digest != nil:
		body, err = deliverywire.Digest(*of.Digest, *f, notification, of.Sequence, mentions, said)
	default:
		body, err = deliverywire.Mention(of.Type, of.CreatedAt, *f, notification, of.Sequence, mentions[0])
	}
	if err != nil {
		return nil, err
	}
	return d.post(ctx, of, body)
}

// post posts a body to a webhook, signed: products that do not know the headers ignore them. A product that answers 404 has
// no such webhook any more.
func (d *desk) post(ctx context.Context, of deliverystore.Delivery, body []byte) (*delivery.Outcome, error) {
	now := d.Clock.Now()
	secrets, err := delivery.SecretsOf(d.place.signing, d.workspace.Secret, of.Endpoint.Owner, now)
	if err != nil {
		return nil, err
	}
	out, err := d.Webhook.Post(ctx, d.place.destination.URL, secrets.Sign(of.ID, now, body))
	if err != nil {
		return nil, err
	}
	out.Ended = out.Status == http.StatusNotFound && d.place.destination.Sent() != feed.FormatStandard
	return &out, nil
}

// each sends to the addresses or channels that do not have a delivery yet. One that will never take it counts as done:
// the others are not told again for it. If none takes it, the destination is given up. Returns errUnfinished.
func (d *desk) each(
	ctx context.Context, of deliverystore.Delivery, places []string, send func(place string) error,
) (deliverystore.Delivery, *delivery.Outcome, error) {
	began := d.Clock.Now()
	out := delivery.Outcome{Status: taken}
	reached := slices.Clone(of.Reached)
	refused, theirs := false, false
	var reasons []string
	failed := map[string][]string{} // places by the reason
	because := func(place, reason string) {
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
		if place != "" {
			failed[reason] = append(failed[reason], d.pathOf(place))
		}
	}
	tried := false
	for _, place := range places {
		if slices.Contains(of.Reached, place) {
			continue
		}
		if tried && !enough(ctx) {
			if out.Status == taken && len(reached) > len(of.Reached) {
				of.Reached = reached
				return of, nil, errUnfinished
			}
			out.Status, theirs = 0, true // an attempt that failed: it is made again after a wait
			because("", "There was no time for all addresses or channels of the destination.")
			break
		}
		tried = true
		err := send(place)
		var undelivered *feed.Undelivered
		errors.As(err, &undelivered)
		switch {
		case err == nil:
			reached = append(reached, place)
		case ctx.Err() != nil:
			of.Reached = reached
			return of, nil, ctx.Err()
		case errors.Is(err, mail.ErrInvalid), errors.Is(err, mail.ErrRefused):
			refused, theirs = true, true
			because(place, "The mail service refuses to send to an address of the destination.")
		case undelivered != nil && undelivered.Final:
			refused, theirs = true, true
			because(place, undelivered.Reason)
		default:
			out.Status = 0
			theirs = theirs || undelivered != nil || errors.Is(err, feed.ErrSlackNotConnected)
			because(place, reason(err))
			if undelivered != nil {
				out.RetryAfter = max(out.RetryAfter, undelivered.After)
			}
		}
	}
	if refused && out.Status == taken && len(reached) == 0 {
		out.Status = gone
	}
	out.Ours = !out.OK() && !theirs
	for i, reason := range reasons {
		if paths := failed[reason]; len(reached) > 0 && paths != nil { // the others have it: say who has not
			reasons[i] = strings.Join(paths, ", ") + ": " + reason
		}
	}
	out.Reason = strings.Join(reasons, " ")
	out.At = d.Clock.Now()
	out.Took = max(0, out.At.Sub(began))
	of.Reached = reached
	return of, &out, nil
}

// pathOf returns where a destination names an address or a channel: "emails[3]".
func (d *desk) pathOf(place string) string {
	list, places := "emails", d.place.destination.Emails
	if d.place.destination.Type == feed.Slack {
		list, places = "channels", d.place.destination.Channels
	}
	return fmt.Sprintf("%s[%d]", list, slices.Index(places, place))
}

// What mail and Slack come to, as a webhook's statuses say it.
const (
	taken = 200
	gone  = 410
)

// reason says why a message did not arrive, in our own words, because the other side's may hold anything.
func reason(err error) string {
	var undelivered *feed.Undelivered
	switch {
	case errors.As(err, &undelivered):
		return undelivered.Reason
	case errors.Is(err, feed.ErrSlackNotConnected):
		return "Slack is not connected to this workspace."
	case errors.Is(err, mail.ErrThrottled):
		return "The deployment's mail service did not take it."
	}
	return "It could not be sent."
}
