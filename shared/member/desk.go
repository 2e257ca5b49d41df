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

// Ledger is the store of people. Each call is whole or not at all, however many run at once.
type Ledger interface {
	// AddMember stores a new member and answers it, with its id and time; an invitation of that address is over. request names what a
	// client may send again: a repeat is answered what is there since. Answers ErrExists, ErrFull and ErrRemoved.
	AddMember(ctx context.Context, orgID string, m Member, request string) (Member, error)
	// Invite stores an invitation and answers it, with its id and times; one that is open already is answered with the role asked for.
	// An expired one is replaced. A repeat whose person has become a member since is answered that member. Answers ErrExists, ErrFull,
	// ErrDaily and ErrRemoved.
	Invite(ctx context.Context, orgID string, i Invitation, request string) (Invitation, *Member, error)
	// OpenInvitation reads an invitation. open is false if it is gone or expired.
	OpenInvitation(ctx context.Context, orgID, id string) (i Invitation, open bool, err error)
	// AcceptInvitations makes the open invitations of an address memberships of the account, gives it to the memberships that the address
	// has, and answers the workspaces that were granted now, also with an error, which leaves something to do.
	AcceptInvitations(ctx context.Context, email, accountID, name string) (granted []string, err error)
	// MemberOf reads the member that an address is, if it is one.
	MemberOf(ctx context.Context, orgID, email string) (m Member, is bool, err error)
	// Withdraw takes an invitation back of which no mail can be sent, and of an agency's lead those that are queued under it. One that is
	// not there any more is no error.
	Withdraw(ctx context.Context, orgID, id string) error

	// ClaimMail says whether the caller is the one to send the mail of an invitation, which is due and which nobody has claimed since it was
	// read; claim is a name of the caller's own.
	ClaimMail(ctx context.Context, orgID string, i Invitation, claim string) (bool, error)
	// ClaimResend is ClaimMail for a mail that was sent before, or may have been. Nobody gets the claim within a minute of another that the
	// mailer has not refused. request names what a client may send again. Answers ErrDaily.
	ClaimResend(ctx context.Context, orgID string, i Invitation, claim, request string) (bool, error)
	// SettleMail ends a claim on the mail of an invitation as it was before the claim. came is what came of it: MailSent, MailUnknown, or
	// MailDue if the mailer did not take the mail. What was handed over before stays MailSent, and what may have been MailUnknown.
	SettleMail(ctx context.Context, orgID string, i Invitation, claim string, came MailState) error
	// MailOf returns the state of the mail that tells of an invitation: of a queued one, that of its agency's lead. Returns the empty state
	// if there is no such mail, since the invitation or its lead is gone.
	MailOf(ctx context.Context, orgID string, i Invitation) (MailState, error)

	// Moves lists what the directory does not know yet.
	Moves(ctx context.Context, orgID string) ([]Move, error)
	// ClaimMove says whether the caller is the one to make a move now, and which: nobody else is for a while.
	ClaimMove(ctx context.Context, orgID, accountID, claim string) (Move, bool, error)
	// FinishMove ends a claim on a move that is made. When the account is to be moved anew since, it answers how.
	FinishMove(ctx context.Context, orgID string, made Move) (next Move, more bool, err error)
	// ReleaseMove ends a claim on a move that could not be made.
	ReleaseMove(ctx context.Context, orgID string, claimed Move) error
}

// A Desk lets people into workspaces: who has an account becomes a member at once, all others are sent one mail.
type Desk struct {
	Ledger    Ledger
	Directory identity.Directory
	Mailer    mail.Mailer
	SignUpURL string       // see Letter
	Log       *slog.Logger // of what went wrong and is made up for later
}

// NoMailer is the mailer of a deployment that has no address to send from.
type NoMailer struct{}

// Send refuses.
func (NoMailer) Send(context.Context, mail.Message) error {
	return fmt.Errorf("this deployment has no address to send from: %w", mail.ErrInvalid)
}

// An Invite asks a person into a workspace.
type Invite struct {
	WorkspaceID, Workspace string // its id and its name
	Email                  string
	Role                   Role
	InvitedBy              string // the id of an API key
	Request                string // see Ledger; empty: not to be repeated
}

// An Outcome is what came of it: a member or an invitation.
type Outcome struct {
	Member     *Member
	Invitation *Invitation
}

// ErrUnmailable means that no mail can be sent to the address; there is no invitation then.
var ErrUnmailable = errors.New("member: no mail can be sent to this address")

// Invite makes the person a member, or invites them; an invitation without an error is one whose mail was handed over. Answers ErrExists,
// ErrFull, ErrDaily, ErrRemoved, ErrUnmailable, and ErrUnsure, ErrUnsettled, ErrUntold and ErrAgencyMail, with which the invitation stands.
// Any other error is of a part that did not do its work; the same call again carries on where this one ended.
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

// accepted is the member that an invitation has become. Returns ErrGone if it has become none.
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

// CatchUp tells the directory of what it does not know yet of a workspace. What fails is logged, and is left for the next time.
func (d Desk) CatchUp(ctx context.Context, workspaceID string) {
	moves, err := d.Ledger.Moves(ctx, workspaceID)
	d.note(ctx, "what is due in the directory could not be read", workspaceID, err)
	d.Make(ctx, workspaceID, moves)
}

// Make makes moves that are due, up to the first that fails.
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

// move makes what is due for an account, and then what has become due meanwhile: of two callers the slower could otherwise undo what
// the other did. It answers how many moves it made.
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
