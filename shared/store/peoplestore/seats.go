package peoplestore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// A Seat is a workspace that a person is a member of.
type Seat struct {
	Workspace workspace.Workspace
	Member    member.Member
}

// Seats lists the workspaces that a person is a member of, oldest membership first. A membership of another account
// with the same address is none.
func (s *Store) Seats(ctx context.Context, accountID, email string) ([]Seat, error) {
	var keys []table.Key // of the member and the workspace, in turn
	query := table.Query{Table: rows.CoreTable, Partition: personKey("", email).Partition, Consistent: true}
	err := s.Each(ctx, query, func(person table.Item) {
		if id := rows.Text(person, "member"); id != "" {
			orgID := table.KeyOf(person).Sort
			keys = append(keys, rows.MemberKey(orgID, id), rows.OwnerKey(orgID))
		}
	})
	if err != nil {
		return nil, fmt.Errorf("list seats: %w", err)
	}
	items, err := s.All(ctx, keys)
	if err != nil {
		return nil, err
	}
	var seats []Seat
	for pair := range slices.Chunk(items, 2) {
		if pair[0] == nil || pair[1] == nil {
			continue // the member or the workspace has been removed meanwhile
		}
		if m := toMember(pair[0]); m.AccountID == "" || m.AccountID == accountID {
			seats = append(seats, Seat{rows.ToWorkspace(pair[1]), m})
		}
	}
	slices.SortFunc(seats, func(a, b Seat) int {
		return cmp.Or(a.Member.CreatedAt.Compare(b.Member.CreatedAt), strings.Compare(a.Member.ID, b.Member.ID))
	})
	return seats, nil
}
