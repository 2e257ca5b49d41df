package mentions

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"earshot/shared/mention"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
	"earshot/shared/web/problem"
)

// Reader reads single mentions.
type Reader interface {
	// Mention and MentionByID return store.ErrNotFound if there is none.
	Mention(ctx context.Context, orgID, sourceID string) (mention.Mention, error)
	MentionByID(ctx context.Context, orgID string, id int64) (mention.Mention, error)
}

type read struct{ reader Reader }

func registerRead(api *web.API, r read) {
	web.Register(api, web.Operation{
		ID: "getMention", Method: http.MethodGet, Path: "/api/v2/mentions/{sourceId}", Group: Group,
		Summary: "Read one mention",
		Description: "Takes the mention's `sourceId` or its numeric `id`. Use " +
			"[getMentionById](#operation/getMentionById) for an id that a path segment cannot carry, or that is " +
			"the name of a sibling route.",
		ETag: true, Codes: []problem.Code{problem.MentionNotFound}, Example: example(),
	}, r.get)
	web.Register(api, web.Operation{
		ID:          "getMentionById",
		Method:      http.MethodGet,
		Path:        "/api/v2/mentions/by-id",
		Group:       Group,
		Summary:     "Read one mention by its verbatim id",
		Description: "Does what getMention does, and takes every id: also `.`, `..`, `export`, and ids with slashes or percent signs.",
		ETag:        true,
		Codes:       []problem.Code{problem.MentionNotFound},
		Example:     example(),
	}, r.getByID)
}

// GetInput names a mention by a path segment.
type GetInput struct {
	SourceID   string `path:"sourceId" doc:"The mention's sourceId or numeric id." example:"reddit_post_1kq3x9"`
	Engagement bool   `query:"includeEngagementMetrics" doc:"Whether to add the latest engagement counters."`
}

// GetByIDInput names a mention by a query parameter.
type GetByIDInput struct {
	ID         string `query:"id" required:"true" minLength:"1" doc:"The mention's sourceId or numeric id, verbatim. Escape it as a query value: a semicolon is %3B." example:"reddit_post_1kq3x9"`
	Engagement bool   `query:"includeEngagementMetrics" doc:"Whether to add the latest engagement counters."`
}

func (r read) get(ctx context.Context, in *GetInput) (*mentionwire.Mention, error) {
	return r.read(ctx, in.SourceID, in.Engagement)
}

func (r read) getByID(ctx context.Context, in *GetByIDInput) (*mentionwire.Mention, error) {
	return r.read(ctx, in.ID, in.Engagement)
}

// read takes an id for a sourceId first and then, when it is a whole number, for a numeric id.
func (r read) read(ctx context.Context, id string, engagement bool) (*mentionwire.Mention, error) {
	org := web.CallerOf(ctx).Workspace.ID
	found, err := r.reader.Mention(ctx, org, id)
	if errors.Is(err, store.ErrNotFound) {
		if number, ok := numeric(id); ok {
			found, err = r.reader.MentionByID(ctx, org, number)
		}
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, problem.New(problem.MentionNotFound, "No mention has this id. POST /api/v2/mentions lists them.")
	}
	if err != nil {
		return nil, err
	}
	wire := mentionwire.FromMention(found, engagement)
	return &wire, nil
}

// numeric reads a whole number in JSON's spelling: no sign, no leading zero.
func numeric(id string) (int64, bool) {
	number, err := strconv.ParseInt(id, 10, 64)
	return number, err == nil && number >= 1 && number <= mention.MaxID && strconv.FormatInt(number, 10) == id
}
