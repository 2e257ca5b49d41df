package member

import "context"

// Roster is the store of people as a Fanout uses it.
type Roster interface {
	Ledger
	// Leads reads the lead of an agency for each person, in the order of emails. Without a lead it returns an open
	// invitation of the agency's workspaces that could become one.
	Leads(ctx context.Context, by Inviter, emails []string) ([]Lead, error)
	// Seat lets people into a workspace, each of them once. A person with an account becomes a member, and any other
	// person is invited. If the agency has no lead for the person, the invitation becomes the lead and has a mail;
	// otherwise it has none. Seat returns a result for each ask. Each ask is whole or not at all, whatever comes of the
	// others. Returns ErrFull, ErrDaily, and the store's own error for a workspace that is gone.
	Seat(ctx context.Context, by Inviter, workspaceID string, asks []Ask) []Seat
	// MovesLeft returns those of the moves that nobody has made yet.
	MovesLeft(ctx context.Context, among []DueMove) ([]DueMove, error)
}

// Inviter is an agency that lets people into its workspaces.
type Inviter struct {
	ID, Name   string
	KeyID      string  // by which it does so
	Workspaces []Place // all that it has, oldest first
}

// Place is a workspace by its id and its name.
type Place struct{ ID, Name string }

// Place returns one of the agency's workspaces. ok is false if the agency does not have it.
func (by Inviter) Place(workspaceID string) (place Place, ok bool) {
	for _, place := range by.Workspaces {
		if place.ID == workspaceID {
			return place, true
		}
	}
	return Place{}, false
}

// Lead is the one invitation of an agency to a person that has a mail. While it is open, all further invitations of
// that person to the agency's workspaces are queued, and end when it does.
type Lead struct {
	WorkspaceID string // empty: there is none
	// Stands says that the agency has it. Else it is one that a workspace of the agency has sent by itself; Seat in that workspace makes it
	// the agency's lead.
	Stands bool
	Handed bool // its mail was handed over, as far as Invitation does not say
	// Invitation is what is known of it; nothing if its workspace is gone.
	Invitation Invitation
}

// Mail returns how far the lead's mail is; empty if there is no lead.
func (l Lead) Mail() MailState {
	if l.Invitation.ID == "" && l.Handed {
		return MailSent
	}
	return l.Invitation.Mail
}

// Key returns the key of the lead's invitation.
func (l Lead) Key() InvitationKey { return InvitationKey{l.WorkspaceID, l.Invitation.ID} }

// Ask asks for one person to be let into a workspace.
type Ask struct {
	Email     string
	Role      Role   // empty: nothing but to make a lead of the invitation that the workspace has sent by itself
	AccountID string // empty: the person has no account
	Name      string // of the account
}

// Action is the result of inviting a person into a workspace.
type Action string

// The actions.
const (
	Granted Action = "granted" // a member, without a mail
	Invited Action = "invited" // to become a member by signing up, as a mail says
	Queued  Action = "queued"  // the same without a mail of its own: that of another workspace tells the person
)

// Seat is the result of an Ask.
type Seat struct {
	Action     Action     // empty: nothing
	Invitation Invitation // of Invited and Queued
	New        bool       // the invitation was made now, or has become the agency's lead now
	Err        error      // why nothing came of it
}
