package organization

import (
	"context"
	"errors"
	"net/http"

	"earshot/shared/grant"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Grants keeps what members let programs do.
type Grants interface {
	// Grants lists a workspace's grants, newest first.
	Grants(ctx context.Context, orgID string) ([]grant.Grant, error)
	// EndGrantOnce ends a grant of the workspace. Returns store.ErrNotFound if the workspace has no such grant, unless a
	// request of this name ended it.
	EndGrantOnce(ctx context.Context, orgID, id, request string) error
}

type grants struct{ grants Grants }

func registerGrants(api *web.API, g grants) {
	web.Register(api, web.Operation{
		ID: "listGrants", Method: http.MethodGet, Path: "/api/v2/org/grants", Group: Group,
		Summary: "List the programs that members have connected, newest first",
		Description: "A grant is what a member lets a program do in the workspace, by OAuth. It lasts until it is ended, or " +
			"until the program has not renewed its tokens for 30 days.",
		Example: GrantList{Data: []Grant{{
			ID:        "grt_01KAGT3E5Z7N0Q4W8R2M6Y9XJC",
			Client:    GrantClient{ID: "https://notebook.example/client.json", Name: "Notebook"},
			Member:    GrantMember{ID: "mem_01KAGT3E5Z7N0Q4W8R2M6Y9XJC", Email: "quietharbor@northwind.example"},
			Scope:     "write",
			Resource:  grant.ResourceMCP,
			CreatedAt: "2026-11-20T09:30:00.000Z",
			UsedAt:    "2026-11-20T11:30:00.000Z",
			ExpiresAt: "2026-12-20T11:30:00.000Z",
		}}},
	}, g.list)
	web.Register(api, web.Operation{
		ID: "endGrant", Method: http.MethodDelete, Path: "/api/v2/org/grants/{id}", Group: Group, Scope: workspace.Admin,
		Summary:     "End a grant with all its tokens",
		Description: "Every request with one of its tokens gets a 401 from then on.",
		Codes:       []problem.Code{problem.NotFound}, Example: EndedGrant{OK: true},
	}, g.end)
}

// Grant is what a member lets a program do.
type Grant struct {
	ID        string      `json:"id"`
	Client    GrantClient `json:"client"`
	Member    GrantMember `json:"member"`
	Scope     ScopeName   `json:"scope" doc:"The widest scope. The member's role bounds it at each request."`
	Resource  string      `json:"resource" enum:"/api/mcp/v2,/api/v2" doc:"Where tokens are good: the MCP server or the REST API."`
	CreatedAt Moment      `json:"createdAt"`
	UsedAt    Moment      `json:"usedAt" doc:"When the program last got tokens, which it does every hour at most."`
	ExpiresAt Moment      `json:"expiresAt" doc:"When the grant ends unless the program renews its tokens."`
}

// GrantClient is the program.
type GrantClient struct {
	ID   string `json:"id" doc:"The URL of its metadata, or the id of its registration."`
	Name string `json:"name" doc:"As it names itself. Nobody has checked it."`
}

// GrantMember is the person who approved.
type GrantMember struct {
	ID    string `json:"id"`
	Email string `json:"email"`
}

// GrantList is the response of the list.
type GrantList struct {
	Data []Grant `json:"data"`
}

// EndedGrant is the response to an end.
type EndedGrant struct {
	OK bool `json:"ok"`
}

// EndGrantInput names a grant.
type EndGrantInput struct {
	ID string `path:"id" doc:"The grant's id." example:"grt_01KAGT3E5Z7N0Q4W8R2M6Y9XJC"`
}

func (g grants) list(ctx context.Context, _ *struct{}) (*GrantList, error) {
	found, err := g.grants.Grants(ctx, web.CallerOf(ctx).Workspace.ID)
	if err != nil {
		return nil, err
	}
	list := &GrantList{Data: make([]Grant, len(found))}
	for i, one := range found {
		list.Data[i] = Grant{
			ID: one.ID, Client: GrantClient{one.ClientID, one.ClientName}, Member: GrantMember{one.MemberID, one.Email},
			Scope: ScopeName(one.Scope.String()), Resource: one.Resource,
			CreatedAt: fromTime(one.CreatedAt), UsedAt: fromTime(one.UsedAt), ExpiresAt: fromTime(one.ExpiresAt),
		}
	}
	return list, nil
}

func (g grants) end(ctx context.Context, in *EndGrantInput) (*EndedGrant, error) {
	err := store.ErrNotFound
	if workspace.ValidID(grant.PrefixGrant, in.ID) {
		err = g.grants.EndGrantOnce(ctx, web.CallerOf(ctx).Workspace.ID, in.ID, web.Repeated(ctx))
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, problem.New(problem.NotFound,
			"The workspace has no grant with this id. GET /api/v2/org/grants lists them.")
	}
	if err != nil {
		return nil, err
	}
	return &EndedGrant{OK: true}, nil
}
