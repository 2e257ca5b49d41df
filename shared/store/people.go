package store

import (
	"context"
	"fmt"

	"earshot/shared/member"
	"earshot/shared/port/table"
)

// Rows of the core table, of people:
//
//	pk org_…           sk "member#mem_…"          a member
//	pk org_…           sk "membermove#<account>"  that the directory's group does not follow yet: see moves.go
//	pk org_…           sk "invitation#inv_…"      an invitation; an expired one stays for some time (see invitationsdue.go)
//	pk org_…           sk "people"                counts: "admins", and "people", which are members and invitations together
//	pk person#<email>  sk org_…                   what the workspace has of that address, folded: the id of its "member" or "invitation"
//
// The last makes a person one in a workspace, and tells all workspaces of a person. It, the row that it names and the counts change
// together.
const (
	sortRoster     = "member" // members and moves: what a list reads
	sortMembership = "member#"
	sortInvitation = "invitation#"
	sortPeople     = "people"
	persons        = "person#"
)

// Kinds of work in the index byDue: invitations are looked at until they are over, moves until they are made.
const (
	workInvitations = "invitations"
	workMoves       = "moves"
)

func memberKey(orgID, id string) table.Key {
	return table.Key{Partition: orgID, Sort: sortMembership + id}
}

func invitationKey(orgID, id string) table.Key {
	return table.Key{Partition: orgID, Sort: sortInvitation + id}
}

func personKey(orgID, email string) table.Key {
	return table.Key{Partition: persons + member.Fold(email), Sort: orgID}
}

// A standing is what a workspace has of an address: a member, an invitation or neither.
type standing struct {
	member     *member.Member
	invitation *member.Invitation
	leads      bool // the invitation is the one by which an agency tells the person: see fanout.go
}

// id is that of the member or the invitation.
func (s standing) id() string {
	switch {
	case s.member != nil:
		return s.member.ID
	case s.invitation != nil:
		return s.invitation.ID
	}
	return ""
}

// unchanged holds while the address stands as it did.
func (s standing) unchanged() table.Condition {
	switch {
	case s.member != nil:
		return table.Equal("member", s.member.ID)
	case s.invitation != nil:
		return table.Equal("invitation", s.invitation.ID)
	}
	return table.Absent()
}

// standing reads what a workspace has of an address.
func (s *Store) standing(ctx context.Context, orgID, email string) (standing, error) {
	const attempts = 8
	for range attempts {
		person, err := s.get(ctx, CoreTable, personKey(orgID, email))
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
	return standing{}, fmt.Errorf("read who somebody is: %w", ErrConflict)
}

// named reads what a person's row names; nothing when it is gone.
func (s *Store) named(ctx context.Context, orgID string, person table.Item) (standing, error) {
	key := invitationKey(orgID, str(person, "invitation"))
	if id := str(person, "member"); id != "" {
		key = memberKey(orgID, id)
	}
	item, err := s.get(ctx, CoreTable, key)
	if err != nil || item == nil {
		return standing{}, err
	}
	if str(person, "member") != "" {
		found := toMember(item)
		return standing{member: &found}, nil
	}
	found := toInvitation(item)
	return standing{invitation: &found}, nil
}

// putPerson makes an address stand for a member or an invitation.
func putPerson(orgID, email, as, id string, before standing) table.Put {
	key := personKey(orgID, email)
	return table.Put{Table: CoreTable, If: before.unchanged(),
		Item: table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, as: id}}
}

// countPeople changes the counts. A further person needs room.
func countPeople(orgID string, people, admins int64) table.Update {
	update := table.Update{Table: CoreTable, Key: table.Key{Partition: orgID, Sort: sortPeople},
		Add: map[string]int64{"people": people, "admins": admins}}
	if people > 0 {
		update.If = room("people", people, member.MostPeople)
	}
	return update
}

func fromMember(orgID string, m member.Member) table.Item {
	key := memberKey(orgID, m.ID)
	item := table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "id": m.ID, "email": m.Email,
		"role": string(m.Role), "createdAt": fromTime(m.CreatedAt), "rev": m.Revision}
	set(item, "name", m.Name)
	set(item, "superadmin", m.Superadmin)
	set(item, "accountId", m.AccountID)
	return item
}

func toMember(item table.Item) member.Member {
	return member.Member{
		ID: str(item, "id"), Email: str(item, "email"), Name: str(item, "name"), Role: member.Role(str(item, "role")),
		Superadmin: boolean(item, "superadmin"), AccountID: str(item, "accountId"), CreatedAt: toTime(str(item, "createdAt")),
		Revision: integer(item, "rev"),
	}
}

func fromInvitation(orgID string, i member.Invitation) table.Item {
	key := invitationKey(orgID, i.ID)
	item := table.Item{table.PartitionAttribute: key.Partition, table.SortAttribute: key.Sort, "id": i.ID, "email": i.Email,
		"role": string(i.Role), "invitedBy": i.InvitedBy, "createdAt": fromTime(i.CreatedAt), "goodUntil": fromTime(i.ExpiresAt),
		"mail": string(i.Mail), "claims": i.Claims, "rev": i.Revision}
	set(item, "agency", i.Agency)
	item[attrWork], item[attrDueAt] = workInvitations, fromTime(i.NextLook(i.CreatedAt))
	return item
}

func toInvitation(item table.Item) member.Invitation {
	return member.Invitation{
		ID: str(item, "id"), Email: str(item, "email"), Role: member.Role(str(item, "role")), InvitedBy: str(item, "invitedBy"),
		CreatedAt: toTime(str(item, "createdAt")), ExpiresAt: toTime(str(item, "goodUntil")), Mail: member.MailState(str(item, "mail")),
		Agency: str(item, "agency"), Claims: integer(item, "claims"), Refused: boolean(item, "refused"), Unsure: boolean(item, "unsure"),
		Revision: integer(item, "rev"),
	}
}
