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
	// An expired one is replaced. A repeat whose person has become a member since is answered that member. Answers ErrExists, ErrFull
	// and ErrRemoved.
	Invite(ctx context.Context, orgID string, i Invitation, request string) (Invitation, *Member, error)
	// Withdraw takes an invitation back; one that is not there any more is no error.
	Withdraw(ctx context.Context, orgID, id string) error

	// ClaimMail says whether the caller is the one to send the mail of an invitation, which nobody has claimed since it was read;
	// claim is a name of the caller's own.
	ClaimMail(ctx context.Context, orgID string, i Invitation, claim string) (bool, error)
	// SettleMail ends a claim on a mail.
	SettleMail(ctx context.Context, orgID, id, claim string, now MailState) error

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

// Invite makes the person a member, or invites them. Answers ErrExists, ErrFull, ErrRemoved and ErrUnmailable. Any other error is of a
// part that did not do its work; the same call again carries on where this one ended.
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
	case invitation.Mail != MailDue:
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
			return Outcome{Invitation: &invitation}, nil
		}
		return outcome, err
	}
	if err := d.send(ctx, ask.WorkspaceID, Letter{Workspace: ask.Workspace, Invitation: invitation}); err != nil {
		return Outcome{}, err
	}
	return Outcome{Invitation: &invitation}, nil
}

// ErrUnsure means that it is not known whether the mailer took a mail, which is not sent again.
var ErrUnsure = errors.New("member: the mail may have been sent")

// send sends the mail of a workspace's invitation unless another caller does. Answers ErrUnmailable when it is taken back, and the mailer's
// mail.ErrRefused and mail.ErrThrottled, and ErrUnsure.
func (d Desk) send(ctx context.Context, workspaceID string, letter Letter) error {
	letter.SignUpURL = d.SignUpURL
	message, err := letter.Message()
	if err != nil {
		return err
	}
	invitation, claim := letter.Invitation, rand.Text()
	mine, err := d.Ledger.ClaimMail(ctx, workspaceID, invitation, claim)
	if err != nil || !mine {
		return err
	}
	failure := d.hand(ctx, message)
	// What the mailer said is written down even when the time of the request is used up by it.
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	switch {
	case failure == nil:
		// The mail is sent, and that it was claimed keeps it from being sent again.
		d.note(ctx, "a mail was sent, which could not be written down", workspaceID,
			d.Ledger.SettleMail(after, workspaceID, invitation.ID, claim, MailSent))
		return nil
	case errors.Is(failure, mail.ErrInvalid):
		if err := d.Ledger.Withdraw(after, workspaceID, invitation.ID); err != nil {
			return err
		}
		return ErrUnmailable
	case !errors.Is(failure, mail.ErrRefused) && !errors.Is(failure, mail.ErrThrottled):
		// It may have been taken all the same: it stays claimed, for a second mail would be worse than none.
		return fmt.Errorf("send an invitation: %w: %w", ErrUnsure, failure)
	}
	return errors.Join(fmt.Errorf("send an invitation: %w", failure),
		d.Ledger.SettleMail(after, workspaceID, invitation.ID, claim, MailDue))
}

// hand gives the mailer a message. A client that goes away meanwhile does not leave it open whether the mail was taken.
func (d Desk) hand(ctx context.Context, message mail.Message) error {
	waits := context.WithoutCancel(ctx)
	if deadline, bounded := ctx.Deadline(); bounded {
		var cancel context.CancelFunc
		waits, cancel = context.WithDeadline(waits, deadline)
		defer cancel()
	}
	return d.Mailer.Send(waits, message)
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
