// Package feedback is the function of users' judgements of mentions ("feedback" in the contract): one stands for each mention and
// keyword, the mention's relevance follows it at once, and what users say of a keyword's mentions is counted exactly. PATCH of a mention
// leaves the same judgements and counts. Another workspace's mention is treated exactly as one that does not exist.
package feedback

import (
	"context"

	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
)

// Group names the function, its tag and its folder.
const Group = "feedback"

// Store is what the function asks of the store.
type Store interface {
	// ChangeMention changes a mention, its judgements and what is counted of them together; nothing is written when the change answers
	// false. Answers store.ErrNotFound.
	ChangeMention(ctx context.Context, orgID, sourceID string, change func(*mention.Mention) (bool, error)) (mention.Mention, error)
	// Feedback counts the judgements that stand.
	Feedback(ctx context.Context, orgID string) (mentionstore.FeedbackTotals, error)
	// Keywords lists the workspace's keywords.
	Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error)
}

// Options are what the function works with. A document-only API needs none of it.
type Options struct {
	Store Store
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	f := feedback{o.Store}
	f.registerSubmit(api)
	f.registerWithdraw(api)
	f.registerStats(api)
}

type feedback struct{ store Store }
