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
			"filter now looks for the keyword's text. If `simpleFilters` has `text` already, the keyword's text is a " +
			"group of `advancedFilters`, so that a mention needs both. Where `advancedFilters` joins several groups by " +
			"OR, it has no place for the group: the feed keeps its `text` alone, which is `keyword_removed`." +
			"\n\nThe keyword is also removed from the filters of alerts, which " +
			"`alerts` lists. `keyword_removed` is as for feeds. `text_instead` means that the alert excluded the " +
			"keyword, and now excludes its text. `paused` means that a list named no other keyword: the alert keeps its " +
			"filter and is disabled, so that it neither watches all mentions nor fires because the keyword's mentions " +
			"end. Its `state.pausedBecause` is keyword_deleted. An alert on a feed stays as it is.",
		Codes: []problem.Code{problem.KeywordNotFound, problem.InvalidInput},
		Example: DeletedKeyword{
			OK:     true,
			Feeds:  []MendedFeed{{ID: 3, Name: "Unhappy customers", Change: feed.KeywordRemoved}},
			Alerts: []MendedAlert{{ID: 2, Name: "Complaints", Change: feed.Paused}},
		},
	}, r.remove)
}

// DeletedKeyword is the response to a deletion.
type DeletedKeyword struct {
	OK     bool          `json:"ok"`
	Feeds  []MendedFeed  `json:"feeds" doc:"The feeds whose filters named the keyword."`
	Alerts []MendedAlert `json:"alerts" doc:"The alerts whose filters named the keyword."`
}

// MendedFeed is a feed that lost a keyword.
type MendedFeed struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Change string `json:"change" enum:"keyword_removed,text_instead" doc:"The change to the feed's filters."`
}

// MendedAlert is an alert that lost a keyword, or was disabled.
type MendedAlert struct {
	ID     int64  `json:"id"`
	Name   string `json:"name"`
	Change string `json:"change" enum:"keyword_removed,text_instead,paused" doc:"The change to the alert."`
}

func (r remove) remove(ctx context.Context, in *KeywordPath) (*DeletedKeyword, error) {
	mended, err := r.store.DeleteKeywordOnce(ctx, web.CallerOf(ctx).Workspace.ID, in.ID, web.Repeated(ctx))
	if err != nil {
		return nil, Refused(ctx, err)
	}
	answer := &DeletedKeyword{OK: true, Feeds: []MendedFeed{}, Alerts: []MendedAlert{}}
	for _, m := range mended.Feeds {
		answer.Feeds = append(answer.Feeds, MendedFeed(m))
	}
	for _, m := range mended.Alerts {
		answer.Alerts = append(answer.Alerts, MendedAlert(m))
	}
	return answer, nil
}
