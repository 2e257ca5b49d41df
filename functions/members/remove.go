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
		ID: "removeMember", Method: http.MethodDelete, Path: "/api/v2/org/members/{id}", Group: Group, Scope: workspace.Admin,
		Summary: "Remove a member, or revoke an invitation",
		Description: "With the id of a member, the person has no access to the workspace from then on. LAST_ADMIN when nobody else is an admin: " +
			"make another person one first. SUPERADMIN_REMOVE_FORBIDDEN for the person who owns the workspace.\n\nWith the id of an " +
			"invitation, as GET /api/v2/org/members/invitations lists it, the invitation lets nobody in from then on, also if its mail is still " +
			"under way. An agency's invitations are revoked in the same way, with the master key naming their workspace. Revoking the " +
			"invitation whose mail tells the person leaves those to the agency's other workspaces, which are queued behind it, in force: the " +
			"oldest of them takes the mail's place. If that mail was handed over, the person signs up by it for all that are left. If it was " +
			"not, the next POST /api/v2/agency/members/invite for the person sends it, or POST " +
			"/api/v2/org/members/invitations/{id}/resend for the invitation that has taken its place.\n\nNOT_FOUND when the workspace has " +
			"no such member and no such invitation. An invitation that was accepted is a member with an id of its own.",
		Codes:   []problem.Code{problem.NotFound, problem.LastAdmin, problem.SuperadminRemoveForbidden},
		Example: MemberRemoved{OK: true},
	}, r.remove)
}

// RemoveMemberInput names a member.
type RemoveMemberInput struct {
	ID string `path:"id" maxLength:"64" doc:"The member's id, or the invitation's." example:"mem_01K9Q4T1YV6M3R8Z5B7C2D4E6F"`
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
		return nil, problem.New(problem.NotFound, "The workspace has no member and no invitation with this id. GET /api/v2/org/members lists its "+
			"members, GET /api/v2/org/members/invitations its invitations.")
	case errors.Is(err, member.ErrSuperadmin):
		return nil, problem.New(problem.SuperadminRemoveForbidden, "This person owns the workspace and cannot be removed.")
	case errors.Is(err, member.ErrLastAdmin):
		return nil, problem.New(problem.LastAdmin, "This person is the only admin. Make another one before: POST /api/v2/org/members/invite with the role org:admin.")
	case err != nil:
		return nil, err
	}
	return &MemberRemoved{OK: true}, nil
}
