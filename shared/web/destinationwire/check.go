package destinationwire

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"

	"earshot/shared/feed"
	"earshot/shared/web"
	"earshot/shared/web/problem"
)

// Codes are the codes for refused destinations.
var Codes = []problem.Code{problem.InvalidDestination, problem.InvalidTimezone, problem.SlackChannelRequired,
	problem.SlackNotConnected, problem.SlackChannelNotFound, problem.WebhookURLInvalid}

// Rules tells clients which destinations are valid.
const Rules = "A destination has the object of its type and no other. A list has at most one " +
	"destination of a type. Otherwise the response is INVALID_DESTINATION. An unknown time zone is " +
	"INVALID_TIMEZONE. Names of zones are case sensitive. A SLACK destination names at least one channel " +
	"(SLACK_CHANNEL_REQUIRED). The workspace's Slack must be connected (SLACK_NOT_CONNECTED) and have the " +
	"channel (SLACK_CHANNEL_NOT_FOUND). Only a weekly destination has `summary: true`. The URL of a WEBHOOK " +
	"destination is https on port 443 or a port above 1023. Otherwise the response is WEBHOOK_URL_INVALID, also if the host is, or resolves to, an address " +
	"outside the public internet. A destination in a response can be sent back as it is."

// Checker checks destinations.
type Checker struct {
	Slack Slack
	// Receiver begins the addresses of this machine that a webhook may have; empty: none. Only the workbench sets it.
	Receiver string
	// Lookup resolves a name of the internet. An error means that the name has no address now. The context can end it.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
}

// Slack lists the channels of a workspace's Slack.
type Slack interface {
	// Channels returns the channels that are not archived. Returns feed.ErrSlackNotConnected and *feed.Undelivered.
	Channels(ctx context.Context, orgID string) ([]feed.Channel, error)
}

// Check returns the first fault of destinations. It asks Slack and the DNS where necessary, but not for
// destinations in before: those were checked when they were stored, and what others own may have gone since.
func (c Checker) Check(
	ctx context.Context, orgID string, destinations []feed.Destination, before ...feed.Destination,
) error {
	for i, d := range destinations {
		if err := checkShape(fmt.Sprintf("destinations[%d]", i), d, destinations[:i]); err != nil {
			return err
		}
	}
	for i, d := range destinations {
		if d.Timezone != "" && !feed.IsTimezone(d.Timezone) {
			return problem.New(
				problem.InvalidTimezone,
				"destinations[%d].timezone is not the IANA name of a time zone. Write it like Europe/Berlin, or send UTC.",
				i,
			)
		}
	}
	for i, d := range destinations {
		reaches := func(other feed.Destination) bool {
			return d.Type == other.Type && d.URL == other.URL && slices.Equal(d.Channels, other.Channels)
		}
		if slices.ContainsFunc(before, reaches) {
			continue
		}
		var err error
		switch d.Type {
		case feed.Slack:
			err = c.checkChannels(ctx, orgID, fmt.Sprintf("destinations[%d].slackDestination.channels", i), d.Channels)
		case feed.Webhook:
			err = c.checkWebhook(ctx, fmt.Sprintf("destinations[%d].webhookDestination.url", i), d.URL)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkShape returns a problem unless a destination has exactly the parts of its type and is the first of its type.
func checkShape(path string, d feed.Destination, before []feed.Destination) error {
	parts := []struct {
		of    feed.DestinationType
		name  string
		given bool
	}{
		{feed.Email, "emailDestination", d.Emails != nil}, {feed.Slack, "slackDestination", d.Channels != nil},
		{feed.Webhook, "webhookDestination", d.URL != ""},
	}
	for _, part := range parts {
		switch {
		case part.of == d.Type && !part.given:
			return problem.New(problem.InvalidDestination, "%s has the type %s. Give it %s.", path, d.Type, part.name)
		case part.of != d.Type && part.given:
			return problem.New(problem.InvalidDestination, "%s has the type %s. Leave %s out.", path, d.Type, part.name)
		}
	}
	if d.Summary && d.Frequency != feed.Weekly {
		return problem.New(
			problem.InvalidDestination,
			"%s has a summary and the frequency %s. Only weekly digests have one: choose weekly, or leave summary out.",
			path, d.Frequency,
		)
	}
	if slices.ContainsFunc(before, func(other feed.Destination) bool { return other.Type == d.Type }) {
		return problem.New(
			problem.InvalidDestination, "%s is the second destination of the type %s. Put both into one.", path, d.Type,
		)
	}
	return nil
}

func (c Checker) checkChannels(ctx context.Context, orgID, path string, ids []string) error {
	if len(ids) == 0 {
		return problem.New(problem.SlackChannelRequired, "%s names no channel. Name at least one by its id.", path)
	}
	channels, err := c.Slack.Channels(ctx, orgID)
	switch {
	case errors.Is(err, feed.ErrSlackNotConnected):
		return problem.New(
			problem.SlackNotConnected,
			"Slack is not connected to this workspace, so no SLACK destination can be checked. "+
				"Connect it first: GET /api/v2/integrations/slack/connect.",
		)
	case err != nil:
		return SlackProblem(ctx, fmt.Errorf("ask Slack for its channels: %w", err))
	}
	for i, id := range ids {
		if !slices.ContainsFunc(channels, func(one feed.Channel) bool { return one.ID == id }) {
			return problem.New(
				problem.SlackChannelNotFound,
				"%s[%d] is not a channel that Earshot can see. GET /api/v2/integrations/slack/channels lists them.",
				path, i,
			)
		}
	}
	return nil
}

// SlackProblem returns the client's error for a *feed.Undelivered: what Slack did, and its Retry-After. Another error
// stays.
func SlackProblem(ctx context.Context, err error) error {
	var failed *feed.Undelivered
	if !errors.As(err, &failed) {
		return err
	}
	if failed.After > 0 {
		web.SetHeader(ctx, "Retry-After", strconv.Itoa(int(failed.After.Seconds())))
	}
	return problem.New(problem.InternalError, "%s Send the request again.", failed.Reason).Because(err)
}
