package member

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"earshot/shared/port/identity"
)

// Move is a change that the directory still lacks: an account has to join or leave a workspace's group.
type Move struct {
	WorkspaceID string
	AccountID   string
	In          bool
	Revision    int64  // raised whenever it is to be moved anew
	Claim       string // of who makes the move now; empty: nobody
	Failures    int64  // how often it could not be made since
}

// NextTry returns when to try a move again that failed now: after 5 minutes at first, and after twice as long each
// time, up to 6 hours.
func (m Move) NextTry(now time.Time) time.Time {
	const soonest, latest, doublings = 5 * time.Minute, 6 * time.Hour, 7
	return now.Add(min(soonest<<min(max(m.Failures, 0), doublings), latest))
}

// How long is waited for the store after the mailer, and for the directory beside what a request is about.
const (
	settleTime = 2 * time.Second
	moveTime   = 3 * time.Second
)

// CatchUp makes the moves that are due in a workspace. Failures are logged, and left for the next time.
func (d Desk) CatchUp(ctx context.Context, workspaceID string) {
	moves, err := d.Store.Moves(ctx, workspaceID)
	d.note(ctx, "what is due in the directory could not be read", workspaceID, err)
	d.MakeMoves(ctx, workspaceID, moves)
}

// MakeMoves makes due moves, up to the first that fails.
func (d Desk) MakeMoves(ctx context.Context, workspaceID string, moves []Move) {
	ctx, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	for _, due := range moves {
		if _, err := d.move(ctx, workspaceID, due.AccountID); err != nil {
			d.note(ctx, "the directory's group does not follow yet", workspaceID, err)
			return
		}
	}
}

// MakeMove makes the due moves of an account in a workspace, unless another caller is at it, and returns how many.
// After an error they are still due.
func (d Desk) MakeMove(ctx context.Context, workspaceID, accountID string) (made int, err error) {
	ctx, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	return d.move(ctx, workspaceID, accountID)
}

// move makes the due move of an account, and then the move that has become due meanwhile. Otherwise the slower of two
// callers could undo what the other did. Returns how many moves it made.
func (d Desk) move(ctx context.Context, workspaceID, accountID string) (made int, err error) {
	due, more, err := d.Store.ClaimMove(ctx, workspaceID, accountID, rand.Text())
	for err == nil && more {
		if due.In {
			err = d.Directory.Join(ctx, workspaceID, accountID)
		} else {
			err = d.Directory.Leave(ctx, workspaceID, accountID)
		}
		if err != nil && !errors.Is(err, identity.ErrNoAccount) { // who is gone is in no group
			after, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
			defer cancel()
			return made, errors.Join(err, d.Store.ReleaseMove(after, workspaceID, due))
		}
		made++
		due, more, err = d.Store.FinishMove(ctx, workspaceID, due)
	}
	return made, err
}
