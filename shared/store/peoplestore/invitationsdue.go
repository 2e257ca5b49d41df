package peoplestore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// Invitations and moves in the index byDue: what nobody has come back to who would have known of it, such as a person
// that signed up. An invitation is there from its making until it is over ("invitations", see member.Invitation's
// NextLook), a move until it is made ("moves", see moves.go). Rows of a workspace that is gone stay there until they
// are purged, and are not answered here: what is made of them would outlive them.

// DueInvitations lists the invitations to look at now, the longest overdue first. Pages have at most size; some may be
// empty. The caller may write the invitations between pages. An error ends the sequence.
func (s *Store) DueInvitations(ctx context.Context, size int) iter.Seq2[[]member.Invitation, error] {
	return dueOf(s, ctx, rows.WorkInvitations, size, toInvitation)
}

// DueMoves lists the moves to make now, as DueInvitations does.
func (s *Store) DueMoves(ctx context.Context, size int) iter.Seq2[[]member.Move, error] {
	return dueOf(s, ctx, rows.WorkMoves, size, toMove)
}

// dueOf lists what DuePages does, decoded by to, without the rows of workspaces that are gone.
func dueOf[T any](s *Store, ctx context.Context, work string, size int, to func(table.Item) T) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		for items, err := range s.DuePages(ctx, work, size) {
			workspaces := make([]string, len(items))
			for i, row := range items {
				workspaces[i] = table.KeyOf(row).Partition
			}
			var there map[string]bool
			if err == nil {
				there, err = s.there(ctx, workspaces)
			}
			due := make([]T, 0, len(items))
			for _, row := range items {
				if there[table.KeyOf(row).Partition] {
					due = append(due, to(row))
				}
			}
			if !yield(due, err) || err != nil {
				return
			}
		}
	}
}

// there reports which workspaces exist. ids may repeat.
func (s *Store) there(ctx context.Context, ids []string) (map[string]bool, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	keys := make([]table.Key, len(ids))
	for i, id := range ids {
		keys[i] = rows.OwnerKey(id)
	}
	items, err := s.All(ctx, keys)
	there := map[string]bool{}
	for i, row := range items {
		there[ids[i]] = row != nil
	}
	return there, err
}

// InvitationsByKey reads invitations, each named once. It leaves out those that are gone and those whose workspace is
// gone. over lists the existing workspaces of invitations that are gone, ordered by id.
func (s *Store) InvitationsByKey(
	ctx context.Context, named []member.InvitationKey,
) (there []member.Invitation, over []string, err error) {
	keys, workspaces := make([]table.Key, len(named)), make([]string, len(named))
	for i, of := range named {
		keys[i], workspaces[i] = rows.InvitationKey(of.WorkspaceID, of.InvitationID), of.WorkspaceID
	}
	items, err := s.All(ctx, keys)
	if err != nil {
		return nil, nil, err
	}
	living, err := s.there(ctx, workspaces)
	if err != nil {
		return nil, nil, err
	}
	for i, row := range items {
		switch {
		case !living[workspaces[i]]:
		case row == nil:
			over = append(over, workspaces[i])
		default:
			there = append(there, toInvitation(row))
		}
	}
	slices.Sort(over)
	return there, slices.Compact(over), nil
}

// Person returns the invitations of an address, expired ones included, and the workspaces of which it is a member.
func (s *Store) Person(
	ctx context.Context, email string,
) (invited []member.InvitationKey, memberOf []string, err error) {
	items, err := s.person(ctx, email)
	for _, row := range items {
		if id := rows.Text(row, "invitation"); id != "" {
			invited = append(invited, member.InvitationKey{WorkspaceID: table.KeyOf(row).Sort, InvitationID: id})
		} else {
			memberOf = append(memberOf, table.KeyOf(row).Sort)
		}
	}
	return invited, memberOf, err
}

// person reads the rows of an address in all workspaces, ordered by the workspaces' ids.
func (s *Store) person(ctx context.Context, email string) ([]table.Item, error) {
	query := table.Query{Partition: personKey("", email).Partition, Consistent: true}
	return store.AllOf(ctx, s.Kernel, "a person's workspaces", query, func(item table.Item) table.Item { return item })
}

// ExpireInvitation deletes an invitation whose time is over, and reports whether it did. An open invitation stays.
func (s *Store) ExpireInvitation(ctx context.Context, orgID, id string) (ended bool, err error) {
	err = s.Settle(ctx, "end an invitation", func() error {
		ended = false
		item, err := s.Get(ctx, rows.CoreTable, rows.InvitationKey(orgID, id))
		if err != nil || item == nil {
			return err
		}
		expired := toInvitation(item)
		if expired.Open(s.Clock.Now()) {
			return nil
		}
		err = s.withdraw(ctx, orgID, expired)
		ended = err == nil
		return err
	})
	return ended, err
}

// LookAgain postpones the next look at an invitation until then, unless it is gone or already later.
func (s *Store) LookAgain(ctx context.Context, orgID, id string, then time.Time) error {
	_, err := s.Table.Update(
		ctx,
		table.Update{
			Table: rows.CoreTable,
			Key:   rows.InvitationKey(orgID, id),
			If:    table.Less(rows.AttrDueAt, rows.FromTime(then)),
			Set:   map[string]any{rows.AttrDueAt: rows.FromTime(then)},
		},
	)
	var failed *table.ConditionFailed
	if err != nil && !errors.As(err, &failed) {
		return fmt.Errorf("note when an invitation is looked at again: %w", err)
	}
	return nil
}
