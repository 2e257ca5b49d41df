package archive

import (
	"context"

	"earshot/shared/worker"
)

// Handler answers the schedule.
func Handler(o worker.Options, stored Store) worker.ScheduleHandler {
	return worker.Schedule(o, func(ctx context.Context, _ worker.Tick) error { return Run(ctx, stored) })
}
