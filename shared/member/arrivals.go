package member

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"earshot/shared/port/identity"
)

// Welcome gives an account all that waits for its address. It then makes the due moves in the workspaces that it
// returns and in those of besides. An error means that a part failed and something is left to do.
func (d Desk) Welcome(
	ctx context.Context, account identity.Account, besides ...string,
) (granted []string, moved int, err error) {
	granted, err = d.Store.AcceptInvitations(ctx, account.Email, account.ID, account.Name)
	workspaces := slices.Concat(granted, besides)
	slices.Sort(workspaces)
	failed := 0
	for _, workspaceID := range slices.Compact(workspaces) {
		made, failure := d.MakeMove(ctx, workspaceID, account.ID)
		moved += made
		if err = errors.Join(err, failure); failure != nil {
			failed++
		}
		if failed == enoughFailures {
			break
		}
	}
	return granted, moved, err
}

// enoughFailures is how many moves fail before Welcome takes the directory itself to have failed.
const enoughFailures = 3

// LetIn checks whether the people of invitations have signed up, and lets those in, into all workspaces that wait for
// them. A failure for one person keeps nobody else out. An error means that a part failed and something is left to do.
// Every call may be repeated, at once and in any order. LetIn returns how many there were of:
//
//   - "granted": memberships
//   - "waiting": invitations whose person has no account yet
//   - "over": invitations that nobody can accept. They are accepted, withdrawn or expired, or their workspace is gone.
//   - "moved": moves in the directory
func (d Desk) LetIn(ctx context.Context, named []InvitationKey) (counts map[string]int, err error) {
	counts = map[string]int{"granted": 0, "waiting": 0, "over": 0, "moved": 0}
	named = slices.Clone(named)
	slices.SortFunc(named, func(a, b InvitationKey) int {
		return cmp.Or(cmp.Compare(a.WorkspaceID, b.WorkspaceID), cmp.Compare(a.InvitationID, b.InvitationID))
	})
	named = slices.Compact(named)
	there, over, err := d.Store.InvitationsByKey(ctx, named)
	if err != nil {
		return counts, err
	}
	now := d.Clock.Now()
	there = slices.DeleteFunc(there, func(i Invitation) bool { return !i.Open(now) })
	counts["over"] = len(named) - len(there)
	for _, workspaceID := range over {
		d.CatchUp(ctx, workspaceID) // whoever accepted it may have died before the directory was told
	}
	var failures []error
	for _, of := range ByPerson(there) {
		failures = append(failures, d.letIn(ctx, of, counts))
	}
	return counts, errors.Join(failures...)
}

// letIn is LetIn for one person's invitations.
func (d Desk) letIn(ctx context.Context, of []Invitation, counts map[string]int) error {
	account, known, err := d.account(ctx, of[0].Email)
	switch {
	case err != nil:
		return err
	case !known:
		counts["waiting"] += len(of)
		return nil
	}
	workspaces := make([]string, len(of))
	for i, invitation := range of {
		workspaces[i] = invitation.WorkspaceID
	}
	granted, moved, err := d.Welcome(ctx, account, workspaces...)
	counts["granted"] += len(granted)
	counts["moved"] += moved
	return err
}

// ByPerson groups invitations by address, in the order in which the addresses first appear.
func ByPerson(invitations []Invitation) [][]Invitation {
	var people [][]Invitation
	at := map[string]int{}
	for _, invitation := range invitations {
		person := Fold(invitation.Email)
		i, known := at[person]
		if !known {
			i = len(people)
			at[person], people = i, append(people, nil)
		}
		people[i] = append(people[i], invitation)
	}
	return people
}
