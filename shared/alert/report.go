package alert

import (
	"time"

	"earshot/shared/feed"
)

// A Report is what an endpoint is told of an alert that fires, fires still, or has resolved.
type Report struct {
	AlertID   int64
	Condition Condition // as it was evaluated
	Event     Event
	Since     time.Time // when the alert fired
	From, To  time.Time // the window that was evaluated, without its end
	Mentions  int64     // in it
	Value     *float64  // of it; nil if it has none, which resolves nothing
	Baseline  *float64  // of it; nil if the comparison needs none
	Peak      float64   // the most extreme value since the alert fired

	Because   Because    // of Resolved; empty is Returned
	Recipient *Recipient // of an episode that a change or deletion of the alert ended; nil: as the alert says
}

// A Recipient is where an alert told of an episode, before a change or deletion of the alert ended it.
type Recipient struct {
	Name        string // of the alert
	Destination feed.Destination
	Signing     feed.Signing
}

// Because is why an episode ended. A Pause is one too.
type Because string

// The reasons. But for Returned, no figure resolved the alert: the event has none.
const (
	Returned Because = "returned"
	Changed  Because = "changed" // in what it watches
	Disabled Because = "disabled"
	Deleted  Because = "deleted"
	Removed  Because = "destination_removed" // the alert goes on and no longer tells this destination
)

// An Ending is an episode that a change or the deletion of its alert ended, and that nobody was told of yet.
type Ending struct {
	Alert   Alert // as it was, without filters. Of Removed it has the removed destinations alone.
	State   State // firing
	Because Because
	At      time.Time
}
