package agency

import (
	"context"
	"errors"
	"net/http"

	"earshot/shared/store"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Workspaces is what the function asks of the store about an agency's workspaces.
type Workspaces interface {
	// Agency reads an agency. Answers store.ErrNotFound.
	Agency(ctx context.Context, id string) (workspace.Agency, error)
	// AgencyPlaces counts what the agency's limit bounds: its workspaces, and those that are being made.
	AgencyPlaces(ctx context.Context, agencyID string) (int, error)
	// AgencyWorkspacesInFull lists an agency's workspaces, oldest first.
	AgencyWorkspacesInFull(ctx context.Context, agencyID string) ([]workspacestore.AgencyWorkspace, error)
	// AgencyWorkspace reads one of them. Answers store.ErrNotFound.
	AgencyWorkspace(ctx context.Context, agencyID, id string) (workspacestore.AgencyWorkspace, error)

	// ReserveWorkspace keeps a place for a workspace that is to be made, exact against the agency's limit; a repeat of
	// a request finds what it has. Answers store.ErrNotFound and store.ErrAgencyFull; with any other error it may have
	// kept the place that it answers.
	ReserveWorkspace(ctx context.Context, agencyID, request string) (workspacestore.Reservation, error)
	// OpenWorkspace makes the workspace of a place that is kept. Answers store.ErrReservationLost; after any other
	// error it may have been made.
	OpenWorkspace(
		ctx context.Context, r workspacestore.Reservation, w workspace.Workspace, c workspace.Company,
	) (workspacestore.AgencyWorkspace, error)
	// AbandonWorkspace frees a place. Answers store.ErrWorkspaceMade and store.ErrReservationLost when it is not to be
	// freed.
	AbandonWorkspace(ctx context.Context, r workspacestore.Reservation) error
	// ForgetWorkspace says that nothing is left of a workspace that was abandoned.
	ForgetWorkspace(ctx context.Context, r workspacestore.Reservation) error

	// DeleteAgencyWorkspace ends a workspace of the agency and its keys; a repeat of the request finds its work done.
	// Answers store.ErrNotFound for what is no workspace of the agency.
	DeleteAgencyWorkspace(ctx context.Context, agencyID, id, request string) error
}

type read struct{ workspaces Workspaces }

func registerRead(api *web.API, o Options) {
	r := read{o.Store}
	web.Register(api, web.Operation{
		ID:          "getAgency",
		Method:      http.MethodGet,
		Path:        "/api/v2/agency",
		Group:       Group,
		Agency:      true,
		Scope:       workspace.Admin,
		Summary:     "Read the agency: its room for workspaces, and whether its billing is set up",
		Description: "The count includes workspaces that are being created at the moment.",
		Codes:       []problem.Code{problem.AgencyNotFound},
		Example: Agency{
			ID:                "agc_01KAGT3E5ZQ4C7N1V9B2X5M8RD",
			Name:              "Harbour Agency",
			AnchorWorkspaceID: exampleAnchor,
			Workspaces: AgencyRoom{
				Count: 4,
				Limit: 25,
			},
			Billing:   AgencyBilling{Configured: true, CentsPer1000Mentions: web.Some(200)},
			Active:    true,
			CreatedAt: "2026-11-01T08:00:00.000Z",
		},
	}, r.agency)
	web.Register(api, web.Operation{
		ID:          "listAgencyWorkspaces",
		Method:      http.MethodGet,
		Path:        "/api/v2/agency/workspaces",
		Group:       Group,
		Agency:      true,
		Scope:       workspace.Admin,
		Summary:     "List the agency's workspaces",
		Description: "Lists all workspaces, oldest first. `anchor` marks the agency's own workspace. A new workspace is listed when it can be used.",
		Example:     AgencyWorkspaceList{Data: []AgencyWorkspace{exampleWorkspace()}},
	}, r.list)
}

func (r read) agency(ctx context.Context, _ *struct{}) (*Agency, error) {
	id := web.CallerOf(ctx).Workspace.AgencyID
	found, err := r.workspaces.Agency(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, noAgency()
	}
	if err != nil {
		return nil, err
	}
	places, err := r.workspaces.AgencyPlaces(ctx, id)
	if err != nil {
		return nil, err
	}
	answer := fromAgency(found, places)
	return &answer, nil
}

func (r read) list(ctx context.Context, _ *struct{}) (*AgencyWorkspaceList, error) {
	caller := web.CallerOf(ctx)
	found, err := r.workspaces.AgencyWorkspacesInFull(ctx, caller.Workspace.AgencyID)
	if err != nil {
		return nil, err
	}
	list := &AgencyWorkspaceList{Data: make([]AgencyWorkspace, len(found))}
	for i, w := range found {
		list.Data[i] = fromWorkspace(w, caller.Workspace.ID)
	}
	return list, nil
}

// noAgency is the answer when the agency was taken away after its key had been let in.
func noAgency() error {
	return problem.New(problem.AgencyNotFound, "The agency of this key no longer exists.")
}
