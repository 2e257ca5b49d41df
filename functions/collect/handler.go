package collect

import (
	"context"

	"earshot/shared/worker"
)

// Handler returns the handler of the schedule.
func Handler(o worker.Options, c *Collector) worker.ScheduleHandler {
	return worker.Schedule(o, func(ctx context.Context, _ worker.Tick) error { return c.Tick(ctx) })
}
