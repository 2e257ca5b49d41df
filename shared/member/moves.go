package member

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"earshot/shared/port/identity"
	"earshot/shared/port/mail"
)

// Ledger is the store of people as a Desk uses it. Each call is whole or not at all, however many run at once.
type Ledger interface {
	// AddMember stores a new member and returns it with its id and time. It ends an invitation of the address. request
	// names a request that a client may repeat: a repeat returns the person's membership. Returns ErrExists, ErrFull
	// and ErrRemoved.
	AddMember(ctx context.Context, orgID string, m Member, request string) (Member, error)
	// Invite stores an invitation and returns it with its id and times. It gives an open one the role asked for and
	// returns that, and replaces an expired one. A repeat whose person has become a member since returns that member.
	// Returns ErrExists, ErrFull, ErrDaily and ErrRemoved.
	Invite(ctx context.Context, orgID string, i Invitation, request string) (Invitation, *Member, error)
	// OpenInvitation reads an invitation. open is false if it is gone or expired.
	OpenInvitation(ctx context.Context, orgID, id string) (i Invitation, open bool, err error)
	// AcceptInvitations turns the open invitations of an address into memberships of the account, and gives the account
	// to memberships that the address has. Returns the workspaces granted now, also with an error, which leaves
	// something to do.
	AcceptInvitations(ctx context.Context, email, accountID, name string) (granted []string, err error)
	// MemberOf reads the member with an address. is is false if there is none.
	MemberOf(ctx context.Context, orgID, email string) (m Member, is bool, err error)
	// Withdraw takes back an invitation whose address cannot receive mail and, if it is an agency's lead, the
	// invitations queued behind it. A missing invitation is no error.
	Withdraw(ctx context.Context, orgID, id string) error

	// ClaimMail claims an invitation's due mail, and reports whether the caller may send it: nobody has claimed it
	// since the invitation was read. claim is a name of the caller's own.
	ClaimMail(ctx context.Context, orgID string, i Invitation, claim string) (bool, error)
	// ClaimResend is ClaimMail for a mail that was sent before, or may have been. Nobody gets the claim within a minute
	// of another that the mailer has not refused. request names a request that a client may repeat. Returns ErrDaily.
	ClaimResend(ctx context.Context, orgID string, i Invitation, claim, request string) (bool, error)
	// SettleMail ends a claim on the mail of an invitation as it was before the claim. came is the result: MailSent,
	// MailUnknown, or MailDue if the mailer did not take the mail. A mail that was sent before stays MailSent, and one
	// that may have been stays MailUnknown.
	SettleMail(ctx context.Context, orgID string, i Invitation, claim string, came MailState) error
	// MailOf returns the state of the mail that tells of an invitation. For a queued invitation, that is the mail of
	// its agency's lead. Returns the empty state if the invitation or its lead is gone.
	MailOf(ctx context.Context, orgID string, i Invitation) (MailState, error)

	// Moves lists the moves that are due in a workspace.
	Moves(ctx context.Context, orgID string) ([]Move, error)
	// ClaimMove claims a move for a while. It returns false if another caller holds it, or if the move is made.
	ClaimMove(ctx context.Context, orgID, accountID, claim string) (Move, bool, error)
	// FinishMove ends the claim on a move that is made. If the account has to move again since, it returns that move.
	FinishMove(ctx context.Context, orgID string, made Move) (next Move, more bool, err error)
	// ReleaseMove ends the claim on a move that failed.
	ReleaseMove(ctx context.Context, orgID string, claimed Move) error
}

// Desk lets people into workspaces. A person with an account becomes a member at once; any other person is sent one
// mail.
type Desk struct {
	Ledger    Ledger
	Directory identity.Directory
	Mailer    mail.Mailer
	SignUpURL string       // see Letter
	Log       *slog.Logger // of what went wrong and is made up for later
}

// NoMailer is the mailer of a deployment that has no address to send from.
type NoMailer struct{}

// Send returns an error that wraps mail.ErrInvalid.
func (NoMailer) Send(context.Context, mail.Message) error {
	return fmt.Errorf("this deployment has no address to send from: %w", mail.ErrInvalid)
}

// Invite asks a person into a workspace.
type Invite struct {
	WorkspaceID, Workspace string // its id and its name
	Email                  string
	Role                   Role
	InvitedBy              string // the id of an API key
	Request                string // see Ledger; empty: not to be repeated
}

// Outcome is the result of an Invite: a member or an invitation.
type Outcome struct {
	Member     *Member
	Invitation *Invitation
}

// ErrUnmailable means that the address cannot receive mail. There is no invitation then.
var ErrUnmailable = errors.New("member: no mail can be sent to this address")

// Invite makes the person a member, or invites them. Without an error, the invitation's mail was handed over. Returns
// ErrExists, ErrFull, ErrDaily, ErrRemoved and ErrUnmailable. With ErrUnsure, ErrUnsettled, ErrUntold and ErrAgencyMail
// the invitation stands. Any other error comes from a part that failed; the same call again continues where this one
// ended.
func (d Desk) Invite(ctx context.Context, ask Invite) (Outcome, error) {
	account, known, err := d.account(ctx, ask.Email)
	switch {
	case err != nil:
		return Outcome{}, err
	case known:
		return d.grant(ctx, ask, account)
	}
	return d.invite(ctx, ask)
}

