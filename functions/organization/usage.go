package organization

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

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
	// ModelUse counts the tokens of today's requests to the model.
	ModelUse(ctx context.Context, orgID string) (workspacestore.ModelUse, error)
}

type usage struct {
	usages Usages
	// modelTokens is what the judge may spend in a day, and what the wizard and summaries may; 0: there is no model.
	modelTokens int
}

// agentTokens is what the setup agents of a workspace may spend in a day: proposal.AgentDaily.
const agentTokens = 4_500_000

func registerUsage(api *web.API, u usage) {
	web.Register(api, web.Operation{
		ID:      "getUsage",
		Method:  http.MethodGet,
		Path:    "/api/v2/org/usage",
		Group:   Group,
		Agents:  true,
		Summary: "Read how much of its plan the workspace has used",
		Description: "Mentions count in the month of UTC in which they are stored. A new result of a search counts in " +
			"the month in which the search ends. Only the Agents plan has `searches`.\n\n" +
			"`ai` has the tokens that the deployment's model counted on a day of UTC, today, for this workspace: those of " +
			"`wizard` (POST /ai/filter-wizard), `summary` (POST /ai/summaries, and weekly digests), `judge` (posts of " +
			"which the judge is unsure) and `agent` (setup proposals). Each response of the model counts once. A request " +
			"that got none counts nothing. `limit` is what the day's budgets allow together, null if there is no model. " +
			"Budgets reserve more for a request than it uses, so that they may be spent below the limit: rules then do the " +
			"work.",
		Example: OrganizationUsage{
			Plan:     "pro",
			Mentions: MentionUsage{Count: 1204, Limit: 25000, ResetAt: "2026-12-01T00:00:00.000Z"},
			Keywords: KeywordUsage{Count: 9, Limit: 20},
			AI: AIUsage{
				Date: "2026-11-20", InputTokens: 18400, OutputTokens: 1200, Limit: web.Some(int64(4700000)),
				Kinds: []AIKindUsage{
					{Kind: "wizard", InputTokens: 6400, OutputTokens: 300},
					{Kind: "summary", InputTokens: 12000, OutputTokens: 900},
					{Kind: "judge"}, {Kind: "agent"},
				},
			},
		},
	}, u.get)
}

// OrganizationUsage is what a workspace has used of its plan.
type OrganizationUsage struct {
	Plan     workspacewire.PlanName `json:"plan"`
	Mentions MentionUsage           `json:"mentions"`
	Keywords KeywordUsage           `json:"keywords"`
	Searches *SearchUsage           `json:"searches,omitempty"`
	AI       AIUsage                `json:"ai"`
}

// AIUsage counts the tokens of a model on a day.
type AIUsage struct {
	Date         string          `json:"date" format:"date" doc:"Today, in UTC."`
	InputTokens  int64           `json:"inputTokens" minimum:"0"`
	OutputTokens int64           `json:"outputTokens" minimum:"0"`
	Limit        web.Null[int64] `json:"limit" doc:"Tokens that the workspace's budgets of the day allow, in and out. Null if there is no model."`
	Kinds        []AIKindUsage   `json:"kinds" minItems:"4" maxItems:"4" doc:"The tokens by what the model was asked for."`
}

// AIKindUsage counts the tokens of one use of the model.
type AIKindUsage struct {
	Kind         AIKind `json:"kind"`
	InputTokens  int64  `json:"inputTokens" minimum:"0"`
	OutputTokens int64  `json:"outputTokens" minimum:"0"`
}

// AIKind is what a model is asked for.
type AIKind string

// Schema lists the kinds.
func (AIKind) Schema(huma.Registry) *huma.Schema {
	return web.OneOf("What the model was asked for.", workspacestore.ModelKinds()...)
}

// fromModelUse writes what a model counted.
func (u usage) fromModelUse(use workspacestore.ModelUse) AIUsage {
	wire := AIUsage{Date: use.Day}
	if u.modelTokens > 0 {
		wire.Limit = web.Some(int64(2*u.modelTokens + agentTokens))
	}
	for _, kind := range workspacestore.ModelKinds() {
		of := use.ByKind[kind]
		wire.InputTokens += of.Input
		wire.OutputTokens += of.Output
		wire.Kinds = append(wire.Kinds, AIKindUsage{AIKind(kind), of.Input, of.Output})
	}
	return wire
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
	used, err := u.usages.ModelUse(ctx, w.ID)
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
		AI:       u.fromModelUse(used),
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
