package feeds

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"earshot/shared/delivery"
	"earshot/shared/feed"
	"earshot/shared/filter"
	"earshot/shared/port/table"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/web"
	"earshot/shared/web/destinationwire"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Feeds is the part of the store that the operations of feeds use.
type Feeds interface {
	// Feed returns store.ErrNotFound if there is none.
	Feed(ctx context.Context, orgID string, id int64) (feed.Feed, error)
	// FeedsAfter lists feeds in the order of their ids, at most limit with an id above after. more reports whether
	// there are others. A limit of 0 is no limit.
	FeedsAfter(ctx context.Context, orgID string, after int64, limit int) (found []feed.Feed, more bool, err error)
	// CreateFeed returns store.ErrFeedLimit, store.ErrFeedTooLarge, and store.ErrNotFound for a repeated request whose
	// feed was deleted since.
	CreateFeed(ctx context.Context, orgID string, f feed.Feed, request string) (feed.Feed, error)
	// ChangeFeed calls the change once. Returns store.ErrNotFound, store.ErrConflict if another writer got in between,
	// store.ErrFeedTooLarge, and the change's own error.
	ChangeFeed(
		ctx context.Context, orgID string, id int64, request string, change func(*feed.Feed) error,
	) (feed.Feed, error)
	// DeleteFeed returns store.ErrNotFound and store.ErrConflict.
	DeleteFeed(ctx context.Context, orgID string, id int64, request string) error
	// KeywordsKnown takes at most table.MaxBatchGet ids, each once.
	KeywordsKnown(ctx context.Context, orgID string, ids []int64) (map[int64]bool, error)
}

type saved struct {
	store Feeds
	with  Options
}

// feedRules tells clients what a feed holds.
const feedRules = "A mention must pass both `simpleFilters` and `advancedFilters`. Both are returned as they " +
	"were written. A condition is a key with all its values. Dates are not conditions. More than 50 conditions " +
	"on both sides are FILTER_CONDITION_LIMIT_EXCEEDED. A keyword id that the workspace does not have is " +
	"MENTION_KEYWORD_UNKNOWN. A workspace has at most 1,000 feeds, of 128 KiB each and 3.5 MiB together. A feed " +
	"beyond these limits is INVALID_INPUT.\n\n" + deliveryRules

// feedCodes are the codes for a refused feed.
var feedCodes = append(
	[]problem.Code{problem.FeedNotFound, problem.FilterConditionLimitExceeded, problem.MentionKeywordUnknown,
		problem.InvalidInput},
	destinationwire.Codes...)

