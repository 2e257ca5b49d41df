// Package themes prepares mentions for package theme: it groups them into stories and chooses those to show.
//
// The functions analytics and summaries import it, and summary/compose.
package themes

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"earshot/shared/mention"
	"earshot/shared/story"
	"earshot/shared/text"
	"earshot/shared/theme"
)

// MostRead is how many mentions of a period are read at most to find its themes.
const MostRead = 2_000

// A Story is one thing that was said, with the mentions that tell it, the oldest first.
type Story []*mention.Mention

// Stories returns the stories of mentions in the order of time.
func Stories(mentions []mention.Mention) []Story {
	sorted := make([]*mention.Mention, len(mentions))
	for i := range mentions {
		sorted[i] = &mentions[i]
	}
	slices.SortFunc(sorted, func(a, b *mention.Mention) int {
		return cmp.Or(a.PostedAt.Compare(b.PostedAt), cmp.Compare(a.ID, b.ID))
	})
	prints := make([]story.Fingerprint, len(sorted))
	for i, m := range sorted {
		prints[i] = story.Of(Text(m.Title), Text(m.Body), m.URL)
	}
	var stories []Story
	for i, group := range story.Group(prints) {
		if group == len(stories) {
			stories = append(stories, nil)
		}
		stories[group] = append(stories[group], sorted[i])
	}
	return stories
}

// Post returns the text of a story's oldest mention.
func (s Story) Post() theme.Post {
	m := s[0]
	return theme.Post{Title: Text(m.Title), Body: Text(m.Body), Language: m.Language, Vector: m.Vector}
}

// Text returns a text that may be missing.
func Text(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Keywords returns the texts of the keywords that mentions matched, each once.
func Keywords(mentions []mention.Mention) []string {
	texts := map[string]bool{}
	for i := range mentions {
		for _, k := range mentions[i].Keywords {
			texts[k.Text] = true
		}
	}
	return slices.Sorted(maps.Keys(texts))
}

// Central returns at most `most` mentions that stand for stories, of which the most central come first: of other authors
// and sources than those before, then of other authors, then any.
func Central(stories []Story, most int) (chosen []*mention.Mention) {
	taken := make([]bool, len(stories))
	authors, sources := map[string]bool{}, map[string]bool{}
	for wanted := range 3 {
		for i, s := range stories {
			if len(chosen) == most {
				return chosen
			}
			source := strings.ToLower(s[0].Source)
			author := mention.Handle(Text(s[0].Author))
			known := author != ""
			author += "\x00" + source
			if taken[i] || wanted < 2 && known && authors[author] || wanted < 1 && sources[source] {
				continue
			}
			taken[i], authors[author], sources[source] = true, true, true
			chosen = append(chosen, s[0])
		}
	}
	return chosen
}

// Snippet returns the beginning of a text in one line, without characters that cannot be seen: at most length
// characters.
func Snippet(of string, length int) string {
	return text.CutAtWord(Visible(of, 8*length), length) // most characters may be invisible
}

// Visible returns the first `most` characters of a text in one line, without those that cannot be seen.
func Visible(of string, most int) string {
	seen := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsGraphic(r), unicode.In(r, unicode.Other_Default_Ignorable_Code_Point):
			return -1
		}
		return r
	}, text.First(strings.ToValidUTF8(of, "\uFFFD"), most))
	return strings.Join(strings.Fields(seen), " ")
}
