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

// Bounds of the channels: how many are answered, how many are asked for at once, and how often.
const (
	maxChannels = 5_000
	pageSize    = 999 // Slack: under 1000; it may answer fewer
	maxPages    = 20  // Slack allows about as many a minute
)

// Team is whose Slack it is (auth.test).
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

// Channels are the public and private channels that the bot sees and that are not archived, sorted by their names; no more than
// maxChannels, and of a Slack that answers small pages no more than maxPages of them (conversations.list).
func (s *Slack) Channels(ctx context.Context, orgID string) ([]feed.Channel, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	arguments := url.Values{"types": {"public_channel,private_channel"}, "exclude_archived": {"true"}, "limit": {strconv.Itoa(pageSize)}}
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
			// One that is renamed while the pages are read may be on two.
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

// plain keeps Slack from reading anything into a text: & < and > begin its links and its calls of people, and are all that is to be
// escaped (https://docs.slack.dev/messaging/formatting-message-text#escaping).
var plain = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// explained are Slack's errors of a message that people can do something about.
var explained = map[string]string{
	"channel_not_found": "Slack has no such channel, or Earshot's bot does not see it: invite it there.",
	"not_in_channel":    "Earshot's bot is not in the channel: invite it there.",
	"is_archived":       "The channel is archived.",
	"missing_scope":     "Earshot's bot may not write in Slack: it needs the scope chat:write.",
}

// Post writes plain text into a channel (chat.postMessage). Answers feed.ErrSlackNotConnected, *feed.Undelivered, and the context's own
// error.
func (s *Slack) Post(ctx context.Context, orgID, channelID, text string) error {
	var answer struct{}
	err := s.call(ctx, orgID, "chat.postMessage", url.Values{
		"channel": {channelID}, "text": {plain.Replace(text)},
		"mrkdwn": {"false"}, "parse": {"none"}, "link_names": {"false"}, "unfurl_links": {"false"}, "unfurl_media": {"false"},
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
