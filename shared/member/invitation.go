package member

import "time"

// InvitationLife is how long an invitation is open.
const InvitationLife = 30 * 24 * time.Hour

// Invitation lets a person who has not signed up yet into one workspace.
type Invitation struct {
	WorkspaceID string
	ID          string // inv_…
	Email       string // as it was given; see Fold
	Role        Role
	InvitedBy   string // the id of the API key
	CreatedAt   time.Time
	ExpiresAt   time.Time
	Agency      string // the id of the agency whose lead it is or was; empty: none, the mail is the workspace's
	Mail        MailState
	Claims      int64 // how often its mail was claimed
	Refused     bool  // the mailer did not take the mail at the last claim
	Unsure      bool  // the mailer did not say at the last claim whether it took the mail
	Revision    int64 // raised by every change of the role, and when it becomes an agency's lead
}

// InvitationKey names an invitation.
type InvitationKey struct{ WorkspaceID, InvitationID string }

// Key returns the key of the invitation.
func (i Invitation) Key() InvitationKey { return InvitationKey{i.WorkspaceID, i.ID} }

// Open reports whether the invitation still lets the person in. It is expired at ExpiresAt itself.
func (i Invitation) Open(now time.Time) bool { return now.Before(i.ExpiresAt) }

// NextLook returns when to look at the invitation again: whether its person has an account of which nobody told, and
// whether it is over. The interval is the invitation's age, at least 15 minutes and at most 6 hours.
func (i Invitation) NextLook(now time.Time) time.Time {
	const soonest, latest = 15 * time.Minute, 6 * time.Hour
	next := now.Add(min(max(now.Sub(i.CreatedAt), soonest), latest))
	if next.After(i.ExpiresAt) {
		return i.ExpiresAt
	}
	return next
}

// MailState is how far the mail of an invitation has got. One caller claims a due mail, which is then sending, before
// it calls the mailer. The mail is sent once the mailer has taken it. If the mailer refuses it, the client gets an
// error and the mail is due again: nothing sends it until somebody invites the person again. If the mailer's response
// is lost, the state is unknown. If the sender dies, it stays sending. Inviting again sends an unknown or sending mail
// no second time; only Desk.Resend does. A service that took a mail and responded that it did not is the one case in
// which inviting again can bring the mail twice.
type MailState string

// The states of a mail.
const (
	MailDue     MailState = "due"
	MailSending MailState = "sending"
	MailSent    MailState = "sent"    // handed over
	MailUnknown MailState = "unknown" // nobody knows whether it was handed over
	MailQueued  MailState = "queued"  // no mail: the person was told by that of another invitation of the same agency
)

// MostMailsADay is how many invitation mails a workspace sends at most in a day of UTC, each to somebody who may never
// have heard of it. An agency's call mails at most 50 people through one workspace, so four full calls fit. A full
// workspace of 500 people is invited in three days.
const MostMailsADay = 200

// Lead is the one invitation of an agency to a person that has a mail. While it is open, all further invitations of
// that person to the agency's workspaces are queued, and end when it does.
type Lead struct {
	// Invitation is the lead, as far as it is known: only its WorkspaceID if the workspace is gone, nothing if there is
	// no lead.
	Invitation Invitation
	// Stands reports whether the agency has the lead. If not, it is an invitation that a workspace of the agency has
	// sent by itself. Store.Invite in that workspace makes it the agency's lead.
	Stands bool
	Handed bool // its mail was handed over, as far as Invitation does not say
}

// Mail returns how far the lead's mail is; empty if there is no lead.
func (l Lead) Mail() MailState {
	if l.Invitation.ID == "" && l.Handed {
		return MailSent
	}
	return l.Invitation.Mail
}
