package agency

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/port/identity"
	"earshot/shared/store"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/web/workspacewire"
	"earshot/shared/workspace"
)

type create struct {
	workspaces Workspaces
	directory  identity.Directory
	log        *slog.Logger
}

func registerCreate(api *web.API, o Options) {
	web.Register(api, web.Operation{
		ID:      "createAgencyWorkspace",
		Method:  http.MethodPost,
		Path:    "/api/v2/agency/workspaces",
		Group:   Group,
		Agency:  true,
		Scope:   workspace.Admin,
		Summary: "Create a workspace of the agency",
		Description: "With `domain`, the workspace begins with a company profile of that domain and the " +
			"workspace's name. `domain` is a name of at least two labels under a public suffix, or under a " +
			"reserved one such as `.example`. It has no scheme, path or other text around it. It is returned in " +
			"lower case and in ASCII.\n\nA flexible workspace takes up to `flex.capMentions` more mentions a " +
			"month than its plan. `flex.budgetCents` bounds what they cost at the agency's present price. A " +
			"missing value is FLEX_REQUIRES_CAP or FLEX_REQUIRES_BUDGET. AGENCY_BILLING_NOT_CONFIGURED means " +
			"that the agency has no price. The quota of the Agents plan is fixed, so it cannot be flexible: " +
			"INVALID_INPUT.\n\nAGENCY_WORKSPACE_LIMIT means that the agency has no room.\n\nA workspace is " +
			"created whole or not at all. WORKSPACE_CREATE_FAILED, WORKSPACE_ACCESS_FAILED and " +
			"WORKSPACE_SETUP_FAILED name the step that failed. Its remains are removed at once. If that fails " +
			"too, they are removed within minutes, and count against the agency's room until then. The request " +
			"can be sent again. With an Idempotency-Key, a request whose response was lost can be repeated " +
			"without creating a second workspace.",
		Codes: []problem.Code{
			problem.AgencyNotFound, problem.InvalidDomain, problem.FlexRequiresCap, problem.FlexRequiresBudget,
			problem.AgencyBillingNotConfigured, problem.AgencyWorkspaceLimit, problem.WorkspaceCreateFailed,
			problem.WorkspaceAccessFailed, problem.WorkspaceSetupFailed,
		},
		Example: exampleWorkspace(),
	}, create{o.Store, o.Directory, o.Log}.create)
}

// CreateAgencyWorkspace is the body of a creation.
type CreateAgencyWorkspace struct {
	Name   string                 `json:"name" minLength:"1" maxLength:"100" doc:"Name of the workspace, without a URL, domain or e-mail address. Invitation mails quote it."`
	Domain *string                `json:"domain,omitempty" doc:"Domain of the workspace's company, such as acme.com."`
	Plan   workspacewire.PlanName `json:"plan,omitempty" default:"free_trial"`
	Flex   *FlexWanted            `json:"flex,omitempty"`
}

// FlexWanted is what a workspace is to have beyond its plan.
type FlexWanted struct {
	Enabled     bool `json:"enabled"`
	CapMentions *int `json:"capMentions,omitempty" minimum:"1" maximum:"100000000" doc:"The largest number of mentions a month beyond the plan."`
	BudgetCents *int `json:"budgetCents,omitempty" minimum:"1" maximum:"100000000" doc:"The most that mentions beyond the plan may cost a month, in cents."`
}

// Resolve reports what the schema cannot say.
func (c *CreateAgencyWorkspace) Resolve(_ huma.Context, at *huma.PathBuffer) []error {
	return workspacewire.QuotedNameFaults(at, "name", c.Name)
}

// Resolve reports what the schema cannot say.
func (f *FlexWanted) Resolve(_ huma.Context, at *huma.PathBuffer) (faults []error) {
	if f.Enabled {
		return nil
	}
	const remedy = "expected only where enabled is true: leave it out, or enable flex"
	if f.CapMentions != nil {
		faults = append(faults, web.Fault(at, "capMentions", "unexpected", remedy))
	}
	if f.BudgetCents != nil {
		faults = append(faults, web.Fault(at, "budgetCents", "unexpected", remedy))
	}
	return faults
}

// CreateAgencyWorkspaceInput asks for a workspace.
type CreateAgencyWorkspaceInput struct{ Body CreateAgencyWorkspace }

// wanted is the workspace that a body asks for, and its company profile.
func (c CreateAgencyWorkspace) wanted(
	agency workspace.Agency,
) (w workspace.Workspace, about workspace.Company, err error) {
	w = workspace.Workspace{Name: strings.TrimSpace(c.Name), Plan: workspace.Plan(c.Plan)}
	if c.Domain != nil {
		domain, err := workspace.ParseDomain(*c.Domain)
		if err != nil {
			return w, about, problem.New(problem.InvalidDomain, "%s", err)
		}
		about = workspace.Company{Name: w.Name, Domain: domain}
	}
	if c.Flex == nil || !c.Flex.Enabled {
		return w, about, nil
	}
	switch {
	case c.Flex.CapMentions == nil:
		return w, about, problem.New(
			problem.FlexRequiresCap,
			"Flexible billing needs a cap. Send flex.capMentions, the largest number of mentions "+
				"a month beyond the plan.",
		)
	case c.Flex.BudgetCents == nil:
		return w, about, problem.New(
			problem.FlexRequiresBudget,
			"Flexible billing needs a budget. Send flex.budgetCents, the most that mentions "+
				"beyond the plan may cost a month.",
		)
	case w.Plan == workspace.Agents:
		return w, about, problem.New(
			problem.InvalidInput, "The Agents plan cannot be flexible. Choose another plan, or leave flex out.",
		)
	case agency.FlexPrice <= 0:
		return w, about, problem.New(
			problem.AgencyBillingNotConfigured,
			"The agency has no price for mentions beyond a plan. Ask the "+
				"deployment's operator to set its billing up, or leave flex out.",
		)
	}
	w.Flex = workspace.Flex{Cap: *c.Flex.CapMentions, Budget: *c.Flex.BudgetCents, Price: agency.FlexPrice}
	return w, about, nil
}

