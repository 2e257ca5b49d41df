package feeds

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"earshot/shared/feed"
	"earshot/shared/port/clock"
	"earshot/shared/web"
	"earshot/shared/web/destinationwire"
	"earshot/shared/web/problem"
)

// Slack calls the Slack of a workspace.
//
// All methods return feed.ErrSlackNotConnected and the context's own error. Team, Channels and Post return *feed.Undelivered
// if Slack did something else than it was asked. No error holds a token or Slack's own words.
type Slack interface {
	// Team is whose Slack it is.
	Team(ctx context.Context, orgID string) (feed.Team, error)
	// Channels returns the channels that Earshot's bot sees and that are not archived, sorted by name.
	Channels(ctx context.Context, orgID string) ([]feed.Channel, error)
	// Post writes a message into a channel.
	Post(ctx context.Context, orgID, channelID string, m feed.SlackMessage) error

	// Authorize returns Slack's page that asks a person to connect and sends them to redirect. Returns
	// feed.ErrNoSlackApp if the deployment has no app at Slack.
	Authorize(ctx context.Context, redirect, state string) (string, error)
	// Connect exchanges a code for a token and stores it. Until then an earlier one stays. Returns feed.ErrNoSlackApp,
	// and *feed.SlackRefusal if Slack hands over no usable token.
	Connect(ctx context.Context, orgID, redirect, code string) (feed.Team, error)
	// Disconnect revokes the token, if Slack can be reached, and deletes it. It is no error if there is none.
	Disconnect(ctx context.Context, orgID string) error
}

type slack struct {
	slack Slack
	store Connections
	clock clock.Clock
}

func registerSlack(api *web.API, o Options) {
	s := slack{o.Slack, o.Store, o.Clock}
	registerSlackConnect(api, s)
	web.Register(api, web.Operation{
		ID: "getSlackIntegration", Method: http.MethodGet, Path: "/api/v2/integrations/slack", Group: Group,
		Summary: "Read whether Slack is connected",
		Description: "Asks Slack now whether Earshot can reach this workspace's Slack, and which team it is. " +
			"GET /api/v2/integrations/slack/connect connects Slack, and so does the deployment's operator by storing " +
			"a bot token for the workspace. `connected` is false too if Slack no longer accepts the token.\n\nIf " +
			"Slack does not respond, the response is INTERNAL_ERROR. Try again.",
		Example: SlackIntegration{Connected: true, Team: web.Some(SlackTeam{ID: "T024BE7LH", Name: "Northwind"})},
	}, s.team)
	web.Register(api, web.Operation{
		ID: "listSlackChannels", Method: http.MethodGet, Path: "/api/v2/integrations/slack/channels", Group: Group,
		Summary: "List Slack's channels",
		Description: "Lists by name the channels that a SLACK destination can use. They are the public and " +
			"private channels that Earshot's bot sees and that are not archived, at most 5,000. The bot can " +
			"write only to channels that it has been invited to. SLACK_NOT_CONNECTED means that Slack is not " +
			"connected, or no longer accepts the token.",
		Codes:   []problem.Code{problem.SlackNotConnected},
		Example: SlackChannelList{Data: []SlackChannel{{ID: "C024BE91L", Name: "mentions"}}},
	}, s.channels)
}

// SlackIntegration is whether Slack is connected.
type SlackIntegration struct {
	Connected bool                `json:"connected"`
	Team      web.Null[SlackTeam] `json:"team"`
}

// SlackTeam is whose Slack it is.
type SlackTeam struct {
	ID   string `json:"id" doc:"Slack's id of the team." example:"T024BE7LH"`
	Name string `json:"name" doc:"Slack's name of the team."`
}

// SlackChannelList is all channels.
type SlackChannelList struct {
	Data []SlackChannel `json:"data"`
}

// SlackChannel is a channel of Slack.
type SlackChannel struct {
	ID   string `json:"id" doc:"Id of the channel. A SLACK destination takes it." example:"C024BE91L"`
	Name string `json:"name" doc:"Name of the channel, without the #."`
}

func (s slack) team(ctx context.Context, _ *struct{}) (*SlackIntegration, error) {
	team, err := s.slack.Team(ctx, web.CallerOf(ctx).Workspace.ID)
	switch {
	case errors.Is(err, feed.ErrSlackNotConnected):
		return &SlackIntegration{}, nil
	case err != nil:
		return nil, destinationwire.SlackProblem(ctx, fmt.Errorf("read Slack's team: %w", err))
	}
	return &SlackIntegration{Connected: true, Team: web.Some(SlackTeam(team))}, nil
}

func (s slack) channels(ctx context.Context, _ *struct{}) (*SlackChannelList, error) {
	channels, err := s.slack.Channels(ctx, web.CallerOf(ctx).Workspace.ID)
	switch {
	case errors.Is(err, feed.ErrSlackNotConnected):
		return nil, problem.New(
			problem.SlackNotConnected,
			"Slack is not connected to this workspace. An admin's key connects it: GET "+connectPath+".",
		)
	case err != nil:
		return nil, destinationwire.SlackProblem(ctx, fmt.Errorf("read Slack's channels: %w", err))
	}
	answer := &SlackChannelList{Data: make([]SlackChannel, len(channels))}
	for i, channel := range channels {
		answer.Data[i] = SlackChannel(channel)
	}
	return answer, nil
}
