// Package invitations lets in people who have signed up since they were invited. Called by the queue invitations, whose messages are no
// more than nudges: the rows of the invitations say who is invited to what, so that a message may come late, twice, beside another, after
// the work of the trigger or the schedule, or of a workspace that is gone.
package invitations

import (
	"context"

	"earshot/events/message"
	"earshot/shared/member"
	"earshot/shared/worker"
)

// Group names the function and its folder.
const Group = "invitations"

// Handler answers the queue. Whoever has no account yet is left to a later message: the account's own, or the schedule's. What a part of
// the deployment failed at is tried again.
func Handler(on worker.Options, desk member.Desk) worker.QueueHandler {
	return worker.Queue(on, func(ctx context.Context, m worker.Message) error {
		named, err := message.ToInvitations(m.Body)
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
