package site

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plurals are the ends that plurals have in languages, as pairs of what the singular ends in without them. Those of one
// language are tried in order.
var plurals = map[string][][2]string{
	"english":    {{"", "s"}, {"y", "ies"}, {"", "es"}},
	"french":     {{"", "s"}, {"", "x"}, {"al", "aux"}},
	"spanish":    {{"", "s"}, {"", "es"}, {"z", "ces"}},
	"catalan":    {{"", "s"}, {"a", "es"}},
	"portuguese": {{"", "s"}, {"", "es"}, {"ao", "oes"}, {"m", "ns"}, {"l", "is"}},
	"italian":    {{"o", "i"}, {"a", "e"}, {"e", "i"}, {"ca", "che"}, {"co", "chi"}},
	"german":     {{"", "n"}, {"", "en"}, {"", "e"}, {"", "er"}, {"", "s"}, {"", "nen"}},
	"dutch":      {{"", "en"}, {"", "s"}, {"", "n"}},
}

// unaccented is a word in lower case without accents: an ending takes them away ("sartén", "sartenes").
func unaccented(word string) string {
	return strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Mn, c) {
			return -1
		}
		return c
	}, norm.NFD.String(strings.ToLower(word)))
}

// plural reports whether a word is the plural of another in a language.
func plural(many, one, language string) bool {
	many, one = unaccented(many), unaccented(one)
	return slices.ContainsFunc(plurals[language], func(ends [2]string) bool {
		stem, found := strings.CutSuffix(one, ends[0])
		return found && len(stem) > 2 && stem+ends[1] == many
	})
}

// numbered writes terms in the number, singular or plural, in which the page writes them most. Where it writes both as
// often, the singular stands, which people type; in English the term stays as it is. So does a keyword, which somebody
// chose.
func (r *reading) numbered(terms []string) []string {
	language := r.language()
	if len(plurals[language]) == 0 {
		return terms
	}
	seen := map[string]bool{}
	var texts [][]string
	for _, text := range append([]string{r.title, r.meta["description"], r.data.description, r.data.offer}, r.runs...) {
		if text = clean(text, maxParagraph); !seen[text] {
			seen[text] = true
			texts = append(texts, strings.FieldsFunc(text, separates))
		}
	}
	keywords := strings.ToLower(strings.Join(append([]string{r.meta["keywords"]}, r.data.terms...), ","))
	all := slices.Clone(terms)
	for i, term := range all {
		words := strings.FieldsFunc(term, separates)
		if len(words) == 0 || len(words) != len(strings.Fields(term)) || strings.Contains(keywords, strings.ToLower(term)) {
			continue
		}
		most, times := 0, map[string]int{}
		var order []string
		single := map[string]bool{}
		for _, text := range texts {
			for at := 0; at+len(words) <= len(text); at++ {
				said := text[at : at+len(words)]
				one := otherNumber(words, said, language)
				form := strings.Join(said, " ")
				if language != "german" {
					form = strings.ToLower(form)
				}
				switch {
				case strings.EqualFold(form, strings.Join(words, " ")):
					most++
				case one || otherNumber(said, words, language):
					if times[form] == 0 {
						order = append(order, form)
					}
					times[form]++
					single[form] = one
				}
			}
		}
		for _, form := range order {
			if times[form] > most || times[form] == most && single[form] && language != "english" {
				most, all[i] = times[form], form
			}
		}
	}
	return all
}

// otherNumber reports whether words are others in the plural: the last one, and in languages whose adjectives agree any
// of the others.
func otherNumber(many, ones []string, language string) bool {
	changed := false
	for i, word := range many {
		switch {
		case strings.EqualFold(word, ones[i]):
		case (i == len(many)-1 || slices.Contains(behind, language)) && plural(word, ones[i], language):
			changed = true
		default:
			return false
		}
	}
	return changed
}
