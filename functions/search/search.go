// Package search is the function of on-demand search: it takes a question, hands it to the function searches by a
// queue, waits a moment for the results, and shows them for 30 days ("search" in the contract).
package search

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"earshot/shared/port/clock"
	"earshot/shared/port/queue"
	"earshot/shared/search"
	"earshot/shared/store"
	"earshot/shared/store/searchstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Group names the function and its folder.
const Group = "search"

// Store is the part of the store that the function uses.
type Store interface {
	// BegunSearch returns the search of a named request; its ID is empty if there is none.
	BegunSearch(ctx context.Context, orgID, request string) (search.Search, error)
	// BeginSearch returns searchstore.ErrNoSearches if the workspace has used all searches of its plan.
	BeginSearch(ctx context.Context, wanted search.Search, most int, request string) (search.Search, error)
	// Search returns store.ErrNotFound if there is none.
	Search(ctx context.Context, orgID, id string) (search.Search, error)
	Searches(ctx context.Context, orgID, before string, limit int) (found []search.Search, more bool, err error)
	// SearchResults returns store.ErrNotFound if they have expired.
	SearchResults(ctx context.Context, of search.Search) ([]json.RawMessage, error)
	SearchesCounted(ctx context.Context, orgID string) (searchstore.Left, error)
	FailSearch(ctx context.Context, orgID, id, reason string, at time.Time) (search.Search, error)
}

// Options configure the function.
type Options struct {
	Store Store
	Queue queue.Queue
	Clock clock.Clock
	// Pause waits between two looks at a running search; nil waits by the machine's clock. It returns the context's
	// error if that ends first.
	Pause func(ctx context.Context, duration time.Duration) error
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	if o.Pause == nil {
		o.Pause = pause
	}
	registerBegin(api, begin{o})
	registerRead(api, read{o})
}

func pause(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// remaining sets the remaining-count headers of a response that succeeds.
func (o Options) remaining(ctx context.Context) error {
	w := web.CallerOf(ctx).Workspace
	used, err := o.Store.SearchesCounted(ctx, w.ID)
	if err != nil {
		return err
	}
	var searches *int
	if most := w.Plan.Limits().Searches; most > 0 {
		left := most - used.Searches
		searches = &left
	}
	web.SetRemaining(ctx, searches, w.MentionLimit()-used.Mentions)
	return nil
}

// walls refuses a search if nothing is left of the month's mentions or of the searches for life.
func (o Options) walls(ctx context.Context) error {
	w := web.CallerOf(ctx).Workspace
	used, err := o.Store.SearchesCounted(ctx, w.ID)
	if err != nil {
		return err
	}
	most := w.Plan.Limits().Searches
	if most > 0 && used.Searches >= most {
		if err := o.returnLost(ctx, w.ID); err != nil {
			return err
		}
		if used, err = o.Store.SearchesCounted(ctx, w.ID); err != nil {
			return err
		}
		if used.Searches >= most {
			return noSearches(ctx)
		}
	}
	switch {
	case used.Mentions < w.MentionLimit():
		return nil
	case w.Plan == workspace.Agents:
		return web.UpgradeRequired(ctx, "The month's mentions of the Agents plan are used up. "+
			"Upgrade, or search again next month.")
	}
	return problem.New(problem.QuotaExceeded,
		"The month's %d mentions are used up. Search again next month, or ask for a larger plan.", w.MentionLimit())
}

// Bounds of the search for lost searches. Searches that ended as failed cost nothing, so the 50 of the Agents plan can
// lie behind any number of them.
const (
	lostPage   = 50
	lookedBack = 1_000 // of the newest searches
)

// returnLost ends searches that should have ended long ago: those of the first page, from the newest back, that has
// some. They cost nothing, so the workspace may begin as many again. Nobody reads a search of which no response said
// that it began.
func (o Options) returnLost(ctx context.Context, orgID string) error {
	before, lost := "", false
	for range lookedBack / lostPage {
		page, more, err := o.Store.Searches(ctx, orgID, before, lostPage)
		if err != nil {
			return err
		}
		for _, s := range page {
			now, err := read{o}.inTime(ctx, s)
			if err != nil && !errors.Is(err, store.ErrNotFound) { // not found: it expired meanwhile
				return err
			}
			lost = lost || err == nil && now.Status != s.Status
		}
		if !more || lost {
			return nil
		}
		before = page[len(page)-1].ID
	}
	return nil
}

func noSearches(ctx context.Context) error {
	return web.UpgradeRequired(ctx, "The searches of the Agents plan are used up. Upgrade to search on.")
}

const (
	searchPath    = "/api/v2/search"
	exampleSearch = "srch_01KAGW7Z8R4Y6H2N3M5P9Q0S1T"
)
