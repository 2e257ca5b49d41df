package member

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"

	"earshot/shared/port/clock"
	"earshot/shared/port/identity"
)

// An InvitationKey names an invitation.
type InvitationKey struct{ WorkspaceID, InvitationID string }

// An Awaited is an invitation with the workspace that it lets its person into.
type Awaited struct {
	WorkspaceID string
	Invitation
}

// Key names the invitation.
func (a Awaited) Key() InvitationKey { return InvitationKey{a.WorkspaceID, a.ID} }

// A DueMove names a move that is to be made: an account's, in the group of a workspace.
type DueMove struct{ WorkspaceID, AccountID string }

// Awaiting is the store of people, as whoever lets in those who have signed up asks it.
type Awaiting interface {
	Ledger
	// Awaited reads invitations, each named once. Those that are over are missing; over are the workspaces of these, as far as they are
	// there themselves.
	Awaited(ctx context.Context, named []InvitationKey) (there []Awaited, over []string, err error)
}

// Arrivals lets people in who have signed up since they were invited. All of it may be done again, at once and in any order.
type Arrivals struct {
	Store     Awaiting
	Directory identity.Directory
	Clock     clock.Clock
	Log       *slog.Logger // of what went wrong and is made up for later
}

func (a Arrivals) desk() Desk { return Desk{Ledger: a.Store, Directory: a.Directory, Log: a.Log} }

// Welcome makes whatever waits for the address of an account the account's own, and has the directory follow, in the workspaces that it
// answers and in those that are named besides. With an error, which is of a part that did not do its work, something is left to do.
func (a Arrivals) Welcome(ctx context.Context, account identity.Account, besides ...string) (granted []string, moved int, err error) {
	granted, err = a.Store.AcceptInvitations(ctx, account.Email, account.ID, account.Name)
	workspaces := slices.Concat(granted, besides)
	slices.Sort(workspaces)
	failed := 0
	for _, workspaceID := range slices.Compact(workspaces) {
		made, failure := a.desk().Move(ctx, workspaceID, account.ID)
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

// enoughFailures is after how many moves that fail the directory itself is taken to have failed.
const enoughFailures = 3

// Move makes what is due in the directory for an account of a workspace, unless another is at it, and answers how many moves it made. An
// error leaves it due.
func (d Desk) Move(ctx context.Context, workspaceID, accountID string) (made int, err error) {
	ctx, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	return d.move(ctx, workspaceID, accountID)
}

// A Look is what came of looking whether people have signed up.
type Look struct {
	Granted int // memberships
	Waiting int // invitations whose person has no account yet
	Over    int // invitations that nobody can accept: accepted, withdrawn or expired ones, and those of workspaces that are gone
	Moved   int // moves in the directory
}

// Look looks whether the people of invitations have signed up, and lets in those who have, into all workspaces that wait for them. One
// that cannot be let in keeps nobody else out. With an error, which is of a part that did not do its work, something is left to do.
func (a Arrivals) Look(ctx context.Context, named []InvitationKey) (found Look, err error) {
	named = slices.Clone(named)
	slices.SortFunc(named, func(a, b InvitationKey) int {
		return cmp.Or(cmp.Compare(a.WorkspaceID, b.WorkspaceID), cmp.Compare(a.InvitationID, b.InvitationID))
	})
	named = slices.Compact(named)
	there, over, err := a.Store.Awaited(ctx, named)
	if err != nil {
		return found, err
	}
	now := a.Clock.Now()
	there = slices.DeleteFunc(there, func(i Awaited) bool { return !i.Open(now) })
	found.Over = len(named) - len(there)
	for _, workspaceID := range over {
		a.desk().CatchUp(ctx, workspaceID) // whoever accepted it may have died before the directory was told
	}
	var failures []error
	for _, of := range ByPerson(there) {
		failures = append(failures, a.look(ctx, of, &found))
	}
	return found, errors.Join(failures...)
}

// look is Look of one person's invitations.
func (a Arrivals) look(ctx context.Context, of []Awaited, found *Look) error {
	account, known, err := a.desk().account(ctx, of[0].Email)
	switch {
	case err != nil:
		return err
	case !known:
		found.Waiting += len(of)
		return nil
	}
	workspaces := make([]string, len(of))
	for i, invitation := range of {
		workspaces[i] = invitation.WorkspaceID
	}
	granted, moved, err := a.Welcome(ctx, account, workspaces...)
	found.Granted += len(granted)
	found.Moved += moved
	return err
}

// ByPerson puts the invitations of each address together, in the order in which the addresses come first.
func ByPerson(invitations []Awaited) [][]Awaited {
	var people [][]Awaited
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
