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

// InvitationKey names an invitation.
type InvitationKey struct{ WorkspaceID, InvitationID string }

// Awaited is an invitation with the workspace that it lets its person into.
type Awaited struct {
	WorkspaceID string
	Invitation
}

// Key returns the key of the invitation.
func (a Awaited) Key() InvitationKey { return InvitationKey{a.WorkspaceID, a.ID} }

// DueMove names a move that is due: an account's, in the group of a workspace.
type DueMove struct{ WorkspaceID, AccountID string }

// Awaiting is the store of people as Arrivals uses it.
type Awaiting interface {
	Ledger
	// Awaited reads invitations, each named once. It leaves out those that are gone. over lists their workspaces, if
	// these still exist.
	Awaited(ctx context.Context, named []InvitationKey) (there []Awaited, over []string, err error)
}

// Arrivals lets in people who have signed up since they were invited. Every call may be repeated, at once and in any
// order.
type Arrivals struct {
	Store     Awaiting
	Directory identity.Directory
	Clock     clock.Clock
	Log       *slog.Logger // of what went wrong and is made up for later
}

func (a Arrivals) desk() Desk { return Desk{Ledger: a.Store, Directory: a.Directory, Log: a.Log} }

// Welcome gives an account all that waits for its address. It then makes the due moves in the workspaces that it
// returns and in those of besides. An error means that a part failed and something is left to do.
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

// enoughFailures is how many moves fail before Welcome takes the directory itself to have failed.
const enoughFailures = 3

// Move makes the due moves of an account in a workspace, unless another caller is at it, and returns how many. After an
// error they are still due.
func (d Desk) Move(ctx context.Context, workspaceID, accountID string) (made int, err error) {
	ctx, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	return d.move(ctx, workspaceID, accountID)
}

// Look counts the results of checking whether people have signed up.
type Look struct {
	Granted int // memberships
	Waiting int // invitations whose person has no account yet
	Over    int // invitations that nobody can accept: accepted, withdrawn or expired ones, and those of workspaces that are gone
	Moved   int // moves in the directory
}

// Look checks whether the people of invitations have signed up, and lets those in, into all workspaces that wait for
// them. A failure for one person keeps nobody else out. An error means that a part failed and something is left to do.
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

// look is Look for one person's invitations.
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

// ByPerson groups invitations by address, in the order in which the addresses first appear.
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
