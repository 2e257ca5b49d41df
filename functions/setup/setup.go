// Package setup is the function of the setup engine's API ("setup" in the contract): drafts, each a company's domain on
// its way to a configuration, and the proposals that are made of them. It is a beta, behind a flag of the workspace.
// Another workspace's draft is treated exactly as one that does not exist.
package setup

import (
	"context"
	"time"

	"earshot/shared/port/flow"
	"earshot/shared/port/queue"
	"earshot/shared/proposal"
	"earshot/shared/web"
)

// Group names the function, its tag and its folder.
const Group = "setup"

// Store is what the function asks of the store.
type Store interface {
	Drafts
	Runs
	Applications
	Cleanups
}

// Drafts keeps drafts.
type Drafts interface {
	// CreateDraftOnce makes one draft for a request by that name, empty for none. Answers store.ErrDraftLimit, and
	// store.ErrNotFound when what the request made gave way to others.
	CreateDraftOnce(ctx context.Context, orgID, domain, request string) (proposal.Draft, error)
	// Draft answers store.ErrNotFound.
	Draft(ctx context.Context, orgID, id string) (proposal.Draft, error)
	// EditProfile calls change until nobody gets in between. Answers store.ErrNotFound, store.ErrScanning and
	// store.ErrConflict.
	EditProfile(ctx context.Context, orgID, id string, change func(*proposal.Profile) error) (proposal.Draft, error)
}

// Runs keeps what is made of drafts.
type Runs interface {
	// StartRunOnce begins one run at a time, and one for a request by that name, empty for none. Answers
	// store.ErrNotFound, store.ErrScanning and store.ErrNoProfile.
	StartRunOnce(
		ctx context.Context, orgID, draftID string, tier proposal.Tier, model string, limit time.Duration,
		request string,
	) (
		key proposal.Key, started bool, err error)
	// SetupRun reads a run. Answers store.ErrNotFound.
	SetupRun(ctx context.Context, key proposal.Key) (proposal.Run, error)
	// Setup reads a draft and its last run. Answers store.ErrNotFound.
	Setup(ctx context.Context, orgID, draftID string) (proposal.Draft, proposal.Run, error)
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store   Store
	Queue   queue.Queue
	Flow    flow.Flow
	Model   string        // that composes proposals; empty: code does
	Sources []string      // that runs ask
	Limit   time.Duration // after which a run is taken for dead; zero: proposal.RunLimit
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	if o.Limit == 0 {
		o.Limit = proposal.RunLimit
	}
	o.Sources = append([]string{}, o.Sources...)
	describe(api)
	registerDrafts(api, drafts{o.Store, o.Queue})
	registerProfile(api, drafts{o.Store, o.Queue})
	registerPropose(api, o)
	registerRead(api, o.Store)
	registerApply(api, o.Store)
	registerCleanup(api, o.Store)
}

const (
	draftsPath    = "/api/v2/setup/drafts"
	proposalsPath = "/api/v2/setup/proposals"
	exampleDraft  = "draft_01KAF3Y3W2V4GZ9M6T8Q5X7B1C"
)
