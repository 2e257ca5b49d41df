// Package invitations lets in people who have signed up since they were invited. The queue invitations calls it. A
// message only names invitations to look at: their rows say who is invited to what. A message may therefore come late,
// twice, at the same time as another, or after its workspace is gone.
package invitations

import (
	"context"

	"earshot/events/message/nudge"
	"earshot/shared/member"
	"earshot/shared/worker"
)

// Group names the function and its folder.
const Group = "invitations"

// Handler handles messages of the queue. A person without an account waits for a later message, which the sign-up or
// the schedule sends. A message whose work failed comes again.
func Handler(on worker.Options, desk member.Desk) worker.QueueHandler {
	return worker.Queue(on, func(ctx context.Context, m worker.Message) error {
		named, err := nudge.ToInvitations(m.Body)
		if err != nil {
			return worker.Reject(err)
		}
		counts, err := desk.LetIn(ctx, named)
		for name, n := range counts {
			worker.Count(ctx, name, n)
		}
		return err
	})
}
