// Package worker is the kit for Lambdas without HTTP, which SQS calls with messages and EventBridge Scheduler calls by
// the clock. It turns an event into calls of a function, turns their results into the response that Lambda expects, and
// logs one record for each invocation.
//
// It never drops a message. A message that was not handled is reported as failed, arrives again, and becomes a dead
// letter in the end. No body and no text of a message reaches the log.
//
// Packages below functions import it. It knows no adapter.
package worker

import (
	"context"
	"log/slog"
	"time"

	"earshot/shared/port/clock"
)

// Options of a handler.
type Options struct {
	Function string       // the function's name in the manifest, for its record: "ingest", "setupstages/measure"
	Log      *slog.Logger // lambdalog.New in a Lambda
	Clock    clock.Clock  // for the ticks of schedules; queues do not use it

	// Margin is the time that must remain of the invocation for another message to be begun; 0 is DefaultMargin. The
	// first message is always begun.
	Margin time.Duration
}

// DefaultMargin is enough for a message that takes several round trips, each repeated once.
const DefaultMargin = 5 * time.Second

// reserve is the part of an invocation's time kept for its response and its record. The context of a call ends that
// much earlier.
const reserve = time.Second

func (o Options) margin() time.Duration {
	if o.Margin == 0 {
		return DefaultMargin
	}
	return o.Margin
}

// within returns the context of a call, and whether the needed time remains. A context without a deadline has enough.
// Deadlines follow the machine's clock, whatever Options.Clock shows.
func within(ctx context.Context, needed time.Duration) (call context.Context, cancel context.CancelFunc, enough bool) {
	deadline, bound := ctx.Deadline()
	if !bound {
		call, cancel = context.WithCancel(ctx)
		return call, cancel, true
	}
	call, cancel = context.WithDeadline(ctx, deadline.Add(-reserve))
	return call, cancel, time.Until(deadline) > needed
}
