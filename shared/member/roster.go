package member

import "context"

// Roster is the store of people, as whoever lets many of them into many workspaces at once asks it.
type Roster interface {
	Ledger
	// Leads reads by which invitation an agency has told people who have no account, in their order, or could say that it has.
	Leads(ctx context.Context, by Inviter, emails []string) ([]Lead, error)
	// Seat lets people into a workspace, each of them once. Whoever has an account becomes a member, anybody else is invited: with a mail of
	// their own when the agency has no lead, which that invitation is from then on, and else without. It answers for each ask what came of
	// it; each is whole or not at all, whatever comes of the others. Answers ErrFull, ErrDaily, and the store's own for a workspace
	// that is gone.
	Seat(ctx context.Context, by Inviter, workspaceID string, asks []Ask) []Seat
	// MovesLeft answers which of the moves nobody has made yet.
	MovesLeft(ctx context.Context, among []DueMove) ([]DueMove, error)
}

// An Inviter is an agency that lets people into its workspaces.
type Inviter struct {
	ID, Name   string
	KeyID      string  // by which it does so
	Workspaces []Place // all that it has, oldest first
}

// A Place is a workspace by its id and its name.
type Place struct{ ID, Name string }

// Place finds one of the agency's workspaces.
func (by Inviter) Place(workspaceID string) (place Place, ok bool) {
	for _, place := range by.Workspaces {
		if place.ID == workspaceID {
			return place, true
		}
	}
	return Place{}, false
}

// A Lead is the one invitation of an agency to a person of which a mail tells, or told. All further invitations of that person to the
// agency's workspaces are queued while it is open, and end when it does.
type Lead struct {
	WorkspaceID string // empty: there is none
	// Stands says that the agency has it. Else it is one that a workspace of the agency has sent by itself; Seat in that workspace makes it
	// the agency's lead.
	Stands bool
	Handed bool // its mail was handed over, as far as Invitation does not say
	// Invitation is what is known of it; nothing if its workspace is gone.
	Invitation Invitation
}

// Mail is how far the lead's mail is; empty if there is no lead.
func (l Lead) Mail() MailState {
	if l.Invitation.ID == "" && l.Handed {
		return MailSent
	}
	return l.Invitation.Mail
}

// Key names the lead's invitation.
func (l Lead) Key() InvitationKey { return InvitationKey{l.WorkspaceID, l.Invitation.ID} }

// An Ask asks for one person to be let into a workspace.
type Ask struct {
	Email     string
	Role      Role   // empty: nothing but to make a lead of the invitation that the workspace has sent by itself
	AccountID string // empty: the person has no account
	Name      string // of the account
}

// An Action says what came of inviting a person into a workspace.
type Action string

// The actions.
const (
	Granted Action = "granted" // a member, without a mail
	Invited Action = "invited" // to become a member by signing up, as a mail says
	Queued  Action = "queued"  // the same without a mail of its own: that of another workspace tells the person
)

// A Seat is what came of an Ask.
type Seat struct {
	Action     Action     // empty: nothing
	Invitation Invitation // of Invited and Queued
	New        bool       // the invitation was made now, or has become the agency's lead now
	Err        error      // why nothing came of it
}
