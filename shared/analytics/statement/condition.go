package statement

import (
	"slices"

	"earshot/shared/analytics/files"
	"earshot/shared/filter"
	"earshot/shared/text/fold"
)

// condition writes a condition of a filter. Without negation it is FALSE, never NULL, for what a mention lacks.
func condition(w *writer, c *filter.Condition) error {
	if c.Negated {
		w.add("NOT ")
	}
	w.add("(")
	defer w.add(")")
	switch c.Key {
	case filter.Source:
		for _, source := range c.Texts {
			if !fold.ASCII(source) {
				return Inexpressible("a platform whose name is not of ASCII")
			}
		}
		oneOf(w, files.Source, c.Texts)
	case filter.Sentiment:
		oneOf(w, files.Sentiment, c.Texts)
		absent(w, c, files.Sentiment+" IS NULL")
	case filter.Language:
		oneOf(w, files.Language, c.Texts)
	case filter.Relevance:
		oneOf(w, files.Relevance, c.Numbers)
		absent(w, c, files.Relevance+" IS NULL")
	case filter.Author:
		oneOf(w, files.AuthorHandle, c.Texts)
	case filter.Tag:
		holding(w, files.Tags, c.Texts)
		absent(w, c, files.Tags+" = ARRAY[]")
	case filter.Keyword:
		holding(w, files.KeywordIDs, c.Numbers)
		absent(w, c, files.KeywordIDs+" = ARRAY[]")
	case filter.PostType:
		anyOf(w, c.Texts, func(kind string) {
			w.add(files.IsReply, " = ")
			w.bind(kind == "reply")
		})
	case filter.Engaged:
		w.add(files.Engaged, " = ")
		w.bind(c.Flag)
	case filter.ReviewRating:
		oneOf(w, "floor("+files.ReviewRating+" + 0.5E0)", c.Numbers)
	case filter.MinXFollowers, filter.MaxXFollowers:
		operator := " >= "
		if c.Key == filter.MaxXFollowers {
			operator = " <= "
		}
		w.add(files.Source, " = 'twitter' AND COALESCE(", files.AuthorFollowers, " >= 0 AND ", files.AuthorFollowers, operator)
		w.bind(c.Numbers[0])
		w.add(", FALSE)")
	case filter.Engagement:
		return counters(w, c.Counters)
	case filter.Text:
		return texts(w, c)
	default:
		return Inexpressible("a condition on " + string(c.Key))
	}
	return nil
}

// oneOf writes that an expression has one of some values.
func oneOf[T any](w *writer, expression string, values []T) {
	if len(values) == 0 {
		w.add("FALSE")
		return
	}
	w.add("COALESCE(", expression, " IN ")
	list(w, values)
	w.add(", FALSE)")
}

// holding writes that a list has one of some values.
func holding[T any](w *writer, column string, values []T) {
	anyOf(w, values, func(value T) {
		w.add("contains(", column, ", ")
		w.bind(value)
		w.add(")")
	})
}

// absent adds that mentions without a value meet the condition too.
func absent(w *writer, c *filter.Condition, missing string) {
	if c.Absent {
		w.add(" OR ", missing)
	}
}

// counters writes that one of a platform's counters meets its bound.
func counters(w *writer, bounds []filter.Bound) error {
	for _, b := range bounds {
		if !fold.ASCII(b.Source) || !slices.Contains(filter.Operators(), b.Operator) {
			return Inexpressible("a counter of a platform whose name is not of ASCII")
		}
	}
	anyOf(w, bounds, func(b filter.Bound) {
		w.add("(", files.Source, " = ")
		w.bind(b.Source)
		// Athena fails for a key that a map lacks. CASE asks for it only if it is there.
		w.add(" AND CASE WHEN contains(map_keys(", files.EngagementMetrics, "), ")
		w.bind(b.Metric)
		w.add(") THEN ", files.EngagementMetrics, "[")
		w.bind(b.Metric)
		w.add("] ", b.Operator, " ")
		w.bind(b.Value)
		w.add(" ELSE FALSE END)")
	})
	return nil
}

// texts writes that a mention's texts have one of some phrases. Folding and word boundaries are not SQL's: the files
// hold the folded words. Values without a word are looked for in the folded text, which no column holds.
func texts(w *writer, c *filter.Condition) error {
	if len(c.Literals) > 0 {
		return Inexpressible(`a text without a letter or a number, such as "???"`)
	}
	anyOf(w, c.Phrases, func(words []string) {
		w.add("strpos(COALESCE(", files.Words, ", ''), ")
		w.bind(filter.PhraseWords(words))
		w.add(") > 0")
	})
	return nil
}
