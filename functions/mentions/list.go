package mentions

import (
	"context"
	"net/http"

	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
)

// Timeline reads mentions, newest first.
type Timeline interface {
	Mentions(ctx context.Context, query store.MentionsQuery) (store.MentionsPage, error)
}

type list struct {
	selector Selector
	timeline Timeline
}

func registerList(api *web.API, l list) {
	web.Register(api, web.Operation{
		ID: "listMentions", Method: http.MethodPost, Path: "/api/v2/mentions", Group: Group,
		Summary: "List mentions, newest first",
		Description: "Only relevant ones unless `includeAll` is true. " + selectionRules + "\n\nFollow `pagination.nextCursor` until it is null: " +
			"mentions that arrive meanwhile neither repeat nor hide one that was there at the start. A page may be shorter than `limit`, or even " +
			"empty, and more may follow all the same: when mentions are long, or when a filter takes so few of them that the search for more " +
			"would cost too much at once. A cursor goes with the filters that it came with; when the view's filters were changed since, it is " +
			"refused: start again without it.",
		Codes: selectionCodes, Example: MentionList{Data: []mentionwire.Mention{example()}},
	}, l.list)
}

// ListInput asks for a page of mentions.
type ListInput struct{ Body ListMentions }

// ListMentions is the body that asks for it.
type ListMentions struct {
	Selection
	Limit  int     `json:"limit,omitempty" minimum:"1" maximum:"100" default:"20" doc:"Mentions in a page, at most."`
	Cursor *string `json:"cursor,omitempty" doc:"A page's nextCursor, with the same body otherwise; limit and includeEngagementMetrics may change."`
}

// MentionList is a page of mentions.
type MentionList struct {
	Data       []mentionwire.Mention `json:"data"`
	Pagination web.Pagination        `json:"pagination"`
}

// selection is what a cursor is bound to: the list and everything that selects its rows.
type selection struct {
	List  string            `json:"list"`
	Query mentionwire.Query `json:"query"`
}

func (l list) list(ctx context.Context, in *ListInput) (*MentionList, error) {
	selected, effective, err := l.toQuery(ctx, in.Body.Selection)
	if err != nil {
		return nil, err
	}
	query := store.MentionsQuery{All: selected.IncludeAll, Limit: in.Body.Limit}.Narrowed(effective)
	return page(ctx, l.timeline, query, selection{"mentions", selected}, in.Body.Cursor, in.Body.Engagement)
}

// page reads the page of a list that a cursor is for, or the first.
func page(ctx context.Context, timeline Timeline, query store.MentionsQuery, selected any, cursor *string, engagement bool) (*MentionList, error) {
	caller := web.CallerOf(ctx)
	query.WorkspaceID = caller.Workspace.ID
	if cursor != nil {
		if err := web.OpenCursor(caller, selected, *cursor, &query.After); err != nil {
			return nil, err
		}
	}
	found, err := timeline.Mentions(ctx, query)
	if err != nil {
		return nil, err
	}
	answer := &MentionList{Data: make([]mentionwire.Mention, 0, len(found.Mentions))}
	for _, m := range found.Mentions {
		answer.Data = append(answer.Data, mentionwire.FromMention(m, engagement))
	}
	if found.Next != "" {
		next, err := web.SealCursor(caller, selected, found.Next)
		if err != nil {
			return nil, err
		}
		answer.Pagination.NextCursor = web.Some(next)
	}
	return answer, nil
}
