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
	stage := lambdalog.StageOf(o.Log)
	if stage == "" {
		return nil
	}
	metrics := slices.DeleteFunc(lambdalog.Invocations(), func(m lambdalog.Metric) bool { return values[m.Name] == 0 })
	if len(metrics) == 0 {
		return nil
	}
	more = append(more, lambdalog.NewForm(metrics, lambdalog.DimensionStage, lambdalog.DimensionFunction).Attr(at),
		slog.String(lambdalog.DimensionStage, stage), slog.String(lambdalog.DimensionFunction, o.Function))
	for _, m := range metrics {
		if !slices.ContainsFunc(attrs, func(a slog.Attr) bool { return a.Key == m.Name }) {
			more = append(more, slog.Float64(m.Name, values[m.Name]))
		}
	}
	return more
}