func registerFeeds(api *web.API, o Options) {
	s := saved{o.Store, o}
	web.Register(api, web.Operation{
		ID:      "listFeeds",
		Method:  http.MethodGet,
		Path:    "/api/v2/feeds",
		Group:   Group,
		Summary: "List feeds",
		Description: "Lists all feeds, oldest first. With `limit`, the list comes in pages: follow " +
			"`pagination.nextCursor` until it is null.",
		Example: FeedList{Data: []Feed{feedExample()}},
	}, s.list)
	web.Register(api, web.Operation{
		ID:      "createFeed",
		Method:  http.MethodPost,
		Path:    "/api/v2/feeds",
		Group:   Group,
		Scope:   workspace.Write,
		ETag:    true,
		Summary: "Create a feed",
		Description: "A feed is a named filter with destinations for the mentions that pass it. `POST " +
			"/api/v2/mentions` lists these mentions when it gets the feed's id as `view`.\n\n" + feedRules +
			destinationwire.Rules + "\n\nA request that is repeated with its Idempotency-Key returns the feed that " +
			"it made. If that feed has been deleted, the response is FEED_NOT_FOUND.",
		Codes:   feedCodes,
		Example: feedExample(),
	}, s.create)
	web.Register(api, web.Operation{
		ID: "getFeed", Method: http.MethodGet, Path: "/api/v2/feeds/{id}", Group: Group, ETag: true,
		Summary: "Read a feed", Codes: []problem.Code{problem.FeedNotFound}, Example: feedExample(),
	}, s.read)
	web.Register(api, web.Operation{
		ID:      "updateFeed",
		Method:  http.MethodPatch,
		Path:    "/api/v2/feeds/{id}",
		Group:   Group,
		Scope:   workspace.Write,
		ETag:    true,
		IfMatch: true,
		Summary: "Change a feed",
		Description: "Properties that you leave out stay. A property that you give is replaced as a whole. " +
			feedRules + destinationwire.Rules + "\n\nIds of deleted keywords may stay on the side of the filters " +
			"where they are.\n\nOf concurrent requests that change a feed, one is made and the others are " +
			"FEED_FILTER_WRITE_CONFLICT. Read the feed and send the change again. The response is the same if " +
			"the feed changed since the response with the ETag in If-Match. A feed does not change when another " +
			"feed becomes the default.",
		Codes:   append([]problem.Code{problem.FeedFilterWriteConflict}, feedCodes...),
		Example: feedExample(),
	}, s.change)
	web.Register(api, web.Operation{
		ID: "deleteFeed", Method: http.MethodDelete, Path: "/api/v2/feeds/{id}", Group: Group, Scope: workspace.Write,
		Summary: "Delete a feed",
		Description: "Deletes the feed and its notifications, also while others change it. A change that comes " +
			"too late is FEED_NOT_FOUND. If the feed was the default, the workspace has no default from then " +
			"on. Deliveries that wait are not sent any more. An alert that watches the feed is disabled at the next full " +
			"hour, and says so in `state.pausedBecause`. FEED_FILTER_WRITE_CONFLICT is rare: others changed the feed, or " +
			"made notifications for it, without a pause. Send the request again.",
		Codes: []problem.Code{problem.FeedNotFound, problem.FeedFilterWriteConflict}, Example: FeedDeleted{OK: true},
	}, s.delete)
}

// listSelection is what a cursor is bound to. Its position is the last feed's id.
const listSelection = "feeds"

func (s saved) list(ctx context.Context, in *ListFeedsInput) (*FeedList, error) {
	caller, after := web.CallerOf(ctx), int64(0)
	if in.Cursor != "" {
		if err := web.OpenCursor(caller, listSelection, in.Cursor, &after); err != nil {
			return nil, err
		}
	}
	feeds, more, err := s.store.FeedsAfter(ctx, caller.Workspace.ID, after, in.Limit)
	if err != nil {
		return nil, err
	}
	answer := &FeedList{Data: make([]Feed, len(feeds))}
	for i, f := range feeds {
		if answer.Data[i], err = fromFeed(f); err != nil {
			return nil, err
		}
	}
	if more {
		next, err := web.SealCursor(caller, listSelection, feeds[len(feeds)-1].ID)
		if err != nil {
			return nil, err
		}
		answer.Pagination.NextCursor = web.Some(next)
	}
	return answer, nil
}

func (s saved) read(ctx context.Context, in *FeedID) (*Feed, error) {
	return answer(ctx)(s.store.Feed(ctx, web.CallerOf(ctx).Workspace.ID, in.ID))
}

func (s saved) create(ctx context.Context, in *CreateFeedInput) (*Feed, error) {
	f, org := in.Body.toFeed(), web.CallerOf(ctx).Workspace.ID
	if err := s.checkFilters(ctx, org, feed.Feed{}, f); err != nil {
		return nil, err
	}
	if err := s.with.destinations().Check(ctx, org, f.Destinations); err != nil {
		return nil, err
	}
	return answer(ctx)(s.store.CreateFeed(ctx, org, f, web.Repeated(ctx)))
}

