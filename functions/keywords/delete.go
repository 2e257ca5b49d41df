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
		ID:      "deleteKeyword",
		Method:  http.MethodDelete,
		Path:    "/api/v2/keywords/{id}",
		Group:   Group,
		Scope:   workspace.Write,
		Summary: "Delete a keyword",
		Description: "The keyword's mentions stay, with its id and text. The keyword is removed from the " +
			"filters of all feeds that name it. `feeds` lists those feeds. `keyword_removed` means that a list " +
			"of the feed lost the id. `text_instead` means that a list named no other keyword: the feed's " +
			"filter now looks for the keyword's text.",
		Codes: []problem.Code{problem.KeywordNotFound, problem.InvalidInput},
		Example: DeletedKeyword{
			OK:    true,
			Feeds: []MendedFeed{{ID: 3, Name: "Unhappy customers", Change: feed.KeywordRemoved}},
		},
	}, r.remove)
}

// DeletedKeyword is the response to a deletion.
type DeletedKeyword struct {
	OK    bool         `json:"ok"`
	Feeds []MendedFeed `json:"feeds" doc:"The feeds whose filters named the keyword."`
}

// MendedFeed is a feed that lost a keyword.
type MendedFeed struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Change string `json:"change" enum:"keyword_removed,text_instead" doc:"The change to the feed's filters."`
}

func (r remove) remove(ctx context.Context, in *KeywordPath) (*DeletedKeyword, error) {
	mended, err := r.store.DeleteKeywordOnce(ctx, web.CallerOf(ctx).Workspace.ID, in.ID, web.Repeated(ctx))
	if err != nil {
		return nil, Refused(ctx, err)
	}
	answer := &DeletedKeyword{OK: true, Feeds: make([]MendedFeed, len(mended))}
	for i, m := range mended {
		answer.Feeds[i] = MendedFeed{m.ID, m.Name, m.Change}
	}
	return answer, nil
}
