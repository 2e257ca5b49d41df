package mentionstore

import (
	"cmp"
	"slices"

	"earshot/shared/mention"
)

// edit takes over the texts of a later edit by the author, and what was made of them: language, tone, tags, vector,
// story, verdict and keywords. A relevance and a sentiment that a user set stand, and so do keywords that a user
// judged. It reports whether seen is a later edit. The order in which edits come does not matter, because the latest
// one stays.
func edit(m *mention.Mention, seen mention.Mention) bool {
	if !seen.EditedAt.After(m.EditedAt) {
		return false
	}
	m.EditedAt = seen.EditedAt
	if sameTexts(m, &seen) {
		return true
	}
	m.Title, m.Body, m.ImageURL, m.Review = seen.Title, seen.Body, seen.ImageURL, cmp.Or(seen.Review, m.Review)
	m.Language, m.Tags, m.Vector, m.StoryID = seen.Language, seen.Tags, seen.Vector, seen.StoryID
	if !m.SentimentSet {
		m.Sentiment = seen.Sentiment
	}
	m.Rejudge(seen.RelevanceScore, seen.RelevanceComment)
	m.Keywords = rematched(m, seen.Keywords)
	return true
}

// rematched returns the keywords that an edited text matches, and those that a user judged.
func rematched(m *mention.Mention, matched []mention.Keyword) []mention.Keyword {
	var judged []mention.Keyword
	for _, k := range m.Keywords {
		known := slices.ContainsFunc(matched, func(other mention.Keyword) bool { return other.ID == k.ID })
		if _, stands := m.Judgement(k.ID); stands && !known {
			judged = append(judged, k)
		}
	}
	judged = judged[:min(len(judged), mention.MaxKeywords)]
	room := mention.MaxKeywords - len(judged)
	return append(slices.Clone(matched[:min(len(matched), room)]), judged...)
}
