package peoplestore

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// Invitations lists a workspace's invitations, oldest first, including expired ones whose rows remain.
func (s *Store) Invitations(ctx context.Context, orgID string) ([]member.Invitation, error) {
	invitations, err := store.AllOf(
		ctx, s.Kernel, "invitations", table.Query{Partition: orgID, Prefix: rows.SortInvitation, Consistent: true},
		toInvitation,
	)
	slices.SortFunc(invitations, func(a, b member.Invitation) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return invitations, err
}

// invitingSeat returns the seating of an invitation, for an address that has nothing or an invitation to replace.
func invitingSeat(i member.Invitation, before standing) seating {
	seats := seating{people: 1, writes: []table.Write{
		putPerson(i.WorkspaceID, i.Email, "invitation", i.ID, before),
		table.Put{Table: rows.CoreTable, Item: fromInvitation(i), If: table.Absent()},
	}}
	if old := before.invitation; old != nil {
		seats.people = 0
		seats.writes = append(
			seats.writes,
			table.Delete{
				Table: rows.CoreTable,
				Key:   rows.InvitationKey(i.WorkspaceID, old.ID),
				If:    table.Equal("rev", old.Revision),
			},
		)
	}
	return seats
}

// withdraw deletes invitations, with the rows that name them.
func (s *Store) withdraw(ctx context.Context, orgID string, invitations ...member.Invitation) error {
	writes := []table.Write{countPeople(orgID, -int64(len(invitations)), 0)}
	for _, i := range invitations {
		writes = append(
			writes,
			table.Delete{
				Table: rows.CoreTable,
				Key:   rows.InvitationKey(orgID, i.ID),
				If:    table.Equal("rev", i.Revision),
			},
			table.Delete{Table: rows.CoreTable, Key: personKey(orgID, i.Email), If: table.Equal("invitation", i.ID)},
		)
		leads, err := s.leads(ctx, i)
		if err != nil {
			return err
		}
		if leads {
			writes = append(writes, forgetLead(i))
		}
	}
	return s.Table.Transact(ctx, table.Transaction{Writes: writes})
}

// sweepInvitations deletes expired invitations, the oldest first, as many as fit a transaction. Returns how many.
func (s *Store) sweepInvitations(ctx context.Context, orgID string) (swept int, err error) {
	const most = (table.MaxTransaction - 1) / 2
	err = s.Settle(ctx, "sweep expired invitations", func() error {
		invitations, err := s.Invitations(ctx, orgID)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		invitations = slices.DeleteFunc(invitations, func(i member.Invitation) bool { return i.Open(now) })
		invitations = invitations[:min(len(invitations), most)]
		if swept = len(invitations); swept == 0 {
			return nil
		}
		return s.withdraw(ctx, orgID, invitations...)
	})
	return swept, err
}

// AcceptInvitations turns all open invitations of an address into memberships of the account that signed up with it. It
// also gives the account to memberships that the address has. Returns the workspaces granted now, ordered by id; the
// moves in the directory are due. A workspace that fails does not keep the person out of others. A repeat does what is
// left.
func (s *Store) AcceptInvitations(ctx context.Context, email, accountID, name string) (granted []string, err error) {
	items, err := s.person(ctx, email)
	if err != nil {
		return nil, err
	}
	const enough = 3 // failures, after which it is the table that fails
	var failures []error
	name = member.CleanName(name)
	for _, row := range items {
		orgID, admitted := table.KeyOf(row).Sort, false
		err := s.Settle(ctx, "accept an invitation", func() (err error) {
			admitted, err = s.accept(ctx, orgID, email, accountID, name)
			return err
		})
		switch {
		case err != nil && !errors.Is(err, store.ErrNotFound): // the workspace is gone
			failures = append(failures, err)
		case admitted:
			granted = append(granted, orgID)
		}
		if len(failures) == enough {
			break
		}
	}
	return granted, errors.Join(failures...)
}

func (s *Store) accept(ctx context.Context, orgID, email, accountID, name string) (admitted bool, err error) {
	before, err := s.standing(ctx, orgID, email)
	if err != nil {
		return false, err
	}
	switch i, m := before.invitation, before.member; {
	case i != nil && i.Open(s.Clock.Now()):
		err := s.admit(ctx, orgID, s.admission(orgID, member.Member{
			ID:        workspace.NewID(member.PrefixMember, s.Clock.Now()),
			Email:     i.Email,
			Name:      name,
			Role:      i.Role,
			AccountID: accountID,
			CreatedAt: s.Instant(),
			Revision:  1,
		}, before))
		return err == nil, err
	case m != nil && m.AccountID != accountID:
		known := *m
		known.AccountID, known.Revision = accountID, m.Revision+1
		if known.Name == "" {
			known.Name = name
		}
		err := s.Table.Transact(ctx, table.Transaction{Writes: []table.Write{
			table.Put{Table: rows.CoreTable, Item: fromMember(orgID, known), If: table.Equal("rev", m.Revision)},
			table.Check{Table: rows.CoreTable, Key: rows.OwnerKey(orgID), If: table.Present()},
			s.moveDue(orgID, accountID, true),
		}})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && canceled.Failed(1) {
			err = store.ErrNotFound
		}
		return false, err
	}
	return false, nil
}
