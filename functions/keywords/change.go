package keywords

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/keyword"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

type change struct{ store Keywords }

func registerChange(api *web.API, c change) {
	web.Register(api, web.Operation{
		ID:      "updateKeyword",
		Method:  http.MethodPatch,
		Path:    "/api/v2/keywords/{id}",
		Group:   Group,
		Scope:   workspace.Write,
		ETag:    true,
		IfMatch: true,
		Summary: "Change a keyword",
		Description: "Properties that you leave out stay. A list that you give replaces the whole list. A " +
			"change that alters nothing leaves everything as it is, also `updatedAt`. Without If-Match, " +
			"concurrent changes of different properties are all made. With If-Match, a keyword that changed " +
			"since you read it is not changed: the response is FEED_FILTER_WRITE_CONFLICT. Read the keyword " +
			"again and repeat the change.\n\nA keyword with a new text, or one that is no longer paused, is collected within a minute " +
			"where sources are searched for it. Sources that are read whole " +
			"continue as before. A new text must meet the rules for the text of a new keyword. Stored mentions " +
			"stay.",
		Codes: []problem.Code{
			problem.KeywordNotFound, problem.KeywordOperatorSyntax, problem.ItemExists, problem.InvalidInput,
		},
		Example: Example(),
	}, c.update)
	web.Register(api, web.Operation{
		ID:      "pauseKeyword",
		Method:  http.MethodPost,
		Path:    "/api/v2/keywords/{id}/pause",
		Group:   Group,
		Scope:   workspace.Write,
		ETag:    true,
		Summary: "Pause or resume a keyword",
		Description: "A paused keyword collects and matches nothing, and still counts against the plan. The " +
			"operation sets state and never toggles it. A keyword that is no longer paused is collected again " +
			"within a minute.",
		Codes:   []problem.Code{problem.KeywordNotFound, problem.InvalidInput},
		Example: Example(),
	}, c.pause)
}

// UpdateKeyword is the body of a change.
type UpdateKeyword struct {
	Keyword *string `json:"keyword,omitempty" minLength:"1" doc:"The text to find in titles and bodies: 1 to 100 characters of plain text, without operators."`
	KeywordSettings
}

// UpdateKeywordInput holds a change of a keyword.
type UpdateKeywordInput struct {
	KeywordPath
	Body UpdateKeyword
}

// Resolve reports faults that the schema cannot express.
func (u *UpdateKeyword) Resolve(_ huma.Context, at *huma.PathBuffer) (faults []error) {
	if u.Keyword != nil {
		faults = keywordFaults(at, *u.Keyword)
	}
	return append(faults, u.faults(at)...)
}

// PauseKeyword is the body that pauses.
type PauseKeyword struct {
	Paused bool `json:"paused"`
}

// PauseKeywordInput holds a pause or its end.
type PauseKeywordInput struct {
	KeywordPath
	Body PauseKeyword
}

func (c change) update(ctx context.Context, in *UpdateKeywordInput) (*Keyword, error) {
	return c.change(ctx, in.ID, func(k *keyword.Keyword) error {
		if err := web.Expected(ctx, k.Revision, "keyword"); err != nil {
			return err
		}
		if in.Body.Keyword != nil {
			if text := strings.TrimSpace(*in.Body.Keyword); text != k.Text {
				if err := refuseOperators(text); err != nil {
					return err
				}
				k.Text = text
			}
		}
		in.Body.apply(k)
		return nil
	})
}

func (c change) pause(ctx context.Context, in *PauseKeywordInput) (*Keyword, error) {
	return c.change(ctx, in.ID, func(k *keyword.Keyword) error {
		k.Paused = in.Body.Paused
		return nil
	})
}

// change reads the volume first, so that no read can fail after the write.
func (c change) change(ctx context.Context, id int64, apply func(*keyword.Keyword) error) (*Keyword, error) {
	orgID := web.CallerOf(ctx).Workspace.ID
	volume, err := c.store.KeywordVolume(ctx, orgID, id)
	if err != nil {
		return nil, err
	}
	k, err := c.store.ChangeKeywordOnce(ctx, orgID, id, web.Repeated(ctx), apply)
	if err != nil {
		return nil, Refused(ctx, err)
	}
	web.Revision(ctx, k.Revision)
	answer := FromKeyword(k, volume)
	return &answer, nil
}
