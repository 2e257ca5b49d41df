package peoplestore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Members lists a workspace's members, oldest first, and the moves that are due for them and for former members.
func (s *Store) Members(ctx context.Context, orgID string) (members []member.Member, due []member.Move, err error) {
	members = []member.Member{}
	err = s.Each(
		ctx,
		table.Query{Table: rows.CoreTable, Partition: orgID, Prefix: rows.SortRoster, Consistent: true},
		func(item table.Item) {
			if strings.HasPrefix(table.KeyOf(item).Sort, rows.SortMove) {
				due = append(due, toMove(item))
				return
			}
			members = append(members, toMember(item))
		},
	)
	if err != nil {
		return nil, nil, fmt.Errorf("list members: %w", err)
	}
	slices.SortFunc(members, func(a, b member.Member) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return members, due, nil
}

// MemberOf reads the member with an address. is is false if the workspace has none.
func (s *Store) MemberOf(ctx context.Context, orgID, email string) (m member.Member, is bool, err error) {
	found, err := s.standing(ctx, orgID, email)
	if err != nil || found.member == nil {
		return member.Member{}, false, err
	}
	return *found.member, true, nil
}

// AddMember stores a new member for an operator, whether or not the person has an account, and returns it with its id
// and time. It ends an invitation of the address. If that was an agency's lead, the oldest invitation queued behind it
// leads in its place. A superadmin becomes an admin. Returns member.ErrExists and member.ErrFull. Returns ErrNotFound
// if there is no such workspace.
func (s *Store) AddMember(ctx context.Context, orgID string, m member.Member) (added member.Member, err error) {
	if m.Superadmin {
		m.Role = member.Admin
	}
	result := s.letIn(ctx, admitting{s: s, orgID: orgID, people: []member.Member{m}, outright: true})[0]
	if result.Err != nil {
		return member.Member{}, result.Err
	}
	return *result.Member, nil
}

// seating is what a transaction changes in a workspace's people: the writes, and what they add to the counts.
type seating struct {
	people, admins int64
	mails          int64 // how many invitations it makes that a mail of their own tells of
	writes         []table.Write
}

// seatingChecks is the most writes that admit adds to a seating.
const seatingChecks = 3

// admission returns the seating that makes a member of an address that has an invitation or nothing. passed are the
// writes that pass the invitation's lead on; none if nobody takes it over.
func (s *Store) admission(orgID string, m member.Member, before standing, passed ...table.Write) seating {
	seats := seating{people: 1, writes: []table.Write{
		putPerson(orgID, m.Email, "member", m.ID, before),
		table.Put{Table: rows.CoreTable, Item: fromMember(orgID, m), If: table.Absent()},
	}}
	if m.Role == member.Admin {
		seats.admins = 1
	}
	if i := before.invitation; i != nil {
		as := table.Equal("rev", i.Revision)
		switch {
		case len(passed) > 0:
			as, seats.writes = asRead(*i), append(seats.writes, passed...)
		case before.leads:
			seats.writes = append(seats.writes, forgetLead(*i))
		}
		seats.people = 0
		seats.writes = append(
			seats.writes, table.Delete{Table: rows.CoreTable, Key: rows.InvitationKey(orgID, i.ID), If: as},
		)
	}
	if m.AccountID != "" {
		seats.writes = append(seats.writes, s.moveDue(orgID, m.AccountID, true))
	}
	return seats
}

// crowded is member.ErrFull with the number of people in the workspace.
type crowded struct{ people int64 }

func (crowded) Error() string { return member.ErrFull.Error() }
func (crowded) Unwrap() error { return member.ErrFull }

// admit writes a seating. Returns crowded and spent if there is no room. Returns ErrNotFound if there is no such
// workspace. Settle repeats its other errors.
func (s *Store) admit(ctx context.Context, orgID string, seats seating) error {
	writes := []table.Write{
		table.Check{
			Table: rows.CoreTable,
			Key:   table.Key{Partition: orgID, Sort: rows.SortWorkspace},
			If:    table.Present(),
		},
	}
	counted := seats.people != 0 || seats.admins != 0
	if counted {
		writes = append(writes, countPeople(orgID, seats.people, seats.admins))
	}
	mailed := len(writes)
	if seats.mails > 0 {
		writes = append(writes, s.countMails(orgID, seats.mails))
	}
	first := len(writes)
	err := s.Table.Transact(ctx, table.Transaction{Writes: append(writes, seats.writes...)})
	var canceled *table.Canceled
	if !errors.As(err, &canceled) {
		return err
	}
	for _, reason := range canceled.Reasons[first:] {
		if reason.Code == table.ReasonCondition {
			return err // who stands otherwise by now may need no room
		}
	}
	switch {
	case canceled.Failed(0):
		return store.ErrNotFound
	case counted && canceled.Failed(1):
		return crowded{rows.Integer(canceled.Reasons[1].Item, "people")}
	case seats.mails > 0 && canceled.Failed(mailed):
		return spent{rows.Integer(canceled.Reasons[mailed].Item, rows.Hits)}
	}
	return err
}

// RemoveMember deletes a membership; the move in the directory is due. The member's grants end with it, because their
// tokens name the member. Their rows are deleted afterwards. request, if not empty, names a request that a
// client may repeat: a repeat returns nil. Returns ErrNotFound, member.ErrSuperadmin, and member.ErrLastAdmin, which is
// exact however many calls run at once.
func (s *Store) RemoveMember(ctx context.Context, orgID, id, request string) error {
	if err := s.removeMember(ctx, orgID, id, request); err != nil {
		return err
	}
	var keys []table.Key
	query := table.Query{Table: rows.CoreTable, Partition: orgID, Prefix: rows.SortGrant, Consistent: true}
	err := s.Each(ctx, query, func(item table.Item) {
		if rows.Text(item, "member") == id {
			keys = append(keys, table.KeyOf(item))
		}
	})
	for _, key := range keys {
		err = cmp.Or(err, s.Table.Delete(ctx, table.Delete{Table: rows.CoreTable, Key: key}))
	}
	if err != nil {
		return fmt.Errorf("delete the grants of a removed member: %w", err)
	}
	return nil
}

func (s *Store) removeMember(ctx context.Context, orgID, id, request string) error {
	return s.Settle(ctx, "remove a member", func() error {
		item, err := s.Get(ctx, rows.CoreTable, rows.MemberKey(orgID, id))
		if err != nil {
			return err
		}
		if item == nil {
			if made, err := s.Made(ctx, orgID, request); err != nil || made == id {
				return err
			}
			return store.ErrNotFound
		}
		leaving := toMember(item)
		if leaving.Superadmin {
			return member.ErrSuperadmin
		}
		counted := countPeople(orgID, -1, 0)
		if leaving.Role == member.Admin {
			counted = countPeople(orgID, -1, -1)
			counted.If = table.More("admins", int64(1))
		}
		writes := []table.Write{
			table.Delete{
				Table: rows.CoreTable,
				Key:   rows.MemberKey(orgID, id),
				If:    table.Equal("rev", leaving.Revision),
			},
			counted,
			table.Delete{Table: rows.CoreTable, Key: personKey(orgID, leaving.Email), If: table.Equal("member", id)},
		}
		if leaving.AccountID != "" {
			writes = append(writes, s.moveDue(orgID, leaving.AccountID, false))
		}
		err = s.Table.Transact(ctx, table.Transaction{Writes: append(writes, s.Making(orgID, request, id)...)})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && canceled.Failed(1) && !canceled.Failed(0) {
			return member.ErrLastAdmin
		}
		return err
	})
}
