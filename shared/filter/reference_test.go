package filter_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"earshot/shared/mention"
)

// reference evaluates a filter as it was drawn, before it was JSON, on a whole mention: the grammar read literally, slowly, with
// none of the package's code.
func reference(form map[string]any, m *mention.Mention) bool {
	if start, ok := form["startDate"].(string); ok && m.PostedAt.Before(momentOf(start)) {
		return false
	}
	if end, ok := form["endDate"].(string); ok && !m.PostedAt.Before(momentOf(end)) {
		return false
	}
	groups, advanced := form["groups"].([]any)
	if !advanced {
		for name, value := range form {
			if name != "startDate" && name != "endDate" && !satisfies(name, value, m) {
				return false
			}
		}
		return true
	}
	return joined(form["operator"], groups, func(group map[string]any) bool {
		return joined(group["operator"], group["conditions"].([]any), func(condition map[string]any) bool {
			for name, value := range condition {
				return satisfies(name, value, m)
			}
			panic("an empty condition")
		})
	})
}

// momentOf reads any of someMoments.
func momentOf(text string) time.Time {
	for _, form := range []string{time.RFC3339, "2006-01-02 15:04:05.000", "2006-01-02"} {
		if moment, err := time.Parse(form, text); err == nil {
			return moment
		}
	}
	panic("not a moment: " + text)
}

func joined(operator any, items []any, holds func(map[string]any) bool) bool {
	for _, item := range items {
		if holds(item.(map[string]any)) == (operator == "OR") {
			return operator == "OR"
		}
	}
	return operator == "AND"
}

func satisfies(name string, value any, m *mention.Mention) bool {
	plain, negated := strings.CutPrefix(name, "!")
	values, isList := value.([]any)
	if !isList {
		values = []any{value}
	}
	return slices.ContainsFunc(values, func(v any) bool { return has(plain, v, m) }) != negated
}

// languages of the values that the property draws.
var languages = map[string]string{"de": "german", "german": "german", "EN": "english", "undetermined": ""}

func has(name string, value any, m *mention.Mention) bool {
	text, _ := value.(string)
	number, _ := value.(int)
	switch name {
	case "source":
		return strings.EqualFold(m.Source, text)
	case "sentiment":
		if text == "unknown" {
			return m.Sentiment == ""
		}
		return m.Sentiment != "" && strings.EqualFold(string(m.Sentiment), text)
	case "keyword":
		if text == "none" {
			return len(m.Keywords) == 0
		}
		return slices.ContainsFunc(m.Keywords, func(k mention.Keyword) bool { return k.ID == int64(number) })
	case "language":
		return m.Language == languages[text]
	case "tag":
		if text == "none" {
			return len(m.Tags) == 0
		}
		return slices.Contains(m.Tags, mention.Tag(text))
	case "relevance":
		if text == "none" {
			return m.RelevanceScore == nil
		}
		return m.RelevanceScore != nil && int(*m.RelevanceScore) == number
	case "postType":
		return m.IsReply == (text == "reply")
	case "reviewRating":
		return m.Review != nil && int(math.Round(m.Review.Rating)) == number
	case "engaged":
		return m.Engaged == value
	case "author":
		return m.Author != nil && strings.EqualFold(strings.TrimPrefix(text, "@"), strings.TrimPrefix(*m.Author, "@"))
	case "text":
		return says(m.Title, text) || says(m.Body, text)
	case "minXFollowers", "maxXFollowers":
		if !strings.EqualFold(m.Source, "twitter") || m.AuthorFollowers == nil {
			return false
		}
		return name == "minXFollowers" && *m.AuthorFollowers >= int64(number) ||
			name == "maxXFollowers" && *m.AuthorFollowers <= int64(number)
	case "engagement":
		wanted := value.(map[string]any)
		count, there := m.Engagement[wanted["metric"].(string)]
		if !there || !strings.EqualFold(m.Source, wanted["source"].(string)) {
			return false
		}
		bound := int64(wanted["value"].(int))
		switch wanted["operator"] {
		case "<=":
			return count <= bound
		case "=", "equals":
			return count == bound
		}
		return count >= bound
	}
	panic(fmt.Sprint("no such key: ", name))
}

// says looks for whole words of letters and digits; what the property draws has no other characters within words.
func says(in *string, phrase string) bool {
	if in == nil {
		return false
	}
	plain := func(text string) string {
		text = strings.ReplaceAll(strings.ToLower(norm.NFC.String(text)), "ß", "ss")
		list := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		return " " + strings.Join(list, " ") + " "
	}
	return strings.Contains(plain(*in), plain(phrase))
}
