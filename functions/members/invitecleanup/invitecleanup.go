// Package invitecleanup deletes expired invitations, has the function invitations look whether the people of open ones
// have signed up, and makes moves in the directory that are due. A schedule calls it every 15 minutes.
//
// It may be killed anywhere, run again and run twice at once. It sends a message before it postpones the next look, so
// a message may be sent twice and none is lost.
package invitecleanup

import (
	"context"
	"iter"
	"log/slog"
	"time"

	"earshot/shared/member"
	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
	"earshot/shared/port/queue"
	"earshot/shared/worker"
)

// Group names the function and its folder.
const Group = "invitecleanup"

// Store is what the function asks of the store.
type Store interface {
	member.Store
	// DueInvitations and DueMoves list what is due now, the longest overdue first, page by page.
	DueInvitations(ctx context.Context, size int) iter.Seq2[[]member.Invitation, error]
	DueMoves(ctx context.Context, size int) iter.Seq2[[]member.Move, error]
	// ExpireInvitation deletes an invitation whose time is over, and reports whether it did.
	ExpireInvitation(ctx context.Context, orgID, id string) (ended bool, err error)
	// LookAgain postpones the next look at an invitation until then.
	LookAgain(ctx context.Context, orgID, id string, then time.Time) error
}

// Options configure the function.
type Options struct {
	Store     Store
	Directory identity.Directory
	Queue     queue.Queue
	Clock     clock.Clock
	Log       *slog.Logger // of what went wrong and is made up for later
}

const (
	// margin is what must remain of the invocation's time to go on; what is left is the next one's.
	margin = 15 * time.Second
	// page is how many rows are read at once: those of one person among them share a message.
	page = 500
	// mostInvitations and mostMoves are how many one invocation looks at. An invitation takes 20 ms or so, a move 200.
	mostInvitations = 5_000
	mostMoves       = 500
)

// Handler handles a tick of the schedule.
func Handler(on worker.Options, o Options) worker.ScheduleHandler {
	return worker.Schedule(on, func(ctx context.Context, _ worker.Tick) error { return Run(ctx, o) })
}

// Run does what is due. A failure of one row keeps no other row back, and neither does a panic. Run returns the first
// failures joined, or panics again at the end.
func Run(ctx context.Context, o Options) error {
	r := round{Options: o}
	r.moves(ctx)
	r.invitations(ctx)
	for name, n := range map[string]int{"expired": r.expired, "nudged": r.nudged, "moved": r.moved, "failed": r.failed,
		"left": r.left} {
		worker.Count(ctx, name, n)
	}
	return r.end()
}

// enough reports whether more than kept remains of the invocation's time.
func enough(ctx context.Context, kept time.Duration) bool {
	deadline, bound := ctx.Deadline()
	return !bound || time.Until(deadline) >= kept // the machine's clock, as deadlines are
}

// half returns half of the invocation's remaining time; 0 if it has no end.
func half(ctx context.Context) time.Duration {
	deadline, bound := ctx.Deadline()
	if !bound {
		return 0
	}
	return max(0, time.Until(deadline)/2)
}
