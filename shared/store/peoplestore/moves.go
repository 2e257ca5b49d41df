package peoplestore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Rows of the core table: pk org_…, sk "membermove#<account>", for as long as the directory's group of the workspace is
// not what the memberships say of that account. It is written with the membership; "rev" counts how often, "in" is the
// last word. Who makes the move claims it for a while, so that of two moves of one account the older cannot come to the
// directory after the newer.
//
// In the index byDue it is found when it should have been made: a minute after it was written, or claimed by somebody
// who died, and some time after it could not be made, the longer the more often it could not ("failures").
const (
	moveLease = time.Minute // longer than any request may take
)

func (s *Store) moveDue(orgID, accountID string, in bool) table.Update {
	return table.Update{
		Table: rows.CoreTable,
		Key:   rows.MoveKey(orgID, accountID),
		Set: map[string]any{"account": accountID, "in": in,
			rows.AttrWork: rows.WorkMoves, rows.AttrDueAt: rows.FromTime(s.Clock.Now().Add(moveLease))},
		Add:    map[string]int64{"rev": 1},
		Remove: []string{"failures"},
	}
}

func toMove(item table.Item) member.Move {
	return member.Move{
		WorkspaceID: table.KeyOf(item).Partition,
		AccountID:   rows.Text(item, "account"),
		In:          rows.Boolean(item, "in"),
		Revision:    rows.Integer(item, "rev"),
		Claim:       rows.Text(item, "claim"),
		Failures:    rows.Integer(item, "failures"),
	}
}

// Moves lists the moves that are due for a workspace's members and former members.
func (s *Store) Moves(ctx context.Context, orgID string) ([]member.Move, error) {
	return store.AllOf(
		ctx, s.Kernel, "what is due in the directory",
		table.Query{Partition: orgID, Prefix: rows.SortMove, Consistent: true}, toMove,
	)
}

// ClaimMove claims a move for a minute. mine is false if another caller holds it, or if the move is made.
func (s *Store) ClaimMove(ctx context.Context, orgID, accountID, claim string) (due member.Move, mine bool, err error) {
	now := s.Clock.Now()
	item, err := s.Table.Update(ctx, table.Update{
		Table: rows.CoreTable,
		Key:   rows.MoveKey(orgID, accountID),
		If: table.All(
			table.Has("rev"),
			table.Any(table.Missing("claimedUntil"), table.AtMost("claimedUntil", rows.FromMoment(now)),
				table.Equal("claim", claim)),
		), // the claim is its own when a repeat meets it
		Set: map[string]any{
			"claim":        claim,
			"claimedUntil": rows.FromMoment(now.Add(moveLease)),
			rows.AttrDueAt: rows.FromTime(now.Add(moveLease)),
		},
	})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		return member.Move{}, false, nil
	case err != nil:
		return member.Move{}, false, fmt.Errorf("claim a move: %w", err)
	}
	return toMove(item), true, nil
}

// FinishMove ends the claim on a move that is made. If the account has to move again since, it returns that move, and
// the claim continues.
func (s *Store) FinishMove(
	ctx context.Context, orgID string, made member.Move,
) (next member.Move, more bool, err error) {
	err = s.Table.Delete(ctx, table.Delete{Table: rows.CoreTable, Key: rows.MoveKey(orgID, made.AccountID),
		If: table.All(table.Equal("claim", made.Claim), table.Equal("rev", made.Revision))})
	var failed *table.ConditionFailed
	switch {
	case errors.As(err, &failed):
		next = toMove(failed.Item)
		return next, next.Claim == made.Claim, nil // a claim that ran out is another's
	case err != nil:
		return member.Move{}, false, fmt.Errorf("finish a move: %w", err)
	}
	return member.Move{}, false, nil
}

// ReleaseMove ends the claim on a move that failed. Any caller may try again at once; the schedule does at NextTry.
func (s *Store) ReleaseMove(ctx context.Context, orgID string, claimed member.Move) error {
	_, err := s.Table.Update(ctx, table.Update{
		Table:  rows.CoreTable,
		Key:    rows.MoveKey(orgID, claimed.AccountID),
		If:     table.Equal("claim", claimed.Claim),
		Remove: []string{"claim", "claimedUntil"},
		Set: map[string]any{
			rows.AttrDueAt: rows.FromTime(claimed.NextTry(s.Clock.Now())),
			"failures":     claimed.Failures + 1,
		},
	})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("release a move: %w", err)
	}
	return nil
}
