package peoplestore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"earshot/shared/member"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/rows"
)

// RevokeInvitation ends an invitation, expired or not: from then on it lets nobody in. If it is an agency's lead, the
// oldest invitation that is queued under it leads in its place, in the same transaction, and takes over how far the
// mail is: a mail that was handed over has told the person of the others too, one that is due is sent for the new lead,
// and one of which nobody knows can be sent again for it. request, if it is not empty, names what a client may send
// again: a repeat finds its work done. Returns ErrNotFound if there is no such invitation.
func (s *Store) RevokeInvitation(ctx context.Context, orgID, id, request string) error {
	return s.Settle(ctx, "revoke an invitation", func() error {
		item, err := s.Get(ctx, rows.CoreTable, rows.InvitationKey(orgID, id))
		if err != nil {
			return err
		}
		if item == nil {
			if made, err := s.Made(ctx, orgID, request); err != nil || made == id {
				return err
			}
			return store.ErrNotFound
		}
		writes, err := s.revocation(ctx, orgID, item)
		if err != nil {
			return err
		}
		return s.Table.Transact(ctx, table.Transaction{Writes: append(writes, s.Making(orgID, request, id)...)})
	})
}

// revocation returns the writes that delete an invitation and, if it is a lead, pass the lead on.
func (s *Store) revocation(ctx context.Context, orgID string, item table.Item) ([]table.Write, error) {
	i := toInvitation(item)
	passed, err := s.passOn(ctx, item)
	return append(withdrawal(orgID, i, asRead(i)), passed...), err
}

// asRead returns the condition that an invitation and its mail are as they were read, for a lead that takes the mail
// over.
func asRead(i member.Invitation) table.Condition {
	return table.All(
		table.Equal("rev", i.Revision), table.Equal("mail", string(i.Mail)), table.Equal("claims", i.Claims),
	)
}

// passOn returns the writes that make the oldest invitation queued behind a lead the next lead, or that delete the
// lead's row if none is queued. It returns none for an invitation that does not lead. The caller deletes the invitation
// in the same transaction, as it was read.
func (s *Store) passOn(ctx context.Context, item table.Item) ([]table.Write, error) {
	i := toInvitation(item)
	if i.Agency == "" || !i.Open(s.Clock.Now()) {
		return nil, nil
	}
	key := inviteeKey(i.Agency, i.Email)
	row, err := s.Get(ctx, rows.CoreTable, key)
	told := toLead(row)
	if err != nil || told.invitationID != i.ID {
		return nil, err
	}
	queued, err := s.queued(ctx, i.Agency, i.Email)
	if err != nil {
		return nil, err
	}
	if len(queued) == 0 {
		return []table.Write{table.Delete{Table: rows.CoreTable, Key: key, If: told.unchanged()}}, nil
	}
	next := queued[0]
	taken := table.Update{Table: rows.CoreTable, Key: rows.InvitationKey(next.WorkspaceID, next.ID),
		If:  table.All(table.Equal("rev", next.Revision), table.Equal("mail", string(member.MailQueued))),
		Set: map[string]any{"agency": i.Agency, "mail": string(i.Mail), "claims": i.Claims, "rev": next.Revision + 1}}
	if held := item["heldUntil"]; held != nil {
		taken.Set["heldUntil"] = held
	}
	there := table.Check{Table: rows.CoreTable, Key: rows.OwnerKey(next.WorkspaceID), If: table.Present()}
	return []table.Write{
		there,
		taken,
		table.Update{Table: rows.CoreTable, Key: key, If: told.unchanged(), Set: map[string]any{
			"org":                 next.WorkspaceID,
			"invitation":          next.ID,
			"goodUntil":           rows.FromTime(next.ExpiresAt),
			table.ExpiryAttribute: next.ExpiresAt.Unix() + 1,
		}},
	}, nil
}

// queued reads a person's open queued invitations to an agency's workspaces, the oldest first.
func (s *Store) queued(ctx context.Context, agencyID, email string) ([]member.Invitation, error) {
	items, err := s.person(ctx, email)
	if err != nil {
		return nil, err
	}
	var keys []table.Key // of invitations, each followed by its workspace's
	for _, row := range items {
		if id := rows.Text(row, "invitation"); id != "" {
			orgID := table.KeyOf(row).Sort
			keys = append(keys, rows.InvitationKey(orgID, id), rows.OwnerKey(orgID))
		}
	}
	found, err := s.All(ctx, keys)
	if err != nil {
		return nil, err
	}
	var queued []member.Invitation
	for pair := range slices.Chunk(found, 2) {
		if pair[0] == nil || pair[1] == nil || rows.ToWorkspace(pair[1]).AgencyID != agencyID {
			continue
		}
		if i := toInvitation(pair[0]); i.Mail == member.MailQueued && i.Open(s.Clock.Now()) {
			queued = append(queued, i)
		}
	}
	slices.SortFunc(queued, func(a, b member.Invitation) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return queued, nil
}

// Withdraw takes back an invitation whose address cannot receive mail. If it is an agency's lead, Withdraw first takes
// back the invitations queued behind it, because no mail can tell of those either. A missing invitation is no error.
func (s *Store) Withdraw(ctx context.Context, orgID, id string) error {
	return s.Settle(ctx, "withdraw an invitation", func() error {
		item, err := s.Get(ctx, rows.CoreTable, rows.InvitationKey(orgID, id))
		if err != nil || item == nil {
			return err
		}
		i := toInvitation(item)
		if i.Agency == "" || !i.Open(s.Clock.Now()) {
			return s.withdraw(ctx, orgID, i)
		}
		row, err := s.Get(ctx, rows.CoreTable, inviteeKey(i.Agency, i.Email))
		if err != nil {
			return err
		}
		told := toLead(row)
		if told.invitationID != id {
			return s.withdraw(ctx, orgID, i)
		}
		queued, err := s.queued(ctx, i.Agency, i.Email)
		if err != nil {
			return err
		}
		for _, one := range queued {
			if err := s.withdraw(ctx, one.WorkspaceID, one); err != nil {
				return err
			}
		}
		return s.Table.Transact(
			ctx,
			table.Transaction{Writes: append(withdrawal(orgID, i, table.Equal("rev", i.Revision)),
				table.Delete{Table: rows.CoreTable, Key: inviteeKey(i.Agency, i.Email), If: told.unchanged()})},
		)
	})
}

// withdrawal returns the writes that delete an invitation as it was read, without the row of a lead.
func withdrawal(orgID string, i member.Invitation, as table.Condition) []table.Write {
	return []table.Write{
		countPeople(orgID, -1, 0),
		table.Delete{Table: rows.CoreTable, Key: rows.InvitationKey(orgID, i.ID), If: as},
		table.Delete{Table: rows.CoreTable, Key: personKey(orgID, i.Email), If: table.Equal("invitation", i.ID)},
	}
}
