package agency

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"earshot/shared/port/identity"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

type remove struct {
	workspaces Workspaces
	directory  identity.Directory
	log        *slog.Logger
}

func registerDelete(api *web.API, o Options) {
	web.Register(api, web.Operation{
		ID: "deleteAgencyWorkspace", Method: http.MethodDelete, Path: "/api/v2/agency/workspaces/{orgId}", Group: Group, Agency: true,
		Scope:   workspace.Admin,
		Summary: "Delete a workspace of the agency, for good",
		Description: "It is gone from the agency at once, and so are its keys: each answers 401 from then on, and a master key that names the " +
			"workspace 403 FORBIDDEN_ORGANIZATION. Everything else that it has, such as mentions, keywords, feeds, members and invitations, is " +
			"purged in the background.\n\n`cognitoOrgDeleted` says whether the identity provider has deleted the workspace's group too. When it " +
			"is false, the workspace is gone all the same and there is nothing to do: the group is deleted with the purge, which tries until the " +
			"provider has done it. Whoever has to know when asks the deployment's operator.\n\nANCHOR_WORKSPACE for the agency's own workspace, " +
			"which cannot be deleted. WORKSPACE_NOT_IN_AGENCY for every id that is none of the agency's workspaces, one that is deleted among " +
			"them.",
		Codes:   []problem.Code{problem.WorkspaceNotInAgency, problem.AnchorWorkspace},
		Example: AgencyWorkspaceDeleted{Success: true, CognitoOrgDeleted: true},
	}, remove{o.Store, o.Directory, o.Log}.remove)
}

// DeleteAgencyWorkspaceInput names a workspace.
type DeleteAgencyWorkspaceInput struct {
	ID string `path:"orgId" doc:"The workspace's id." example:"org_01KAGT3E5Z8W2K6T0H4R9Y3QSN"`
}

// AgencyWorkspaceDeleted is the answer to a deletion.
type AgencyWorkspaceDeleted struct {
	Success           bool `json:"success" doc:"true: the workspace is deleted."`
	CognitoOrgDeleted bool `json:"cognitoOrgDeleted" doc:"Whether the identity provider's group is deleted too; when it is not, it will be."`
}

// remove deletes the settings first: from then on nobody is let in, whatever the provider does.
func (r remove) remove(ctx context.Context, in *DeleteAgencyWorkspaceInput) (*AgencyWorkspaceDeleted, error) {
	caller := web.CallerOf(ctx)
	if in.ID == caller.Workspace.ID {
		return nil, problem.New(problem.AnchorWorkspace, "This is the agency's own workspace, which cannot be deleted.")
	}
	err := error(store.ErrNotFound)
	if workspace.ValidID(workspace.PrefixWorkspace, in.ID) {
		err = r.workspaces.DeleteAgencyWorkspace(ctx, caller.Workspace.AgencyID, in.ID, web.Repeated(ctx))
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, problem.New(problem.WorkspaceNotInAgency, "The agency has no workspace of this id. GET /api/v2/agency/workspaces lists "+
			"those that it has.")
	case err != nil:
		return nil, err
	}
	return &AgencyWorkspaceDeleted{Success: true, CognitoOrgDeleted: r.group(ctx, in.ID)}, nil
}

// group says whether the provider has deleted the group. When it has not, the purge has it done.
func (r remove) group(ctx context.Context, id string) bool {
	ctx, cancel := context.WithTimeout(ctx, groupTime)
	defer cancel()
	err := r.directory.DeleteGroup(ctx, id)
	if err != nil {
		r.log.WarnContext(ctx, "the group of a deleted workspace is left to the purge", "workspace", id, "cause", err)
	}
	return err == nil
}
