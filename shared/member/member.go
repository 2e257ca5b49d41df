// Package member is the domain of the people of a workspace: who is a member, who is invited, and how an invited person
// becomes a member. A person is an address, whatever the case of its letters. A workspace has at most one membership
// or one invitation for an address.
//
// Desk.Invite is the one way in. It invites people into workspaces for an Inviter: an agency, or one workspace that
// invites one person. It asks the store, sends the mails that are due, and tells the directory. Inviting may be
// repeated, killed midway and run twice at once. The same call again does what is left, and sends no second mail to a
// person. Only Desk.Resend does that.
//
// # The nouns
//
//   - A Member is a person of a workspace, with a Role.
//   - An Invitation lets a person without an account into one workspace. Its InvitationKey names it. Its MailState is
//     how far its mail has got.
//   - An Inviter is the agency or the workspace that invites, with the API key of the request.
//   - A Lead is the one invitation of an agency to a person that has a mail. The agency's other invitations of that
//     person are queued behind it.
//   - A Result is what came of inviting one person into one workspace: an Action or an error.
//   - A Move is a change that the directory's group of a workspace still lacks. The store decides what a person may do.
//     The directory's groups are copies that follow the store.
//   - A Desk does the work: it invites, resends, lets in people who signed up later, and makes moves.
//   - A Store keeps members, invitations, leads and moves for the Desk.
//
// # The states of an invitation
//
//	                (1)              (2)
//	no invitation ──────▶ pending ◀───────▶ mailed
//	      │                  ▲                 ▲
//	      │ (3)              │ (4)             │ (4)
//	      └────────────▶ queued ───────────────┘
//
//	pending, mailed, queued ── (5) ──▶ granted    a member; the invitation's row is gone
//	pending, mailed, queued ── (6) ──▶ expired    the row stays until it is swept or replaced
//	pending, mailed, queued, expired ── (7) ──▶ revoked    the row is gone
//	expired ── (8) ──▶ no invitation, pending or queued
//
// Pending is MailDue, MailSending or MailUnknown; mailed is MailSent; queued is MailQueued. What moves an invitation,
// in methods of Store unless the list says otherwise:
//
//   - (1) Invite makes an invitation whose mail is due. For an agency without a good lead for the person, it becomes
//     the lead. Invite also replaces a queued invitation so, if its lead is no longer good.
//   - (2) ClaimMail and ClaimResend claim the mail (MailSending), and SettleMail stores what came of it: MailSent,
//     MailUnknown or MailDue. A resend takes a mailed invitation through MailSending and, whatever came of it, back to
//     MailSent. An invitation whose sender died stays MailSending.
//   - (3) Invite queues an invitation behind the agency's good lead.
//   - (4) peoplestore's RevokeInvitation of a lead makes the oldest queued invitation the next lead. So does its
//     AddMember, if an operator adds the lead's person without an account. The next lead takes over the state of the
//     mail.
//   - (5) AcceptInvitations, Invite of a person with an account, and peoplestore's AddMember make the member in the
//     transaction that deletes the invitation (admission). The function accountcreated calls AcceptInvitations when the
//     person signs up. The function invitations calls it for people of whom nobody told.
//   - (6) Time passes: Invitation.Open becomes false. No write marks it.
//   - (7) peoplestore's RevokeInvitation does it for a client. Withdraw does it if the address cannot receive mail, and
//     takes the invitations that are queued behind a lead along.
//   - (8) The function invitecleanup deletes the row, and so does peoplestore to make room in a full workspace. Invite
//     replaces it.
//
// # What happens to a queued invitation
//
// It has no mail: the lead's mail tells the person of it. When the person signs up, it is granted with all other
// invitations of the person (5). When the lead is revoked, the oldest queued invitation becomes the lead (4). When no
// mail can be sent to the person, it goes with the lead (7). Otherwise it expires when the lead does (6). If the lead's
// workspace is deleted before its mail went out, the lead is no longer good. The agency's next call then makes another
// lead (1).
//
// A lead is good while it is open, and its mail went out or still can.
//
// A purge deletes the rows of a deleted workspace, in whatever state. The functions agency and members, the packages
// below members, peoplestore and web/memberwire import this package.
package member

import (
	"errors"
	"time"

	"earshot/shared/text"
)

// Prefixes of ids (section 2 of the contract).
const (
	PrefixMember     = "mem_"
	PrefixInvitation = "inv_"
)

// MostPeople is how many members and open invitations a workspace has at most.
const MostPeople = 500

// Role is what a member may do, by the names of the description ("POST /agency/members/invite").
type Role string

// The roles.
const (
	Admin    Role = "org:admin"
	Ordinary Role = "org:member"
)

// Member is a person of a workspace.
type Member struct {
	ID         string // mem_…
	Email      string // as it was given; see Fold
	Name       string // empty: not known
	Role       Role
	Superadmin bool   // owns the workspace: always an admin, and not to be removed
	AccountID  string // the directory's; empty until the person has signed up
	CreatedAt  time.Time
	Revision   int64 // raised by every change
}

// Errors of what cannot be done with people.
var (
	ErrExists     = errors.New("member: the workspace has a member of this address")
	ErrFull       = errors.New("member: the workspace has as many members and open invitations as it can have")
	ErrLastAdmin  = errors.New("member: the only admin of the workspace")
	ErrSuperadmin = errors.New("member: a superadmin cannot be removed")
	ErrDaily      = errors.New("member: the workspace has sent as many invitation mails today as it can")
	// ErrRemoved means that a request is repeated whose member or invitation has been removed since.
	ErrRemoved = errors.New("member: what the request made has been removed since")
)

// maxName is how many characters of a name are kept.
const maxName = 200

// CleanName returns a person's name without control and formatting characters, cut to maxName characters.
func CleanName(name string) string { return text.Cut(text.OneLine(name), maxName) }
