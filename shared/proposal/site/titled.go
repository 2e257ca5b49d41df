package site

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/text"
)

// ofTitle is the evidence of a heading that is a coined name. It is enough alone.
const ofTitle = enough

// titles counts for headings that are names by themselves and need no page of their own: those that have a coined word,
// and those beside several that have one, or that are written as no heading of the page is.
func (f *finder) titles() {
	for from := 0; from < len(f.cards); {
		var row, told []string
		for at := from; at < len(f.cards) && (at == from || beside(f.cards[at-1], f.cards[at])); at++ {
			name := f.title(f.cards[at])
			if name == "" {
				break
			}
			row = append(row, name)
			if f.own.start(name) != "" {
				continue // set counts it
			}
			if f.invented(name) || f.distinct(name) {
				told = append(told, name)
			}
		}
		from += max(len(row), 1)
		several := len(told) > 1 && 2*len(told) >= len(row)
		for _, name := range row {
			// In English and German, one word is a heading's first, whatever its language writes small.
			free := strings.Contains(name, " ") || !slices.Contains(casing, f.language())
			if f.own.start(name) == "" && f.invented(name) || several && free {
				f.note(name, "title", ofTitle)
			}
		}
	}
}

// casing are the languages that write words of headings as names.
var casing = []string{"english", "german"}

// title is the name that a heading is, with a text under it that says more; empty: it says something else, or names a
// place, a plan, or who is quoted under it.
func (f *finder) title(c card) string {
	const most, least = 3, 4 // words of the name, and of the text under it: a person or a town has less
	name, bare := f.name(c.text)
	if name == "" || !bare || c.level < 2 || len(strings.Fields(name)) > most || !lettered(name) || unspaced(name) ||
		weak(name) || f.own.start(name) == "" && f.own.inside(name) != "" || f.inPlace(name) ||
		c.cited || c.rented || plans()[strings.ToLower(c.section)] ||
		hows()[strings.ToLower(firstWord(c.section))] || partners.MatchString(c.section) ||
		words([]byte(c.below)) < least || speech(c.below) || located.MatchString(c.below) ||
		strings.Contains(f.prose, " "+strings.ToLower(name)+" ") {
		return ""
	}
	if g := groupOf(c.section); g != other && g != ofProducts {
		return ""
	}
	return name
}

// hows begin headings above what readers do, step by step.
var hows = set("how wie so comment cómo como así come così hoe zo hur så hvordan slik sådan miten näin jak tak")

// located finds a number as long as those of towns and telephones.
var located = text.NewPattern(`\d{4,}`)

// inPlace reports whether sentences have a name behind words that say where, and nowhere else: "in Mumbai".
func (f *finder) inPlace(name string) bool {
	const heading = "|" // stands before what begins a text
	found := false
	pieces := strings.Split(f.prose, " "+name+" ")
	for _, before := range pieces[:len(pieces)-1] {
		last := lastWord(before)
		if last != heading && !inside()[last] {
			return false
		}
		found = found || last != heading
	}
	return found && f.language() != "german"
}

// lettered reports whether a text begins with a letter and has no signs but those of names.
func lettered(text string) bool {
	for at, c := range text {
		if !unicode.IsLetter(c) && (at == 0 || !unicode.IsDigit(c) && !strings.ContainsRune(" -&+.", c)) {
			return false
		}
	}
	return true
}

// parts are the words of a name, and those that hyphens join.
func parts(name string) []string {
	return strings.FieldsFunc(name, func(c rune) bool { return c == ' ' || c == '-' })
}

// distinct reports whether a name has a second word with a capital where the page writes those of headings small.
func (f *finder) distinct(name string) bool {
	return len(parts(name)) > 1 && f.language() != "german" && (f.language() != "english" || f.plain())
}

// plain reports whether the page writes the words of its longer headings small.
func (f *finder) plain() bool {
	small, large := 0, 0
	for _, c := range f.cards {
		if words := strings.Fields(c.text); len(words) > 2 {
			if slices.ContainsFunc(words[1:], func(word string) bool { return !cased(word) && !stopped(word) }) {
				small++
			} else {
				large++
			}
		}
	}
	return small > 1 && small > 2*large
}

// invented reports whether a name has a word that is none of any language that the lexicon has. A word with capitals
// inside may be another company's: "HubSpot".
func (f *finder) invented(name string) bool {
	const least = 4 // letters
	return slices.ContainsFunc(parts(name), func(word string) bool {
		return !inner(word) && slices.Contains(LexiconLanguages(), f.language()) &&
			utf8.RuneCountInString(word) >= least && !shouted(word) && !known(word) && !f.composed(word)
	})
}

// composed reports whether a word begins or ends with another, in a language that writes several nouns as one word.
func (f *finder) composed(word string) bool {
	const least = 3 // letters
	letters := []rune(word)
	for at := least; at <= len(letters)-least && slices.Contains(joining, f.language()); at++ {
		if known(string(letters[:at])) || known(string(letters[at:])) {
			return true
		}
	}
	return false
}

// marks stand behind names that somebody registered.
var marks = text.NewPattern(`\s*[™®℠]`)

// unmarked is a text without ™ and its like, and without words of every site behind the last of them: "MileagePlus" of
// "MileagePlus® program".
func unmarked(said string) string {
	if all := marks.FindAllStringIndex(said, -1); len(all) > 0 {
		last := all[len(all)-1]
		if rest := strings.TrimSpace(said[last[1]:]); generic(rest) || slices.Contains(kinds, strings.ToLower(rest)) {
			said = said[:last[0]]
		}
	}
	return marks.ReplaceAllString(said, "")
}
