// Package mentions is the function that reads mentions: one by its id, or a list ("GET by mention id" and "Other
// endpoints" in the description). Another workspace's mention is read exactly as one that does not exist.
package mentions

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"earshot/shared/mention"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/problem"
)

// Group names the function, its tag and its folder.
const Group = "mentions"

// Reader is what the function asks of the store.
type Reader interface {
	// Mention and MentionByID answer store.ErrNotFound.
	Mention(ctx context.Context, orgID, sourceID string) (mention.Mention, error)
	MentionByID(ctx context.Context, orgID string, id int64) (mention.Mention, error)
	Mentions(ctx context.Context, query store.MentionsQuery) (store.MentionsPage, error)
}

// Register adds the function's operations.
func Register(api *web.API, reader Reader) {
	f := function{reader}
	web.Register(api, web.Operation{
		ID: "getMention", Method: http.MethodGet, Path: "/api/v2/mentions/{sourceId}", Group: Group,
		Summary: "Read one mention",
		Description: "By its `sourceId` or its numeric `id`. An id that a path segment cannot carry, or that is the name of a " +
			"sibling route, is read by [getMentionById](#operation/getMentionById).",
		ETag: true, Codes: []problem.Code{problem.MentionNotFound}, Example: exampleMention(),
	}, f.get)
	web.Register(api, web.Operation{
		ID: "getMentionById", Method: http.MethodGet, Path: "/api/v2/mentions/by-id", Group: Group,
		Summary:     "Read one mention, its id taken verbatim",
		Description: "As getMention, for every id there is: `.`, `..`, `export`, and ids with slashes or percent signs.",
		ETag:        true, Codes: []problem.Code{problem.MentionNotFound}, Example: exampleMention(),
	}, f.getByID)
	web.Register(api, web.Operation{
		ID: "listMentions", Method: http.MethodPost, Path: "/api/v2/mentions", Group: Group,
		Summary: "List mentions, newest first",
		Description: "Only relevant ones unless `includeAll` is true. Follow `pagination.nextCursor` until it is null: mentions that " +
			"arrive meanwhile neither repeat nor hide one that was there at the start. A page of long mentions may be shorter than `limit`.",
		Example: MentionList{Data: []Mention{exampleMention()}},
	}, f.list)
}

type function struct{ reader Reader }

// GetInput asks for a mention by a path segment.
type GetInput struct {
	SourceID   string `path:"sourceId" doc:"The sourceId or the numeric id." example:"reddit_post_1kq3x9"`
	Engagement bool   `query:"includeEngagementMetrics" doc:"Adds the latest engagement counters."`
}

// GetByIDInput asks for a mention by a query parameter.
type GetByIDInput struct {
	ID         string `query:"id" required:"true" minLength:"1" doc:"The sourceId or the numeric id, verbatim." example:"reddit_post_1kq3x9"`
	Engagement bool   `query:"includeEngagementMetrics" doc:"Adds the latest engagement counters."`
}

// ListInput asks for a page of mentions.
type ListInput struct{ Body ListMentions }

// ListMentions is the body that asks for it.
type ListMentions struct {
	IncludeAll bool    `json:"includeAll,omitempty" default:"false" doc:"Also those that are not relevant."`
	Engagement bool    `json:"includeEngagementMetrics,omitempty" default:"false" doc:"Adds the latest engagement counters."`
	Limit      int     `json:"limit,omitempty" minimum:"1" maximum:"100" default:"20" doc:"Mentions in a page, at most."`
	Cursor     *string `json:"cursor,omitempty" doc:"A page's nextCursor, with the same body otherwise; limit may change."`
}

// MentionList is a page of mentions.
type MentionList struct {
	Data       []Mention      `json:"data"`
	Pagination web.Pagination `json:"pagination"`
}

func (f function) get(ctx context.Context, in *GetInput) (*Mention, error) {
	return f.read(ctx, in.SourceID, in.Engagement)
}

func (f function) getByID(ctx context.Context, in *GetByIDInput) (*Mention, error) {
	return f.read(ctx, in.ID, in.Engagement)
}

// read takes an id for a sourceId first and then, when it is a whole number, for a numeric id.
func (f function) read(ctx context.Context, id string, engagement bool) (*Mention, error) {
	org := web.CallerOf(ctx).Workspace.ID
	found, err := f.reader.Mention(ctx, org, id)
	if errors.Is(err, store.ErrNotFound) {
		if number, ok := numeric(id); ok {
			found, err = f.reader.MentionByID(ctx, org, number)
		}
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, problem.New(problem.MentionNotFound, "There is no mention with this id.")
	}
	if err != nil {
		return nil, err
	}
	wire := FromMention(found, engagement)
	return &wire, nil
}

// numeric reads a whole number as it is written in JSON: no sign, no leading zero.
func numeric(id string) (int64, bool) {
	number, err := strconv.ParseInt(id, 10, 64)
	return number, err == nil && number >= 1 && number <= mention.MaxID && strconv.FormatInt(number, 10) == id
}

// selection is what a cursor of the list is bound to: everything that selects its rows.
type selection struct {
	List       string `json:"list"`
	IncludeAll bool   `json:"includeAll"`
}

func (f function) list(ctx context.Context, in *ListInput) (*MentionList, error) {
	caller, body := web.CallerOf(ctx), in.Body
	selected := selection{"mentions", body.IncludeAll}
	query := store.MentionsQuery{WorkspaceID: caller.Workspace.ID, All: body.IncludeAll, Limit: body.Limit}
	if body.Cursor != nil {
		if err := web.OpenCursor(caller, selected, *body.Cursor, &query.After); err != nil {
			return nil, err
		}
	}
	page, err := f.reader.Mentions(ctx, query)
	if err != nil {
		return nil, err
	}
	list := &MentionList{Data: make([]Mention, 0, len(page.Mentions))}
	for _, found := range page.Mentions {
		list.Data = append(list.Data, FromMention(found, body.Engagement))
	}
	if page.Next != "" {
		cursor, err := web.SealCursor(caller, selected, page.Next)
		if err != nil {
			return nil, err
		}
		list.Pagination.NextCursor = web.Some(cursor)
	}
	return list, nil
}

// exampleMention is what the document shows.
func exampleMention() Mention {
	score := int64(mention.High)
	return Mention{
		ID: 4211, SourceID: "hackernews_comment_41907231", URL: "https://posts.example/hackernews/41907231",
		Body: web.Some("We moved our alerts to Northwind last month and it has been solid."), Source: "hackernews",
		Timestamp: "2026-11-20 09:30:00.000", Author: web.Some("quietharbor"), Relevance: "relevant",
		RelevanceComment: "Speaks of using the product.", Sentiment: web.Some(Sentiment("Positive")), Language: "english",
		Tags: []Tag{"own_brand_mention", "customer_testimonial"}, Keywords: []MentionKeyword{{ID: 7, Keyword: "northwind"}}, IsReply: true,
		RelevanceScore: &score, KeywordID: 7,
	}
}
