package peoplestore

import (
	"context"
	"fmt"

	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// personKey returns the key of a person in a workspace, by the folded address.
func personKey(orgID, email string) table.Key {
	return rows.PersonKey(orgID, member.Fold(email))
}

// standing is what an address has in a workspace: a member, an invitation or neither.
type standing struct {
	member     *member.Member
	invitation *member.Invitation
	leads      bool // the invitation is the one by which an agency tells the person: see invite.go
}

// id returns the id of the member or the invitation; empty if there is neither.
func (s standing) id() string {
	switch {
	case s.member != nil:
		return s.member.ID
	case s.invitation != nil:
		return s.invitation.ID
	}
	return ""
}

// unchanged returns the condition that the address has what it had.
func (s standing) unchanged() table.Condition {
	switch {
	case s.member != nil:
		return table.Equal("member", s.member.ID)
	case s.invitation != nil:
		return table.Equal("invitation", s.invitation.ID)
	}
	return table.Absent()
}

// standing reads what an address has in a workspace.
func (s *Store) standing(ctx context.Context, orgID, email string) (standing, error) {
	const attempts = 8
	for range attempts {
		person, err := s.Get(ctx, rows.CoreTable, personKey(orgID, email))
		if err != nil || person == nil {
			return standing{}, err
		}
		found, err := s.named(ctx, orgID, person)
		if err == nil && found.invitation != nil {
			found.leads, err = s.leads(ctx, *found.invitation)
		}
		if err != nil || found.id() != "" {
			return found, err
		}
		// Between the two reads it became something else.
	}
	return standing{}, fmt.Errorf("read who somebody is: %w", store.ErrConflict)
}

// named reads what a person's row names. Returns the zero standing if that is gone.
func (s *Store) named(ctx context.Context, orgID string, person table.Item) (standing, error) {
	key := rows.InvitationKey(orgID, rows.Text(person, "invitation"))
	if id := rows.Text(person, "member"); id != "" {
		key = rows.MemberKey(orgID, id)
	}
	item, err := s.Get(ctx, rows.CoreTable, key)
	if err != nil || item == nil {
		return standing{}, err
	}
	if rows.Text(person, "member") != "" {
		found := toMember(item)
		return standing{member: &found}, nil
	}
	found := toInvitation(item)
	return standing{invitation: &found}, nil
}

// putPerson returns the write that makes an address name a member or an invitation.
func putPerson(orgID, email, as, id string, before standing) table.Put {
	key := personKey(orgID, email)
	return table.Put{Table: rows.CoreTable, If: before.unchanged(),
		Item: table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, as: id}}
}

// countPeople returns the update of a workspace's counts. If people is positive, it holds only if there is room.
func countPeople(orgID string, people, admins int64) table.Update {
	update := table.Update{Table: rows.CoreTable, Key: table.Key{Partition: orgID, Sort: rows.SortPeople},
		Add: map[string]int64{"people": people, "admins": admins}}
	if people > 0 {
		update.If = rows.Room("people", people, member.MostPeople)
	}
	return update
}

func fromMember(orgID string, m member.Member) table.Item {
	key := rows.MemberKey(orgID, m.ID)
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"id":                     m.ID,
		"email":                  m.Email,
		"role":                   string(m.Role),
		"createdAt":              rows.FromTime(m.CreatedAt),
		"rev":                    m.Revision,
	}
	rows.Set(item, "name", m.Name)
	rows.Set(item, "superadmin", m.Superadmin)
	rows.Set(item, "accountId", m.AccountID)
	return item
}

func toMember(item table.Item) member.Member {
	return member.Member{
		ID:         rows.Text(item, "id"),
		Email:      rows.Text(item, "email"),
		Name:       rows.Text(item, "name"),
		Role:       member.Role(rows.Text(item, "role")),
		Superadmin: rows.Boolean(item, "superadmin"),
		AccountID:  rows.Text(item, "accountId"),
		CreatedAt:  rows.ToTime(rows.Text(item, "createdAt")),
		Revision:   rows.Integer(item, "rev"),
	}
}

func fromInvitation(i member.Invitation) table.Item {
	key := rows.InvitationKey(i.WorkspaceID, i.ID)
	item := table.Item{
		table.PartitionAttribute: key.Partition,
		table.SortAttribute:      key.Sort,
		"id":                     i.ID,
		"email":                  i.Email,
		"role":                   string(i.Role),
		"invitedBy":              i.InvitedBy,
		"createdAt":              rows.FromTime(i.CreatedAt),
		"goodUntil":              rows.FromTime(i.ExpiresAt),
		"mail":                   string(i.Mail),
		"claims":                 i.Claims,
		"rev":                    i.Revision,
	}
	rows.Set(item, "agency", i.Agency)
	item[rows.AttrWork], item[rows.AttrDueAt] = rows.WorkInvitations, rows.FromTime(i.NextLook(i.CreatedAt))
	return item
}

func toInvitation(item table.Item) member.Invitation {
	return member.Invitation{
		WorkspaceID: table.KeyOf(item).Partition,
		ID:          rows.Text(item, "id"),
		Email:       rows.Text(item, "email"),
		Role:        member.Role(rows.Text(item, "role")),
		InvitedBy:   rows.Text(item, "invitedBy"),
		CreatedAt:   rows.ToTime(rows.Text(item, "createdAt")),
		ExpiresAt:   rows.ToTime(rows.Text(item, "goodUntil")),
		Mail:        member.MailState(rows.Text(item, "mail")),
		Agency:      rows.Text(item, "agency"),
		Claims:      rows.Integer(item, "claims"),
		Refused:     rows.Boolean(item, "refused"),
		Unsure:      rows.Boolean(item, "unsure"),
		Revision:    rows.Integer(item, "rev"),
	}
}
