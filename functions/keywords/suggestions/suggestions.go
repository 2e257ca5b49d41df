// Package suggestions is the function of suggested changes of keywords ("keywords" in the contract). It is a Lambda of
// its own below keywords: only suggestions read mentions, and link the matcher that tries them.
package suggestions

import (
	"context"
	"errors"
	"net/http"
	"time"

	"earshot/functions/keywords"
	"earshot/shared/keyword"
	"earshot/shared/keyword/suggest"
	"earshot/shared/mention"
	"earshot/shared/port/clock"
	"earshot/shared/store"
	"earshot/shared/store/listenstore"
	"earshot/shared/store/suggestionstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
	"earshot/shared/workspace"
)

// Group names the function. Its operations are of the group keywords.
const Group = "suggestions"

// Store stores suggestions, and reads the mentions in which they are found.
type Store interface {
	Keywords(ctx context.Context, orgID string) ([]keyword.Keyword, error)
	KeywordVolume(ctx context.Context, orgID string, id int64) (listenstore.KeywordVolume, error)
	// Suggestions reads the stored suggestions.
	Suggestions(ctx context.Context, orgID string) (suggestionstore.Suggestions, error)
	// KeepSuggestions stores what was found and returns the open suggestions, even with an error.
	KeepSuggestions(
		ctx context.Context, orgID string, of suggestionstore.Learned,
		find func([]suggest.Refused) []suggest.Suggestion,
	) ([]suggest.Suggestion, error)
	// AcceptSuggestion returns the keyword after the change. Returns store.ErrNotFound and store.ErrKeywordTooLarge.
	AcceptSuggestion(ctx context.Context, orgID, id string) (keyword.Keyword, error)
	// RejectSuggestion returns store.ErrNotFound if there is none.
	RejectSuggestion(ctx context.Context, orgID, id string) error
	// RecentMentions reads the newest mentions, relevant or not.
	RecentMentions(ctx context.Context, orgID string, keywords ...int64) ([]mention.Mention, error)
}

type suggestions struct {
	store Store
	clock clock.Clock
}

// Options configure the function. A document-only API needs none of them.
type Options struct {
	Store Store
	Clock clock.Clock
}

// Register adds the function's operations.
func Register(api *web.API, o Options) {
	s := suggestions{o.Store, o.Clock}
	web.Register(api, web.Operation{
		ID:      "listKeywordSuggestions",
		Method:  http.MethodGet,
		Path:    "/api/v2/keywords/suggestions",
		Group:   keywords.Group,
		Summary: "List suggested changes of keywords that would reduce noise",
		Description: "Suggestions come from the newest 2,000 mentions of the last 30 days and the judgements of " +
			"them by users and the judge. They are computed at most once an hour, and after a keyword, a filter " +
			"or a user's judgement has changed. Every suggestion was tried on these mentions, and its figures " +
			"are counted. No suggestion would remove a mention that a user marked as relevant. The suggestion " +
			"that removes most comes first.\n\nA suggestion can be accepted or rejected for 30 days after it " +
			"was last found, also when it is no longer listed. A rejected suggestion is not made again for a " +
			"year. A workspace with few mentions gets no suggestions.",
		Example: SuggestionList{Data: []Suggestion{exampleSuggestion()}},
	}, s.list)
	web.Register(api, web.Operation{
		ID:      "acceptKeywordSuggestion",
		Method:  http.MethodPost,
		Path:    "/api/v2/keywords/suggestions/{id}/accept",
		Group:   keywords.Group,
		Scope:   workspace.Write,
		Summary: "Accept a suggestion",
		Description: "Adds as many of the values as their list has room for. Existing values stay. Accepting a " +
			"suggestion again changes nothing and returns the same response. The response is " +
			"SUGGESTION_NOT_FOUND if the suggestion was rejected, its keyword is deleted or paused, or its " +
			"change can no longer be made.",
		Codes:   []problem.Code{problem.SuggestionNotFound, problem.InvalidInput},
		Example: AcceptedSuggestion{OK: true, Keyword: keywords.Example()},
	}, s.accept)
	web.Register(api, web.Operation{
		ID:      "rejectKeywordSuggestion",
		Method:  http.MethodPost,
		Path:    "/api/v2/keywords/suggestions/{id}/reject",
		Group:   keywords.Group,
		Scope:   workspace.Write,
		Summary: "Reject a suggestion",
		Description: "A rejected suggestion is no longer listed. For a year neither it nor a part of it is " +
			"suggested for this keyword again. Rejecting a suggestion again changes nothing. The response is " +
			"SUGGESTION_NOT_FOUND if the suggestion was accepted.",
		Codes:   []problem.Code{problem.SuggestionNotFound},
		Example: RejectedSuggestion{OK: true},
	}, s.reject)
}

