package organization

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/web/workspacewire"
	"earshot/shared/workspace"
)

// Workspaces changes workspaces.
type Workspaces interface {
	// ChangeWorkspace changes a workspace and its keys' copies of it together. The change may be called more than once.
	// Returns store.ErrNotFound if there is no such workspace.
	ChangeWorkspace(ctx context.Context, id string, change func(*workspace.Workspace) error) error
}

type org struct{ workspaces Workspaces }

func registerWorkspace(api *web.API, o org) {
	example := fromWorkspace(
		workspace.Workspace{ID: "org_01KAGT3E5ZB1S7D4F6H8K2V0PA", Name: "Northwind", Plan: workspace.Pro},
	)
	example.CreatedAt = "2026-11-01T08:00:00.000Z"
	web.Register(api, web.Operation{
		ID: "getOrganization", Method: http.MethodGet, Path: "/api/v2/org", Group: Group, Agents: true, ETag: true,
		Summary: "Read the workspace: its name, plan and the plan's limits", Example: example,
	}, o.get)
	web.Register(api, web.Operation{
		ID:          "updateOrganization",
		Method:      http.MethodPatch,
		Path:        "/api/v2/org",
		Group:       Group,
		Scope:       workspace.Write,
		ETag:        true,
		Summary:     "Rename the workspace",
		Description: "Changes only the name. Every key of the workspace returns the new name at once.",
		Codes:       []problem.Code{problem.OrgNotFound},
		Example:     example,
	}, o.update)
}

// Organization is a workspace on the wire.
type Organization struct {
	ID        string                 `json:"id"`
	Name      string                 `json:"name"`
	Plan      workspacewire.PlanName `json:"plan"`
	AgencyID  web.Null[string]       `json:"agencyId" doc:"The agency that the workspace belongs to."`
	Flags     []string               `json:"flags" doc:"Beta features that are on for the workspace."`
	CreatedAt Moment                 `json:"createdAt"`
	Limits    OrganizationLimits     `json:"limits"`
}

// OrganizationLimits are a plan's bounds.
type OrganizationLimits struct {
	Keywords int           `json:"keywords" doc:"The largest number of keywords."`
	Mentions int           `json:"mentions" doc:"The largest number of mentions that are collected in a month of UTC."`
	Searches web.Null[int] `json:"searches" doc:"The largest number of searches in the workspace's life. null: no limit."`
}

// UpdateOrganization is the body of a change.
type UpdateOrganization struct {
	Name *string `json:"name,omitempty" minLength:"1" maxLength:"100" doc:"Name of the workspace, without a URL, domain or e-mail address. Invitation mails quote it."`
}

// Resolve reports faults that the schema cannot express.
func (u *UpdateOrganization) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	if u.Name == nil {
		return nil
	}
	return workspacewire.QuotedNameFaults(at, "name", *u.Name)
}

// UpdateOrganizationInput holds a change.
type UpdateOrganizationInput struct{ Body UpdateOrganization }

func (o org) get(ctx context.Context, _ *struct{}) (*Organization, error) {
	answer := fromWorkspace(web.CallerOf(ctx).Workspace) // as its last change has left it: it was read with the key
	return &answer, nil
}

func (o org) update(ctx context.Context, in *UpdateOrganizationInput) (*Organization, error) {
	changed := web.CallerOf(ctx).Workspace
	if name := in.Body.Name; name != nil && strings.TrimSpace(*name) != changed.Name {
		err := o.workspaces.ChangeWorkspace(ctx, changed.ID, func(w *workspace.Workspace) error {
			w.Name = strings.TrimSpace(*name)
			changed = *w
			return nil
		})
		if errors.Is(err, store.ErrNotFound) {
			return nil, gone()
		}
		if err != nil {
			return nil, err
		}
	}
	answer := fromWorkspace(changed)
	return &answer, nil
}

// gone returns the client's error if the workspace was deleted after its key was admitted.
func gone() error {
	return problem.New(problem.OrgNotFound, "The workspace has been deleted. Use a key of another workspace.")
}

func fromWorkspace(w workspace.Workspace) Organization {
	limits := w.Plan.Limits()
	return Organization{
		ID:        w.ID,
		Name:      w.Name,
		Plan:      workspacewire.PlanName(w.Plan),
		AgencyID:  web.NullIfEmpty(w.AgencyID),
		Flags:     append([]string{}, w.Flags...),
		CreatedAt: fromTime(w.CreatedAt),
		Limits: OrganizationLimits{
			Keywords: limits.Keywords,
			Mentions: w.MentionLimit(),
			Searches: web.NullIfEmpty(limits.Searches),
		},
	}
}
