package mentionstore

import (
	"strings"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

func fromMention(orgID string, m mention.Mention) table.Item {
	stream := orgID + rows.StreamOther
	if m.Relevant {
		stream = orgID + rows.StreamRelevant
	}
	item := table.Item{
		table.PartitionAttribute: orgID, table.SortAttribute: m.SourceID,
		rows.AttrStream: stream, rows.AttrMoment: moment(m), rows.AttrNumericID: rows.IDKey(m.ID), "rev": int64(1),
		"id": m.ID, "source": m.Source, "timestamp": mention.Timestamp(m.PostedAt),
	}
	rows.Set(item, "url", m.URL)
	rows.SetIf(item, "title", m.Title)
	rows.SetIf(item, "body", m.Body)
	rows.SetIf(item, "author", m.Author)
	rows.Set(item, "authorName", m.AuthorName)
	rows.SetIf(item, "authorAvatar", m.AuthorAvatar)
	rows.SetIf(item, "authorUrl", m.AuthorURL)
	rows.Set(item, "relevant", m.Relevant)
	rows.Set(item, "relevanceComment", m.RelevanceComment)
	rows.Set(item, "sentiment", string(m.Sentiment))
	rows.Set(item, "language", m.Language)
	rows.Set(item, "engaged", m.Engaged)
	rows.Set(item, "isReply", m.IsReply)
	rows.Set(item, "imageUrl", m.ImageURL)
	rows.Set(item, "engagementObservedAt", rows.FromTime(m.EngagementObservedAt))
	rows.SetIf(item, "authorFollowers", m.AuthorFollowers)
	if m.RelevanceScore != nil {
		item["relevanceScore"] = int64(*m.RelevanceScore)
	}
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
	if words := filter.Digest(m.Title, m.Body); len(words) > 0 {
		item[rows.AttrWords] = words
	}
	if m.Author != nil {
		if handle := mention.Handle(*m.Author); handle != "" {
			item[rows.AttrAuthorKey] = authorKey(orgID, m.Source, handle)
		}
	}
	if m.StoryID != "" {
		item[rows.AttrStory] = storyKey(orgID, m.StoryID)
	}
	if len(m.Tags) > 0 {
		item["tags"] = rows.FromTexts(m.Tags)
	}
	if len(m.Keywords) > 0 {
		ids, texts := make([]any, len(m.Keywords)), make([]any, len(m.Keywords))
		for i, keyword := range m.Keywords {
			ids[i], texts[i] = keyword.ID, keyword.Text
		}
		item["keywordIds"], item["keywordTexts"] = ids, texts
	}
	rows.Set(item, "storedAt", rows.FromMillis(m.StoredAt))
	if len(m.Announced) > 0 {
		item["announced"] = fromIDs(m.Announced)
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
		rows.Set(review, "response", r.Response)
		rows.Set(review, "responseAt", rows.FromTime(r.ResponseAt))
		rows.Set(review, "targetName", r.TargetName)
		rows.SetIf(review, "verified", r.Verified)
		item["review"] = map[string]any(review)
	}
	if size := table.Size(item); size > unsaidBytes {
		item[rows.AttrBytes] = int64(size)
	}
	return item
}

// unsaidBytes is how many bytes a row has at most that does not say it: MaxMentionsPage such rows fit in any page.
const unsaidBytes = 4 << 10

// bytesOf returns how many bytes a mention's row has at most, by its row in an index.
func bytesOf(row table.Item) int { return max(unsaidBytes, int(rows.Integer(row, rows.AttrBytes))) }

func toMention(item table.Item) mention.Mention {
	posted, _ := mention.ParseTimestamp(rows.Text(item, "timestamp"))
	m := mention.Mention{
		ID:                   rows.Integer(item, "id"),
		SourceID:             rows.Text(item, table.SortAttribute),
		URL:                  rows.Text(item, "url"),
		Title:                rows.Pointer[string](item, "title"),
		Body:                 rows.Pointer[string](item, "body"),
		Source:               rows.Text(item, "source"),
		StoryID:              storyIn(item),
		PostedAt:             posted,
		Author:               rows.Pointer[string](item, "author"),
		AuthorName:           rows.Text(item, "authorName"),
		AuthorAvatar:         rows.Pointer[string](item, "authorAvatar"),
		AuthorURL:            rows.Pointer[string](item, "authorUrl"),
		AuthorFollowers:      rows.Pointer[int64](item, "authorFollowers"),
		Relevant:             rows.Boolean(item, "relevant"),
		RelevanceScore:       small[mention.Score](item, "relevanceScore"),
		RelevanceComment:     rows.Text(item, "relevanceComment"),
		Sentiment:            mention.Sentiment(rows.Text(item, "sentiment")),
		Language:             rows.Text(item, "language"),
		Engaged:              rows.Boolean(item, "engaged"),
		IsReply:              rows.Boolean(item, "isReply"),
		ImageURL:             rows.Text(item, "imageUrl"),
		FeedbackRelevant:     small[int](item, "feedbackRelevant"),
		JudgedScore:          small[mention.Score](item, "judgedScore"),
		JudgedComment:        rows.Text(item, "judgedComment"),
		Vector:               rows.Bytes(item, "vector"),
		EngagementObservedAt: rows.ToTime(rows.Text(item, "engagementObservedAt")),
		StoredAt:             rows.ToMillis(rows.Integer(item, "storedAt")),
		Announced:            toIDs(rows.List(item, "announced")),
	}
	for _, tag := range rows.Texts(item, "tags") {
		m.Tags = append(m.Tags, mention.Tag(tag))
	}
	ids, _ := item["keywordIds"].([]any)
	for i, text := range rows.Texts(item, "keywordTexts") {
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
			Rating:     number(item, "reviewRating"),
			RatingMax:  number(review, "ratingMax"),
			Response:   rows.Text(review, "response"),
			ResponseAt: rows.ToTime(rows.Text(review, "responseAt")),
			TargetName: rows.Text(review, "targetName"),
			Verified:   rows.Pointer[bool](review, "verified"),
		}
	}
	return m
}

// authorKey returns the partition of an author's mentions. It cuts a handle that is longer than any platform's.
func authorKey(orgID, source, handle string) string {
	const longest = 512 // bytes
	if len(handle) > longest {
		handle = strings.ToValidUTF8(handle[:longest], "")
	}
	return orgID + "#" + strings.ToLower(source) + "#" + handle
}

// storyKey returns the partition of a story's mentions.
func storyKey(orgID, storyID string) string { return orgID + "#" + storyID }

// storyIn returns the id of the story in a row, empty if there is none.
func storyIn(item table.Item) string {
	key := rows.Text(item, rows.AttrStory)
	return key[strings.LastIndexByte(key, '#')+1:]
}

// small reads a number that may be missing, as the domain's type.
func small[T ~int](item table.Item, name string) *T {
	value, ok := item[name].(int64)
	if !ok {
		return nil
	}
	converted := T(value)
	return &converted
}

// number reads an attribute that was written as a float64. A store may return a whole number as an integer.
func number(item table.Item, name string) float64 {
	switch value := item[name].(type) {
	case float64:
		return value
	case int64:
		return float64(value)
	}
	return 0
}
