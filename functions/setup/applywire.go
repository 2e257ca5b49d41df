package setup

import (
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"earshot/shared/proposal"
	"earshot/shared/store/setupstore"
	"earshot/shared/web"
	"earshot/shared/web/problem"
)

// ApplySetup is the body that says what of a proposal is to be applied.
type ApplySetup struct {
	KeywordRefs []string `json:"keywordRefs,omitempty" maxItems:"100" doc:"Refs of the keywords to apply. Default: those with selectedByDefault."`
	OptionIDs   []string `json:"optionIds,omitempty" maxItems:"100" doc:"Ids of the scoping options to apply, one for a keyword. Default: those of new keywords with selectedByDefault."`
	FeedRefs    []string `json:"feedRefs,omitempty" maxItems:"100" doc:"Refs of the feeds to apply. Default: the visible feeds that have an applied keyword."`
}

// ApplySetupInput asks to apply a proposal.
type ApplySetupInput struct {
	SetupDraftPath
	Body ApplySetup
}

// SetupApplied is what became of a proposal.
type SetupApplied struct {
	DraftID  string               `json:"draftId"`
	Status   appliedStatus        `json:"status"`
	Keywords []SetupKeywordMade   `json:"keywords" doc:"The selected keywords, in the proposal's order."`
	Options  []SetupOptionApplied `json:"options" doc:"The scoping options that these keywords have."`
	Feeds    []SetupFeedMade      `json:"feeds" doc:"The selected feeds, in the proposal's order."`
	Skipped  []SetupSkippedRef    `json:"skipped" doc:"What was not applied, and why."`
}

// SetupKeywordMade is a keyword that a ref of a proposal stands for.
type SetupKeywordMade struct {
	Ref     string `json:"ref"`
	ID      int64  `json:"id" minimum:"1" maximum:"9007199254740991" doc:"The keyword's id."`
	Keyword string `json:"keyword" doc:"The keyword's text."`
	Created bool   `json:"created" doc:"Whether this request created it. false: it existed before."`
}

// SetupOptionApplied is a scoping option that a keyword has.
type SetupOptionApplied struct {
	ID         string `json:"id"`
	KeywordRef string `json:"keywordRef"`
}

// SetupFeedMade is a feed that a ref of a proposal stands for.
type SetupFeedMade struct {
	Ref     string `json:"ref"`
	ID      int64  `json:"id" minimum:"1" maximum:"9007199254740991" doc:"The feed's id."`
	Name    string `json:"name"`
	Created bool   `json:"created" doc:"Whether this request created it. false: it existed before."`
}

// SetupSkippedRef is something that was not done.
type SetupSkippedRef struct {
	Ref     string `json:"ref" doc:"Ref of a keyword or a feed, or id of an option."`
	Code    string `json:"code" enum:"ITEM_EXISTS,KEYWORD_NOT_FOUND,KEYWORDS_NOT_FOUND,FEED_NOT_FOUND,INVALID_INPUT"`
	Message string `json:"message"`
}

func fromApplied(draftID string, done setupstore.SetupApplied) SetupApplied {
	return SetupApplied{
		DraftID: draftID,
		Status:  appliedStatus(proposal.Applied),
		Keywords: each(done.Keywords, func(k setupstore.AppliedKeyword) SetupKeywordMade {
			return SetupKeywordMade{k.Ref, k.ID, k.Text, k.Created}
		}),
		Options: each(
			done.Options, func(o setupstore.AppliedOption) SetupOptionApplied { return SetupOptionApplied(o) },
		),
		Feeds:   each(done.Feeds, func(f setupstore.AppliedFeed) SetupFeedMade { return SetupFeedMade(f) }),
		Skipped: each(done.Skipped, fromSkipped),
	}
}

func fromSkipped(s setupstore.SkippedRef) SetupSkippedRef {
	wire := SetupSkippedRef{Ref: s.Ref}
	say := func(code problem.Code, format string, args ...any) SetupSkippedRef {
		wire.Code, wire.Message = string(code), fmt.Sprintf(format, args...)
		return wire
	}
	switch s.Why {
	case setupstore.SkipTracked:
		return say(
			problem.ItemExists,
			"The workspace tracks this already, as keyword %d. It stays as it is and stands for the ref.", s.ID,
		)
	case setupstore.SkipDeleted:
		return say(
			problem.KeywordNotFound, "Keyword %d stood for this and was deleted since. Make another, or propose again.",
			s.ID,
		)
	case setupstore.SkipChanged:
		return say(
			problem.InvalidInput,
			"The additional terms or the platforms of keyword %d were changed since it was created, so they stay. "+
				"Change them yourself.",
			s.ID,
		)
	case setupstore.SkipFeedDeleted:
		return say(
			problem.FeedNotFound, "Feed %d was made of this and deleted since. Make another, or propose again.", s.ID,
		)
	}
	return say(problem.KeywordsNotFound, "None of the feed's keywords is applied.")
}

func exampleApplied() SetupApplied {
	return fromApplied(exampleDraft, setupstore.SetupApplied{
		Keywords: []setupstore.AppliedKeyword{
			{Ref: "brand", ID: 7, Text: "northwind", Created: true},
			{Ref: "competitor_1", ID: 3, Text: "southwind"},
		},
		Options: []setupstore.AppliedOption{{ID: "narrower_brand", KeywordRef: "brand"}},
		Feeds:   []setupstore.AppliedFeed{{Ref: "feed_brand", ID: 1, Name: "Brand", Created: true}},
		Skipped: []setupstore.SkippedRef{{Ref: "competitor_1", Why: setupstore.SkipTracked, ID: 3}},
	})
}

type appliedStatus proposal.Status

// Schema lists its value.
func (appliedStatus) Schema(huma.Registry) *huma.Schema { return web.OneOf("", proposal.Applied) }
