package members

import (
	"context"
	"net/http"

	"earshot/shared/member"
	"earshot/shared/port/clock"
	"earshot/shared/web"
	"earshot/shared/workspace"
)

type lists struct {
	store Store
	desk  member.Desk
	clock clock.Clock
}

func registerLists(api *web.API, l lists) {
	web.Register(api, web.Operation{
		ID: "listMembers", Method: http.MethodGet, Path: "/api/v2/org/members", Group: Group, Scope: workspace.Read,
		Summary:     "List the workspace's members",
		Description: "Lists all members, oldest first.",
		Example:     MemberList{Data: []Member{exampleMember}},
	}, l.members)
	web.Register(api, web.Operation{
		ID:          "listInvitations",
		Method:      http.MethodGet,
		Path:        "/api/v2/org/members/invitations",
		Group:       Group,
		Scope:       workspace.Read,
		Summary:     "List the workspace's invitations",
		Description: "Lists the invitations that nobody has accepted, oldest first. An expired invitation is listed for up to an hour after it expired.",
		Example:     InvitationList{Data: []Invitation{exampleInvitation}},
	}, l.invitations)
}

// MemberList is a workspace's members.
type MemberList struct {
	Data []Member `json:"data" maxItems:"500"`
}

// InvitationList is a workspace's invitations.
type InvitationList struct {
	Data []Invitation `json:"data" maxItems:"500"`
}

func (l lists) members(ctx context.Context, _ *struct{}) (*MemberList, error) {
	orgID := web.CallerOf(ctx).Workspace.ID
	members, due, err := l.store.Members(ctx, orgID)
	if err != nil {
		return nil, err
	}
	l.desk.MakeMoves(ctx, orgID, due)
	list := &MemberList{Data: make([]Member, len(members))}
	for i, m := range members {
		list.Data[i] = fromMember(m)
	}
	return list, nil
}

func (l lists) invitations(ctx context.Context, _ *struct{}) (*InvitationList, error) {
	invitations, err := l.store.Invitations(ctx, web.CallerOf(ctx).Workspace.ID)
	if err != nil {
		return nil, err
	}
	now := l.clock.Now()
	list := &InvitationList{Data: make([]Invitation, len(invitations))}
	for i, invitation := range invitations {
		list.Data[i] = fromInvitation(invitation, now)
	}
	return list, nil
}
