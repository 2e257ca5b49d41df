package member

import "time"

// InvitationLife is how long an invitation is open.
const InvitationLife = 30 * 24 * time.Hour

// Invitation lets a person who has not signed up yet into one workspace.
type Invitation struct {
	ID        string // inv_…
	Email     string // as it was given; see Fold
	Role      Role
	InvitedBy string // the id of the API key
	CreatedAt time.Time
	ExpiresAt time.Time
	Agency    string // the id of the agency whose one mail to the person is this invitation's; empty: none, the mail is the workspace's
	Mail      MailState
	Claims    int64 // how often its mail was claimed
	Refused   bool  // the mailer did not take the mail at the last claim
	Unsure    bool  // the mailer did not say at the last claim whether it took the mail
	Revision  int64 // raised by every change of the role, and when it becomes an agency's lead
}

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

// Move is a change that the directory still lacks: an account has to join or leave a workspace's group.
type Move struct {
	AccountID string
	In        bool
	Revision  int64  // raised whenever it is to be moved anew
	Claim     string // of who makes the move now; empty: nobody
	Failures  int64  // how often it could not be made since
}

// NextTry returns when to try a move again that failed now: after 5 minutes at first, and after twice as long each
// time, up to 6 hours.
func (m Move) NextTry(now time.Time) time.Time {
	const soonest, latest, doublings = 5 * time.Minute, 6 * time.Hour, 7
	return now.Add(min(soonest<<min(max(m.Failures, 0), doublings), latest))
}
