package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"earshot/shared/feed"
)

// Bounds of Channels: how many it returns, how many one request asks for, and how many requests it sends.
const (
	maxChannels = 5_000
	pageSize    = 999 // Slack allows fewer than 1000 and may return fewer
	maxPages    = 20  // Slack allows about this many a minute
)

// Team returns the Slack workspace of the token (auth.test). Returns feed.ErrSlackNotConnected, *feed.Undelivered, and the
// context's own error.
func (s *Slack) Team(ctx context.Context, orgID string) (feed.Team, error) {
	var answer struct {
		ID   string `json:"team_id"`
		Name string `json:"team"`
	}
	if err := s.call(ctx, orgID, "auth.test", form(nil), &answer); err != nil {
		return feed.Team{}, undelivered(err)
	}
	return feed.Team{ID: answer.ID, Name: answer.Name}, nil
}

// Channels returns the public and private channels that the bot sees and that are not archived, sorted by name. It
// returns at most maxChannels, and reads at most maxPages pages (conversations.list). Returns the errors of Team.
func (s *Slack) Channels(ctx context.Context, orgID string) ([]feed.Channel, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	arguments := url.Values{
		"types":            {"public_channel,private_channel"},
		"exclude_archived": {"true"},
		"limit":            {strconv.Itoa(pageSize)},
	}
	channels, seen := []feed.Channel{}, map[string]bool{"": true}
	for range maxPages {
		var page struct {
			Channels []struct {
				ID   string `json:"id"`
				Name string `json:"name"`
			} `json:"channels"`
			Metadata struct {
				Next string `json:"next_cursor"`
			} `json:"response_metadata"`
		}
		if err := s.call(ctx, orgID, "conversations.list", form(arguments), &page); err != nil {
			return nil, undelivered(err)
		}
		for _, channel := range page.Channels {
			// A channel that is renamed between two pages may be on both.
			if !seen[channel.ID] {
				channels, seen[channel.ID] = append(channels, feed.Channel(channel)), true
			}
		}
		if page.Metadata.Next == "" || len(channels) >= maxChannels {
			break
		}
		arguments.Set("cursor", page.Metadata.Next)
	}
	channels = channels[:min(len(channels), maxChannels)]
	slices.SortFunc(channels, func(a, b feed.Channel) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	return channels, nil
}

// An ending is an error of Slack that people can mend.
type ending struct {
	reason string // a sentence
	final  bool   // whether the channel will not take the next attempt either
}

var endings = map[string]ending{
	"channel_not_found": {
		"Slack has no such channel, or Earshot's bot cannot see it. Check the channel and invite the bot.", true,
	},
	"not_in_channel": {"Earshot's bot is not in the channel. Invite it there.", true},
	"is_archived":    {"The channel is archived. Choose another one.", true},
	"missing_scope":  {"Earshot's bot may not write in Slack. Grant it the scope chat:write.", false},
}

// Post writes a message into a channel (chat.postMessage). Returns feed.ErrSlackNotConnected, *feed.Undelivered, and the
// context's own error. A token that Slack refuses, and a channel that is gone or without the bot, are final.
func (s *Slack) Post(ctx context.Context, orgID, channelID string, m feed.SlackMessage) error {
	body, err := json.Marshal(struct {
		Channel     string          `json:"channel"`
		Text        string          `json:"text"`
		Blocks      json.RawMessage `json:"blocks"`
		UnfurlLinks bool            `json:"unfurl_links"`
		UnfurlMedia bool            `json:"unfurl_media"`
	}{Channel: channelID, Text: m.Text, Blocks: m.Blocks})
	if err != nil {
		return fmt.Errorf("write a message for Slack: %w", err)
	}
	var answer struct{}
	err = s.call(ctx, orgID, "chat.postMessage", request{"application/json; charset=utf-8", body}, &answer)
	var failed *failure
	switch {
	case errors.Is(err, errRefused):
		return s.refusal(ctx, orgID)
	case !errors.As(err, &failed):
		return err
	}
	if end, known := endings[failed.code]; known {
		return &feed.Undelivered{Reason: end.reason, Final: end.final}
	}
	return undelivered(err)
}

// refusal returns why a refused token does not deliver. It is final only while the workspace has no other token.
func (s *Slack) refusal(ctx context.Context, orgID string) error {
	_, err := s.tokens.token(ctx, orgID)
	switch {
	case errors.Is(err, errRefused):
		return &feed.Undelivered{Reason: "Slack no longer accepts Earshot's token. Connect Slack again.", Final: true}
	case err != nil:
		return err
	}
	return &feed.Undelivered{Reason: "Slack refused a token that was replaced meanwhile."}
}
