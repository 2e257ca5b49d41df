package worldtest

import (
	"context"

	"earshot/shared/member"
	"earshot/shared/store/allstores"
	"earshot/shared/workspace"
)

// InviteOne lets one person into a workspace that invites by itself. request, if not empty, names a request that a
// client may repeat.
func InviteOne(ctx context.Context, s *allstores.Store, orgID string, m member.Member, request string) member.Result {
	by := member.Inviter{KeyID: "key_1", Workspaces: []workspace.Workspace{{ID: orgID}}, Request: request}
	return s.Invite(ctx, by, orgID, []member.Member{m})[0]
}
