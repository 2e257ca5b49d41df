package web

import (
	"context"
	"log/slog"
	"slices"

	"earshot/shared/lambdalog"
	"earshot/shared/web/problem"
)

// metering adds members to the records of requests, from which CloudWatch makes metrics. Its zero value adds nothing.
type metering struct {
	stage string
	forms []lambdalog.Form // indexed by which of some a record has, one bit each
}

// some are the metrics that only some records of requests have.
var some = []string{"authMicros", "handlerMicros", "failed", "limited", "mailStopped"}

// CountStoppedMail counts a mail that a fault of the sender stopped, for the metrics of the request: an alarm tells the
// operator. It is safe for concurrent use and does nothing outside a request.
func CountStoppedMail(ctx context.Context) {
	if r := recordOf(ctx); r != nil {
		r.stopped.Add(1)
	}
}

// newMetering makes every form that a record can need, because a request has no time to make one.
func newMetering(stage string) metering {
	if stage == "" {
		return metering{}
	}
	m := metering{stage, make([]lambdalog.Form, 1<<len(some))}
	for bits := range m.forms {
		m.forms[bits] = lambdalog.NewForm(slices.DeleteFunc(lambdalog.Requests(), func(metric lambdalog.Metric) bool {
			i := slices.Index(some, metric.Name)
			return i >= 0 && bits&(1<<i) == 0
		}), lambdalog.DimensionStage)
	}
	return m
}

// append adds the members of the metrics to a record's. attrs already holds those that every request has.
func (m metering) append(attrs []slog.Attr, r *record, status int) []slog.Attr {
	if m.stage == "" {
		return attrs
	}
	bits, stopped := 0, int(r.stopped.Load())
	for i, there := range [...]bool{
		r.auth > 0, !r.entered.IsZero(), status >= 500 || r.failed,
		r.limited || r.problem != nil && r.problem.Code == problem.RateLimited, stopped > 0,
	} {
		if there {
			bits |= 1 << i
		}
	}
	attrs = append(
		attrs, m.forms[bits].Attr(r.started), slog.String(lambdalog.DimensionStage, m.stage), slog.Int("requests", 1),
	)
	for i, n := range [...]int{1, 1, stopped} { // of each that has no value yet
		if bits&(1<<(i+2)) != 0 {
			attrs = append(attrs, slog.Int(some[i+2], n))
		}
	}
	return attrs
}
