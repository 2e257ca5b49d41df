package mentions

import (
	"context"
	"errors"
	"slices"

	"earshot/shared/feed"
	"earshot/shared/filter"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/filterwire"
	"earshot/shared/web/mentionwire"
	"earshot/shared/web/problem"
)

// Selector reads what a selection of mentions refers to.
type Selector interface {
	// Feed returns store.ErrNotFound if there is none.
	Feed(ctx context.Context, orgID string, id int64) (feed.Feed, error)
	// KeywordsKnown takes at most table.MaxBatchGet ids, each once.
	KeywordsKnown(ctx context.Context, orgID string, ids []int64) (map[int64]bool, error)
}

// Selection selects the mentions of a list or an export. A mention must match everything that is given.
type Selection struct {
	View       int64               `json:"view,omitempty" minimum:"1" maximum:"9007199254740991" doc:"The id of a feed. A mention must pass the feed's filters too."`
	Filters    filterwire.Either   `json:"filters,omitzero" doc:"A simple or an advanced filter."`
	Simple     filterwire.Simple   `json:"simpleFilters,omitzero"`
	Advanced   filterwire.Advanced `json:"advancedFilters,omitzero"`
	IncludeAll bool                `json:"includeAll,omitempty" default:"false" doc:"Whether to include mentions that are not relevant."`
	Engagement bool                `json:"includeEngagementMetrics,omitempty" default:"false" doc:"Whether to add the latest engagement counters."`
}

// selectionCodes are the codes for a refused selection.
var selectionCodes = []problem.Code{problem.ViewNotFound, problem.FilterLimitExceeded, problem.MentionKeywordUnknown}

// selectionRules tells clients how a selection is read.
const selectionRules = "A mention must pass `view`, `filters`, `simpleFilters` and `advancedFilters`, and the " +
	"dates of each. More than 50 conditions, including those of the view, are FILTER_LIMIT_EXCEEDED. A " +
	"condition is a key with all its values. Dates are not conditions. A keyword id in the request that the " +
	"workspace does not have is MENTION_KEYWORD_UNKNOWN. A view may name a deleted keyword, because its " +
	"mentions stay."

// toQuery reads a selection, and the filter that it comes to.
func (l list) toQuery(ctx context.Context, s Selection) (query mentionwire.Query, effective filter.Filter, err error) {
	org := web.CallerOf(ctx).Workspace.ID
	query.IncludeAll = s.IncludeAll
	if err := query.Add(s.Filters.JSON(), s.Simple.JSON(), s.Advanced.JSON()); err != nil {
		return query, effective, err
	}
	asked, err := query.Filter()
	if err != nil {
		return query, effective, err
	}
	effective = asked
	if s.View != 0 {
		view, err := l.selector.Feed(ctx, org, s.View)
		if errors.Is(err, store.ErrNotFound) {
			return query, effective, problem.New(
				problem.ViewNotFound, "No feed has the id in view. GET /api/v2/feeds lists them.",
			)
		}
		if err != nil {
			return query, effective, err
		}
		if err := query.Add(string(view.SimpleFilters), string(view.AdvancedFilters)); err != nil {
			return query, effective, err
		}
		if effective, err = query.Filter(); err != nil {
			return query, effective, err
		}
	}
	if n := effective.Conditions(); n > filter.MaxConditions {
		return query, effective, problem.New(problem.FilterLimitExceeded,
			"The query has %d conditions, including those of the view. Use at most %d.", n, filter.MaxConditions)
	}
	return query, effective, l.checkKeywords(ctx, org, asked.Keywords())
}

// checkKeywords looks for keywords that the workspace does not have, and stops at the first read that finds one. ids
// are sorted and unique.
func (l list) checkKeywords(ctx context.Context, org string, ids []int64) error {
	for some := range slices.Chunk(ids, table.MaxBatchGet) {
		known, err := l.selector.KeywordsKnown(ctx, org, some)
		if err != nil {
			return err
		}
		for _, id := range some {
			if !known[id] {
				return problem.New(
					problem.MentionKeywordUnknown,
					"The workspace has no keyword with the id %d. GET /api/v2/keywords lists them.", id,
				)
			}
		}
	}
	return nil
}
