package feedback

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/feed/audience"
	"earshot/shared/mention"
	"earshot/shared/store"
	"earshot/shared/web"
	"earshot/shared/web/mentionwire"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

func (f feedback) registerSubmit(api *web.API) {
	web.Register(api, web.Operation{
		ID: "submitFeedback", Method: http.MethodPost, Path: "/api/v2/feedback", Group: Group, Scope: workspace.Write,
		Summary: "Judge a mention's relevance to a keyword",
		Description: "One judgement stands for each mention and keyword: the last one. Sending the same " +
			"judgement again changes nothing. The mention's relevance follows at once. A mention is relevant if " +
			"it is relevant to any of its keywords. It is not relevant if no judged keyword finds it relevant. " +
			"The judge uses users' judgements when it judges later mentions.\n\n`timestamp` and `source` must " +
			"be those of the mention that `sourceId` names. Otherwise the response is POST_NOT_FOUND. A keyword " +
			"that the mention did not match is KEYWORD_NOT_FOUND. A keyword that has been deleted since can " +
			"still be judged.",
		Codes: []problem.Code{problem.PostNotFound, problem.KeywordNotFound}, Example: example(),
	}, f.submit)
}

func (f feedback) registerWithdraw(api *web.API) {
	web.Register(api, web.Operation{
		ID:      "withdrawFeedback",
		Method:  http.MethodDelete,
		Path:    "/api/v2/feedback",
		Group:   Group,
		Scope:   workspace.Write,
		Summary: "Take a judgement back",
		Description: "The mention's relevance follows the judgements that are left. If none is left, the " +
			"judge's relevance applies again. If there was no judgement, nothing changes. `timestamp` and " +
			"`source` are optional. If you give them, they must be those of the mention.",
		Codes:   []problem.Code{problem.PostNotFound, problem.KeywordNotFound},
		Example: Withdrawn{OK: true},
	}, f.withdraw)
}

// SubmitInput is a judgement of a mention.
type SubmitInput struct{ Body SubmitFeedback }

// SubmitFeedback is a judgement as a client writes it.
type SubmitFeedback struct {
	SourceID  string                `json:"sourceId" minLength:"1" maxLength:"1024" doc:"The mention's sourceId." example:"reddit_post_1kq3x9"`
	Timestamp mentionwire.Timestamp `json:"timestamp"`
	KeywordID int64                 `json:"keywordId" minimum:"1" maximum:"9007199254740991" doc:"A keyword that the mention matched."`
	Source    string                `json:"source" minLength:"1" maxLength:"64" doc:"The mention's platform, in any case." example:"reddit"`
	Type      string                `json:"feedbackType" enum:"RELEVANT,NOT_RELEVANT"`
	Reason    *FeedbackReason       `json:"feedbackReason,omitempty"`
	From      string                `json:"feedbackSource,omitempty" enum:"WEB,EMAIL,SLACK,API" default:"API" doc:"Where the user judged the mention."`
}

// FeedbackReason is the user's reason. Its length counts without surrounding space, so Resolve checks it.
type FeedbackReason string

// Schema describes the bounds.
func (FeedbackReason) Schema(huma.Registry) *huma.Schema {
	one := 1
	return &huma.Schema{Type: huma.TypeString, MinLength: &one, Description: "The user's reason, in their own words.",
		Extensions: map[string]any{"maxLength": mention.MaxReason}}
}

