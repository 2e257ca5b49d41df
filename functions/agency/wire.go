package agency

import (
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/web/workspacewire"
	"earshot/shared/workspace"
)

// Agency is an agency on the wire.
type Agency struct {
	ID                string        `json:"id" doc:"Id of the agency: agc_…"`
	Name              string        `json:"name"`
	AnchorWorkspaceID string        `json:"anchorWorkspaceId" doc:"The agency's own workspace, which cannot be deleted. Requests for the agency count against its limit."`
	Workspaces        AgencyRoom    `json:"workspaces"`
	Billing           AgencyBilling `json:"billing"`
	Active            bool          `json:"active"`
	CreatedAt         string        `json:"createdAt" format:"date-time"`
}

// AgencyRoom is how many workspaces an agency has, and can have.
type AgencyRoom struct {
	Count int `json:"count" minimum:"0"`
	Limit int `json:"limit" minimum:"0"`
}

// AgencyBilling says whether workspaces of the agency can be flexible. The deployment's operator sets it up.
type AgencyBilling struct {
	Configured           bool          `json:"configured" doc:"Whether the agency has a price. Without a price no workspace can be flexible."`
	CentsPer1000Mentions web.Null[int] `json:"centsPer1000Mentions" doc:"Price in cents of 1,000 mentions beyond a plan. null: no price is agreed."`
}

// AgencyWorkspace is a workspace of an agency on the wire.
type AgencyWorkspace struct {
	ID        string                 `json:"id" doc:"Id of the workspace: org_…"`
	Name      string                 `json:"name"`
	Domain    web.Null[string]       `json:"domain" doc:"Domain in the workspace's company profile. null: the profile has none."`
	Plan      workspacewire.PlanName `json:"plan"`
	Anchor    bool                   `json:"anchor" doc:"Whether this is the agency's own workspace, which cannot be deleted."`
	Flex      WorkspaceFlex          `json:"flex"`
	Limits    WorkspaceLimits        `json:"limits"`
	CreatedAt string                 `json:"createdAt" format:"date-time"`
}

// WorkspaceFlex is what a workspace can have beyond its plan, at the agency's price.
type WorkspaceFlex struct {
	Enabled     bool          `json:"enabled"`
	CapMentions web.Null[int] `json:"capMentions" doc:"The largest number of mentions a month beyond the plan. null: flexible billing is off."`
	BudgetCents web.Null[int] `json:"budgetCents" doc:"The most that mentions beyond the plan may cost a month, in cents. null: flexible billing is off."`
}

// WorkspaceLimits are the bounds of a workspace.
type WorkspaceLimits struct {
	Keywords int `json:"keywords" doc:"The largest number of keywords."`
	Mentions int `json:"mentions" doc:"The largest number of mentions that are collected in a month of UTC, including those of flexible billing."`
}

// AgencyWorkspaceList is an agency's workspaces.
type AgencyWorkspaceList struct {
	Data []AgencyWorkspace `json:"data"`
}

func fromAgency(a workspace.Agency, places int) Agency {
	return Agency{
		ID:                a.ID,
		Name:              a.Name,
		AnchorWorkspaceID: a.AnchorID,
		Workspaces:        AgencyRoom{Count: places, Limit: a.WorkspaceLimit},
		Billing: AgencyBilling{
			Configured:           a.FlexPrice > 0,
			CentsPer1000Mentions: web.NullIfEmpty(a.FlexPrice),
		},
		Active:    a.Active,
		CreatedAt: web.FormatTime(a.CreatedAt),
	}
}

func fromWorkspace(w workspacestore.AgencyWorkspace, anchorID string) AgencyWorkspace {
	answer := AgencyWorkspace{
		ID:     w.ID,
		Name:   w.Name,
		Domain: web.NullIfEmpty(w.Domain),
		Plan:   workspacewire.PlanName(w.Plan),
		Anchor: w.ID == anchorID,
		Limits: WorkspaceLimits{
			Keywords: w.Plan.Limits().Keywords,
			Mentions: w.MentionLimit(),
		},
		CreatedAt: web.FormatTime(w.CreatedAt),
	}
	if w.Flex.On() {
		answer.Flex = WorkspaceFlex{
			Enabled:     true,
			CapMentions: web.Some(w.Flex.Cap),
			BudgetCents: web.Some(w.Flex.Budget),
		}
	}
	return answer
}

// What the document shows.
const exampleAnchor = "org_01KAGT3E5ZB1S7D4F6H8K2V0PA"

func exampleWorkspace() AgencyWorkspace {
	shown := fromWorkspace(workspacestore.AgencyWorkspace{Workspace: workspace.Workspace{
		ID: "org_01KAGT3E5Z8W2K6T0H4R9Y3QSN", Name: "Northwind", Plan: workspace.Pro,
		Flex: workspace.Flex{Cap: 20_000, Budget: 3_000, Price: 200},
	}, Domain: "northwind.example"}, exampleAnchor)
	shown.CreatedAt = "2026-11-20T10:15:00.000Z"
	return shown
}
