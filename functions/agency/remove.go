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
		ID:      "deleteAgencyWorkspace",
		Method:  http.MethodDelete,
		Path:    "/api/v2/agency/workspaces/{orgId}",
		Group:   Group,
		Agency:  true,
		Scope:   workspace.Admin,
		Summary: "Delete a workspace of the agency permanently",
		Description: "The workspace leaves the agency at once, and its keys stop working. Each request with " +
			"such a key gets a 401. A master key that names the workspace gets a 403 FORBIDDEN_ORGANIZATION. " +
			"Everything else of the workspace, such as mentions, keywords, feeds, members and invitations, is " +
			"purged in the background.\n\n`cognitoOrgDeleted` says whether the identity provider has deleted " +
			"the workspace's group too. If it is false, the workspace is deleted all the same, and you need not " +
			"do anything. The purge deletes the group, and retries until the provider has done it. The " +
			"deployment's operator can say when this has happened.\n\nANCHOR_WORKSPACE means that the workspace " +
			"is the agency's own, which cannot be deleted. WORKSPACE_NOT_IN_AGENCY means that the agency has no " +
			"workspace with this id, or has deleted it.",
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
	Success           bool `json:"success" doc:"Whether the workspace is deleted. Always true."`
	CognitoOrgDeleted bool `json:"cognitoOrgDeleted" doc:"Whether the identity provider's group is deleted too. If not, the purge deletes it."`
}

// remove deletes the settings first: from then on nobody is let in, whatever the provider does.
func (r remove) remove(ctx context.Context, in *DeleteAgencyWorkspaceInput) (*AgencyWorkspaceDeleted, error) {
	caller := web.CallerOf(ctx)
	if in.ID == caller.Workspace.ID {
		return nil, problem.New(
			problem.AnchorWorkspace, "This is the agency's own workspace. It cannot be deleted. Name another one.",
		)
	}
	err := error(store.ErrNotFound)
	if workspace.ValidID(workspace.PrefixWorkspace, in.ID) {
		err = r.workspaces.DeleteAgencyWorkspace(ctx, caller.Workspace.AgencyID, in.ID, web.Repeated(ctx))
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, problem.New(
			problem.WorkspaceNotInAgency,
			"The agency has no workspace with this id. GET /api/v2/agency/workspaces lists "+
				"its workspaces.",
		)
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
