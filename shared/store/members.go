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

// Members lists a workspace's members, oldest first, and what the directory does not know yet of them and of former ones.
func (s *Store) Members(ctx context.Context, orgID string) (members []member.Member, due []member.Move, err error) {
	members = []member.Member{}
	err = s.each(ctx, table.Query{Table: CoreTable, Partition: orgID, Prefix: sortRoster, Consistent: true}, func(item table.Item) {
		if strings.HasPrefix(table.KeyOf(item).Sort, sortMove) {
			due = append(due, toMove(item))
			return
		}
		members = append(members, toMember(item))
	})
	if err != nil {
		return nil, nil, fmt.Errorf("list members: %w", err)
	}
	slices.SortFunc(members, func(a, b member.Member) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return members, due, nil
}

// AddMember stores a new member and answers it, with its id and time; an invitation of that address is over, a superadmin is an admin.
// request, when it is not empty, names what a client may send again: a repeat that finds its person a member is answered that. Answers
// member.ErrExists, member.ErrFull, member.ErrRemoved, and ErrNotFound when there is no such workspace.
func (s *Store) AddMember(ctx context.Context, orgID string, m member.Member, request string) (added member.Member, err error) {
	if m.Superadmin {
		m.Role = member.Admin
	}
	err = s.seat(ctx, "add a member", orgID, func() error {
		before, made, err := s.before(ctx, orgID, m.Email, request)
		switch {
		case err != nil:
			return err
		case before.member != nil && made:
			added = *before.member
			return nil
		case before.member != nil:
			return member.ErrExists
		}
		added = m
		added.ID, added.CreatedAt, added.Revision = workspace.NewID(member.PrefixMember, s.clock.Now()), s.instant(), 1
		tx := s.admission(orgID, added, before)
		if !made {
			tx = append(tx, s.making(orgID, request, added.ID)...)
		}
		return s.admit(ctx, tx)
	})
	return added, err
}

// before reads how an address stands, and whether this request has made something of it already. Answers member.ErrRemoved when it has,
// and that is gone.
func (s *Store) before(ctx context.Context, orgID, email, request string) (found standing, made bool, err error) {
	id, err := s.made(ctx, orgID, request)
	if err == nil {
		found, err = s.standing(ctx, orgID, email)
	}
	if err == nil && id != "" && found.id() == "" {
		err = member.ErrRemoved
	}
	return found, id != "", err
}

// The order of an admission's first writes, which tell why it was canceled.
const (
	writesPerson = iota
	writesCounts
	checksWorkspace
)

// admission makes a member of an address that stands for an invitation or nothing.
func (s *Store) admission(orgID string, m member.Member, before standing) []table.Write {
	people, admins := int64(1), int64(0)
	if before.invitation != nil {
		people = 0
	}
	if m.Role == member.Admin {
		admins = 1
	}
	writes := []table.Write{
		writesPerson:    putPerson(orgID, m.Email, "member", m.ID, before),
		writesCounts:    countPeople(orgID, people, admins),
		checksWorkspace: table.Check{Table: CoreTable, Key: table.Key{Partition: orgID, Sort: sortWorkspace}, If: table.Present()},
	}
	writes = append(writes, table.Put{Table: CoreTable, Item: fromMember(orgID, m), If: table.Absent()})
	if i := before.invitation; i != nil {
		writes = append(writes, table.Delete{Table: CoreTable, Key: invitationKey(orgID, i.ID), If: table.Equal("rev", i.Revision)})
	}
	if m.AccountID != "" {
		writes = append(writes, moveDue(orgID, m.AccountID, true))
	}
	return writes
}

// admit does an admission. Answers member.ErrFull, ErrNotFound when there is no such workspace, and what settle repeats.
func (s *Store) admit(ctx context.Context, writes []table.Write) error {
	err := s.table.Transact(ctx, table.Transaction{Writes: writes})
	var canceled *table.Canceled
	switch {
	case !errors.As(err, &canceled) || canceled.Failed(writesPerson):
		return err
	case canceled.Failed(checksWorkspace):
		return ErrNotFound
	case canceled.Failed(writesCounts):
		return member.ErrFull
	}
	return err
}

// seat settles what may need room: expired invitations make it. It is member.ErrFull only when it was so after a look for those that
// found none, since others sweep too.
func (s *Store) seat(ctx context.Context, doing, orgID string, attempt func() error) error {
	for looked := false; ; {
		err := s.settle(ctx, doing, attempt)
		if looked || !errors.Is(err, member.ErrFull) {
			return err
		}
		swept, failure := s.sweepInvitations(ctx, orgID)
		if failure != nil {
			return failure
		}
		looked = swept == 0
	}
}

// RemoveMember takes a person's membership; what the directory has of it is due. request, when it is not empty, names what a client
// may send again: a repeat finds its work done. Answers ErrNotFound, member.ErrSuperadmin, and member.ErrLastAdmin, exact however many
// are removed at once.
func (s *Store) RemoveMember(ctx context.Context, orgID, id, request string) error {
	return s.settle(ctx, "remove a member", func() error {
		item, err := s.get(ctx, CoreTable, memberKey(orgID, id))
		if err != nil {
			return err
		}
		if item == nil {
			if made, err := s.made(ctx, orgID, request); err != nil || made == id {
				return err
			}
			return ErrNotFound
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
			table.Delete{Table: CoreTable, Key: memberKey(orgID, id), If: table.Equal("rev", leaving.Revision)},
			counted,
			table.Delete{Table: CoreTable, Key: personKey(orgID, leaving.Email), If: table.Equal("member", id)},
		}
		if leaving.AccountID != "" {
			writes = append(writes, moveDue(orgID, leaving.AccountID, false))
		}
		err = s.table.Transact(ctx, table.Transaction{Writes: append(writes, s.making(orgID, request, id)...)})
		var canceled *table.Canceled
		if errors.As(err, &canceled) && canceled.Failed(1) && !canceled.Failed(0) {
			return member.ErrLastAdmin
		}
		return err
	})
}
