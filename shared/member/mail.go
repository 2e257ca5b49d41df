package member

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"earshot/shared/port/mail"
)

// ErrUnmailable means that the address cannot receive mail. There is no invitation then.
var ErrUnmailable = errors.New("member: no mail can be sent to this address")

// Errors of the mail of an invitation, which stands.
var (
	// ErrUnsure means that it is not known whether the mailer took a mail. Nothing but Resend sends it again.
	ErrUnsure = errors.New("member: the mail may have been sent")
	// ErrUnsettled means the same of a mail of another call, which may also be under way still.
	ErrUnsettled = errors.New("member: another call may have sent the mail")
	// ErrUntold means that the mail was not handed to the mailer.
	ErrUntold = errors.New("member: the invitation's mail was not sent")
	// ErrAgencyMail means that the invitation waits for its agency's mail, of which the error that it is wrapped with
	// tells.
	ErrAgencyMail = errors.New("member: the agency's mail tells of the invitation")
)

// ErrGone means that there is no such open invitation: it was accepted or revoked, it has expired, or it was never
// there.
var ErrGone = errors.New("member: there is no such open invitation")

// settled returns nil if a mail in this state was handed over. Returns ErrUnsettled, ErrUntold, and ErrGone for the
// empty state.
func settled(state MailState) error {
	switch state {
	case MailSent:
		return nil
	case MailSending, MailUnknown:
		return ErrUnsettled
	case "":
		return ErrGone
	}
	return ErrUntold
}

// fate returns what settled returns for the mail that tells of an invitation now.
func (d Desk) fate(ctx context.Context, i Invitation) error {
	state, err := d.Store.MailOf(ctx, i.WorkspaceID, i)
	if err != nil {
		return err
	}
	return settled(state)
}

// Resend sends the mail of an open invitation of the workspace that invites by itself, whatever has become of earlier
// ones, unless it was handed over within the last minute. A person who has signed up meanwhile becomes a member
// instead. agencyName returns the name of an agency whose lead it is. The result fails with ErrGone, ErrAgencyMail for
// an invitation that has no mail of its own, ErrDaily, ErrUnmailable, and ErrUnsure, ErrUnsettled and ErrUntold, with
// which the invitation stands.
func (d Desk) Resend(
	ctx context.Context, by Inviter, invitationID string,
	agencyName func(ctx context.Context, id string) (string, error),
) Result {
	in := by.Workspaces[0]
	i, open, err := d.Store.OpenInvitation(ctx, in.ID, invitationID)
	if err == nil && !open {
		err = ErrGone
	}
	if err != nil {
		return Result{WorkspaceID: in.ID, Err: err}
	}
	result := Result{WorkspaceID: in.ID, Email: i.Email}
	account, known, err := d.account(ctx, i.Email)
	switch {
	case err != nil:
		result.Err = err
		return result
	case known:
		// By accepting, not by adding a member: an invitation that is revoked at this moment lets nobody in.
		if _, result.Err = d.Store.AcceptInvitations(ctx, i.Email, account.ID, account.Name); result.Err != nil {
			return result
		}
		return d.accepted(ctx, i)
	case i.Mail == MailQueued:
		result.Err = ErrAgencyMail
		return result
	}
	mail := letter{Workspace: in.Name, Invitation: i}
	if i.Agency != "" {
		if mail.Agency, result.Err = agencyName(ctx, i.Agency); result.Err != nil {
			return result
		}
	}
	err = d.send(ctx, mail, func(i Invitation, claim string) (bool, error) {
		return d.Store.ClaimResend(ctx, in.ID, i, claim, by.Request)
	})
	switch {
	case errors.Is(err, ErrGone):
		return d.accepted(ctx, i)
	case err != nil:
		result.Invitation, result.Err = i, err
	default:
		result.Invitation, result.Action = i, Invited
	}
	return result
}

// claimAttempts is how often send tries to claim one mail.
const claimAttempts = 3

// claim claims the mail of an invitation and returns the invitation as it was before the claim. Another call may have
// made the invitation an agency's lead since it was read, or may have claimed its mail and have been refused. The mail
// then waits for a claim, and claim tries again. If another call has the claim, claim returns what settled does, and
// mine is false.
func (d Desk) claim(
	ctx context.Context, i Invitation, name string, claiming func(i Invitation, claim string) (mine bool, err error),
) (claimed Invitation, mine bool, err error) {
	for n := 1; ; n++ {
		if mine, err = claiming(i, name); err != nil || mine {
			return i, mine, err
		}
		now, open, err := d.Store.OpenInvitation(ctx, i.WorkspaceID, i.ID)
		switch {
		case err != nil:
			return i, false, err
		case !open:
			return i, false, ErrGone
		case n == claimAttempts, now.Mail != MailDue && now.Agency == i.Agency:
			return now, false, settled(now.Mail)
		}
		i = now
	}
}

// send sends the mail of an invitation if the caller gets the claim on it; else it returns what is known of
// the mail, as settled does. Returns ErrUnmailable if the invitation is taken back, the mailer's mail.ErrRefused and
// mail.ErrThrottled, and ErrUnsure.
func (d Desk) send(
	ctx context.Context, letter letter, claiming func(i Invitation, claim string) (mine bool, err error),
) error {
	letter.SignUpURL = d.SignUpURL
	message, err := letter.message()
	if err != nil {
		return err
	}
	claim := rand.Text()
	invitation, mine, err := d.claim(ctx, letter.Invitation, claim, claiming)
	if err != nil || !mine {
		return err
	}
	workspaceID := invitation.WorkspaceID
	failure := d.hand(ctx, message)
	if d.Stopped != nil && errors.Is(failure, mail.ErrSender) {
		d.Stopped(ctx)
	}
	// What the mailer said is written down even when the time of the request is used up by it.
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	switch {
	case failure == nil:
		// The mail is sent, and that it was claimed keeps it from being sent again.
		d.note(ctx, "a mail was sent, which could not be written down", workspaceID,
			d.Store.SettleMail(after, workspaceID, invitation, claim, MailSent))
		return nil
	case errors.Is(failure, mail.ErrInvalid):
		if err := d.Store.Withdraw(after, workspaceID, invitation.ID); err != nil {
			return err
		}
		return ErrUnmailable
	case !errors.Is(failure, mail.ErrRefused) && !errors.Is(failure, mail.ErrThrottled):
		// It may have been taken all the same: nothing sends it by itself, for a second mail would be worse than none.
		d.note(ctx, "a mail may have been sent, which could not be written down", workspaceID,
			d.Store.SettleMail(after, workspaceID, invitation, claim, MailUnknown))
		return fmt.Errorf("send an invitation: %w: %w", ErrUnsure, failure)
	}
	return errors.Join(fmt.Errorf("send an invitation: %w", failure),
		d.Store.SettleMail(after, workspaceID, invitation, claim, MailDue))
}

// hand gives the mailer a message. A client that disconnects meanwhile does not interrupt it, so that it stays known
// whether the mail was taken.
func (d Desk) hand(ctx context.Context, message mail.Message) error {
	waits := context.WithoutCancel(ctx)
	if deadline, bounded := ctx.Deadline(); bounded {
		var cancel context.CancelFunc
		waits, cancel = context.WithDeadline(waits, deadline)
		defer cancel()
	}
	if d.Mailer == nil {
		return fmt.Errorf("this deployment has no address to send from: %w", mail.ErrInvalid)
	}
	return d.Mailer.Send(waits, message)
}
