// Package analytics is the function of figures about mentions ("analytics" in the contract): volume, sentiment,
// sources, keywords, tags, languages, authors and share of voice, all of them at once, and queries of any two
// dimensions. Every response says whether its figures are exact. Every row has the filters that open its mentions.
package analytics

import (
	"context"

	"earshot/shared/analytics"
	"earshot/shared/keyword"
	"earshot/shared/port/clock"
	"earshot/shared/store/workspacestore"
	"earshot/shared/web"
	"earshot/shared/workspace"
)

// Group names the function, its tag and its folder.
const Group = "analytics"

// Store is the part of the store that the function uses.
type Store interface {
	analytics.Sampler
	// Keywords lists a workspace's keywords.
	Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error)
	// KeywordsKnown takes at most table.MaxBatchGet ids, each once.
	KeywordsKnown(ctx context.Context, orgID string, ids []int64) (map[int64]bool, error)
	// KeywordsCounted lists the keywords that have figures, deleted ones included. known saves round trips.
	KeywordsCounted(ctx context.Context, orgID string, known []int64) ([]int64, error)
	// Company returns store.ErrNotFound if the workspace has no company profile.
	Company(ctx context.Context, orgID string) (workspace.Company, error)
	// Usage counts the mentions of the month.
	Usage(ctx context.Context, w workspace.Workspace) (workspacestore.Usage, error)
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store Store
	Clock clock.Clock
}

// figures serves the operations.
type figures struct {
	store Store
	clock clock.Clock
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	f := figures{o.Store, o.Clock}
	f.registerReads(api)
	f.registerShareOfVoice(api)
	f.registerDashboard(api)
	f.registerQuery(api)
	f.registerThemes(api)
}
