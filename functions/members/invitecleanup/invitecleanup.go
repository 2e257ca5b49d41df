// Package invitecleanup looks after invitations that nobody has come back to: it ends those whose time is over, and has it looked whether
// the people of the others have signed up, of which no message may have told; and it makes what the directory does not know yet of who is
// in which workspace. A schedule calls it every quarter of an hour.
//
// It may be killed anywhere, run again and beside itself. A nudge is sent before it is written down that it was, so that one may be sent
// twice, and none is lost.
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
	// DueInvitations and DueMoves list what is to be looked at now, the longest overdue first, page by page.
	DueInvitations(ctx context.Context, size int) iter.Seq2[[]member.Invitation, error]
	DueMoves(ctx context.Context, size int) iter.Seq2[[]member.Move, error]
	// ExpireInvitation takes an invitation out whose time is over, and says whether it did.
	ExpireInvitation(ctx context.Context, orgID, id string) (ended bool, err error)
	// LookAgain has an invitation looked at again, no sooner than then.
	LookAgain(ctx context.Context, orgID, id string, then time.Time) error
}

// Options are what the function works with.
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

// Handler answers the schedule.
func Handler(on worker.Options, o Options) worker.ScheduleHandler {
	return worker.Schedule(on, func(ctx context.Context, _ worker.Tick) error { return Run(ctx, o) })
}

// Run does what is due. Whatever fails keeps none of the others back, and neither does a panic: both are answered as errors, the latter
// when all others are done.
func Run(ctx context.Context, o Options) error {
	r := round{Options: o}
	r.moves(ctx)
	r.invitations(ctx)
	for name, n := range map[string]int{"expired": r.expired, "nudged": r.nudged, "moved": r.moved, "failed": r.failed, "left": r.left} {
		worker.Count(ctx, name, n)
	}
	return r.end()
}

// enough says whether there is time to go on, so much being kept of it.
func enough(ctx context.Context, kept time.Duration) bool {
	deadline, bound := ctx.Deadline()
	return !bound || time.Until(deadline) >= kept // the machine's clock, as deadlines are
}

// half is half of an invocation's time, from now on; 0 when it has no end.
func half(ctx context.Context) time.Duration {
	deadline, bound := ctx.Deadline()
	if !bound {
		return 0
	}
	return max(0, time.Until(deadline)/2)
}
