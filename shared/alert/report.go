package alert

import "time"

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
}