// SuggestionList is a workspace's suggestions.
type SuggestionList struct {
	Data []Suggestion `json:"data"`
}

// Suggestion is a change of a keyword that would keep noise out.
type Suggestion struct {
	ID        string             `json:"id" pattern:"^sug_[a-z2-7]{26}$" doc:"Id of the suggestion. The same finding always has the same id."`
	Type      string             `json:"type" enum:"add_exclude_words,add_exclude_authors,add_additional_terms,change_additional_terms_logic,set_exact_match,disable_source"`
	KeywordID int64              `json:"keywordId" minimum:"1" maximum:"9007199254740991"`
	Keyword   string             `json:"keyword" doc:"The keyword's text."`
	Values    []string           `json:"values" minItems:"1" maxItems:"5" doc:"The words, authors or terms to add, the most effective first. For other types: the new logic, true, or the platform."`
	Reason    string             `json:"reason" doc:"The counted evidence, in one or two sentences."`
	Evidence  SuggestionEvidence `json:"evidence"`
	Examples  []string           `json:"examples" maxItems:"3" doc:"The sourceIds of mentions that are not relevant and that the change would remove, newest first."`
	CreatedAt string             `json:"createdAt" format:"date-time" doc:"When the suggestion was first found."`
}

// SuggestionEvidence is what was counted over the recent mentions that the keyword matches now.
type SuggestionEvidence struct {
	Mentions            int `json:"mentions" minimum:"0" doc:"Number of mentions that were counted."`
	Relevant            int `json:"relevant" minimum:"0" doc:"Relevant mentions, by users' judgements or else by the judge's."`
	NotRelevant         int `json:"notRelevant" minimum:"0" doc:"Mentions that are not relevant, by users' judgements or else by the judge's."`
	Judged              int `json:"judged" minimum:"0" doc:"Mentions that users judged."`
	WouldRemove         int `json:"wouldRemove" minimum:"0" doc:"Mentions that the changed keyword would not match."`
	WouldRemoveRelevant int `json:"wouldRemoveRelevant" minimum:"0" doc:"Relevant mentions that the changed keyword would not match. Users marked none of them as relevant."`
}

func fromSuggestion(s suggest.Suggestion) Suggestion {
	return Suggestion{
		ID:        s.ID,
		Type:      string(s.Type),
		KeywordID: s.KeywordID,
		Keyword:   s.Keyword,
		Values:    s.Values,
		Reason:    s.Reason,
		Evidence:  SuggestionEvidence(s.Evidence),
		Examples:  s.Examples,
		CreatedAt: web.FormatTime(s.CreatedAt),
	}
}

func exampleSuggestion() Suggestion {
	return Suggestion{
		ID:        "sug_6aunsw6t5dmftbt4vujkcb7fjq",
		Type:      string(suggest.AddExcludeWords),
		KeywordID: 7,
		Keyword:   "northwind",
		Values:    []string{"snow", "gusts"},
		Reason:    `"snow" or "gusts" stand in 31 of the 48 recent mentions of "northwind" that are not relevant, and in none of the 90 relevant ones.`,
		Evidence:  SuggestionEvidence{Mentions: 138, Relevant: 90, NotRelevant: 48, Judged: 12, WouldRemove: 31},
		Examples:  []string{"reddit_post_1kq4aa"},
		CreatedAt: "2026-11-20T09:30:00.000Z",
	}
}

