package workspacestore

import (
	"cmp"
	"context"
	"time"

	"earshot/shared/port/table"
	"earshot/shared/store/rows"
	"earshot/shared/workspace"
)

// Granted returns an access token's grant as the API key that it stands for, in one round trip. The key has the digest
// of the token, and the scope that grant and role both allow. Returns nil if the token is unknown, expired or for another
// resource, or if the member or the workspace is gone.
func (s *Store) Granted(ctx context.Context, token workspace.GrantToken, resource string) (*workspace.Key, error) {
	items, err := s.All(ctx, []table.Key{
		rows.GrantKey(token.WorkspaceID, token.GrantID), rows.MemberKey(token.WorkspaceID, token.MemberID),
		rows.OwnerKey(token.WorkspaceID),
	})
	if err != nil {
		return nil, err
	}
	until := rows.AccessUntil(items[0], token.Digest())
	if !s.Clock.Now().Before(until) || rows.Text(items[0], "member") != token.MemberID ||
		rows.Text(items[0], "resource") != resource {
		return nil, nil
	}
	key := grantedKey(items[0], items[1], items[2], until)
	if key != nil {
		key.Digest = token.Digest()
	}
	return key, nil
}

// granted returns a grant as the key that it stands for, by its id. Returns nil if it has ended.
func (s *Store) granted(ctx context.Context, id, orgID string) (*workspace.Key, error) {
	item, err := s.Get(ctx, rows.CoreTable, rows.GrantKey(orgID, id))
	if err != nil || item == nil {
		return nil, err
	}
	until := rows.ToMoment(rows.Integer(item, "goodUntil"))
	items, err := s.All(ctx, []table.Key{rows.MemberKey(orgID, rows.Text(item, "member")), rows.OwnerKey(orgID)})
	if err != nil {
		return nil, err
	}
	return grantedKey(item, items[0], items[1], until), nil
}

func grantedKey(granted, member, org table.Item, until time.Time) *workspace.Key {
	if granted == nil || member == nil || org == nil {
		return nil
	}
	w := rows.ToWorkspace(org)
	admin := rows.Text(member, "role") == "org:admin"
	return &workspace.Key{
		ID:        rows.Text(granted, "id"),
		Name:      cmp.Or(rows.Text(granted, "name"), rows.Text(granted, "client")),
		Scope:     min(workspace.Scope(rows.Integer(granted, "scope")), workspace.MostScope(admin)),
		CreatedAt: rows.ToTime(rows.Text(granted, "createdAt")),
		ExpiresAt: until,
		Workspace: &w,
	}
}
