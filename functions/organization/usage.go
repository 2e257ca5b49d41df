package organization

import (
	"context"
	"net/http"

	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/web/workspacewire"
	"earshot/shared/workspace"
)

// Usages reads what a workspace has used of its plan.
type Usages interface {
	// Usage counts the mentions of the month.
	Usage(ctx context.Context, w workspace.Workspace) (workspacestore.Usage, error)
	// KeywordsUsed counts the keywords that there are.
	KeywordsUsed(ctx context.Context, orgID string) (int, error)
	// SearchesUsed counts the searches of the workspace's life.
	SearchesUsed(ctx context.Context, orgID string) (int, error)
}

type usage struct{ usages Usages }

func registerUsage(api *web.API, u usage) {
	web.Register(api, web.Operation{
		ID:      "getUsage",
		Method:  http.MethodGet,
		Path:    "/api/v2/org/usage",
		Group:   Group,
		Agents:  true,
		Summary: "Read how much of its plan the workspace has used",
		Description: "Mentions count in the month of UTC in which they are stored. A new result of a search counts in " +
			"the month in which the search ends. Only the Agents plan has `searches`.",
		Example: OrganizationUsage{
			Plan:     "pro",
			Mentions: MentionUsage{Count: 1204, Limit: 25000, ResetAt: "2026-12-01T00:00:00.000Z"},
			Keywords: KeywordUsage{Count: 9, Limit: 20},
		},
	}, u.get)
}

// OrganizationUsage is what a workspace has used of its plan.
type OrganizationUsage struct {
	Plan     workspacewire.PlanName `json:"plan"`
	Mentions MentionUsage           `json:"mentions"`
	Keywords KeywordUsage           `json:"keywords"`
	Searches *SearchUsage           `json:"searches,omitempty"`
}

// MentionUsage counts the mentions of the month.
type MentionUsage struct {
	Count   int    `json:"count" minimum:"0"`
	Limit   int    `json:"limit" minimum:"0"`
	ResetAt Moment `json:"resetAt" doc:"When the next month of UTC begins."`
	Stopped bool   `json:"stopped" doc:"Whether collection has stopped until resetAt."`
}

// KeywordUsage counts the keywords.
type KeywordUsage struct {
	Count int `json:"count" minimum:"0"`
	Limit int `json:"limit" minimum:"0"`
}

// SearchUsage counts the searches of a workspace's life.
type SearchUsage struct {
	Used      int `json:"used" minimum:"0"`
	Limit     int `json:"limit" minimum:"0"`
	Remaining int `json:"remaining" minimum:"0"`
}

func (u usage) get(ctx context.Context, _ *struct{}) (*OrganizationUsage, error) {
	return u.read(ctx, web.CallerOf(ctx).Workspace)
}

func (u usage) read(ctx context.Context, w workspace.Workspace) (*OrganizationUsage, error) {
	limits := w.Plan.Limits()
	mentions, err := u.usages.Usage(ctx, w)
	if err != nil {
		return nil, err
	}
	keywords, err := u.usages.KeywordsUsed(ctx, w.ID)
	if err != nil {
		return nil, err
	}
	answer := &OrganizationUsage{
		Plan: workspacewire.PlanName(w.Plan),
		Mentions: MentionUsage{
			Count:   mentions.Stored,
			Limit:   mentions.Limit,
			ResetAt: fromTime(mentions.ResetAt),
			Stopped: mentions.Stopped,
		},
		Keywords: KeywordUsage{Count: keywords, Limit: limits.Keywords},
	}
	if w.Plan == workspace.Agents {
		searches, err := u.usages.SearchesUsed(ctx, w.ID)
		if err != nil {
			return nil, err
		}
		answer.Searches = &SearchUsage{
			Used:      searches,
			Limit:     limits.Searches,
			Remaining: max(0, limits.Searches-searches),
		}
	}
	return answer, nil
}
