// Package alert is the domain of alerts: conditions on the figures of a feed or a filter, over a moving window. It says
// when an alert fires, when it resolves, and what it would have done in the past. It reads and stores nothing and takes
// no clock: the same series and the same state give the same events.
//
// A series holds the counts of whole hours of UTC. An evaluation is the value of the window that ends at a whole hour,
// and its baseline. An episode lasts from the evaluation at which an alert fires to the one at which it resolves.
package alert

import (
	"time"

	"earshot/shared/feed"
)

const (
	// MaxAlerts is how many alerts a workspace has at most.
	MaxAlerts = 100
	// MaxFilters is how many bytes an alert's filters have at most as JSON, so that one response has room for all alerts.
	MaxFilters = 32 << 10
)

// An Alert watches the mentions of a feed, or those that filters take.
type Alert struct {
	ID           int64  // unique in its workspace, 1 to mention.MaxID
	Name         string // chosen by people, 1 to 100 characters
	FeedID       int64  // 0: Filters instead
	Filters      []byte // JSON of earshot/shared/filter's grammar, as the client wrote it; empty with a FeedID
	Condition    Condition
	Destinations []feed.Destination
	Remind       Remind
	Enabled      bool
	Paused       Pause        // why the service disabled it; empty if it did not
	Signing      feed.Signing // of the events that its webhooks get
	CreatedAt    time.Time
	UpdatedAt    time.Time
	WatchesSince time.Time // when it was made, enabled, paused, or changed in what it watches: the last of these
	Revision     int64     // counts its changes, from 1
}

// Pause is why the service disabled an alert. It ends when the alert is enabled, or watches something else.
type Pause string

// KeywordDeleted is the pause of an alert whose filters named a keyword that was deleted, and no other in its place.
const KeywordDeleted Pause = feed.PausedByKeyword

// FeedDeleted is the pause of an alert whose feed was deleted.
const FeedDeleted Pause = "feed_deleted"

// Remind is how often an alert that stays on repeats its message.
type Remind string

// The reminders. Those of an alert are at least this far apart, and from its first message.
const (
	Never  Remind = "never"
	Hourly Remind = "hourly"
	Daily  Remind = "daily" // every 24 hours
)

// Values lists the reminders.
func (Remind) Values() []Remind { return []Remind{Never, Hourly, Daily} }

// due reports whether a reminder is due so long after the last message.
func (r Remind) due(after time.Duration) bool {
	return r == Hourly && after >= time.Hour || r == Daily && after >= 24*time.Hour
}
