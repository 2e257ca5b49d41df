package search

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"earshot/shared/search"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/problem"
)

type read struct{ Options }

func registerRead(api *web.API, r read) {
	listed := example()
	listed.Mentions = nil
	web.Register(api, web.Operation{
		ID: "listSearches", Method: http.MethodGet, Path: searchPath, Group: Group, Agents: true,
		Summary:     "List the workspace's searches, newest first",
		Description: "The list has the searches of 30 days, without their results. Follow `pagination.nextCursor` until it is null.",
		Headers:     web.RemainingHeaders(),
		Example:     SearchList{Data: []Search{listed}},
	}, r.list)
	web.Register(api, web.Operation{
		ID: "getSearch", Method: http.MethodGet, Path: searchPath + "/{searchId}", Group: Group, Agents: true,
		Summary: "Read a search with its results",
		Description: "Poll while `status` is running: Retry-After says when. A search and its results are deleted " +
			"after 30 days. From then on the response is SEARCH_NOT_FOUND. Reading costs no mention and no search.",
		Codes:   []problem.Code{problem.SearchNotFound},
		Headers: web.RemainingHeaders(),
		Example: example(),
	}, r.get)
}

// ListSearchesInput selects a page.
type ListSearchesInput struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"The largest number of searches in a page."`
	Cursor string `query:"cursor" minLength:"1" doc:"The nextCursor of a page."`
}

// SearchList is a page of searches.
type SearchList struct {
	Data       []Search       `json:"data"`
	Pagination web.Pagination `json:"pagination"`
}

// listSelection is what a cursor is bound to.
const listSelection = "searches"

func (r read) list(ctx context.Context, in *ListSearchesInput) (*SearchList, error) {
	caller, before := web.CallerOf(ctx), ""
	if in.Cursor != "" {
		if err := web.OpenCursor(caller, listSelection, in.Cursor, &before); err != nil {
			return nil, err
		}
	}
	found, more, err := r.Store.Searches(ctx, caller.Workspace.ID, before, in.Limit)
	if err != nil {
		return nil, err
	}
	answer := &SearchList{Data: make([]Search, 0, len(found))}
	for _, s := range found {
		s, err := r.inTime(ctx, s)
		if errors.Is(err, store.ErrNotFound) {
			continue // it expired meanwhile
		}
		if err != nil {
			return nil, err
		}
		answer.Data = append(answer.Data, fromSearch(s, web.BaseURL(ctx)))
	}
	if more {
		next, err := web.SealCursor(caller, listSelection, found[len(found)-1].ID)
		if err != nil {
			return nil, err
		}
		answer.Pagination.NextCursor = web.Some(next)
	}
	return answer, r.remaining(ctx)
}

// GetSearchInput names a search.
type GetSearchInput struct {
	SearchID string `path:"searchId" doc:"The searchId that createSearch returned."`
}

// inTime returns a search as it is, and ends it as failed if it should have ended long ago: its message was lost with who
// began it. Returns store.ErrNotFound if it is gone.
func (r read) inTime(ctx context.Context, s search.Search) (search.Search, error) {
	now := r.Clock.Now()
	if s.Status.Ended() || now.Before(s.CreatedAt.Add(search.GivenUp)) {
		return s, nil
	}
	const reason = "The search was not run in time. It cost nothing. Search again."
	return r.Store.FailSearch(ctx, s.WorkspaceID, s.ID, reason, now)
}

func (r read) get(ctx context.Context, in *GetSearchInput) (*Search, error) {
	s, err := r.Store.Search(ctx, web.CallerOf(ctx).Workspace.ID, in.SearchID)
	if err == nil {
		s, err = r.inTime(ctx, s)
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, notFound()
	}
	if err != nil {
		return nil, err
	}
	wire, err := r.show(ctx, s)
	if err != nil {
		return nil, err
	}
	if !s.Status.Ended() {
		web.SetHeader(ctx, "Retry-After", strconv.Itoa(pollAfter))
	}
	return &wire, r.remaining(ctx)
}

// show returns a search's wire form, with its results once it has ended.
func (o Options) show(ctx context.Context, s search.Search) (Search, error) {
	wire := fromSearch(s, web.BaseURL(ctx))
	if !s.Status.Ended() {
		return wire, nil
	}
	results, err := o.Store.SearchResults(ctx, s)
	if errors.Is(err, store.ErrNotFound) {
		return wire, notFound()
	}
	if err != nil {
		return wire, err
	}
	return wire, wire.withResults(results)
}

func notFound() error {
	return problem.New(
		problem.SearchNotFound, "The workspace has no search with this id, or it has expired. GET /api/v2/search lists them.",
	)
}
