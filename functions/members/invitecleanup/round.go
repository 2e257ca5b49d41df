package invitecleanup

import (
	"context"
	"errors"
	"fmt"

	"earshot/events/message/nudge"
	"earshot/shared/member"
	"earshot/shared/port/queue"
)

// A round is one run, and what came of it.
type round struct {
	Options
	expired int // invitations that ended
	nudged  int // invitations that were sent for a look
	moved   int // moves that were made
	failed  int // of either that something went wrong with
	left    int // of either that were read, and for which no time was left

	causes   []error // of the first that failed
	panicked any
}

// maxCauses is how many failures are told the causes of; their number always is.
const maxCauses = 10

// try does something to one row, and notes what went wrong.
func (r *round) try(do func() error) (done bool) {
	defer func() {
		if value := recover(); value != nil {
			r.failed++
			if r.panicked == nil {
				r.panicked = value
			}
		}
	}()
	err := do()
	if err != nil {
		r.fail(err)
	}
	return err == nil
}

func (r *round) fail(err error) {
	r.failed++
	if len(r.causes) < maxCauses {
		r.causes = append(r.causes, err)
	}
}

// end answers what went wrong.
func (r *round) end() error {
	if r.panicked != nil {
		panic(r.panicked)
	}
	return errors.Join(r.causes...)
}

// moves makes moves that nobody has made, in no more than half of the time: a directory that does not answer keeps no
// invitation open.
func (r *round) moves(ctx context.Context) {
	desk := member.Desk{Store: r.Store, Directory: r.Directory, Log: r.Log}
	kept, seen := max(margin, half(ctx)), 0
	for due, err := range r.Store.DueMoves(ctx, page) {
		if err != nil {
			r.fail(err)
			return
		}
		for i, move := range due {
			if seen == mostMoves || !enough(ctx, kept) {
				r.left += len(due) - i
				return
			}
			seen++
			r.try(func() error {
				made, err := desk.MakeMove(ctx, move.WorkspaceID, move.AccountID)
				r.moved += made
				if err != nil {
					return fmt.Errorf("move in the directory for %s: %w", move.WorkspaceID, err)
				}
				return nil
			})
		}
	}
}

// invitations ends those whose time is over, and nudges for the others.
func (r *round) invitations(ctx context.Context) {
	seen := 0
	for due, err := range r.Store.DueInvitations(ctx, page) {
		if err != nil {
			r.fail(err)
			return
		}
		if seen+len(due) > mostInvitations || !enough(ctx, margin) {
			r.left += len(due)
			return
		}
		seen += len(due)
		var open []member.Invitation
		for i, invitation := range due {
			switch {
			case !enough(ctx, margin):
				r.left += len(due) - i + len(open)
				return
			case invitation.Open(r.Clock.Now()):
				open = append(open, invitation)
			default:
				r.try(func() error { return r.expire(ctx, invitation) })
			}
		}
		r.nudge(ctx, open)
	}
}

func (r *round) expire(ctx context.Context, invitation member.Invitation) error {
	ended, err := r.Store.ExpireInvitation(ctx, invitation.WorkspaceID, invitation.ID)
	if ended {
		r.expired++
	}
	if err != nil {
		return fmt.Errorf("invitation %s of %s: %w", invitation.ID, invitation.WorkspaceID, err)
	}
	return nil
}

// nudge sends a message for each person, and then has their invitations looked at later.
func (r *round) nudge(ctx context.Context, open []member.Invitation) {
	if len(open) == 0 {
		return
	}
	sent := r.try(func() error {
		var messages []queue.Message
		for _, of := range member.ByPerson(open) {
			keys := make([]member.InvitationKey, len(of))
			for i, invitation := range of {
				keys[i] = invitation.Key()
			}
			some, err := nudge.FromInvitations(keys)
			if err != nil {
				return err
			}
			messages = append(messages, some...)
		}
		if err := r.Queue.Send(ctx, queue.Invitations, messages...); err != nil {
			return fmt.Errorf("send nudges: %w", err)
		}
		return nil
	})
	if !sent {
		return
	}
	r.nudged += len(open)
	for i, invitation := range open {
		if !enough(ctx, margin) {
			r.left += len(open) - i
			return
		}
		r.try(func() error {
			if err := r.Store.LookAgain(
				ctx, invitation.WorkspaceID, invitation.ID, invitation.NextLook(r.Clock.Now()),
			); err != nil {
				return fmt.Errorf("invitation %s of %s: %w", invitation.ID, invitation.WorkspaceID, err)
			}
			return nil
		})
	}
}
