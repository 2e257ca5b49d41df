package searches

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/oklog/ulid/v2"

	"earshot/shared/judge"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/query"
	"earshot/shared/search"
	"earshot/shared/store"
	"earshot/shared/store/rows"
	"earshot/shared/story"
	"earshot/shared/web"
	"earshot/shared/web/searchwire"
	"earshot/shared/worker"
)

// run takes a search from its row to its end.
func (o Options) run(ctx context.Context, s search.Search) error {
	w, err := o.Store.Workspace(ctx, s.WorkspaceID)
	if errors.Is(err, store.ErrNotFound) {
		return nil // deleted, and its searches with it
	}
	if err != nil {
		return err
	}
	company, err := o.Store.Company(ctx, s.WorkspaceID)
	if err != nil {
		return err
	}
	parsed, faults := query.Parse(s.Query)
	if len(faults) > 0 {
		return fmt.Errorf("searches: read a stored query: %w", faults[0])
	}
	found, err := o.ask(ctx, s, parsed)
	if err != nil {
		return err
	}
	s.Stats = found.stats
	distinct := search.Distinct(found.posts)
	s.Stats.AfterDedup = len(distinct)
	var results []search.Result
	if len(distinct) > 0 {
		results = newJudging(o.Judge, company, parsed).results(distinct, s.MinRelevance)
	}
	s.Stats.AfterRelevance = len(results)
	search.Rank(results)
	results, overruled, err := o.identified(ctx, s, results)
	if err != nil {
		return err
	}
	s.Stats.AfterRelevance -= overruled
	encoded, fresh, err := encode(results)
	if err != nil {
		return err
	}
	s.Attempt = ulid.Make().String()
	if s.Parts, err = o.Store.PutSearchResults(ctx, s, s.Attempt, encoded); err != nil {
		return err
	}
	ended, err := o.Store.CompleteSearch(ctx, s, w.MentionLimit(), fresh)
	if errors.Is(err, store.ErrNotFound) {
		return nil // it has expired, or its workspace was deleted
	}
	if err != nil {
		return err
	}
	worker.Count(ctx, "results", len(encoded))
	worker.Count(ctx, "billed", ended.Stats.Consumed)
	return nil
}

func toMention(p *post.Post, reading judge.Reading, verdict judge.Verdict) mention.Mention {
	m := mention.Mention{
		SourceID:             p.SourceID,
		URL:                  p.URL,
		Title:                p.Title,
		Body:                 p.Body,
		Source:               p.Source,
		PostedAt:             p.PostedAt,
		Author:               p.Author,
		AuthorName:           p.AuthorName,
		AuthorAvatar:         p.AuthorAvatar,
		AuthorURL:            p.AuthorURL,
		AuthorFollowers:      p.AuthorFollowers,
		Relevant:             verdict.Score.Relevant(),
		RelevanceScore:       &verdict.Score,
		RelevanceComment:     verdict.Comment,
		Sentiment:            reading.Sentiment,
		Language:             reading.Language,
		Tags:                 verdict.Tags,
		IsReply:              p.IsReply,
		Review:               p.Review,
		ImageURL:             p.ImageURL,
		Engagement:           p.Engagement,
		EngagementObservedAt: p.EngagementObservedAt,
	}
	m.StoryID = story.OfMention(&m).String()
	return m
}

// identified returns the first results that the search asks for, with their ids. It leaves out those that users of the
// workspace found less relevant than the search asks for, and says how many they are.
func (o Options) identified(
	ctx context.Context, s search.Search, ranked []search.Result,
) (results []search.Result, overruled int, err error) {
	for len(ranked) > 0 && len(results) < s.MaxResults {
		some := ranked[:min(len(ranked), s.MaxResults-len(results))]
		ranked = ranked[len(some):]
		if err := o.identify(ctx, s.WorkspaceID, some); err != nil {
			return nil, 0, err
		}
		for _, result := range some {
			if *result.Mention.RelevanceScore > s.MinRelevance {
				overruled++
				continue
			}
			results = append(results, result)
		}
	}
	search.Rank(results)
	return results, overruled, nil
}

// identify gives each result its id, and says which the workspace has. A new one gets a number that no mention of the
// workspace has or will have. Of a known one, what users did with it is shown: their relevance, and its sentiment.
func (o Options) identify(ctx context.Context, orgID string, results []search.Result) error {
	if len(results) == 0 {
		return nil
	}
	mentions := make([]mention.Mention, len(results))
	for i := range results {
		mentions[i] = results[i].Mention
	}
	having, err := o.Store.Having(ctx, orgID, mentions)
	if err != nil {
		return err
	}
	next, err := o.Store.Draw(ctx, orgID, rows.SequenceOfMentions, len(results))
	if err != nil {
		return err
	}
	for i := range results {
		m := &results[i].Mention
		known, ok := having[m.SourceID]
		if !ok {
			m.ID, next = next, next+1
			continue
		}
		results[i].Known = true
		m.ID, m.Keywords, m.Engaged, m.FeedbackRelevant = known.ID, known.Keywords, known.Engaged, known.FeedbackRelevant
		if known.Sentiment != "" {
			m.Sentiment = known.Sentiment
		}
		if f := known.FeedbackRelevant; f != nil && *f != 0 && known.RelevanceScore != nil {
			m.Relevant, m.RelevanceScore, m.RelevanceComment = known.Relevant, known.RelevanceScore, known.RelevanceComment
		}
	}
	return nil
}

// mostSent bounds the results of a search in bytes, so that a response has room for the rest of the search.
const mostSent = web.MaxSent - 128<<10

// encode returns the results as JSON, as many as a response holds, and the SourceIDs of those that the workspace does
// not have.
func encode(results []search.Result) (encoded []json.RawMessage, fresh []string, err error) {
	size := 0
	for _, result := range results {
		content, err := json.Marshal(searchwire.FromResult(result))
		if err != nil {
			return nil, nil, fmt.Errorf("searches: write a result: %w", err)
		}
		if size += web.Sent(content); size > mostSent {
			break
		}
		encoded = append(encoded, content)
		if !result.Known {
			fresh = append(fresh, result.Mention.SourceID)
		}
	}
	return encoded, fresh, nil
}
