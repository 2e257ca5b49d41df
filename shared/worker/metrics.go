package worker

import (
	"log/slog"
	"slices"
	"time"

	"earshot/shared/lambdalog"
)

// measured returns the members of an invocation's record from which CloudWatch makes metrics. attrs holds the record's
// members so far. measured adds the values that are in the table and not zero. They must be at the record's root even
// if a group has them too. It returns none without a stage.
func measured(o Options, at time.Time, values map[string]float64, attrs []slog.Attr) (more []slog.Attr) {
	return slices.DeleteFunc(lambdalog.Measured(o.Log, o.Function, at, values), func(m slog.Attr) bool {
		return slices.ContainsFunc(attrs, func(a slog.Attr) bool { return a.Key == m.Key })
	})
}
