// Package ai is the function of the operations that a model may help with ("ai" in the contract). The filter wizard turns
// a request into a filter. Summaries say what mentions say: the function summaries writes them, called by a queue. What a
// model says never becomes an operation.
package ai

import (
	"context"
	"log/slog"
	"net/http"

	"earshot/shared/feed"
	"earshot/shared/keyword"
	"earshot/shared/lambdalog"
	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/summary"
	"earshot/shared/web"
	"earshot/shared/wizard"
)

// Group names the function, its tag and its folder.
const Group = "ai"

// Store is the part of the store that the function uses.
type Store interface {
	// Keywords lists a workspace's keywords.
	Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error)
	// Feeds lists its feeds.
	Feeds(ctx context.Context, orgID string) ([]feed.Feed, error)
	// Feed returns store.ErrNotFound if there is none.
	Feed(ctx context.Context, orgID string, id int64) (feed.Feed, error)
	// KeywordsKnown takes at most table.MaxBatchGet ids, each once.
	KeywordsKnown(ctx context.Context, orgID string, ids []int64) (map[int64]bool, error)
	// BegunSummary returns the summary of a named request; its ID is empty if there is none.
	BegunSummary(ctx context.Context, orgID, request string) (summary.Summary, error)
	// BeginSummary returns table.ErrTooLarge if its filters fit into no row.
	BeginSummary(ctx context.Context, wanted summary.Summary, request string) (summary.Summary, error)
	// Summary returns store.ErrNotFound if there is none.
	Summary(ctx context.Context, orgID, id string) (summary.Summary, error)
	ListSummaries(ctx context.Context, orgID, before string, limit int) (found []summary.Summary, more bool, err error)
	FailSummary(ctx context.Context, orgID, id, reason string) (summary.Summary, error)
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store   Store
	Queue   queue.Queue
	Clock   clock.Clock
	Advisor *wizard.Advisor // nil: there is no model, and the rules decide
	Log     *slog.Logger    // of what the model was asked, and why it was of no help; nil: nobody is told
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	web.Register(api, web.Operation{
		ID: "runFilterWizard", Method: http.MethodPost, Path: "/api/v2/ai/filter-wizard", Group: Group, Reads: true,
		Summary: "Turn a request in plain words into a filter",
		Description: "Reads platforms, tones, topics, languages, times, followers, counters, ratings, authors, words in " +
			"quotes, and the workspace's keywords and feeds by their names, with negation, \"and\" and \"or\". Times are " +
			"in UTC: last week is the week before this one, from Monday, and the past week is the last seven days.\n\n" +
			"`filters` is accepted by POST /mentions as `filters`, and by a feed as `advancedFilters` if `isAdvanced` is " +
			"true, otherwise as `simpleFilters`. It is null if a part of the request is not understood: `explanation` " +
			"names it, and nothing is guessed. Send `limit`, `includeAll` and `view` to POST /mentions as they are " +
			"unless they are null. The operation reads only, whatever the request says.",
		Example: example(),
	}, ai{o}.wizard)
	registerSummaries(api, ai{o})
}

type ai struct{ Options }

func (a ai) wizard(ctx context.Context, in *FilterWizardInput) (*FilterWizardResult, error) {
	org := web.CallerOf(ctx).Workspace.ID
	keywords, err := a.Store.Keywords(ctx, org)
	if err != nil {
		return nil, err
	}
	feeds, err := a.Store.Feeds(ctx, org)
	if err != nil {
		return nil, err
	}
	var named wizard.Workspace
	for _, k := range keywords {
		named.Keywords = append(named.Keywords, wizard.Named{ID: k.ID, Name: k.Text})
	}
	for _, f := range feeds {
		named.Feeds = append(named.Feeds, wizard.Named{ID: f.ID, Name: f.Name})
	}
	now := a.Clock.Now().UTC()
	if a.Advisor == nil {
		return fromUnderstanding(wizard.Understand(in.Body.Query, named, now))
	}
	understood, advice := a.Advisor.With(ctx, org, in.Body.Query, named, now)
	a.record(ctx, advice)
	return fromUnderstanding(understood)
}

// record writes what the model was asked, from which CloudWatch makes metrics, and why the rules decided.
func (a ai) record(ctx context.Context, advice wizard.Advice) {
	if advice.Err != nil {
		a.Log.WarnContext(ctx, "the model was of no help", slog.Any("cause", advice.Err))
	}
	if !advice.Asked {
		return
	}
	counts := map[string]float64{"modelRequests": 1, "modelTokens": float64(advice.Tokens)}
	if advice.Failed {
		counts["modelFailures"] = 1
	}
	a.Log.LogAttrs(ctx, slog.LevelInfo, "model", lambdalog.Measured(a.Log, Group, a.Clock.Now(), counts)...)
}
