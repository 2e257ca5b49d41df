package feeds

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/feed/notice"
	"earshot/shared/mention"
	"earshot/shared/parallel"
	"earshot/shared/port/mail"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
	"earshot/shared/web/deliverywire"
	"earshot/shared/web/destinationwire"
	"earshot/shared/web/mentionwire"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Webhook calls webhooks.
type Webhook interface {
	// Post sends a signed event to a URL, once, and returns what came of it. Returns the context's own error.
	Post(ctx context.Context, url string, m delivery.Message) (delivery.Outcome, error)
}

const (
	// tryFor is how long a test may take to deliver. Reading before and storing after share the rest of a request's 28
	// seconds.
	tryFor = 15 * time.Second
	// samplePages is how many pages of the feed are read to find one mention, each up to store.PageBudget.
	samplePages = 8
	// mailsAtOnce is how many addresses of a destination are written to at the same time.
	mailsAtOnce = 4
)

func registerNotificationTest(api *web.API, n notifications) {
	web.Register(api, web.Operation{
		ID:      "testNotification",
		Method:  http.MethodPost,
		Path:    "/api/v2/notifications/{id}/test",
		Group:   Group,
		Scope:   workspace.Write,
		Summary: "Send a sample to a notification's destinations",
		Description: "Sends the newest mention of the feed to the notification's own destinations, or to the " +
			"feed's destination that it names. It sends now, whether the notification is enabled or not. " +
			"Frequency and mode do not matter. The request has no body. An EMAIL goes to each address, and a " +
			"SLACK message to each channel. An address that unsubscribed, bounced or complained gets no mail: " +
			"`error` says which one, and which request brings it back. A WEBHOOK gets a signed POST with JSON: " +
			"`type` (\"test\"), `timestamp` and `data`, which holds `notificationId`, the `feed` with its `id` and " +
			"`name`, and `mention`, a Mention of this API; or a message in the webhook's `format`. Any 2xx within 10 " +
			"seconds is success. Redirects are not followed. GET " +
			"/api/v2/notifications/{id}/signing-secret has the secret.\n\n`delivered` reports each destination in " +
			"order, and whether all of it was reached. `error` says what was not reached. A failed destination " +
			"does not fail the request. A request that was answered does not send again when it is repeated " +
			"with the same Idempotency-Key.\n\nFEED_NOT_FOUND means that the feed was deleted. " +
			"DESTINATION_INDEX_OUT_OF_RANGE means that the feed no longer has the destination. NO_DESTINATIONS " +
			"means that there is no destination. NO_SAMPLE_MENTION means that the feed has no mention.",
		Codes: []problem.Code{
			problem.NotificationNotFound, problem.FeedNotFound, problem.DestinationIndexOutOfRange,
			problem.NoDestinations, problem.NoSampleMention,
		},
		Example: NotificationTested{OK: true, Delivered: []NotificationDelivery{
			{Type: "EMAIL", Success: true}, {Type: "SLACK", Error: "channels[0]: The channel is archived."},
		}},
	}, n.test)
}

// NotificationTested is the result of a notification's test.
type NotificationTested struct {
	OK        bool                   `json:"ok" doc:"Whether delivery was tried. delivered has the results."`
	Delivered []NotificationDelivery `json:"delivered"`
}

// NotificationDelivery is the result for one destination.
type NotificationDelivery struct {
	Type    destinationwire.DestinationType `json:"type"`
	Success bool                            `json:"success" doc:"Whether all addresses or channels of the destination were reached."`
	Error   string                          `json:"error,omitempty" doc:"Which parts were not reached, and why."`
}

func (n notifications) test(ctx context.Context, in *NotificationID) (*NotificationTested, error) {
	org := web.CallerOf(ctx).Workspace.ID
	tested, err := n.store.Notification(ctx, org, in.ID)
	if err != nil {
		return nil, notificationProblem(err)
	}
	of, err := n.store.Feed(ctx, org, tested.FeedID)
	if err != nil {
		return nil, ofFeed(err)
	}
	places, err := tested.Sends(of)
	switch {
	case err != nil:
		return nil, indexProblem(of)
	case len(places) == 0:
		return nil, problem.New(
			problem.NoDestinations,
			"The notification has no destination. Give it destinations, or the index of one of its feed's destinations.",
		)
	}
	sample, err := n.sample(ctx, org, of)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, tryFor)
	defer cancel()
	answer := &NotificationTested{OK: true, Delivered: make([]NotificationDelivery, len(places))}
	parallel.Few(len(places), len(places), func(i int) {
		answer.Delivered[i] = NotificationDelivery{Type: destinationwire.DestinationType(places[i].Type)}
		failures := n.deliver(limited, tested, of, places[i], sample)
		answer.Delivered[i].Success, answer.Delivered[i].Error = len(failures) == 0, strings.Join(failures, " ")
	})
	return answer, nil
}

// sample returns the newest mention of a feed.
func (n notifications) sample(ctx context.Context, org string, of feed.Feed) (mention.Mention, error) {
	var selected mentionwire.Query
	if err := selected.Add(string(of.SimpleFilters), string(of.AdvancedFilters)); err != nil {
		return mention.Mention{}, err
	}
	effective, err := selected.Filter()
	if err != nil {
		return mention.Mention{}, err
	}
	query := mentionstore.MentionsQuery{WorkspaceID: org, Limit: 1}.Narrowed(effective)
	for range samplePages {
		page, err := n.store.Mentions(ctx, query)
		if err != nil {
			return mention.Mention{}, err
		}
		if len(page.Mentions) > 0 {
			return page.Mentions[0], nil
		}
		if page.Next == "" {
			break
		}
		query.After = page.Next
	}
	return mention.Mention{}, problem.New(
		problem.NoSampleMention, "The feed has no mention to send as a sample. Try again once it has one.",
	)
}

