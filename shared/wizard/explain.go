package wizard

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"earshot/shared/filter"
)

const remedy = "Name platforms, tones, topics, languages, keywords, feeds, times or followers, and put words to look for " +
	"in quotes."

// notUnderstood names words that have no meaning here.
func notUnderstood(words []string) string {
	var named []string
	for _, w := range words {
		if plain(w) && len(named) < 5 {
			named = append(named, strconv.Quote(w))
		}
	}
	if len(named) == 0 {
		return "A part of the request is not understood. " + remedy
	}
	return "Not understood: " + strings.Join(named, ", ") + ". " + remedy
}

// plain reports whether a text may be repeated: a few short words of letters. A request may hold a secret, which is
// long or has digits.
func plain(text string) bool {
	for w := range strings.FieldsSeq(text) {
		if len([]rune(w)) > 20 {
			return false
		}
	}
	return strings.TrimSpace(text) != "" && len(text) <= 80 && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != ' ' && r != '-'
	})
}

// labels name the keys to people.
var labels = map[filter.Key]string{
	filter.Source: "platform", filter.Sentiment: "tone", filter.Keyword: "keyword", filter.Language: "language",
	filter.Tag: "topic", filter.Relevance: "relevance", filter.PostType: "kind", filter.ReviewRating: "stars",
	filter.Author: "author", filter.Text: "text",
}

// explanation says in a sentence what a valid filter shows.
func explanation(u Understanding, n names) string {
	decoder := json.NewDecoder(strings.NewReader(u.Filters))
	decoder.UseNumber()
	var members map[string]any
	if decoder.Decode(&members) != nil {
		return "Shows mentions."
	}
	parts := n.described(members)
	from, _ := members["startDate"].(string)
	until, _ := members["endDate"].(string)
	switch {
	case from != "" && until != "":
		parts = append(parts, "posted from "+from+" to before "+until+" (UTC)")
	case from != "":
		parts = append(parts, "posted since "+from+" (UTC)")
	case until != "":
		parts = append(parts, "posted before "+until+" (UTC)")
	}
	shown := "Shows mentions"
	if title := n.titles[u.View]; u.View != 0 && plain(title) {
		shown += " of the feed " + strconv.Quote(title)
	} else if u.View != 0 {
		shown += " of the feed " + strconv.FormatInt(u.View, 10)
	}
	if _, chosen := members[string(filter.Relevance)]; u.IncludeAll && !chosen {
		shown += ", also those that are not relevant"
	}
	if len(parts) == 0 {
		return shown + "."
	}
	return shown + ": " + strings.Join(parts, "; ") + "."
}

// described describes the members of a simple or an advanced filter.
func (n names) described(members map[string]any) []string {
	groups, advanced := members["groups"].([]any)
	if !advanced {
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if name != "startDate" && name != "endDate" {
				parts = append(parts, n.condition(name, members[name]))
			}
		}
		return parts
	}
	var parts []string
	for _, group := range groups {
		of, _ := group.(map[string]any)
		conditions, _ := of["conditions"].([]any)
		var joined []string
		for _, c := range conditions {
			one, _ := c.(map[string]any)
			joined = append(joined, n.described(one)...)
		}
		parts = append(parts, joinedBy(joined, of["operator"]))
	}
	if members["operator"] == "OR" {
		return []string{joinedBy(parts, "OR")}
	}
	return parts
}

func joinedBy(parts []string, operator any) string {
	if operator == "OR" && len(parts) > 1 {
		return "either " + strings.Join(parts, " or ")
	}
	return strings.Join(parts, " and ")
}

// condition describes a key and its value. Of the request's own words it repeats plain ones only.
func (n names) condition(name string, value any) string {
	bare, negated := strings.CutPrefix(name, "!")
	is, key := "", filter.Key(bare)
	if negated {
		is = "not "
	}
	switch key {
	case filter.Engaged:
		if value == true {
			return is + "engaged with"
		}
		return is + "not engaged with"
	case filter.MinXFollowers:
		return fmt.Sprintf("%son X with at least %v followers", is, value)
	case filter.MaxXFollowers:
		return fmt.Sprintf("%son X with at most %v followers", is, value)
	}
	var shown []string
	values, _ := value.([]any)
	for _, v := range values {
		text := fmt.Sprint(v)
		switch key {
		case filter.Text, filter.Author:
			if text = strconv.Quote(text); !plain(fmt.Sprint(v)) {
				text = "as in the request"
			}
		case filter.Keyword:
			if id, err := strconv.ParseInt(text, 10, 64); err == nil && plain(n.texts[id]) {
				text = strconv.Quote(n.texts[id])
			}
		case filter.Engagement:
			counter, _ := v.(map[string]any)
			bound := map[any]string{"<=": "at most ", "=": "", "equals": ""}
			least, given := bound[counter["operator"]]
			if !given {
				least = "at least "
			}
			text = fmt.Sprintf("%s%v %v", least, counter["value"], counter["metric"])
		}
		shown = append(shown, text)
	}
	return strings.TrimSpace(is + labels[key] + " " + strings.Join(shown, " or "))
}