func (s saved) change(ctx context.Context, in *UpdateFeedInput) (*Feed, error) {
	org := web.CallerOf(ctx).Workspace.ID
	if in.Body.empty() {
		f, err := s.store.Feed(ctx, org, in.ID)
		if err == nil && !web.Expects(ctx, f.Revision) {
			err = store.ErrConflict
		}
		return answer(ctx)(f, err)
	}
	var before []feed.Destination
	changed, err := s.store.ChangeFeed(ctx, org, in.ID, web.Repeated(ctx), func(f *feed.Feed) error {
		if !web.Expects(ctx, f.Revision) {
			return store.ErrConflict
		}
		old := *f
		before = old.Destinations
		in.Body.apply(f)
		if err := s.checkFilters(ctx, org, old, *f); err != nil {
			return err
		}
		return s.with.destinations().Check(ctx, org, f.Destinations, old.Destinations...)
	})
	if err == nil && in.Body.Destinations != nil { // also by a repeat of a request that died before this
		err = s.with.redirect(ctx, org, delivery.OfFeed(in.ID), before, changed.Destinations)
	}
	return answer(ctx)(changed, err)
}

func (s saved) delete(ctx context.Context, in *FeedID) (*FeedDeleted, error) {
	if err := s.store.DeleteFeed(ctx, web.CallerOf(ctx).Workspace.ID, in.ID, web.Repeated(ctx)); err != nil {
		return nil, refused(err)
	}
	return &FeedDeleted{OK: true}, nil
}

// answer returns a function that makes the response of the store's result.
func answer(ctx context.Context) func(feed.Feed, error) (*Feed, error) {
	return func(f feed.Feed, err error) (*Feed, error) {
		if err != nil {
			return nil, refused(err)
		}
		web.Revision(ctx, f.Revision)
		wire, err := fromFeed(f)
		return &wire, err
	}
}

// refused returns the client's error for an error of the store.
func refused(err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return problem.New(problem.FeedNotFound, "No feed has this id. GET /api/v2/feeds lists them.")
	case errors.Is(err, store.ErrConflict):
		return problem.New(
			problem.FeedFilterWriteConflict,
			"Another writer changed the feed after it was read. Read it and send the change again.",
		)
	case errors.Is(err, listenstore.ErrFeedLimit):
		return problem.New(
			problem.InvalidInput, "The workspace has %d feeds, the most it can have. Delete one first.", feed.MaxFeeds,
		)
	case errors.Is(err, listenstore.ErrFeedTooLarge):
		return problem.New(
			problem.InvalidInput,
			"A feed may have %d KiB as JSON, and all feeds of a workspace %.1f MiB. Shorten the filters, or delete another feed first.",
			feed.MaxWeight>>10,
			float64(feed.MaxTogether)/(1<<20),
		)
	}
	return err
}

// checkFilters returns a problem if a feed's filters have too many conditions, or name a keyword that the workspace
// does not have. Keywords that the same side of old named are accepted.
func (s saved) checkFilters(ctx context.Context, orgID string, old, f feed.Feed) error {
	conditions := 0
	var fresh []int64
	for _, side := range []struct {
		parse     func([]byte) (filter.Filter, []filter.Fault)
		old, asks []byte
	}{{filter.ParseSimple, old.SimpleFilters, f.SimpleFilters}, {filter.ParseAdvanced, old.AdvancedFilters, f.AdvancedFilters}} {
		if len(side.asks) == 0 {
			continue
		}
		asked, _ := side.parse(side.asks)
		conditions += asked.Conditions()
		before, _ := side.parse(side.old)
		had := before.Keywords()
		fresh = append(fresh, slices.DeleteFunc(asked.Keywords(), func(id int64) bool {
			_, there := slices.BinarySearch(had, id)
			return there
		})...)
	}
	if conditions > filter.MaxConditions {
		return problem.New(
			problem.FilterConditionLimitExceeded,
			"The feed would have %d conditions on both sides of its filter. Use at most %d.", conditions,
			filter.MaxConditions,
		)
	}
	slices.Sort(fresh)
	for some := range slices.Chunk(slices.Compact(fresh), table.MaxBatchGet) {
		known, err := s.store.KeywordsKnown(ctx, orgID, some)
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
