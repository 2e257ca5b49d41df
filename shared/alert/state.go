package alert

import "time"

// A State is what is known of an alert between two evaluations. The zero State is that of a new alert. A state belongs
// to one condition on one feed or filter. Begin with the zero State when these change.
type State struct {
	Firing      bool
	Since       time.Time // the beginning of the episode, or of the last one; zero if there was none
	LastSaid    time.Time // the evaluation of the last event; zero if there was none
	EvaluatedAt time.Time // the last evaluation; zero if there was none
	Value       float64   // the most extreme of the episode, or of the last one
	Baseline    *float64  // of Value; nil if the comparison needs none
}

// Event is what an evaluation makes of an alert.
type Event string

// The events. In an alert's life Fired and Resolved alternate, and Fired is the first.
const (
	None     Event = ""
	Fired    Event = "fired"
	Reminded Event = "reminded"
	Resolved Event = "resolved"
)

// Step returns the state after an evaluation, and the event that it makes. An evaluation that is not later than the
// last one changes nothing, so that work that is done twice makes no second event.
//
// An alert fires once an episode. It resolves when the measure has returned by a tenth of the threshold: above 100
// resolves at 90 or less, below 10 at 11 or more, rises_by 50 at 45 per cent or less. In between it stays as it is.
// An evaluation without a value, or without a baseline that it needs, leaves an alert as it is and makes no reminder.
// Condition.Minimum bounds firing alone: an alert that fires can resolve with fewer mentions.
func Step(s State, c Condition, r Remind, e Evaluation) (State, Event) {
	if !e.At.After(s.EvaluatedAt) {
		return s, None
	}
	s.EvaluatedAt = e.At
	if e.Value == nil || c.Comparison.relative() && e.Baseline == nil {
		return s, None
	}
	measure, event := c.measure(*e.Value, e.Baseline), None
	switch {
	case !s.Firing:
		if c.holds(measure) && (c.Minimum == nil || e.Mentions >= *c.Minimum) {
			s.Firing, s.Since, s.Value, s.Baseline = true, e.At, *e.Value, e.Baseline
			event = Fired
		}
	case c.returned(measure):
		s.Firing = false
		event = Resolved
	default:
		if c.exceeds(measure, *e.Value, c.measure(s.Value, s.Baseline), s.Value) {
			s.Value, s.Baseline = *e.Value, e.Baseline
		}
		if r.due(e.At.Sub(s.LastSaid)) {
			event = Reminded
		}
	}
	if event != None {
		s.LastSaid = e.At
	}
	return s, event
}

// EpisodeID names an episode among those of an alert, by its beginning: State.Since or Episode.From. It is a part of
// the subject of the episode's events (delivery.ID).
func EpisodeID(since time.Time) string { return since.UTC().Format(time.RFC3339) }
