package mentions

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/feed/audience"
	"earshot/shared/mention"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Changer changes mentions.
type Changer interface {
	// ChangeMention changes a mention and its counts together. It writes nothing if the change returns false. Returns
	// store.ErrNotFound if there is no such mention.
	ChangeMention(
		ctx context.Context, orgID, sourceID string, change func(*mention.Mention) (bool, error),
	) (mention.Mention, error)
	// What feeds tell of a mention that is corrected.
	audience.Store
}

type change struct{ changer Changer }

func registerChange(api *web.API, c change) {
	web.Register(api, web.Operation{
		ID:      "updateMention",
		Method:  http.MethodPatch,
		Path:    "/api/v2/mentions/{sourceId}",
		Group:   Group,
		Scope:   workspace.Write,
		Summary: "Mark a mention as engaged with, or correct its relevance or tone",
		Description: "`action` selects the change. `postId` and `timestamp` must be those of the mention in the " +
			"path. Otherwise the response is POST_NOT_FOUND. The operation sets state and never toggles it: " +
			"sending a request twice has the effect of sending it once.\n\nA relevance of 0 or 1 is a thumbs " +
			"up, and 2 is a thumbs down. Either replaces the judge's relevance. 3 takes the correction back, " +
			"and the judge's relevance applies again. The correction counts as a judgement for each keyword of " +
			"the mention, like one by submitFeedback. The judge uses users' judgements when it judges later " +
			"mentions.",
		Codes:   []problem.Code{problem.PostNotFound, problem.EngageFailed, problem.RelevanceUpdateFailed},
		Example: Done{OK: true},
	}, c.change)
}

// ChangeInput holds a change of a mention.
type ChangeInput struct {
	SourceID string `path:"sourceId" doc:"The mention's sourceId." example:"reddit_post_1kq3x9"`
	Body     UpdateMention
}

// Engage marks a mention as engaged with, or not.
type Engage struct {
	Action    string                `json:"action" enum:"engage"`
	PostID    int64                 `json:"postId" minimum:"1" maximum:"9007199254740991" doc:"The mention's numeric id."`
	Timestamp mentionwire.Timestamp `json:"timestamp"`
	Engaged   bool                  `json:"engaged"`
}

// SetRelevance corrects the relevance.
type SetRelevance struct {
	Action    string                `json:"action" enum:"relevance"`
	PostID    int64                 `json:"postId" minimum:"1" maximum:"9007199254740991" doc:"The mention's numeric id."`
	Relevance int                   `json:"relevance" minimum:"0" maximum:"3" doc:"0: high. 1: medium. 2: low. 3: take the correction back."`
	Timestamp mentionwire.Timestamp `json:"timestamp"`
}

// SetSentiment corrects the tone.
type SetSentiment struct {
	Action    string                `json:"action" enum:"sentiment"`
	PostID    int64                 `json:"postId,omitempty" minimum:"1" maximum:"9007199254740991" doc:"The mention's numeric id. Optional."`
	Label     mentionwire.Sentiment `json:"sentimentLabel"`
	Timestamp mentionwire.Timestamp `json:"timestamp"`
}

// UpdateMention is the body of a change: one of Engage, SetRelevance and SetSentiment.
type UpdateMention struct {
	written []byte
	body    any
}

var changes = web.Union{Property: "action", Meaning: "The change to make.", Forms: []web.Form{
	{
		Name: "engage",
		Body: Engage{},
	},
	{Name: "relevance", Body: SetRelevance{}},
	{Name: "sentiment", Body: SetSentiment{}},
}}

// Schema describes the forms.
func (UpdateMention) Schema(registry huma.Registry) *huma.Schema { return changes.Schema(registry) }

// UnmarshalJSON keeps the JSON for Resolve.
func (u *UpdateMention) UnmarshalJSON(data []byte) error {
	u.written = append([]byte(nil), data...)
	return nil
}

// Resolve reads the form and reports its faults to huma, all of them together.
func (u *UpdateMention) Resolve(_ huma.Context, at *huma.PathBuffer) (faults []error) {
	u.body, faults = changes.Read(at, u.written)
	var said struct {
		Timestamp mentionwire.Timestamp `json:"timestamp"`
	}
	// A body of another type has its fault already, and so has a malformed timestamp.
	if json.Unmarshal(u.written, &said) != nil || !said.Timestamp.LooksRight() {
		return faults
	}
	if _, err := mention.ParseTimestamp(string(said.Timestamp)); err != nil {
		faults = append(faults, web.Fault(at, "timestamp", "format", "expected a day that exists"))
	}
	return faults
}

// A target identifies the mention that a change means.
type target struct {
	postID    int64 // 0 if not given
	timestamp mentionwire.Timestamp
}

func (u UpdateMention) target() target {
	switch body := u.body.(type) {
	case Engage:
		return target{body.PostID, body.Timestamp}
	case SetRelevance:
		return target{body.PostID, body.Timestamp}
	case SetSentiment:
		return target{body.PostID, body.Timestamp}
	}
	return target{}
}

// is reports whether the target means the mention.
func (t target) is(m *mention.Mention) bool {
	posted, err := mention.ParseTimestamp(string(t.timestamp))
	return err == nil && mention.Timestamp(posted) == mention.Timestamp(m.PostedAt) &&
		(t.postID == 0 || t.postID == m.ID)
}

// apply changes a mention and reports whether that changed it.
func (u UpdateMention) apply(m *mention.Mention) (changed bool) {
	switch body := u.body.(type) {
	case Engage:
		changed = m.Engaged != body.Engaged
		m.Engaged = body.Engaged
	case SetRelevance:
		if score := mention.Score(body.Relevance); score <= mention.Low {
			return m.Overrule(score)
		}
		return m.Uphold()
	case SetSentiment:
		changed = m.Sentiment != mention.Sentiment(body.Label) || !m.SentimentSet
		m.Sentiment, m.SentimentSet = mention.Sentiment(body.Label), true
	}
	return changed
}

// failed returns the client's error if the store fails a change.
func (u UpdateMention) failed(cause error) error {
	switch u.body.(type) {
	case Engage:
		return problem.New(problem.EngageFailed, "The mark could not be written. Send the request again.").
			Because(cause)
	case SetRelevance:
		return problem.New(problem.RelevanceUpdateFailed, "The relevance could not be written. Send the request again.").
			Because(cause)
	}
	return cause
}

// Done is the response to a write that returns nothing else.
type Done struct {
	OK bool `json:"ok"`
}

func (c change) change(ctx context.Context, in *ChangeInput) (*Done, error) {
	meant := in.Body.target()
	_, err := c.changer.ChangeMention(
		ctx,
		web.CallerOf(ctx).Workspace.ID,
		in.SourceID,
		func(m *mention.Mention) (bool, error) {
			if !meant.is(m) {
				return false, store.ErrNotFound
			}
			before := *m
			if !in.Body.apply(m) {
				return false, nil
			}
			return true, audience.Corrected(ctx, c.changer, web.CallerOf(ctx).Workspace.ID, &before, m)
		},
	)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, problem.New(
			problem.PostNotFound, "No mention has this sourceId, postId and timestamp. Send those of one mention.",
		)
	case err != nil:
		return nil, in.Body.failed(err)
	}
	return &Done{OK: true}, nil
}
