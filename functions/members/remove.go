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
		Summary: "Remove a member",
		Description: "The person has no access to the workspace from then on. LAST_ADMIN when nobody else is an admin: make another person one " +
			"first. SUPERADMIN_REMOVE_FORBIDDEN for the person who owns the workspace. NOT_FOUND when the workspace has no such member; " +
			"an invitation is none.",
		Codes:   []problem.Code{problem.NotFound, problem.LastAdmin, problem.SuperadminRemoveForbidden},
		Example: MemberRemoved{OK: true},
	}, r.remove)
}

// RemoveMemberInput names a member.
type RemoveMemberInput struct {
	ID string `path:"id" maxLength:"64" doc:"The member's id." example:"mem_01K9Q4T1YV6M3R8Z5B7C2D4E6F"`
}

// MemberRemoved is the answer to a removal.
type MemberRemoved struct {
	OK bool `json:"ok"`
}

func (r remove) remove(ctx context.Context, in *RemoveMemberInput) (*MemberRemoved, error) {
	orgID := web.CallerOf(ctx).Workspace.ID
	err := error(store.ErrNotFound)
	if workspace.ValidID(member.PrefixMember, in.ID) {
		err = r.store.RemoveMember(ctx, orgID, in.ID, web.Repeated(ctx))
	}
	r.desk.CatchUp(ctx, orgID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, problem.New(problem.NotFound, "The workspace has no member with this id. GET /api/v2/org/members lists those that it has.")
	case errors.Is(err, member.ErrSuperadmin):
		return nil, problem.New(problem.SuperadminRemoveForbidden, "This person owns the workspace and cannot be removed.")
	case errors.Is(err, member.ErrLastAdmin):
		return nil, problem.New(problem.LastAdmin, "This person is the only admin. Make another one before: POST /api/v2/org/members/invite with the role org:admin.")
	case err != nil:
		return nil, err
	}
	return &MemberRemoved{OK: true}, nil
}
