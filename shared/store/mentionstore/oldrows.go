package mentionstore

import (
	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// Rows of old have an attribute for each part of a mention. Deployments still write them in their first hours: see
// PacksFrom.

// setFacts sets an attribute for each of a mention's facts, as rows of old have them.
func setFacts(item table.Item, m *mention.Mention) {
	item["source"] = m.Source
	rows.SetIf(item, "author", m.Author)
	rows.Set(item, "sentiment", string(m.Sentiment))
	rows.Set(item, "language", m.Language)
	rows.Set(item, "engaged", m.Engaged)
	rows.Set(item, "isReply", m.IsReply)
	rows.SetIf(item, "authorFollowers", m.AuthorFollowers)
	if m.RelevanceScore != nil {
		item["relevanceScore"] = int64(*m.RelevanceScore)
	}
	if words := filter.Digest(m.Title, m.Body); len(words) > 0 {
		item[rows.AttrWords] = words
	}
	if len(m.Tags) > 0 {
		item["tags"] = rows.FromTexts(m.Tags)
	}
	if len(m.Keywords) > 0 {
		ids := make([]any, len(m.Keywords))
		for i, keyword := range m.Keywords {
			ids[i] = keyword.ID
		}
		item["keywordIds"] = ids
	}
	if m.Engagement != nil {
		metrics := map[string]any{}
		for name, count := range m.Engagement {
			metrics[name] = count
		}
		item["engagementMetrics"] = metrics
	}
	if m.Review != nil {
		item["reviewRating"] = m.Review.Rating
	}
}

// setDetails sets an attribute for each part of a mention that is no fact, as rows of old have them.
func setDetails(item table.Item, m *mention.Mention) {
	item["id"], item["timestamp"] = m.ID, mention.Timestamp(m.PostedAt)
	rows.Set(item, "url", m.URL)
	rows.SetIf(item, "title", m.Title)
	rows.SetIf(item, "body", m.Body)
	rows.Set(item, "authorName", m.AuthorName)
	rows.SetIf(item, "authorAvatar", m.AuthorAvatar)
	rows.SetIf(item, "authorUrl", m.AuthorURL)
	rows.Set(item, "relevant", m.Relevant)
	rows.Set(item, "relevanceComment", m.RelevanceComment)
	rows.Set(item, "imageUrl", m.ImageURL)
	rows.Set(item, "engagementObservedAt", rows.FromTime(m.EngagementObservedAt))
	if m.FeedbackRelevant != nil {
		item["feedbackRelevant"] = int64(*m.FeedbackRelevant)
	}
	rows.Set(item, "judgedComment", m.JudgedComment)
	if m.JudgedScore != nil {
		item["judgedScore"] = int64(*m.JudgedScore)
	}
	if len(m.Vector) > 0 {
		item["vector"] = m.Vector
	}
	if len(m.Keywords) > 0 {
		texts := make([]any, len(m.Keywords))
		for i, keyword := range m.Keywords {
			texts[i] = keyword.Text
		}
		item["keywordTexts"] = texts
	}
	rows.Set(item, "editedAt", rows.FromTime(m.EditedAt))
	rows.Set(item, "sentimentSet", m.SentimentSet)
	rows.Set(item, "storedAt", rows.FromMillis(m.StoredAt))
	if len(m.Announced) > 0 {
		item["announced"] = fromIDs(m.Announced)
	}
	if r := m.Review; r != nil {
		review := table.Item{"ratingMax": r.RatingMax}
		rows.Set(review, "response", r.Response)
		rows.Set(review, "responseAt", rows.FromTime(r.ResponseAt))
		rows.Set(review, "targetName", r.TargetName)
		rows.SetIf(review, "verified", r.Verified)
		item["review"] = map[string]any(review)
	}
}

// toOldMention is toMention of a row of old.
func toOldMention(item table.Item) mention.Mention {
	posted, _ := mention.ParseTimestamp(rows.Text(item, "timestamp"))
	m := mention.Mention{
		ID:                   rows.Integer(item, "id"),
		SourceID:             rows.Text(item, table.SortAttribute),
		URL:                  rows.Text(item, "url"),
		Title:                rows.Pointer[string](item, "title"),
		Body:                 rows.Pointer[string](item, "body"),
		StoryID:              storyIn(item),
		PostedAt:             posted,
		AuthorName:           rows.Text(item, "authorName"),
		AuthorAvatar:         rows.Pointer[string](item, "authorAvatar"),
		AuthorURL:            rows.Pointer[string](item, "authorUrl"),
		Relevant:             rows.Boolean(item, "relevant"),
		RelevanceComment:     rows.Text(item, "relevanceComment"),
		ImageURL:             rows.Text(item, "imageUrl"),
		FeedbackRelevant:     small[int](item, "feedbackRelevant"),
		JudgedScore:          small[mention.Score](item, "judgedScore"),
		JudgedComment:        rows.Text(item, "judgedComment"),
		Vector:               rows.Bytes(item, "vector"),
		EngagementObservedAt: rows.ToTime(rows.Text(item, "engagementObservedAt")),
		EditedAt:             rows.ToTime(rows.Text(item, "editedAt")),
		SentimentSet:         rows.Boolean(item, "sentimentSet"),
		StoredAt:             rows.ToMillis(rows.Integer(item, "storedAt")),
		Announced:            toIDs(rows.List(item, "announced")),
	}
	if review, ok := item["review"].(map[string]any); ok {
		m.Review = &mention.Review{
			RatingMax:  number(review, "ratingMax"),
			Response:   rows.Text(review, "response"),
			ResponseAt: rows.ToTime(rows.Text(review, "responseAt")),
			TargetName: rows.Text(review, "targetName"),
			Verified:   rows.Pointer[bool](review, "verified"),
		}
	}
	toOldFacts(item, rows.Texts(item, "keywordTexts"), &m)
	return m
}

// toOldFacts reads the facts of a row of old into a mention. texts are those of its keywords.
func toOldFacts(item table.Item, texts []string, m *mention.Mention) {
	m.Source, m.Language = rows.Text(item, "source"), rows.Text(item, "language")
	m.Sentiment = mention.Sentiment(rows.Text(item, "sentiment"))
	m.IsReply, m.Engaged = rows.Boolean(item, "isReply"), rows.Boolean(item, "engaged")
	m.RelevanceScore = small[mention.Score](item, "relevanceScore")
	m.Author = rows.Pointer[string](item, "author")
	m.AuthorFollowers = rows.Pointer[int64](item, "authorFollowers")
	if m.Review != nil {
		m.Review.Rating = number(item, "reviewRating")
	}
	for _, tag := range rows.Texts(item, "tags") {
		m.Tags = append(m.Tags, mention.Tag(tag))
	}
	ids, _ := item["keywordIds"].([]any)
	for i, text := range texts {
		if id, ok := ids[i].(int64); ok {
			m.Keywords = append(m.Keywords, mention.Keyword{ID: id, Text: text})
		}
	}
	if metrics, ok := item["engagementMetrics"].(map[string]any); ok {
		m.Engagement = map[string]int64{}
		for name, count := range metrics {
			m.Engagement[name], _ = count.(int64)
		}
	}
}
