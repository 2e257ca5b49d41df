package organization

import (
	"context"
	"errors"
	"net/http"

	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/workspacewire"
	"earshot/shared/workspace"
)

// Agencies reads agencies.
type Agencies interface {
	// Agency returns store.ErrNotFound if there is none.
	Agency(ctx context.Context, id string) (workspace.Agency, error)
}

type auth struct{ agencies Agencies }

func registerAuth(api *web.API, a auth) {
	web.Register(api, web.Operation{
		ID: "getAuth", Method: http.MethodGet, Path: "/api/v2/auth", Group: Group, Agents: true,
		Summary: "Read the key of the request and its permissions",
		Description: "Returns the key of the request with its scopes and its expiry. Also returns the workspace " +
			"that the key acts in, and that workspace's agency. An agency's master key acts in the workspace " +
			"that the header names.",
		Example: Auth{
			Key: AuthKey{
				ID:        "key_01KAGT3E5Z7N0Q4W8R2M6Y9XJC",
				Name:      "Dashboard",
				Scope:     "write",
				Scopes:    []ScopeName{"read", "write"},
				CreatedAt: "2026-11-01T08:00:00.000Z",
				ExpiresAt: web.Some(Moment("2027-01-30T08:00:00.000Z")),
			},
			Workspace: AuthWorkspace{ID: "org_01KAGT3E5ZB1S7D4F6H8K2V0PA", Name: "Northwind", Plan: "pro"},
		},
	}, a.get)
}

// Auth describes the key of the request.
type Auth struct {
	Key       AuthKey              `json:"key"`
	Workspace AuthWorkspace        `json:"workspace"`
	Agency    web.Null[AuthAgency] `json:"agency" doc:"The agency that the workspace belongs to."`
}

// AuthKey is the key itself.
type AuthKey struct {
	ID        string           `json:"id" example:"key_01KAGT3E5Z7N0Q4W8R2M6Y9XJC"`
	Name      string           `json:"name"`
	Scope     ScopeName        `json:"scope"`
	Scopes    []ScopeName      `json:"scopes" doc:"The key's scope and the scopes that it implies."`
	Master    bool             `json:"master" doc:"Whether the key is an agency's master key, which acts in the workspace that the header names."`
	CreatedAt Moment           `json:"createdAt"`
	ExpiresAt web.Null[Moment] `json:"expiresAt" doc:"When the key expires. null: never."`
}

// AuthWorkspace is the workspace that a key acts in.
type AuthWorkspace struct {
	ID   string                 `json:"id"`
	Name string                 `json:"name"`
	Plan workspacewire.PlanName `json:"plan"`
}

// AuthAgency is the agency of a workspace.
type AuthAgency struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func (a auth) get(ctx context.Context, _ *struct{}) (*Auth, error) {
	caller := web.CallerOf(ctx)
	key, w := caller.Key, caller.Workspace
	answer := &Auth{
		Key: AuthKey{ID: key.ID, Name: key.Name, Scope: ScopeName(key.Scope.String()), Master: key.Master(),
			CreatedAt: fromTime(key.CreatedAt), ExpiresAt: fromEnd(key.ExpiresAt)},
		Workspace: AuthWorkspace{ID: w.ID, Name: w.Name, Plan: workspacewire.PlanName(w.Plan)},
	}
	for _, scope := range key.Scope.Implied() {
		answer.Key.Scopes = append(answer.Key.Scopes, ScopeName(scope.String()))
	}
	switch {
	case key.Master():
		answer.Agency = web.Some(AuthAgency{ID: key.Agency.ID, Name: key.Agency.Name})
	case w.AgencyID != "":
		agency, err := a.agencies.Agency(ctx, w.AgencyID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		if err == nil {
			answer.Agency = web.Some(AuthAgency{ID: agency.ID, Name: agency.Name})
		}
	}
	return answer, nil
}
