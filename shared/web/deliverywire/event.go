// Package deliverywire is the form of the events that webhooks get, and of deliveries in the API.
//
// The functions that deliver import it, and the one that shows deliveries.
package deliverywire

import (
	"encoding/json"
	"fmt"
	"net/url"
	"time"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/mention"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
)

// MaxEvent is how many bytes an event's body has at most, before its mention is made thin.
const MaxEvent = 20 << 10

// An Event is the body that a webhook gets.
type Event struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"` // of the event, the same in each attempt; RFC 3339, UTC, with milliseconds
	Data      Data   `json:"data"`
}

// Data is what an event tells.
type Data struct {
	NotificationID int64               `json:"notificationId,omitempty"` // of a notification's own destination, and in tests
	Feed           Feed                `json:"feed"`
	Sequence       int64               `json:"sequence,omitempty"` // of the feed's mentions, from 1; a test has none
	Mention        mentionwire.Mention `json:"mention"`
	// Truncated says that the event was larger than MaxEvent, so that the mention has no text. URL is its path in the
	// API.
	Truncated bool   `json:"truncated,omitempty"`
	URL       string `json:"url,omitempty"`
}

// Feed is the feed of an event.
type Feed struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// Mention returns the body of an event that tells of a mention.
func Mention(
	of delivery.Type, at time.Time, f feed.Feed, notificationID, sequence int64, m mention.Mention,
) ([]byte, error) {
	event := Event{
		Type:      string(of),
		Timestamp: web.FormatTime(at),
		Data: Data{
			NotificationID: notificationID,
			Feed:           Feed{f.ID, f.Name},
			Sequence:       sequence,
			Mention:        mentionwire.FromMention(m, false),
		},
	}
	body, err := json.Marshal(event)
	if err != nil {
		return nil, fmt.Errorf("write an event: %w", err)
	}
	if len(body) <= MaxEvent {
		return body, nil
	}
	event.Data.Mention = mentionwire.FromMention(thin(m), false)
	event.Data.Truncated = true
	event.Data.URL = pathOf(m)
	if body, err = json.Marshal(event); err != nil {
		return nil, fmt.Errorf("write an event: %w", err)
	}
	return body, nil
}

// thin returns a mention without its texts.
func thin(m mention.Mention) mention.Mention {
	m.Title, m.Body, m.RelevanceComment, m.Review = nil, nil, "", nil
	return m
}

// pathOf returns a mention's path in the API.
func pathOf(m mention.Mention) string {
	return "/api/v2/mentions/by-id?id=" + url.QueryEscape(m.SourceID)
}
