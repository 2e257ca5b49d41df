package keywords

import (
	"context"
	"errors"
	"net/http"

	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
)

type read struct{ store Keywords }

func registerRead(api *web.API, r read) {
	web.Register(api, web.Operation{
		ID: "listKeywords", Method: http.MethodGet, Path: "/api/v2/keywords", Group: Group,
		Summary:     "List the keywords",
		Description: "Lists all keywords, oldest first, including paused ones. Each has its volume.",
		Example:     KeywordList{Data: []Keyword{Example()}},
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

func (r read) list(ctx context.Context, _ *struct{}) (*KeywordList, error) {
	orgID := web.CallerOf(ctx).Workspace.ID
	all, err := r.store.Keywords(ctx, orgID)
	if err != nil {
		return nil, err
	}
	volumes, err := r.store.KeywordVolumes(ctx, orgID)
	if err != nil {
		return nil, err
	}
	list := &KeywordList{Data: make([]Keyword, len(all))}
	for i, k := range all {
		list.Data[i] = FromKeyword(k, volumes[k.ID])
	}
	return list, nil
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
			"The plan %s has room for %d keywords, and the workspace uses all of it. Delete a keyword or upgrade the plan.",
			plan, plan.Limits().Keywords,
		)
	case errors.Is(err, listenstore.ErrKeywordTooLarge):
		return problem.New(
			problem.InvalidInput,
			"The workspace's keywords would together be too large. Shorten their lists of terms and exclusions.",
		)
	case errors.Is(err, store.ErrConflict):
		return problem.New(problem.InvalidInput, "Other requests keep changing this keyword. Read it again and repeat the change.").
			Because(err)
	}
	return err
}