// How long is waited for the directory's word on a group, and for what undoes a creation that failed.
const (
	groupTime = 10 * time.Second
	undoTime  = 5 * time.Second
)

func (c create) create(ctx context.Context, in *CreateAgencyWorkspaceInput) (*AgencyWorkspace, error) {
	caller := web.CallerOf(ctx)
	w, about, err := in.Body.wanted(*caller.Key.Agency)
	if err != nil {
		return nil, err
	}
	reserved, err := c.workspaces.ReserveWorkspace(ctx, caller.Workspace.AgencyID, web.Repeated(ctx))
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, noAgency()
	case errors.Is(err, workspacestore.ErrAgencyFull):
		return nil, problem.New(
			problem.AgencyWorkspaceLimit,
			"The agency has no room for another workspace. GET /api/v2/agency says how many it can have. "+
				"Delete one that is not needed, or ask the deployment's operator for more room.",
		)
	case err != nil:
		return c.failed(ctx, reserved, problem.WorkspaceCreateFailed, err)
	case reserved.Made: // by a request that died before it could answer, and of which this is a repeat
		return c.made(ctx, reserved)
	}
	if err := c.group(ctx, reserved.WorkspaceID); err != nil {
		return c.failed(ctx, reserved, problem.WorkspaceAccessFailed, err)
	}
	opened, err := c.workspaces.OpenWorkspace(ctx, reserved, w, about)
	switch {
	case errors.Is(err, workspacestore.ErrReservationLost):
		return c.failed(ctx, reserved, problem.WorkspaceCreateFailed, err)
	case err != nil:
		return c.failed(ctx, reserved, problem.WorkspaceSetupFailed, err)
	}
	answer := fromWorkspace(opened, caller.Workspace.ID)
	return &answer, nil
}

// group makes the provider's group of the workspace.
func (c create) group(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, groupTime)
	defer cancel()
	return c.directory.CreateGroup(ctx, id)
}

// made is the answer for a workspace that there is.
func (c create) made(ctx context.Context, r workspacestore.Reservation) (*AgencyWorkspace, error) {
	found, err := c.workspaces.AgencyWorkspace(ctx, r.AgencyID, r.WorkspaceID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, problem.New(
			problem.InvalidInput,
			"The workspace that this request created has been deleted since. Send a new "+
				"Idempotency-Key to create another.",
		)
	}
	if err != nil {
		return nil, err
	}
	answer := fromWorkspace(found, web.CallerOf(ctx).Workspace.ID)
	return &answer, nil
}

// failures say at which step a workspace could not be made.
var failures = map[problem.Code]string{
	problem.WorkspaceCreateFailed: "The workspace could not be created.",
	problem.WorkspaceAccessFailed: "Access to the workspace could not be set up with the identity provider.",
	problem.WorkspaceSetupFailed:  "The workspace's settings could not be written.",
}

// failed takes away what there is of a workspace that could not be made, and answers so. When the last step was done
// after all, though nobody heard of it, the answer is the workspace.
func (c create) failed(
	ctx context.Context, r workspacestore.Reservation, code problem.Code, cause error,
) (*AgencyWorkspace, error) {
	// What was begun is undone even when the time of the request is used up by it.
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTime)
	defer cancel()
	left, err := "Nothing is left of it", c.undo(after, r, cause)
	if errors.Is(err, workspacestore.ErrWorkspaceMade) {
		return c.made(after, r)
	}
	if err != nil {
		c.log.ErrorContext(
			ctx, "what was begun of a workspace is left to the purge", "workspace", r.WorkspaceID, "agency", r.AgencyID,
			"cause", err,
		)
		if code == problem.WorkspaceSetupFailed {
			return nil, problem.New(problem.InternalError,
				"It is unknown whether the workspace was created. GET /api/v2/agency/workspaces "+
					"lists it if it was. With an Idempotency-Key, the same request creates no second workspace.").
				Because(cause)
		}
		left = "What was begun of it is taken away within minutes"
	}
	return nil, problem.New(code, "%s %s: send the request again.", failures[code], left).Because(cause)
}

// undo frees the place and takes the group away. While it is not known whether the group was made, the purge looks
// after it once more.
func (c create) undo(ctx context.Context, r workspacestore.Reservation, cause error) error {
	err := c.workspaces.AbandonWorkspace(ctx, r)
	if errors.Is(err, workspacestore.ErrReservationLost) { // what is left is another's to make, or to take away
		return nil
	}
	if err != nil {
		return err
	}
	if err := c.directory.DeleteGroup(ctx, r.WorkspaceID); err != nil {
		return fmt.Errorf("delete the group: %w", err)
	}
	if errors.Is(cause, identity.ErrUnavailable) || errors.Is(cause, context.DeadlineExceeded) ||
		errors.Is(cause, context.Canceled) {
		return nil
	}
	return c.workspaces.ForgetWorkspace(ctx, r)
}