// deliver sends a sample to one destination and returns a sentence for each failure.
func (n notifications) deliver(
	ctx context.Context, tested feed.Notification, of feed.Feed, to feed.Destination, sample mention.Mention,
) []string {
	org := web.CallerOf(ctx).Workspace
	switch to.Type {
	case feed.Email:
		if n.with.Mail == nil {
			return []string{"This deployment sends no mail: its operator has set no address to send from."}
		}
		return n.mail(ctx, org, tested, to.Emails, sample)
	case feed.Slack:
		message, err := notice.SlackMessage(notice.OfTest(tested, sample))
		if err != nil {
			return []string{reason(err)}
		}
		return each(
			to.Channels, "channels", 1,
			func(channel string) error { return n.with.Slack.Post(ctx, org.ID, channel, message) },
		)
	case feed.Webhook:
		out, err := n.call(ctx, org, tested, of, to, sample)
		switch {
		case err != nil:
			return []string{reason(err)}
		case !out.OK():
			return []string{out.Reason}
		}
		return nil
	}
	return []string{"Destinations of this type are not known."}
}

// mail sends the sample to addresses, except to those that are silenced.
func (n notifications) mail(
	ctx context.Context, org workspace.Workspace, tested feed.Notification, addresses []string, sample mention.Mention,
) []string {
	owner := ownerOf(tested)
	silenced, err := n.store.Silenced(ctx, org.ID, owner, addresses)
	if err != nil {
		return []string{reason(err)}
	}
	return each(addresses, "emails", mailsAtOnce, func(address string) error {
		if why := silenced[address]; why != "" {
			return &feed.Undelivered{Reason: unwanted(owner, why)}
		}
		subscribed := delivery.Subscription{WorkspaceID: org.ID, Owner: owner, Address: address}
		unsubscribe, err := subscribed.Link(web.BaseURL(ctx), org.Secret)
		if err != nil {
			return err
		}
		message, err := notice.TestMail(tested, address, unsubscribe, sample)
		if err != nil {
			return err
		}
		message.Workspace, message.Unsubscribe = org.ID, unsubscribe
		return n.with.Mail.Send(ctx, message)
	})
}

// ownerOf returns whose destinations a test goes to: the notification, or the feed whose destination it names.
func ownerOf(tested feed.Notification) delivery.Owner {
	if tested.FeedIndex != nil {
		return delivery.OfFeed(tested.FeedID)
	}
	return delivery.OfNotification(tested.ID)
}

// unwanted says why an address gets no mail of an owner, and how to bring it back.
func unwanted(of delivery.Owner, why delivery.Silence) string {
	enable := fmt.Sprintf("POST /api/v2/%ss/%d/enable", of.Kind, of.ID)
	switch why {
	case delivery.Unsubscribed:
		return fmt.Sprintf(
			"This address unsubscribed from the %s's mails. If its reader agrees, %s brings it back.",
			of.Kind,
			enable,
		)
	case delivery.Bounced:
		return "Mail to this address bounced for good. Check it for typos. If it can receive mail again, " + enable +
			" brings it back."
	}
	return "The reader of this address reported a mail as unwanted. If the reader agrees, " + enable + " brings it back."
}

// call sends the sample to a webhook, signed.
func (n notifications) call(
	ctx context.Context,
	org workspace.Workspace,
	tested feed.Notification,
	of feed.Feed,
	to feed.Destination,
	sample mention.Mention,
) (delivery.Outcome, error) {
	now := n.with.Clock.Now()
	var body []byte
	var err error
	if format := to.Sent(); format == feed.FormatStandard {
		body, err = deliverywire.Mention(delivery.Test, now, of, tested.ID, 0, sample)
	} else {
		body, err = notice.Chat(format, notice.OfTest(tested, sample))
	}
	if err != nil {
		return delivery.Outcome{}, err
	}
	// What goes to the feed's destination is signed with the feed's secret.
	owner, signing := ownerOf(tested), tested.Signing
	if tested.FeedIndex != nil {
		signing = of.Signing
	}
	secrets, err := delivery.SecretsOf(signing, org.Secret, owner, now)
	if err != nil {
		return delivery.Outcome{}, err
	}
	id := delivery.ID(now, org.ID, owner.String(), delivery.Test, rand.Text())
	return n.with.Webhook.Post(ctx, to.URL, secrets.Sign(id, now, body))
}

// each sends to every place of a list, atOnce at a time. It returns a sentence for each failure, with the place's path
// in the destination.
func each(places []string, list string, atOnce int, send func(string) error) (failures []string) {
	failed := make([]error, len(places))
	parallel.Few(atOnce, len(places), func(i int) { failed[i] = send(places[i]) })
	for i, err := range failed {
		if err != nil {
			failures = append(failures, fmt.Sprintf("%s[%d]: %s", list, i, reason(err)))
		}
	}
	return failures
}

// reason says why a message did not arrive, in our own words, because the other side's may hold anything.
func reason(err error) string {
	var undelivered *feed.Undelivered
	switch {
	case errors.As(err, &undelivered):
		return undelivered.Reason
	case errors.Is(err, feed.ErrSlackNotConnected):
		return "Slack is not connected to this workspace."
	case errors.Is(err, mail.ErrInvalid):
		return "No mail can be sent to this address."
	case errors.Is(err, mail.ErrRefused):
		return "The mail service refuses to send to this address."
	case errors.Is(err, context.DeadlineExceeded):
		return "There was no time left to send it."
	}
	return "It could not be sent."
}
