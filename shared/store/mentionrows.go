package store

import (
	"strings"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/port/table"
)

func fromMention(orgID string, m mention.Mention) table.Item {
	stream := orgID + streamOther
	if m.Relevant {
		stream = orgID + streamRelevant
	}
	item := table.Item{
		table.PartitionAttribute: orgID, table.SortAttribute: m.SourceID,
		attrStream: stream, attrMoment: moment(m), attrNumericID: idKey(m.ID), "rev": int64(1),
		"id": m.ID, "source": m.Source, "timestamp": mention.Timestamp(m.PostedAt),
	}
	set(item, "url", m.URL)
	setIf(item, "title", m.Title)
	setIf(item, "body", m.Body)
	setIf(item, "author", m.Author)
	set(item, "authorName", m.AuthorName)
	setIf(item, "authorAvatar", m.AuthorAvatar)
	setIf(item, "authorUrl", m.AuthorURL)
	set(item, "relevant", m.Relevant)
	set(item, "relevanceComment", m.RelevanceComment)
	set(item, "sentiment", string(m.Sentiment))
	set(item, "language", m.Language)
	set(item, "engaged", m.Engaged)
	set(item, "isReply", m.IsReply)
	set(item, "imageUrl", m.ImageURL)
	set(item, "engagementObservedAt", fromTime(m.EngagementObservedAt))
	setIf(item, "authorFollowers", m.AuthorFollowers)
	if m.RelevanceScore != nil {
		item["relevanceScore"] = int64(*m.RelevanceScore)
	}
	if m.FeedbackRelevant != nil {
		item["feedbackRelevant"] = int64(*m.FeedbackRelevant)
	}
	set(item, "judgedComment", m.JudgedComment)
	if m.JudgedScore != nil {
		item["judgedScore"] = int64(*m.JudgedScore)
	}
	if len(m.Vector) > 0 {
		item["vector"] = m.Vector
	}
	if words := filter.Digest(m.Title, m.Body); len(words) > 0 {
		item[attrWords] = words
	}
	if m.Author != nil {
		if handle := mention.Handle(*m.Author); handle != "" {
			item[attrAuthorKey] = authorKey(orgID, m.Source, handle)
		}
	}
	if len(m.Tags) > 0 {
		item["tags"] = fromStrings(m.Tags)
	}
	if len(m.Keywords) > 0 {
		ids, texts := make([]any, len(m.Keywords)), make([]any, len(m.Keywords))
		for i, keyword := range m.Keywords {
			ids[i], texts[i] = keyword.ID, keyword.Text
		}
		item["keywordIds"], item["keywordTexts"] = ids, texts
	}
	if m.Engagement != nil {
		metrics := map[string]any{}
		for name, count := range m.Engagement {
			metrics[name] = count
		}
		item["engagementMetrics"] = metrics
	}
	if r := m.Review; r != nil {
		item["reviewRating"] = r.Rating
		review := table.Item{"ratingMax": r.RatingMax}
		set(review, "response", r.Response)
		set(review, "responseAt", fromTime(r.ResponseAt))
		set(review, "targetName", r.TargetName)
		setIf(review, "verified", r.Verified)
		item["review"] = map[string]any(review)
	}
	item[attrBytes] = int64(table.Size(item))
	return item
}

func toMention(item table.Item) mention.Mention {
	posted, _ := mention.ParseTimestamp(str(item, "timestamp"))
	m := mention.Mention{
		ID: integer(item, "id"), SourceID: str(item, table.SortAttribute), URL: str(item, "url"), Title: pointer[string](item, "title"),
		Body: pointer[string](item, "body"), Source: str(item, "source"), PostedAt: posted,
		Author: pointer[string](item, "author"), AuthorName: str(item, "authorName"), AuthorAvatar: pointer[string](item, "authorAvatar"),
		AuthorURL: pointer[string](item, "authorUrl"), AuthorFollowers: pointer[int64](item, "authorFollowers"),
		Relevant: boolean(item, "relevant"), RelevanceScore: small[mention.Score](item, "relevanceScore"), RelevanceComment: str(item, "relevanceComment"),
		Sentiment: mention.Sentiment(str(item, "sentiment")), Language: str(item, "language"),
		Engaged: boolean(item, "engaged"), IsReply: boolean(item, "isReply"), ImageURL: str(item, "imageUrl"),
		FeedbackRelevant: small[int](item, "feedbackRelevant"), JudgedScore: small[mention.Score](item, "judgedScore"), JudgedComment: str(item, "judgedComment"), Vector: bytes(item, "vector"), EngagementObservedAt: toTime(str(item, "engagementObservedAt")),
	}
	for _, tag := range strs(item, "tags") {
		m.Tags = append(m.Tags, mention.Tag(tag))
	}
	ids, _ := item["keywordIds"].([]any)
	for i, text := range strs(item, "keywordTexts") {
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
	if review, ok := item["review"].(map[string]any); ok {
		m.Review = &mention.Review{
			Rating: number(item, "reviewRating"), RatingMax: number(review, "ratingMax"), Response: str(review, "response"),
			ResponseAt: toTime(str(review, "responseAt")), TargetName: str(review, "targetName"),
			Verified: pointer[bool](review, "verified"),
		}
	}
	return m
}

// authorKey is the partition of an author's mentions. A handle that is longer than any platform's is cut.
func authorKey(orgID, source, handle string) string {
	const longest = 512 // bytes
	if len(handle) > longest {
		handle = strings.ToValidUTF8(handle[:longest], "")
	}
	return orgID + "#" + strings.ToLower(source) + "#" + handle
}

// small is a number that may be missing, as the domain's type.
func small[T ~int](item table.Item, name string) *T {
	value, ok := item[name].(int64)
	if !ok {
		return nil
	}
	converted := T(value)
	return &converted
}

// number reads an attribute that was written as a float64; a store may answer a whole one as an integer.
func number(item table.Item, name string) float64 {
	switch value := item[name].(type) {
	case float64:
		return value
	case int64:
		return float64(value)
	}
	return 0
}
