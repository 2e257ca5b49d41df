package ingest

import (
	"earshot/shared/judge"
	"earshot/shared/keyword"
	"earshot/shared/mention"
	"earshot/shared/post"
	"earshot/shared/story"
)

// toMention makes of a post the mention that a workspace keeps, without an id and not judged yet.
func toMention(p *post.Post, reading judge.Reading, keywords []*keyword.Keyword) mention.Mention {
	m := mention.Mention{
		SourceID:             p.SourceID,
		URL:                  p.URL,
		Title:                p.Title,
		Body:                 p.Body,
		Source:               p.Source,
		PostedAt:             p.PostedAt,
		EditedAt:             p.EditedAt,
		Author:               p.Author,
		AuthorName:           p.AuthorName,
		AuthorAvatar:         p.AuthorAvatar,
		AuthorURL:            p.AuthorURL,
		AuthorFollowers:      p.AuthorFollowers,
		Sentiment:            reading.Sentiment,
		Language:             reading.Language,
		IsReply:              p.IsReply,
		Review:               p.Review,
		ImageURL:             p.ImageURL,
		Engagement:           p.Engagement,
		EngagementObservedAt: p.EngagementObservedAt,
		Vector:               reading.Vector(),
	}
	for _, k := range keywords {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: k.ID, Text: k.Text})
	}
	m.StoryID = story.OfMention(&m).String()
	return m
}

func judged(m *mention.Mention, v judge.Verdict) {
	m.Relevant, m.RelevanceScore, m.RelevanceComment, m.Tags = v.Score.Relevant(), &v.Score, v.Comment, v.Tags
}
