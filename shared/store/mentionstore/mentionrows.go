package mentionstore

import (
	"strings"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// fromMention returns the row of a mention: packed, or in the form that releases of before read.
func fromMention(orgID string, m mention.Mention, packs bool) table.Item {
	stream := orgID + rows.StreamOther
	if m.Relevant {
		stream = orgID + rows.StreamRelevant
	}
	item := table.Item{
		table.PartitionAttribute: orgID, table.SortAttribute: m.SourceID,
		rows.AttrStream: stream, rows.AttrMoment: moment(m), rows.AttrNumericID: rows.IDKey(m.ID), "rev": int64(1),
		"id": m.ID, "timestamp": mention.Timestamp(m.PostedAt),
	}
	if packs {
		item[rows.AttrWords] = factsOf(&m)
	} else {
		setFacts(item, &m)
	}
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
	if m.Author != nil {
		if handle := mention.Handle(*m.Author); handle != "" {
			item[rows.AttrAuthorKey] = authorKey(orgID, m.Source, handle)
		}
	}
	if m.StoryID != "" {
		item[rows.AttrStory] = storyKey(orgID, m.StoryID)
	}
	if len(m.Keywords) > 0 {
		texts := make([]any, len(m.Keywords))
		for i, keyword := range m.Keywords {
			texts[i] = keyword.Text
		}
		item["keywordTexts"] = texts
	}
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
	if size := table.Size(item); size > unsaidBytes {
		item[rows.AttrBytes] = int64(size)
	}
	return item
}

// unsaidBytes is how many bytes a row has at most that does not say it: MaxMentionsPage such rows fit in any page.
const unsaidBytes = 4 << 10

// bytesOf returns how many bytes a mention's row has at most, by its row in an index.
func bytesOf(row table.Item) int { return max(unsaidBytes, int(rows.Integer(row, rows.AttrBytes))) }

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

func toMention(item table.Item) mention.Mention {
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
	texts := rows.Texts(item, "keywordTexts")
	if packed(item) {
		toFacts(item, texts, &m)
	} else {
		toOldFacts(item, texts, &m)
	}
	return m
}

// toFacts reads the facts of a packed row into a mention. texts are those of its keywords.
func toFacts(item table.Item, texts []string, m *mention.Mention) {
	var row filter.Row
	flags := unpackFacts(rows.Bytes(item, rows.AttrWords), &row)
	m.Source, m.Language, m.Sentiment = row.Source, row.Language, row.Sentiment
	m.IsReply, m.Engaged = row.IsReply, row.Engaged
	if flags&hasScore != 0 {
		m.RelevanceScore = new(mention.Score(row.Score))
	}
	if flags&hasAuthor != 0 {
		m.Author = new(row.Author)
	}
	if flags&hasFollowers != 0 {
		m.AuthorFollowers = new(row.Followers)
	}
	if m.Review != nil {
		m.Review.Rating = row.Rating
	}
	for _, tag := range row.Tags {
		m.Tags = append(m.Tags, mention.Tag(tag))
	}
	for i, id := range row.KeywordIDs[:min(len(row.KeywordIDs), len(texts))] {
		m.Keywords = append(m.Keywords, mention.Keyword{ID: id, Text: texts[i]})
	}
	if flags&hasEngagement != 0 {
		m.Engagement = make(map[string]int64, len(row.Engagement))
		for _, counter := range row.Engagement {
			m.Engagement[counter.Metric] = counter.Count
		}
	}
}

// toOldFacts is toFacts of a row of old.
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
