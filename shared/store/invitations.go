package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/workspace"
)

// Invitations lists a workspace's invitations, oldest first, expired ones that nothing has replaced too.
func (s *Store) Invitations(ctx context.Context, orgID string) ([]member.Invitation, error) {
	invitations, err := allOf(ctx, s, "invitations", table.Query{Partition: orgID, Prefix: sortInvitation, Consistent: true}, toInvitation)
	slices.SortFunc(invitations, func(a, b member.Invitation) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return invitations, err
}

// Invite stores an invitation, whose mail is due, and answers it with its id and times. One that is open already is answered in its
// place, with the role that is asked for; an expired one is replaced. request, when it is not empty, names what a client may send again:
// a repeat whose person has become a member since is answered that member. Answers member.ErrExists, member.ErrFull, member.ErrRemoved,
// and ErrNotFound when there is no such workspace.
func (s *Store) Invite(
	ctx context.Context, orgID string, i member.Invitation, request string,
) (invited member.Invitation, since *member.Member, err error) {
	err = s.seat(ctx, "invite somebody", orgID, func() error {
		before, made, err := s.before(ctx, orgID, i.Email, request)
		switch {
		case err != nil:
			return err
		case before.member != nil && made:
			since = before.member
			return nil
		case before.member != nil:
			return member.ErrExists
		case before.invitation != nil && before.invitation.Open(s.clock.Now()):
			invited, err = s.invitedAs(ctx, orgID, *before.invitation, i.Role)
			return err
		}
		invited = i
		invited.ID, invited.CreatedAt, invited.Revision = workspace.NewID(member.PrefixInvitation, s.clock.Now()), s.instant(), 1
		invited.ExpiresAt, invited.Mail, invited.Claims = invited.CreatedAt.Add(member.InvitationLife), member.MailDue, 0
		writes := []table.Write{
			writesPerson:    putPerson(orgID, i.Email, "invitation", invited.ID, before),
			writesCounts:    countPeople(orgID, 1, 0),
			checksWorkspace: table.Check{Table: CoreTable, Key: table.Key{Partition: orgID, Sort: sortWorkspace}, If: table.Present()},
		}
		if old := before.invitation; old != nil {
			writes[writesCounts] = table.Delete{Table: CoreTable, Key: invitationKey(orgID, old.ID)}
		}
		writes = append(writes, table.Put{Table: CoreTable, Item: fromInvitation(orgID, invited), If: table.Absent()})
		if !made {
			writes = append(writes, s.making(orgID, request, invited.ID)...)
		}
		return s.admit(ctx, writes)
	})
	return invited, since, err
}

// invitedAs gives an open invitation the role that is asked for last.
func (s *Store) invitedAs(ctx context.Context, orgID string, i member.Invitation, role member.Role) (member.Invitation, error) {
	if i.Role == role {
		return i, nil
	}
	before := i.Revision
	i.Role, i.Revision = role, before+1
	return i, s.table.Transact(ctx, table.Transaction{Writes: []table.Write{table.Update{
		Table: CoreTable, Key: invitationKey(orgID, i.ID), If: table.Equal("rev", before),
		Set: map[string]any{"role": string(role), "rev": i.Revision},
	}}})
}

// Withdraw takes an invitation back; one that is not there any more is no error.
func (s *Store) Withdraw(ctx context.Context, orgID, id string) error {
	return s.settle(ctx, "withdraw an invitation", func() error {
		item, err := s.get(ctx, CoreTable, invitationKey(orgID, id))
		if err != nil || item == nil {
			return err
		}
		return s.withdraw(ctx, orgID, toInvitation(item))
	})
}

// withdraw takes invitations out, with what names them.
func (s *Store) withdraw(ctx context.Context, orgID string, invitations ...member.Invitation) error {
	writes := []table.Write{countPeople(orgID, -int64(len(invitations)), 0)}
	for _, i := range invitations {
		writes = append(writes, table.Delete{Table: CoreTable, Key: invitationKey(orgID, i.ID), If: table.Present()},
			table.Delete{Table: CoreTable, Key: personKey(orgID, i.Email), If: table.Equal("invitation", i.ID)})
	}
	return s.table.Transact(ctx, table.Transaction{Writes: writes})
}

// sweepInvitations takes out expired invitations, the oldest first and as many as fit a transaction, and answers how many.
func (s *Store) sweepInvitations(ctx context.Context, orgID string) (swept int, err error) {
	const most = (table.MaxTransaction - 1) / 2
	err = s.settle(ctx, "sweep expired invitations", func() error {
		invitations, err := s.Invitations(ctx, orgID)
		if err != nil {
			return err
		}
		now := s.clock.Now()
		invitations = slices.DeleteFunc(invitations, func(i member.Invitation) bool { return i.Open(now) })
		invitations = invitations[:min(len(invitations), most)]
		if swept = len(invitations); swept == 0 {
			return nil
		}
		return s.withdraw(ctx, orgID, invitations...)
	})
	return swept, err
}

// ClaimMail says whether the caller is the one to send the mail of an invitation: it is due, and nobody has claimed it since the
// invitation was read. claim is a name of the caller's own.
func (s *Store) ClaimMail(ctx context.Context, orgID string, i member.Invitation, claim string) (bool, error) {
	// Transactions, here and below, since a repeat of one knows itself: a conditional update would take its own claim for another's.
	err := s.table.Transact(ctx, table.Transaction{Writes: []table.Write{table.Update{
		Table: CoreTable, Key: invitationKey(orgID, i.ID),
		If:  table.All(table.Equal("mail", string(member.MailDue)), table.Equal("claims", i.Claims)),
		Set: map[string]any{"mail": string(member.MailSending), "claim": claim, "claims": i.Claims + 1},
	}}})
	return conditional(err, "claim a mail")
}

// SettleMail ends a claim on a mail. An invitation that is over, or that another has claimed, stays what it is.
func (s *Store) SettleMail(ctx context.Context, orgID, id, claim string, now member.MailState) error {
	err := s.table.Transact(ctx, table.Transaction{Writes: []table.Write{table.Update{
		Table: CoreTable, Key: invitationKey(orgID, id), If: table.Equal("claim", claim),
		Set: map[string]any{"mail": string(now)}, Remove: []string{"claim"},
	}}})
	_, err = conditional(err, "note what became of a mail")
	return err
}

// conditional says whether a transaction of one write was done: one whose condition does not hold is no error.
func conditional(err error, doing string) (done bool, failure error) {
	var canceled *table.Canceled
	switch {
	case err == nil:
		return true, nil
	case errors.As(err, &canceled) && canceled.Failed(0):
		return false, nil
	}
	return false, fmt.Errorf("%s: %w", doing, err)
}

// AcceptInvitations makes the open invitations of an address, in whatever workspaces, memberships of the account that signed up with it,
// and gives the account to memberships that the address has. It answers the workspaces that were granted now, in the order of their
// ids; the directory's groups are due. Sent again, it does what is left.
func (s *Store) AcceptInvitations(ctx context.Context, email, accountID, name string) (granted []string, err error) {
	query := table.Query{Partition: personKey("", email).Partition, Consistent: true}
	workspaces, err := allOf(ctx, s, "a person's workspaces", query, func(item table.Item) string { return table.KeyOf(item).Sort })
	if err != nil {
		return nil, err
	}
	name = member.CleanName(name)
	for _, orgID := range workspaces {
		admitted := false
		err := s.settle(ctx, "accept an invitation", func() (err error) {
			admitted, err = s.accept(ctx, orgID, email, accountID, name)
			return err
		})
		if err != nil && !errors.Is(err, ErrNotFound) { // the workspace is gone
			return granted, err
		}
		if admitted {
			granted = append(granted, orgID)
		}
	}
	return granted, nil
}

func (s *Store) accept(ctx context.Context, orgID, email, accountID, name string) (admitted bool, err error) {
	before, err := s.standing(ctx, orgID, email)
	if err != nil {
		return false, err
	}
	switch i, m := before.invitation, before.member; {
	case i != nil && i.Open(s.clock.Now()):
		err := s.admit(ctx, s.admission(orgID, member.Member{
			ID: workspace.NewID(member.PrefixMember, s.clock.Now()), Email: i.Email, Name: name, Role: i.Role, AccountID: accountID,
			CreatedAt: s.instant(), Revision: 1,
		}, before))
		return err == nil, err
	case m != nil && m.AccountID != accountID:
		known := *m
		known.AccountID, known.Revision = accountID, m.Revision+1
		if known.Name == "" {
			known.Name = name
		}
		err := s.table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Put{Table: CoreTable, Item: fromMember(orgID, known), If: table.Equal("rev", m.Revision)},
			table.Check{Table: CoreTable, Key: ownerKey(orgID), If: table.Present()},
			moveDue(orgID, accountID, true),
		}})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && canceled.Failed(1) {
			err = ErrNotFound
		}
		return false, err
	}
	return false, nil
}
