package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"earshot/shared/member"
	"earshot/shared/port/table"
)

// Rows of the core table: pk org_…, sk "membermove#<account>", for as long as the directory's group of the workspace is not what the
// memberships say of that account. It is written with the membership; "rev" counts how often, "in" is the last word. Who makes the move
// claims it for a while, so that of two moves of one account the older cannot come to the directory after the newer.
//
// In the index byDue it is found when it should have been made: a minute after it was written, or claimed by somebody who died, and some
// time after it could not be made, the longer the more often it could not ("failures").
const (
	sortMove  = "membermove#"
	moveLease = time.Minute // longer than any request may take
)

func moveKey(orgID, accountID string) table.Key {
	return table.Key{Partition: orgID, Sort: sortMove + accountID}
}

func (s *Store) moveDue(orgID, accountID string, in bool) table.Update {
	return table.Update{Table: CoreTable, Key: moveKey(orgID, accountID), Set: map[string]any{"account": accountID, "in": in,
		attrWork: workMoves, attrDueAt: fromTime(s.clock.Now().Add(moveLease))},
		Add: map[string]int64{"rev": 1}, Remove: []string{"failures"}}
}

func toMove(item table.Item) member.Move {
	return member.Move{AccountID: str(item, "account"), In: boolean(item, "in"), Revision: integer(item, "rev"), Claim: str(item, "claim"),
		Failures: integer(item, "failures")}
}

// Moves lists what the directory does not know yet of a workspace's members and former ones.
func (s *Store) Moves(ctx context.Context, orgID string) ([]member.Move, error) {
	return allOf(ctx, s, "what is due in the directory", table.Query{Partition: orgID, Prefix: sortMove, Consistent: true}, toMove)
}

// ClaimMove says whether the caller is the one to make a move now, and which: nobody else is for a minute.
func (s *Store) ClaimMove(ctx context.Context, orgID, accountID, claim string) (due member.Move, mine bool, err error) {
	now := s.clock.Now()
	item, err := s.table.Update(ctx, table.Update{Table: CoreTable, Key: moveKey(orgID, accountID),
		If: table.All(table.Has("rev"), table.Any(table.Missing("claimedUntil"), table.AtMost("claimedUntil", fromMoment(now)),
			table.Equal("claim", claim))), // the claim is its own when a repeat meets it
		Set: map[string]any{"claim": claim, "claimedUntil": fromMoment(now.Add(moveLease)), attrDueAt: fromTime(now.Add(moveLease))},
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

// FinishMove ends a claim on a move that is made. When the account is to be moved anew since, it answers how; the claim goes on then.
func (s *Store) FinishMove(ctx context.Context, orgID string, made member.Move) (next member.Move, more bool, err error) {
	err = s.table.Delete(ctx, table.Delete{Table: CoreTable, Key: moveKey(orgID, made.AccountID),
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

// ReleaseMove ends a claim on a move that could not be made: anybody may try again at once, and somebody is to at its next try.
func (s *Store) ReleaseMove(ctx context.Context, orgID string, claimed member.Move) error {
	_, err := s.table.Update(ctx, table.Update{Table: CoreTable, Key: moveKey(orgID, claimed.AccountID),
		If: table.Equal("claim", claimed.Claim), Remove: []string{"claim", "claimedUntil"},
		Set: map[string]any{attrDueAt: fromTime(claimed.NextTry(s.clock.Now())), "failures": claimed.Failures + 1}})
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("release a move: %w", err)
	}
	return nil
}
