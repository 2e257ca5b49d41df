package alert

import "time"

// An Episode is the time from firing to resolving.
type Episode struct {
	From     time.Time // the evaluation at which it fires
	To       time.Time // the evaluation at which it resolves; zero if it is still on
	Value    float64   // the most extreme one, by the condition's measure; of equal ones, the first
	Baseline *float64  // of Value; nil if the comparison needs none
}

// Episodes returns what a new alert would have done, in order. It steps through the whole hours of [from, to], both
// ends included. The series should begin Condition.Lookback before from. An hour takes constant time.
func Episodes(s Series, c Condition, from, to time.Time) []Episode {
	var (
		episodes []Episode
		state    State
		event    Event
	)
	at := from.UTC().Truncate(time.Hour)
	if at.Before(from) {
		at = at.Add(time.Hour)
	}
	for ; !at.After(to); at = at.Add(time.Hour) {
		state, event = Step(state, c, Never, s.Evaluate(c, at))
		if event == Fired {
			episodes = append(episodes, Episode{})
		}
		if state.Firing {
			episodes[len(episodes)-1] = Episode{From: state.Since, Value: state.Value, Baseline: state.Baseline}
		}
		if event == Resolved {
			episodes[len(episodes)-1].To = at
		}
	}
	return episodes
}
