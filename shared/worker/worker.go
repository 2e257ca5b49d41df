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
	Function string       // whose record it is, by its name in the manifest: "ingest", "setupstages/measure"
	Log      *slog.Logger // lambdalog.New in a Lambda
	Clock    clock.Clock  // by which schedules tick; queues need none

	// Margin is how much of the invocation's time must remain for another message after the first to be begun; 0: DefaultMargin.
	Margin time.Duration
}

// DefaultMargin is time for a message that takes several round trips, each of them repeated once.
const DefaultMargin = 5 * time.Second

// reserve is what is kept of an invocation's time for its answer and its record: the context of a call ends so much earlier.
const reserve = time.Second

func (o Options) margin() time.Duration {
	if o.Margin == 0 {
		return DefaultMargin
	}
	return o.Margin
}

// within is the context of a call, and whether as much time remains as is needed. A context without a deadline has all the time.
// Deadlines are of the machine's clock, whatever the other one shows.
func within(ctx context.Context, needed time.Duration) (call context.Context, cancel context.CancelFunc, enough bool) {
	deadline, bound := ctx.Deadline()
	if !bound {
		call, cancel = context.WithCancel(ctx)
		return call, cancel, true
	}
	call, cancel = context.WithDeadline(ctx, deadline.Add(-reserve))
	return call, cancel, time.Until(deadline) > needed
}