// lookGoodFor is how long the result of a look is used. A look reads as much as RecentMentions may.
const lookGoodFor = time.Hour

func (s suggestions) list(ctx context.Context, _ *struct{}) (*SuggestionList, error) {
	org := web.CallerOf(ctx).Workspace.ID
	kept, err := s.store.Suggestions(ctx, org)
	if err != nil {
		return nil, err
	}
	listening, err := s.store.Keywords(ctx, org)
	if err != nil {
		return nil, err
	}
	open := kept.Open
	if age := s.clock.Now().
		Sub(kept.FoundAt); kept.FoundAt.IsZero() || kept.Of != kept.Now || age >= lookGoodFor ||
		age < 0 {
		if open, err = s.look(ctx, org, kept.Now, listening); err != nil {
			return nil, err
		}
	}
	answer := &SuggestionList{Data: []Suggestion{}}
	by := make(map[int64]keyword.Keyword, len(listening))
	for _, k := range listening {
		by[k.ID] = k
	}
	for _, suggestion := range open {
		if k, there := by[suggestion.KeywordID]; there && suggestion.Open(k) {
			answer.Data = append(answer.Data, fromSuggestion(suggestion))
		}
	}
	return answer, nil
}

// look looks for suggestions again. It also returns those that cannot be stored: the next look finds them again with
// the same ids.
func (s suggestions) look(
	ctx context.Context, org string, of suggestionstore.Learned, listening []keyword.Keyword,
) ([]suggest.Suggestion, error) {
	seen, err := s.store.RecentMentions(ctx, org)
	if err != nil {
		return nil, err
	}
	open, err := s.store.KeepSuggestions(ctx, org, of, func(refused []suggest.Refused) []suggest.Suggestion {
		return suggest.Find(listening, seen, refused)
	})
	if err != nil && open == nil {
		return nil, err
	}
	return open, nil
}

// SuggestionInput names a suggestion.
type SuggestionInput struct {
	ID string `path:"id" doc:"The suggestion's id." example:"sug_6aunsw6t5dmftbt4vujkcb7fjq"`
}

// AcceptedSuggestion is the response to an accepted suggestion.
type AcceptedSuggestion struct {
	OK      bool             `json:"ok"`
	Keyword keywords.Keyword `json:"keyword" doc:"The changed keyword."`
}

func (s suggestions) accept(ctx context.Context, in *SuggestionInput) (*AcceptedSuggestion, error) {
	org := web.CallerOf(ctx).Workspace.ID
	after, err := s.store.AcceptSuggestion(ctx, org, in.ID)
	if err != nil {
		return nil, noSuggestion(ctx, err)
	}
	volume, err := s.store.KeywordVolume(ctx, org, after.ID)
	if err != nil {
		return nil, err
	}
	return &AcceptedSuggestion{OK: true, Keyword: keywords.FromKeyword(after, volume)}, nil
}

// RejectedSuggestion is the response to a rejected suggestion.
type RejectedSuggestion struct {
	OK bool `json:"ok"`
}

func (s suggestions) reject(ctx context.Context, in *SuggestionInput) (*RejectedSuggestion, error) {
	if err := s.store.RejectSuggestion(ctx, web.CallerOf(ctx).Workspace.ID, in.ID); err != nil {
		return nil, noSuggestion(ctx, err)
	}
	return &RejectedSuggestion{OK: true}, nil
}

// noSuggestion returns the client's error if there is no suggestion to act on.
func noSuggestion(ctx context.Context, err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return problem.New(
			problem.SuggestionNotFound,
			"No suggestion with this id can still be accepted or rejected. GET /api/v2/keywords/suggestions lists the current ones.",
		)
	}
	return keywords.Refused(ctx, err)
}
