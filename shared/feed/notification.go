package feed

import (
	"errors"
	"time"
)

// MaxNotifications is how many notifications a workspace has at most.
const MaxNotifications = 100

// MaxNotificationName is how many characters a notification's name has at most.
const MaxNotificationName = 100

// A Notification is an order to send a feed's new mentions: to places of its own, or to one of the feed's.
type Notification struct {
	ID           int64  // unique in its workspace, 1 to mention.MaxID
	Name         string // of people's choice, 1 to MaxNotificationName characters
	FeedID       int64  // deleted with it; of a notification of before, the feed may be gone
	Destinations []Destination
	FeedIndex    *int // in place of Destinations: the feed's destination there, from 0; nil: none
	Enabled      bool
	CreatedAt    time.Time
	UpdatedAt    time.Time
	Revision     int64 // counts its changes, from 1
}

// ErrIndex means that a feed has no destination where a notification says.
var ErrIndex = errors.New("feed: no destination at this index")

// Sends are the places that a notification's mentions go to, by the feed as it is now. Answers ErrIndex.
func (n Notification) Sends(f Feed) ([]Destination, error) {
	if n.FeedIndex == nil {
		return n.Destinations, nil
	}
	if at := *n.FeedIndex; at >= 0 && at < len(f.Destinations) {
		return f.Destinations[at : at+1], nil
	}
	return nil, ErrIndex
}

// A Team is what Slack calls an organization's Slack.
type Team struct {
	ID   string // "T024BE7LH"
	Name string
}

// An Undelivered is a message that did not reach its place, for a reason that people are told: in Earshot's own words, with nothing
// of what the place answered.
type Undelivered struct {
	Reason string // a sentence
}

func (u *Undelivered) Error() string { return "feed: not delivered: " + u.Reason }
