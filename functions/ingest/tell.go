package ingest

import (
	"context"
	"log/slog"

	"earshot/events/message/due"
	"earshot/shared/port/queue"
)

// Tell returns an Options.Told that has the deliveries of a workspace made at once. What cannot be sent is found by the
// schedule of deliveries, and fails nobody.
func Tell(to queue.Queue, log *slog.Logger) func(ctx context.Context, orgID string) {
	return func(ctx context.Context, orgID string) {
		if err := due.Send(ctx, to, 0, due.Work{WorkspaceID: orgID}); err != nil {
			log.Warn("deliveries wait for the schedule", "cause", err)
		}
	}
}
