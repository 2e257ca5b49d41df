package member

import "time"

// InvitationLife is how long an invitation is open.
const InvitationLife = 30 * 24 * time.Hour

// An Invitation lets a person who has not signed up yet into one workspace.
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

// Open says whether the invitation still lets the person in. It is expired at ExpiresAt itself.
func (i Invitation) Open(now time.Time) bool { return now.Before(i.ExpiresAt) }

// NextLook is when the invitation is to be looked at again after a moment: whether its person has an account by now, of which nobody told,
// and whether its time is over. The longer it is open, the more seldom, but several times a day.
func (i Invitation) NextLook(now time.Time) time.Time {
	const soonest, latest = 15 * time.Minute, 6 * time.Hour
	next := now.Add(min(max(now.Sub(i.CreatedAt), soonest), latest))
	if next.After(i.ExpiresAt) {
		return i.ExpiresAt
	}
	return next
}

// A MailState says how far the one mail of an invitation is. It goes from due to sending by a claim that one caller wins, before the
// mailer is called, and to sent once the mailer has taken it. If the mailer answers that it did not, the client is told, and the mail is due
// again for whoever invites the person after that; nothing sends it by itself. If the mailer does not say what it did, the state is unknown,
// and it stays sending if the sender died. Inviting the person again sends such a mail no second time: only Desk.Resend does. A service that
// took a mail and answered that it did not is the one case in which inviting again can bring the mail twice.
type MailState string

// The states of a mail.
const (
	MailDue     MailState = "due"
	MailSending MailState = "sending"
	MailSent    MailState = "sent"    // handed over
	MailUnknown MailState = "unknown" // nobody knows whether it was handed over
	MailQueued  MailState = "queued"  // no mail: the person was told by that of another invitation of the same agency
)

// MostMailsADay is how many invitation mails a workspace sends at most in a day of UTC, each to somebody who may never have heard of it. An
// agency's call tells at most 50 people by one workspace, so four full calls fit; a full workspace of 500 people is invited in three days.
const MostMailsADay = 200

// A Move is what the directory does not know yet: that an account is to be in a workspace's group, or is to be no more.
type Move struct {
	AccountID string
	In        bool
	Revision  int64  // raised whenever it is to be moved anew
	Claim     string // of who makes the move now; empty: nobody
	Failures  int64  // how often it could not be made since
}

// NextTry is when a move that could not be made now is to be tried again, if nothing tries it before: after 5 minutes at first, and after
// twice as long each time, up to 6 hours.
func (m Move) NextTry(now time.Time) time.Time {
	const soonest, latest, doublings = 5 * time.Minute, 6 * time.Hour, 7
	return now.Add(min(soonest<<min(max(m.Failures, 0), doublings), latest))
}
