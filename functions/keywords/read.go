package keywords

import (
	"context"
	"errors"
	"net/http"

	"earshot/shared/keyword"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
)

type read struct{ store Keywords }

func registerRead(api *web.API, r read) {
	web.Register(api, web.Operation{
		ID: "listKeywords", Method: http.MethodGet, Path: "/api/v2/keywords", Group: Group,
		Summary: "List the keywords",
		Description: "Lists all keywords, oldest first, including paused ones. Each has its volume. With `limit`, the " +
			"list comes in pages: follow `pagination.nextCursor` until it is null.",
		Example: KeywordList{Data: []Keyword{Example()}},
	}, r.list)
	web.Register(api, web.Operation{
		ID:          "getKeyword",
		Method:      http.MethodGet,
		Path:        "/api/v2/keywords/{id}",
		Group:       Group,
		ETag:        true,
		Summary:     "Read a keyword",
		Description: "The keyword includes its volume. Send the ETag as If-None-Match to read again, or as If-Match to change the keyword.",
		Codes:       []problem.Code{problem.KeywordNotFound},
		Example:     Example(),
	}, r.get)
}

// KeywordPath names a keyword.
type KeywordPath struct {
	ID int64 `path:"id" minimum:"1" maximum:"9007199254740991" doc:"The keyword's id."`
}

// listSelection is what a cursor is bound to. Its position is the last keyword's id.
const listSelection = "keywords"

func (r read) list(ctx context.Context, in *ListKeywordsInput) (*KeywordList, error) {
	caller, after := web.CallerOf(ctx), int64(0)
	if in.Cursor != "" {
		if err := web.OpenCursor(caller, listSelection, in.Cursor, &after); err != nil {
			return nil, err
		}
	}
	found, more, err := r.store.KeywordsAfter(ctx, caller.Workspace.ID, after, in.Limit)
	if err != nil {
		return nil, err
	}
	volumes, err := r.volumes(ctx, caller.Workspace.ID, found, *in)
	if err != nil {
		return nil, err
	}
	list := &KeywordList{Data: make([]Keyword, len(found))}
	for i, k := range found {
		list.Data[i] = FromKeyword(k, volumes[k.ID])
	}
	if more {
		next, err := web.SealCursor(caller, listSelection, found[len(found)-1].ID)
		if err != nil {
			return nil, err
		}
		list.Pagination.NextCursor = web.Some(next)
	}
	return list, nil
}

// volumes returns the volumes of a page, by id. It reads those of the whole list in one round trip.
func (r read) volumes(
	ctx context.Context, orgID string, page []keyword.Keyword, in ListKeywordsInput,
) (map[int64]listenstore.KeywordVolume, error) {
	switch {
	case in == ListKeywordsInput{}:
		return r.store.KeywordVolumes(ctx, orgID)
	case len(page) == 0:
		return nil, nil
	}
	return r.store.KeywordVolumesBetween(ctx, orgID, page[0].ID, page[len(page)-1].ID)
}

func (r read) get(ctx context.Context, in *KeywordPath) (*Keyword, error) {
	orgID := web.CallerOf(ctx).Workspace.ID
	k, err := r.store.Keyword(ctx, orgID, in.ID)
	if err != nil {
		return nil, Refused(ctx, err)
	}
	volume, err := r.store.KeywordVolume(ctx, orgID, in.ID)
	if err != nil {
		return nil, err
	}
	web.Revision(ctx, k.Revision)
	found := FromKeyword(k, volume)
	return &found, nil
}

// Refused returns the error for a client for an error of the store.
func Refused(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, store.ErrNotFound):
		return problem.New(
			problem.KeywordNotFound, "The workspace has no keyword with this id. GET /api/v2/keywords lists them.",
		)
	case errors.Is(err, listenstore.ErrKeywordTaken):
		return problem.New(
			problem.ItemExists,
			"The workspace has a keyword with this text already. Case does not distinguish keywords. Change the existing one.",
		)
	case errors.Is(err, listenstore.ErrKeywordLimit):
		plan := web.CallerOf(ctx).Workspace.Plan
		return problem.New(
			problem.KeywordLimitExceeded,
			"The plan %s has room for %d keywords, and the workspace has as many or more. Delete keywords until it has "+
				"fewer, or upgrade the plan. GET /api/v2/org/usage counts them.",
			plan, plan.Limits().Keywords,
		)
	case errors.Is(err, listenstore.ErrKeywordTooLarge):
		return problem.New(
			problem.InvalidInput,
			"The workspace's keywords would together be too large. Shorten their lists of terms and exclusions.",
		)
	case errors.Is(err, store.ErrConflict):
		return problem.New(problem.InvalidInput,
			"Other requests keep changing this keyword. Read it again and repeat the change.").
			Because(err)
	}
	return err
}
