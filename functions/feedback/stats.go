package feedback

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"earshot/shared/store/mentionstore"
	"earshot/shared/web"
)

func (f feedback) registerStats(api *web.API) {
	web.Register(api, web.Operation{
		ID:      "getFeedbackStats",
		Method:  http.MethodGet,
		Path:    "/api/v2/feedback/stats",
		Group:   Group,
		Summary: "Count the judgements that stand",
		Description: "Counts the judgements of the workspace and of each keyword that has any, including " +
			"deleted keywords. The false-positive rate is the share of judgements that say not relevant, from 0 " +
			"to 1. It is 0 without judgements. A change of a mention's relevance by PATCH counts as a judgement " +
			"for each of its keywords.",
		Example: FeedbackStats{
			FeedbackCount: FeedbackCount{4, 3, 1, 0.25},
			ByKeyword:     []KeywordFeedback{{7, web.Some("northwind"), FeedbackCount{4, 3, 1, 0.25}}},
		},
	}, f.stats)
}

// FeedbackStats count the judgements that stand.
type FeedbackStats struct {
	FeedbackCount
	ByKeyword []KeywordFeedback `json:"byKeyword" doc:"Counts for keywords with judgements, ordered by id."`
}

// KeywordFeedback counts those of a keyword.
type KeywordFeedback struct {
	KeywordID int64            `json:"keywordId" minimum:"1" maximum:"9007199254740991"`
	Keyword   web.Null[string] `json:"keyword" doc:"The keyword's text. Null if the keyword was deleted."`
	FeedbackCount
}

// FeedbackCount counts judgements.
type FeedbackCount struct {
	Total             int64   `json:"totalFeedback" minimum:"0"`
	Relevant          int64   `json:"relevantCount" minimum:"0"`
	NotRelevant       int64   `json:"notRelevantCount" minimum:"0"`
	FalsePositiveRate float64 `json:"falsePositiveRate" minimum:"0" maximum:"1" doc:"Share of the judgements that say not relevant. 0 without judgements."`
}

func fromTally(t mentionstore.Tally) FeedbackCount {
	count := FeedbackCount{Total: t.Total(), Relevant: t.Relevant, NotRelevant: t.NotRelevant}
	if count.Total > 0 {
		count.FalsePositiveRate = float64(count.NotRelevant) / float64(count.Total)
	}
	return count
}

func (f feedback) stats(ctx context.Context, _ *struct{}) (*FeedbackStats, error) {
	orgID := web.CallerOf(ctx).Workspace.ID
	totals, err := f.store.Feedback(ctx, orgID)
	if err != nil {
		return nil, err
	}
	keywords, err := f.store.Keywords(ctx, orgID)
	if err != nil {
		return nil, err
	}
	texts := make(map[int64]string, len(keywords))
	for _, k := range keywords {
		texts[k.ID] = k.Text
	}
	stats := &FeedbackStats{FeedbackCount: fromTally(totals.All), ByKeyword: []KeywordFeedback{}}
	for _, id := range slices.Sorted(maps.Keys(totals.ByKeyword)) {
		stats.ByKeyword = append(
			stats.ByKeyword, KeywordFeedback{id, web.NullIfEmpty(texts[id]), fromTally(totals.ByKeyword[id])},
		)
	}
	return stats, nil
}
