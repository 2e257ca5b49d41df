package slack

import (
	"cmp"
	"context"
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

// Team returns the Slack workspace of the token (auth.test).
func (s *Slack) Team(ctx context.Context, orgID string) (feed.Team, error) {
	var answer struct {
		ID   string `json:"team_id"`
		Name string `json:"team"`
	}
	if err := s.call(ctx, orgID, "auth.test", nil, &answer); err != nil {
		return feed.Team{}, err
	}
	return feed.Team{ID: answer.ID, Name: answer.Name}, nil
}

// Channels returns the public and private channels that the bot sees and that are not archived, sorted by name. It
// returns at most maxChannels, and reads at most maxPages pages (conversations.list).
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
		if err := s.call(ctx, orgID, "conversations.list", arguments, &page); err != nil {
			return nil, err
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

// plain escapes a text so that Slack reads nothing into it. & < and > begin links and mentions of people, and are the
// only characters to escape (https://docs.slack.dev/messaging/formatting-message-text#escaping).
var plain = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// explained holds sentences for those of Slack's errors that people can mend.
var explained = map[string]string{
	"channel_not_found": "Slack has no such channel, or Earshot's bot cannot see it. Check the channel and invite the bot.",
	"not_in_channel":    "Earshot's bot is not in the channel. Invite it there.",
	"is_archived":       "The channel is archived. Choose another one.",
	"missing_scope":     "Earshot's bot may not write in Slack. Grant it the scope chat:write.",
}

// Post writes plain text into a channel (chat.postMessage). Returns feed.ErrSlackNotConnected, *feed.Undelivered, and
// the context's own error.
func (s *Slack) Post(ctx context.Context, orgID, channelID, text string) error {
	var answer struct{}
	err := s.call(ctx, orgID, "chat.postMessage", url.Values{
		"channel":      {channelID},
		"text":         {plain.Replace(text)},
		"mrkdwn":       {"false"},
		"parse":        {"none"},
		"link_names":   {"false"},
		"unfurl_links": {"false"},
		"unfurl_media": {"false"},
	}, &answer)
	var failed *failure
	if !errors.As(err, &failed) {
		return err
	}
	if reason, known := explained[failed.code]; known {
		return &feed.Undelivered{Reason: reason}
	}
	return &feed.Undelivered{Reason: fmt.Sprintf("Slack %s.", failed.reason)}
}