// Resolve reports faults that a schema cannot express.
func (s *SubmitFeedback) Resolve(_ huma.Context, at *huma.PathBuffer) (faults []error) {
	if !exists(s.Timestamp) {
		faults = append(faults, web.Fault(at, "timestamp", "format", "expected a day that exists"))
	}
	if s.Reason == nil {
		return faults
	}
	switch text := strings.TrimSpace(string(*s.Reason)); {
	case strings.ContainsFunc(text,
		func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' }):
		faults = append(faults, web.Fault(at, "feedbackReason", "pattern", "expected no control characters"))
	case text == "":
		faults = append(
			faults,
			web.Fault(
				at, "feedbackReason", "min_length", "expected more than space; leave it out if there is no reason",
			),
		)
	case utf8.RuneCountInString(text) > mention.MaxReason:
		faults = append(faults, web.Fault(at, "feedbackReason", "max_length", "expected at most 500 characters"))
	}
	return faults
}

// exists reports whether the day of a well-formed timestamp exists. It returns true for a malformed one, whose fault is
// reported elsewhere.
func exists(t mentionwire.Timestamp) bool {
	_, err := mention.ParseTimestamp(string(t))
	return err == nil || !t.LooksRight()
}

// judgement returns the judgement in the body.
func (s SubmitFeedback) judgement() mention.Judgement {
	j := mention.Judgement{
		KeywordID: s.KeywordID,
		Relevant:  s.Type == "RELEVANT",
		Source:    mention.JudgementSource(s.From),
	}
	if s.Reason != nil {
		j.Reason = strings.TrimSpace(string(*s.Reason))
	}
	return j
}

// StandingFeedback is a current judgement.
type StandingFeedback struct {
	SourceID  string                `json:"sourceId"`
	KeywordID int64                 `json:"keywordId" minimum:"1" maximum:"9007199254740991"`
	Type      string                `json:"feedbackType" enum:"RELEVANT,NOT_RELEVANT"`
	Reason    web.Null[string]      `json:"feedbackReason" doc:"The user's reason, in their own words. Null if none was given."`
	From      string                `json:"feedbackSource" enum:"WEB,EMAIL,SLACK,API" doc:"Where the user judged the mention."`
	CreatedAt string                `json:"createdAt" format:"date-time" doc:"When the judgement was made."`
	Relevance mentionwire.Relevance `json:"relevance"`
}

func example() StandingFeedback {
	return StandingFeedback{
		SourceID:  "reddit_post_1kq3x9",
		KeywordID: 7,
		Type:      "NOT_RELEVANT",
		Reason:    web.Some("The weather, not the product."),
		From:      "API",
		CreatedAt: "2026-11-20T10:15:00.000Z",
		Relevance: "not_relevant",
	}
}

func fromJudgement(m mention.Mention, j mention.Judgement) *StandingFeedback {
	standing := &StandingFeedback{
		SourceID:  m.SourceID,
		KeywordID: j.KeywordID,
		Type:      "NOT_RELEVANT",
		Reason:    web.NullIfEmpty(j.Reason),
		From:      string(j.Source),
		CreatedAt: web.FormatTime(j.At),
		Relevance: "not_relevant",
	}
	if j.Relevant {
		standing.Type = "RELEVANT"
	}
	if m.Relevant {
		standing.Relevance = "relevant"
	}
	return standing
}

func (f feedback) submit(ctx context.Context, in *SubmitInput) (*StandingFeedback, error) {
	target := target{in.Body.SourceID, in.Body.KeywordID, in.Body.Timestamp, in.Body.Source}
	judged, err := f.change(ctx, target, func(m *mention.Mention) bool { return m.Judge(in.Body.judgement()) })
	if err != nil {
		return nil, err
	}
	standing, _ := judged.Judgement(in.Body.KeywordID)
	return fromJudgement(judged, standing), nil
}

// WithdrawInput names a judgement to withdraw.
type WithdrawInput struct {
	SourceID  string                `query:"sourceId" required:"true" minLength:"1" maxLength:"1024" doc:"The mention's sourceId." example:"reddit_post_1kq3x9"`
	KeywordID int64                 `query:"keywordId" required:"true" minimum:"1" maximum:"9007199254740991" doc:"The keyword of the judgement."`
	Timestamp mentionwire.Timestamp `query:"timestamp"`
	Source    string                `query:"source" minLength:"1" maxLength:"64" doc:"The mention's platform, in any case." example:"reddit"`
}

// Resolve reports faults that a schema cannot express.
func (in *WithdrawInput) Resolve(huma.Context) []error {
	if !exists(in.Timestamp) {
		return []error{
			web.Fault(
				huma.NewPathBuffer([]byte("query"), len("query")), "timestamp", "format", "expected a day that exists",
			),
		}
	}
	return nil
}

// Withdrawn is the response to the withdrawal of a judgement.
type Withdrawn struct {
	OK bool `json:"ok"`
}

func (f feedback) withdraw(ctx context.Context, in *WithdrawInput) (*Withdrawn, error) {
	target := target{in.SourceID, in.KeywordID, in.Timestamp, in.Source}
	if _, err := f.change(ctx, target, func(m *mention.Mention) bool { return m.Unjudge(in.KeywordID) }); err != nil {
		return nil, err
	}
	return &Withdrawn{OK: true}, nil
}

// A target is the mention and the keyword that a request names. An empty timestamp or source is not given.
type target struct {
	sourceID  string
	keywordID int64
	timestamp mentionwire.Timestamp
	source    string
}

// is reports whether the request names the mention.
func (t target) is(m *mention.Mention) bool {
	if t.timestamp != "" {
		posted, err := mention.ParseTimestamp(string(t.timestamp))
		if err != nil || mention.Timestamp(posted) != mention.Timestamp(m.PostedAt) {
			return false
		}
	}
	return t.source == "" || strings.EqualFold(t.source, m.Source)
}

// change changes the named mention, which must have matched the keyword.
func (f feedback) change(ctx context.Context, t target, change func(*mention.Mention) bool) (mention.Mention, error) {
	changed, err := f.store.ChangeMention(
		ctx,
		web.CallerOf(ctx).Workspace.ID,
		t.sourceID,
		func(m *mention.Mention) (bool, error) {
			switch {
			case !t.is(m):
				return false, store.ErrNotFound
			case !m.Matched(t.keywordID):
				return false, problem.New(
					problem.KeywordNotFound,
					"The mention did not match the keyword with this id. Its `keywords` list the keywords that it matched.",
				)
			}
			before := *m
			if !change(m) {
				return false, nil
			}
			return true, audience.Corrected(ctx, f.store, web.CallerOf(ctx).Workspace.ID, &before, m)
		},
	)
	if errors.Is(err, store.ErrNotFound) {
		return changed, problem.New(
			problem.PostNotFound, "No mention has this sourceId, timestamp and source. Send those of one mention.",
		)
	}
	return changed, err
}
