package query

import (
	"strings"
	"unicode/utf8"

	"earshot/shared/language"
	"earshot/shared/source/catalogue"
)

// A choice is a way to write a value, and the value.
type choice struct{ written, value string }

// languages lists the names of languages, as they are suggested.
func languages() (all []choice) {
	for _, name := range language.Names() {
		value := name
		if strings.Contains(name, " ") {
			value = `"` + name + `"`
		}
		all = append(all, choice{name, value})
	}
	return all
}

// sources lists the platforms by their names and by their titles without blanks.
func sources() (all []choice) {
	for _, p := range catalogue.Platforms() {
		title := strings.ReplaceAll(strings.ToLower(p.Title), " ", "")
		all = append(all, choice{p.Name, p.Name}, choice{title, p.Name})
	}
	return all
}

// nearest returns the value whose way to write it is within a third of its characters of text, by single insertions,
// deletions and replacements, and the nearest. It is empty if there is none. text has at most MaxText characters.
func nearest(text string, choices []choice) string {
	text = strings.Join(strings.Fields(strings.ToLower(text)), "")
	best, value := -1, ""
	for _, c := range choices {
		written := strings.ReplaceAll(c.written, " ", "")
		most := utf8.RuneCountInString(written) / 3
		if d := distance([]rune(text), []rune(written), most); d <= most && (best < 0 || d < best) {
			best, value = d, c.value
		}
	}
	return value
}

// distance returns the edit distance of Levenshtein (1966), or any number above most if it is above most.
func distance(a, b []rune, most int) int {
	if max(len(a)-len(b), len(b)-len(a)) > most {
		return most + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		before := row[0]
		row[0] = i + 1
		for j, y := range b {
			cost := before
			if x != y {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}
