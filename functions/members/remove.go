package members

import (
	"context"
	"errors"
	"net/http"

	"earshot/shared/member"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

type remove struct {
	store Store
	desk  member.Desk
}

func registerRemove(api *web.API, r remove) {
	web.Register(api, web.Operation{
		ID:      "removeMember",
		Method:  http.MethodDelete,
		Path:    "/api/v2/org/members/{id}",
		Group:   Group,
		Scope:   workspace.Admin,
		Summary: "Remove a member, or revoke an invitation",
		Description: "With a member's id, the person loses access to the workspace at once. LAST_ADMIN means " +
			"that nobody else is an admin. Make another person an admin first. SUPERADMIN_REMOVE_FORBIDDEN " +
			"means that the person owns the workspace.\n\nWith the id of an invitation, as GET " +
			"/api/v2/org/members/invitations lists it, nobody can accept the invitation any more. This holds even while " +
			"its mail is being sent. An agency's invitations are revoked in the same way, with the master key " +
			"naming their workspace. One agency mail can cover invitations to several workspaces. Revoking the " +
			"invitation that the mail belongs to leaves the queued others in force, and the oldest of them " +
			"takes over the mail. If the mail service took that mail, the person can sign up by it for all that " +
			"are left. If it did not, the next POST /api/v2/agency/members/invite for the person sends the " +
			"mail. POST /api/v2/org/members/invitations/{id}/resend sends it too, for the invitation that took " +
			"over the mail.\n\nNOT_FOUND means that the workspace has no such member and no such invitation. An " +
			"accepted invitation is a member with its own id.",
		Codes:   []problem.Code{problem.NotFound, problem.LastAdmin, problem.SuperadminRemoveForbidden},
		Example: MemberRemoved{OK: true},
	}, r.remove)
}

// RemoveMemberInput names a member.
type RemoveMemberInput struct {
	ID string `path:"id" maxLength:"64" doc:"The id of the member or the invitation." example:"mem_01K9Q4T1YV6M3R8Z5B7C2D4E6F"`
}

// MemberRemoved is the answer to a removal.
type MemberRemoved struct {
	OK bool `json:"ok"`
}

func (r remove) remove(ctx context.Context, in *RemoveMemberInput) (*MemberRemoved, error) {
	orgID := web.CallerOf(ctx).Workspace.ID
	err := error(store.ErrNotFound)
	switch {
	case workspace.ValidID(member.PrefixMember, in.ID):
		err = r.store.RemoveMember(ctx, orgID, in.ID, web.Repeated(ctx))
	case workspace.ValidID(member.PrefixInvitation, in.ID):
		err = r.store.RevokeInvitation(ctx, orgID, in.ID, web.Repeated(ctx))
	}
	r.desk.CatchUp(ctx, orgID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, problem.New(
			problem.NotFound,
			"The workspace has no member and no invitation with this id. GET /api/v2/org/members lists the "+
				"members, GET /api/v2/org/members/invitations the invitations.",
		)
	case errors.Is(err, member.ErrSuperadmin):
		return nil, problem.New(
			problem.SuperadminRemoveForbidden, "This person owns the workspace and cannot be removed.",
		)
	case errors.Is(err, member.ErrLastAdmin):
		return nil, problem.New(
			problem.LastAdmin,
			"This person is the only admin. First make another: POST /api/v2/org/members/invite with the role org:admin.",
		)
	case err != nil:
		return nil, err
	}
	return &MemberRemoved{OK: true}, nil
}
