// Package peoplestore stores the members of workspaces, their invitations, and the changes that the directory's groups
// still lack (moves). An address has one row in a workspace, which names a member or an invitation. Every change of
// that row is one transaction with the change of what it names and of the workspace's count of people.
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
// Pending is member.MailDue, MailSending or MailUnknown; mailed is MailSent; queued is MailQueued. These are stored in
// the attribute "mail" of the row. An invitation in any of them expires at ExpiresAt: no write marks it. What moves an
// invitation:
//
//   - (1) Invite makes one with a mail of its workspace. Seat makes one that becomes the agency's lead, if the agency
//     has no good lead for the person. Seat also replaces a queued invitation so, if its lead is no longer good.
//   - (2) ClaimMail and ClaimResend claim the mail (MailSending), and SettleMail stores what came of it: MailSent,
//     MailUnknown or MailDue. A resend takes a mailed invitation through MailSending and, whatever came of it, back to
//     MailSent. An invitation whose sender died stays MailSending.
//   - (3) Seat queues an invitation behind the agency's good lead. The queued invitation has no mail and expires when
//     the lead does.
//   - (4) RevokeInvitation of a lead makes the oldest queued invitation the next lead. It takes over the state of the
//     mail.
//   - (5) AcceptInvitations, AddMember, and Seat of a person with an account make the member in the transaction that
//     deletes the invitation (admission).
//   - (6) Time passes: member.Invitation.Open becomes false.
//   - (7) RevokeInvitation does it for a client. Withdraw does it if the address cannot receive mail, and takes the
//     invitations that are queued behind a lead along.
//   - (8) ExpireInvitation and sweepInvitations, which makes room in a full workspace, delete the row. Invite and Seat
//     replace it.
//
// A purge deletes the rows of a deleted workspace, in whatever state. The functions agency and members, the packages
// below members, and purgestore import this package.
package peoplestore

import (
	"earshot/shared/store"
	"earshot/shared/store/workspacestore"
)

// Store reads and writes members and invitations.
type Store struct {
	*store.Kernel
	workspace *workspacestore.Store
}

// New returns a Store over k.
func New(k *store.Kernel) *Store { return &Store{Kernel: k, workspace: workspacestore.New(k)} }
