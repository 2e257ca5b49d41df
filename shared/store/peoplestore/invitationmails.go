package peoplestore

import (
	"context"
	"errors"
	"time"

	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// The mail of an invitation is kept in the invitation's row: "mail" is its state, "claims" how often it was claimed,
// "claim" the name of the claim that has not ended, "heldUntil" until when nobody else claims it, and "refused" says
// that the mailer did not take it at the last claim, "unsure" that the mailer did not say. A mail whose sender died
// stays "sending".

// countMails counts invitation mails of a workspace in its day, never over member.MostMailsADay: a part of the
// transaction that needs them.
func (s *Store) countMails(orgID string, mails int64) table.Update {
	now := s.Clock.Now().UTC()
	return table.Update{
		Table: rows.CountersTable,
		Key:   table.Key{Partition: orgID, Sort: rows.SortInvitations + now.Format(rows.DayForm)},
		If:    rows.Room(rows.Hits, mails, member.MostMailsADay),
		Add:   map[string]int64{rows.Hits: mails},
		Set:   map[string]any{table.ExpiryAttribute: now.Add(48 * time.Hour).Unix()},
	}
}

// spent is member.ErrDaily with the number of mails that the workspace has sent today.
type spent struct{ mails int64 }

func (spent) Error() string { return member.ErrDaily.Error() }
func (spent) Unwrap() error { return member.ErrDaily }

// OpenInvitation reads an invitation. open is false if it is gone or expired.
func (s *Store) OpenInvitation(ctx context.Context, orgID, id string) (i member.Invitation, open bool, err error) {
	item, err := s.Get(ctx, rows.CoreTable, rows.InvitationKey(orgID, id))
	if err != nil || item == nil {
		return member.Invitation{}, false, err
	}
	i = toInvitation(item)
	return i, i.Open(s.Clock.Now()), nil
}

// MailOf returns the state of the mail that tells of an invitation. For a queued invitation, that is the mail of its
// agency's lead. Returns the empty state if the invitation or its lead is gone.
func (s *Store) MailOf(ctx context.Context, orgID string, i member.Invitation) (member.MailState, error) {
	now, open, err := s.OpenInvitation(ctx, orgID, i.ID)
	if err != nil || !open || now.Mail != member.MailQueued {
		return now.Mail, err
	}
	w, err := s.workspace.Workspace(ctx, orgID)
	if err != nil {
		return "", err
	}
	row, err := s.Get(ctx, rows.CoreTable, inviteeKey(w.AgencyID, i.Email))
	if err != nil || row == nil {
		return "", err
	}
	told := toLead(row)
	lead, there, err := s.OpenInvitation(ctx, told.orgID, told.invitationID)
	if err == nil && !there && told.mailed && !told.handing && s.Clock.Now().Before(told.goodUntil) {
		return member.MailSent, nil // of a workspace that is gone since
	}
	return lead.Mail, err
}

// ClaimMail claims an invitation's due mail, and reports whether the caller may send it: nobody has claimed it since
// the invitation was read. claim is a name of the caller's own.
func (s *Store) ClaimMail(ctx context.Context, orgID string, i member.Invitation, claim string) (bool, error) {
	if i.Mail != member.MailDue {
		return false, nil
	}
	return store.Conditional(s.claimMail(ctx, orgID, i, claim), "claim a mail")
}

// ClaimResend is ClaimMail for a mail that was sent before, or may have been. Nobody gets the claim within a minute of
// another, unless the other has ended without the mailer taking the mail. The mail counts in the workspace's day:
// returns member.ErrDaily if that is full. request, if it is not empty, names what a client may send again: a repeat
// claims only a mail that the mailer did not take.
func (s *Store) ClaimResend(
	ctx context.Context, orgID string, i member.Invitation, claim, request string,
) (mine bool, err error) {
	id, err := s.Made(ctx, orgID, request)
	switch {
	case err != nil:
		return false, err
	case id == i.ID && i.Unsure:
		return false, member.ErrUnsettled
	case id == i.ID && i.Mail != member.MailDue && !i.Refused:
		return false, nil
	case id == i.ID:
		return store.Conditional(s.claimMail(ctx, orgID, i, claim), "claim a mail")
	}
	more := append([]table.Write{s.countMails(orgID, 1)}, s.Making(orgID, request, i.ID)...)
	err = s.claimMail(ctx, orgID, i, claim, more...)
	var canceled *table.Canceled
	if errors.As(err, &canceled) && canceled.Failed(0) && !canceled.Failed(len(more)) {
		return false, member.ErrDaily
	}
	return store.Conditional(err, "claim a mail")
}

// claimMail claims a mail that nobody has claimed since it was read. The writes in with come first in its transaction.
func (s *Store) claimMail(
	ctx context.Context, orgID string, i member.Invitation, claim string, with ...table.Write,
) error {
	now := s.Clock.Now()
	unclaimed := table.All(table.Equal("mail", string(i.Mail)), table.Equal("claims", i.Claims), ofAgency(i.Agency))
	if i.Mail == member.MailSending || i.Mail == member.MailSent {
		unclaimed = table.All(
			unclaimed, table.Any(table.Missing("heldUntil"), table.AtMost("heldUntil", rows.FromMoment(now))),
		)
	}
	// Transactions, here and below, since a repeat of one knows itself: a conditional update would take its own claim
	// for another's.
	writes := append(with, table.Update{
		Table: rows.CoreTable,
		Key:   rows.InvitationKey(orgID, i.ID),
		If:    unclaimed,
		Set: map[string]any{
			"mail":      string(member.MailSending),
			"claim":     claim,
			"claims":    i.Claims + 1,
			"heldUntil": rows.FromMoment(now.Add(mailLease)),
		},
		Remove: []string{"refused", "unsure"},
	})
	if i.Agency != "" {
		writes = append(
			writes,
			table.Update{Table: rows.CoreTable, Key: inviteeKey(i.Agency, i.Email), If: table.Equal("invitation", i.ID),
				Set: map[string]any{"mailed": true, "handing": true}},
		)
	}
	return s.Table.Transact(ctx, table.Transaction{Writes: writes})
}

// mailLease is longer than any request may take.
const mailLease = time.Minute

// SettleMail ends a claim on the mail of an invitation as it was before the claim. came is what came of it: MailSent,
// MailUnknown, or MailDue if the mailer did not take the mail. A mail that was handed over before stays MailSent, and
// one that may have been MailUnknown. An invitation that is over, or that another has claimed, stays what it is.
func (s *Store) SettleMail(
	ctx context.Context, orgID string, i member.Invitation, claim string, came member.MailState,
) error {
	now := came
	switch {
	case i.Mail == member.MailSent:
		now = member.MailSent
	case came == member.MailDue && i.Mail != member.MailDue:
		now = member.MailUnknown
	}
	return s.SettleUnread(ctx, "note what became of a mail", func(read bool) error {
		leads := i.Agency != ""
		if read { // it may have become an agency's lead since it was claimed
			item, err := s.Get(ctx, rows.CoreTable, rows.InvitationKey(orgID, i.ID))
			if err != nil || rows.Text(item, "claim") != claim {
				return err
			}
			i = toInvitation(item)
			if leads, err = s.leads(ctx, i); err != nil {
				return err
			}
		}
		ended := table.Update{
			Table:  rows.CoreTable,
			Key:    rows.InvitationKey(orgID, i.ID),
			If:     table.All(table.Equal("claim", claim), ofAgency(i.Agency)),
			Set:    map[string]any{"mail": string(now)},
			Remove: []string{"claim"},
		}
		if came != member.MailSent {
			ended.Remove = append(ended.Remove, "heldUntil") // the claim is over, and has sent nothing for certain
		}
		switch came {
		case member.MailDue:
			ended.Set["refused"] = true
		case member.MailUnknown:
			ended.Set["unsure"] = true
		}
		writes := []table.Write{ended}
		if known := map[member.MailState][]string{member.MailSent: {"handing"}, member.MailDue: {"mailed", "handing"}}[now]; leads &&
			known != nil {
			writes = append(
				writes,
				table.Update{
					Table:  rows.CoreTable,
					Key:    inviteeKey(i.Agency, i.Email),
					If:     table.Equal("invitation", i.ID),
					Remove: known,
				},
			)
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: writes})
	})
}
