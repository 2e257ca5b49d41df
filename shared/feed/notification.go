package feed

import (
	"errors"
	"time"
)

// MaxNotifications is how many notifications a workspace has at most.
const MaxNotifications = 100

// MaxNotificationName is how many characters a notification's name has at most.
const MaxNotificationName = 100

// Notification is an order to send a feed's new mentions, to destinations of its own or to one of the feed's.
type Notification struct {
	ID           int64  // unique in its workspace, 1 to mention.MaxID
	Name         string // of people's choice, 1 to MaxNotificationName characters
	FeedID       int64  // deleted with it; early notifications may outlive it
	Destinations []Destination
	FeedIndex    *int // instead of Destinations: an index into the feed's destinations, from 0; nil for none
	Enabled      bool
	Signing      Signing // of what its own webhooks get
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Revision     int64 // counts its changes, from 1
}

// ErrIndex means that a feed has no destination where a notification says.
var ErrIndex = errors.New("feed: no destination at this index")

// Sends returns the destinations of a notification's mentions, by the feed as it is now. Returns ErrIndex if the feed
// has no destination at the notification's index.
func (n Notification) Sends(f Feed) ([]Destination, error) {
	if n.FeedIndex == nil {
		return n.Destinations, nil
	}
	if at := *n.FeedIndex; at >= 0 && at < len(f.Destinations) {
		return f.Destinations[at : at+1], nil
	}
	return nil, ErrIndex
}

// Team is Slack's name for an organization's Slack.
type Team struct {
	ID   string // "T024BE7LH"
	Name string
}

// Undelivered is the error of a message that did not reach its destination. Its reason is a sentence in Earshot's own
// words for people. It does not quote the other side's response.
type Undelivered struct {
	Reason string        // a sentence
	Final  bool          // whether the receiver will never take the message, so that nobody tries again
	After  time.Duration // how long the other side asks to wait before the next attempt; 0 for nothing
}

func (u *Undelivered) Error() string { return "feed: not delivered: " + u.Reason }
