package keywords

import (
	"context"
	"net/http"

	"earshot/shared/feed"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

type remove struct{ store Keywords }

func registerDelete(api *web.API, r remove) {
	web.Register(api, web.Operation{
		ID: "deleteKeyword", Method: http.MethodDelete, Path: "/api/v2/keywords/{id}", Group: Group, Scope: workspace.Write,
		Summary: "Delete a keyword",
		Description: "Its mentions stay, with its id and text. It is taken out of the filters of the feeds that name it, and they are told: `keyword_removed` " +
			"where its id is out of a list, `text_instead` where a list named no other keyword, and its text is looked for now.",
		Codes:   []problem.Code{problem.KeywordNotFound, problem.InvalidInput},
		Example: DeletedKeyword{OK: true, Feeds: []MendedFeed{{ID: 3, Name: "Unhappy customers", Change: feed.KeywordRemoved}}},
	}, r.remove)
}

// DeletedKeyword is the answer to a deletion.
type DeletedKeyword struct {
	OK    bool         `json:"ok"`
	Feeds []MendedFeed `json:"feeds" doc:"The feeds whose filters named the keyword."`
}

// MendedFeed is a feed that lost a keyword.
type MendedFeed struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Change string `json:"change" enum:"keyword_removed,text_instead" doc:"What happened to its filters."`
}

func (r remove) remove(ctx context.Context, in *KeywordPath) (*DeletedKeyword, error) {
	mended, err := r.store.DeleteKeywordOnce(ctx, web.CallerOf(ctx).Workspace.ID, in.ID, web.Repeated(ctx))
	if err != nil {
		return nil, refused(ctx, err)
	}
	answer := &DeletedKeyword{OK: true, Feeds: make([]MendedFeed, len(mended))}
	for i, m := range mended {
		answer.Feeds[i] = MendedFeed{m.ID, m.Name, m.Change}
	}
	return answer, nil
}
