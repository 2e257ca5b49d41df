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
	Mail      MailState
	Claims    int64 // how often its mail was claimed
	Revision  int64 // raised by every change of the role
}

// Open says whether the invitation still lets the person in. It is expired at ExpiresAt itself.
func (i Invitation) Open(now time.Time) bool { return now.Before(i.ExpiresAt) }

// A MailState says how far the one mail of an invitation is. It goes from due to sending by a claim that one caller wins, before the
// mailer is called, and to sent after it. When the sender dies, or ends before the mailer has answered, it stays sending: the mailer may
// have taken the mail, and it is not sent again. When the mailer answers with an error, the client is told, and the mail is due again for
// who invites the person after that; nothing sends it by itself. A service that took a mail and lost its answer on the way is the one
// case in which a client's repeat can bring the mail a second time: to send none at all behind an error would be worse.
type MailState string

// The states of a mail.
const (
	MailDue     MailState = "due"
	MailSending MailState = "sending"
	MailSent    MailState = "sent"
)

// A Move is what the directory does not know yet: that an account is to be in a workspace's group, or is to be no more.
type Move struct {
	AccountID string
	In        bool
	Revision  int64  // raised whenever it is to be moved anew
	Claim     string // of who makes the move now; empty: nobody
}
