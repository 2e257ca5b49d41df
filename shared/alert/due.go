package alert

import "time"

// settled is how long after its end an hour is evaluated: most of its posts have come by then.
const settled = 5 * time.Minute

// longestCatchUp is how far back evaluations are made up for, after nobody evaluated for a while.
const longestCatchUp = 7 * 24 * time.Hour

// NextEvaluation returns the first moment after a moment at which an alert is evaluated: five minutes past a full hour.
func NextEvaluation(after time.Time) time.Time {
	next := after.UTC().Truncate(time.Hour).Add(settled)
	if !next.After(after) {
		next = next.Add(time.Hour)
	}
	return next
}

// NextEvaluationOf returns when an alert is evaluated next. It is in the past if that evaluation is late.
func NextEvaluationOf(a Alert, s State) time.Time {
	if after := s.EvaluatedAt.Add(settled); after.After(a.WatchesSince) {
		return NextEvaluation(after)
	}
	return NextEvaluation(a.WatchesSince)
}

// DueEvaluations returns the first and the last of the whole hours at which an alert is to be evaluated now. ok is false if
// there is none: it was evaluated, or watches since less than an hour. It looks back at nothing before WatchesSince.
func DueEvaluations(a Alert, s State, now time.Time) (first, last time.Time, ok bool) {
	last = now.UTC().Add(-settled).Truncate(time.Hour)
	first = a.WatchesSince.UTC().Truncate(time.Hour).Add(time.Hour)
	for _, bound := range []time.Time{s.EvaluatedAt.Add(time.Hour), last.Add(-longestCatchUp)} {
		if bound.After(first) {
			first = bound
		}
	}
	return first, last, !first.After(last)
}
