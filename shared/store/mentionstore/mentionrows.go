package mentionstore

import (
	"strconv"
	"strings"

	"earshot/shared/filter"
	"earshot/shared/mention"
	"earshot/shared/port/table"
	"earshot/shared/store/rows"
)

// fromMention returns the row of a mention: packed, or in the form that releases of before read. Its keys hold the id,
// the time and the relevance.
func fromMention(orgID string, m mention.Mention, packs bool) table.Item {
	return rowOf(orgID, m, packs, nil)
}

// rowOf is fromMention for a mention whose packed details may be known, because to pack them takes long.
func rowOf(orgID string, m mention.Mention, packs bool, known []byte) table.Item {
	stream := orgID + rows.StreamOther
	if m.Relevant {
		stream = orgID + rows.StreamRelevant
	}
	item := table.Item{
		table.PartitionAttribute: orgID, table.SortAttribute: m.SourceID,
		rows.AttrStream: stream, rows.AttrMoment: moment(m), rows.AttrNumericID: rows.IDKey(m.ID), "rev": int64(1),
	}
	if m.Author != nil {
		if handle := mention.Handle(*m.Author); handle != "" {
			item[rows.AttrAuthorKey] = authorKey(orgID, m.Source, handle)
		}
	}
	if m.StoryID != "" {
		item[rows.AttrStory] = storyKey(orgID, m.StoryID)
	}
	if packs {
		if known == nil {
			known = detailsOf(&m)
		}
		item[rows.AttrWords], item[rows.AttrDetails] = factsOf(&m), known
	} else {
		setFacts(item, &m)
		setDetails(item, &m)
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
	if !packed(item) {
		return toOldMention(item)
	}
	var m mention.Mention
	texts := unpackDetails(rows.Bytes(item, rows.AttrDetails), &m)
	toFacts(item, texts, &m)
	m.ID, m.SourceID = idIn(item), rows.Text(item, table.SortAttribute)
	m.PostedAt, _ = mention.ParseTimestamp(timestampIn(item))
	m.Relevant = strings.HasSuffix(rows.Text(item, rows.AttrStream), rows.StreamRelevant)
	m.StoryID = storyIn(item)
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

// idIn returns the id of the mention in a row of either form.
func idIn(item table.Item) int64 {
	if id, ok := item["id"].(int64); ok {
		return id
	}
	id, _ := strconv.ParseInt(rows.Text(item, rows.AttrNumericID), 10, 64) // IDKey wrote it
	return id
}

// timestampIn returns when the mention in a row was posted, as mention.Timestamp writes it.
func timestampIn(item table.Item) string {
	timestamp, _, _ := strings.Cut(rows.Text(item, rows.AttrMoment), "#")
	return timestamp
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
