package archive

import (
	"context"

	"earshot/shared/worker"
)

// Handler returns the handler of the schedule.
func Handler(o worker.Options, stored Store) worker.ScheduleHandler {
	return worker.Schedule(o, func(ctx context.Context, tick worker.Tick) error { return Run(ctx, stored, tick.Time) })
}
