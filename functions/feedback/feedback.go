// Package feedback is the function of users' judgements of mentions ("feedback" in the contract). The last judgement of
// each mention and keyword counts. The mention's relevance follows it at once, and judgements are counted exactly for
// each keyword. PATCH of a mention stores the same judgements and counts. Another workspace's mention is treated
// exactly like one that does not exist.
package feedback

import (
	"context"

	"earshot/shared/feed/audience"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
)

// Group names the function, its tag and its folder.
const Group = "feedback"

// Store is the part of the store that the function uses.
type Store interface {
	// ChangeMention changes a mention, its judgements and their counts together. It writes nothing if the change
	// returns false. Returns store.ErrNotFound if there is no such mention.
	ChangeMention(
		ctx context.Context, orgID, sourceID string, change func(*mention.Mention) (bool, error),
	) (mention.Mention, error)
	// Feedback counts the current judgements.
	Feedback(ctx context.Context, orgID string) (mentionstore.FeedbackTotals, error)
	// Keywords lists the workspace's keywords.
	Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error)
	// What feeds tell of a mention that is judged relevant.
	audience.Store
}

// Options configure the function. A document-only API needs none of them.
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
