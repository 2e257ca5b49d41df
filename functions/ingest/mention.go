package ingest

import (
	"errors"
	"math"
	"time"
	"unicode/utf8"

	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/post"
	"earshot/shared/score"
)

// toMention makes of a post the mention that a workspace keeps, without an id and not judged yet.
func toMention(p *post.Post, reading score.Reading, keywords []*keyword.Keyword) mention.Mention {
	m := mention.Mention{
		SourceID: p.SourceID, URL: p.URL, Title: p.Title, Body: p.Body, Source: p.Source, PostedAt: p.PostedAt,
		Author: p.Author, AuthorName: p.AuthorName, AuthorAvatar: p.AuthorAvatar, AuthorURL: p.AuthorURL, AuthorFollowers: p.AuthorFollowers,
		Sentiment: reading.Sentiment, Language: reading.Language, IsReply: p.IsReply, Review: p.Review, ImageURL: p.ImageURL,
		Engagement: p.Engagement, EngagementObservedAt: p.EngagementObservedAt, Vector: reading.Vector(),
	}
	for _, k := range keywords {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: k.ID, Text: k.Text})
	}
	return m
}

func judged(m *mention.Mention, v score.Verdict) {
	m.Relevant, m.RelevanceScore, m.RelevanceComment, m.Tags = v.Score.Relevant(), &v.Score, v.Comment, v.Tags
}

// clean makes a post fit to be stored, or says why it cannot be, naming the field as the wire does.
func clean(p *post.Post, now time.Time) error {
	if err := p.Clean(now); err != nil {
		return err
	}
	r := p.Review
	switch {
	case r == nil:
	case !finite(r.Rating) || !finite(r.RatingMax):
		return errors.New("review: a rating must be a number")
	case !utf8.ValidString(r.Response) || !utf8.ValidString(r.TargetName):
		return errors.New("review: must be valid UTF-8")
	}
	return nil
}

// finite says whether a row can hold a number: within the bounds of DynamoDB's.
func finite(n float64) bool {
	size := math.Abs(n)
	return n == 0 || size >= table.MinFloat && size <= table.MaxFloat
}