func (d Desk) account(ctx context.Context, email string) (account identity.Account, known bool, err error) {
	account, err = d.Directory.Account(ctx, email)
	switch {
	case errors.Is(err, identity.ErrNoAccount):
		return account, false, nil
	case err != nil:
		return account, false, fmt.Errorf("look an account up: %w", err)
	}
	return account, true, nil
}

// grant makes a person with an account a member.
func (d Desk) grant(ctx context.Context, ask Invite, account identity.Account) (Outcome, error) {
	granted, err := d.Ledger.AddMember(ctx, ask.WorkspaceID, Member{
		Email: ask.Email, Name: CleanName(account.Name), Role: ask.Role, AccountID: account.ID,
	}, ask.Request)
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{Member: &granted}, nil
}

func (d Desk) invite(ctx context.Context, ask Invite) (Outcome, error) {
	invitation, since, err := d.Ledger.Invite(ctx, ask.WorkspaceID, Invitation{
		Email: ask.Email, Role: ask.Role, InvitedBy: ask.InvitedBy,
	}, ask.Request)
	switch {
	case err != nil:
		return Outcome{}, err
	case since != nil:
		return Outcome{Member: since}, nil
	case invitation.Mail == MailQueued:
		if err := d.fate(ctx, ask.WorkspaceID, invitation); err != nil {
			return Outcome{}, fmt.Errorf("%w: %w", ErrAgencyMail, err)
		}
		return Outcome{Invitation: &invitation}, nil
	case invitation.Mail != MailDue:
		if err := settled(invitation.Mail); err != nil {
			return Outcome{Invitation: &invitation}, err
		}
		return Outcome{Invitation: &invitation}, nil
	}
	// Whoever signed up before the invitation was there could not accept it, and whoever signs up from now on does.
	account, known, err := d.account(ctx, ask.Email)
	if err != nil {
		return Outcome{}, err
	}
	if known {
		outcome, err := d.grant(ctx, ask, account)
		if errors.Is(err, ErrExists) { // by accepting it
			return d.accepted(ctx, ask.WorkspaceID, invitation)
		}
		return outcome, err
	}
	letter := Letter{Workspace: ask.Workspace, Invitation: invitation}
	err = d.send(ctx, ask.WorkspaceID, letter, func(claim string) (bool, error) {
		return d.Ledger.ClaimMail(ctx, ask.WorkspaceID, invitation, claim)
	})
	if errors.Is(err, ErrGone) {
		return d.accepted(ctx, ask.WorkspaceID, invitation)
	}
	return Outcome{Invitation: &invitation}, err
}

// accepted returns the member that an invitation has become. Returns ErrGone if it has become none.
func (d Desk) accepted(ctx context.Context, workspaceID string, i Invitation) (Outcome, error) {
	m, is, err := d.Ledger.MemberOf(ctx, workspaceID, i.Email)
	switch {
	case err != nil:
		return Outcome{}, err
	case !is:
		return Outcome{}, ErrGone
	}
	return Outcome{Member: &m}, nil
}
func (d Desk) note(ctx context.Context, what, workspaceID string, err error) {
	if err != nil {
		d.Log.ErrorContext(ctx, what, "workspace", workspaceID, "cause", err)
	}
}

// How long is waited for the store after the mailer, and for the directory beside what a request is about.
const (
	settleTime = 2 * time.Second
	moveTime   = 3 * time.Second
)

// CatchUp makes the moves that are due in a workspace. Failures are logged, and left for the next time.
func (d Desk) CatchUp(ctx context.Context, workspaceID string) {
	moves, err := d.Ledger.Moves(ctx, workspaceID)
	d.note(ctx, "what is due in the directory could not be read", workspaceID, err)
	d.Make(ctx, workspaceID, moves)
}

// Make makes due moves, up to the first that fails.
func (d Desk) Make(ctx context.Context, workspaceID string, moves []Move) {
	ctx, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	for _, due := range moves {
		if _, err := d.move(ctx, workspaceID, due.AccountID); err != nil {
			d.note(ctx, "the directory's group does not follow yet", workspaceID, err)
			return
		}
	}
}

// move makes the due move of an account, and then the move that has become due meanwhile. Otherwise the slower of two
// callers could undo what the other did. Returns how many moves it made.
func (d Desk) move(ctx context.Context, workspaceID, accountID string) (made int, err error) {
	due, more, err := d.Ledger.ClaimMove(ctx, workspaceID, accountID, rand.Text())
	for err == nil && more {
		if due.In {
			err = d.Directory.Join(ctx, workspaceID, accountID)
		} else {
			err = d.Directory.Leave(ctx, workspaceID, accountID)
		}
		if err != nil && !errors.Is(err, identity.ErrNoAccount) { // who is gone is in no group
			after, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
			defer cancel()
			return made, errors.Join(err, d.Ledger.ReleaseMove(after, workspaceID, due))
		}
		made++
		due, more, err = d.Ledger.FinishMove(ctx, workspaceID, due)
	}
	return made, err
}
