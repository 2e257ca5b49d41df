package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"earshot/shared/judge/vocabulary"
	"earshot/shared/proposal"
)

// sizes are SCOWL's, up to the one from which on its words are hardly anybody's.
var sizes = []int{10, 20, 35, 40, 50, 55, 60, proposal.CommonLevel}

// regions are SCOWL's spellings: what is a word anywhere is none that is anybody's alone.
var regions = []string{"english", "american", "british", "british_z", "canadian", "australian"}

const (
	// How many of the census's names are read: beyond them fewer than one in twenty thousand people have each.
	maleNames, femaleNames, familyNames = 700, 1100, 2000

	// Words up to this size were said before any brand was called so; the larger lists have taken in brands and what is
	// made of them.
	sayable = 40
	// From the largest size that is read, and only there, a brand that the list of brands knows is better known than
	// the word.
	rare = proposal.CommonLevel
	// A word above sayable that is among so many of the commonest in writing is there for the brand: most such words
	// are beyond 20,000.
	written = 10_000
	// Names of people, places and days are read up to this size, and names that are words in SCOWL too count as both.
	familiar = 50
)

type lists struct {
	words, named  map[string]int // SCOWL's size of each
	given, family []string
	brands        []string
	withdrawn     []string // brands that the list had once, and that many languages know
}

// choose is the words to ship, sorted:
//
//   - SCOWL's, but for brands that are no word to most people. These are brands of the list that are written as words
//     joined together ("TypeScript" is a typescript too, which nobody says), those above sayable that are written far
//     more often than such a word would be ("Google"), and those that only the largest size has ("Siemens").
//   - people's given names, brands or not: there is a Claude for every "Claude".
//   - family names and SCOWL's names of people, places and days ("Blair", "Oslo", "Monday"), but for brands.
func (l lists) choose() ([]string, error) {
	common, err := vocabulary.Open()
	if err != nil {
		return nil, fmt.Errorf("open the words by frequency: %w", err)
	}
	brands, joined := map[string]bool{}, map[string]bool{}
	for _, title := range l.brands {
		name := strings.ToLower(title)
		brands[name] = true
		if l.isJoined(title) {
			joined[name] = true
		}
	}
	people := map[string]bool{}
	for _, name := range slices.Concat(l.given, l.family) {
		people[name] = true
	}
	chosen := map[string]bool{}
	for word, size := range l.words {
		rank, ranked := common.Rank(word)
		brand := brands[word] && !people[word] &&
			(joined[word] || size >= rare || size > sayable && ranked && rank < written)
		if !brand {
			chosen[word] = true
		}
	}
	for _, name := range l.given {
		chosen[name] = true
	}
	for _, name := range l.family {
		if !brands[name] {
			chosen[name] = true
		}
	}
	for name, size := range l.named {
		if size <= familiar && !brands[name] {
			chosen[name] = true
		}
	}
	return slices.Sorted(maps.Keys(chosen)), nil
}

// isJoined says whether a title is two words or more in one, each with its capital: "TypeScript", "BookStack". A
// capital elsewhere is decoration: "IndiGo", "LaTeX".
func (l lists) isJoined(title string) bool {
	var parts []string
	for i, r := range title {
		switch {
		case unicode.IsUpper(r) || i == 0:
			parts = append(parts, strings.ToLower(string(r)))
		default:
			parts[len(parts)-1] += string(r)
		}
	}
	for _, part := range parts {
		if size, known := l.words[part]; !known || size > sayable || len(part) < 2 {
			return false
		}
	}
	return len(parts) > 1
}

// known are those of the words that are brands too, written as one word. Withdrawn brands are among them, but take no
// word away: Java and Amazon are places still.
func (l lists) known(words []string) []string {
	brands := map[string]bool{}
	for _, title := range slices.Concat(l.brands, l.withdrawn) {
		brands[strings.ToLower(title)] = true
	}
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !brands[word] })
}

// names are those of the words that are also a given name, or among SCOWL's names of people, places and days.
func (l lists) names(words []string) []string {
	given := map[string]bool{}
	for _, name := range l.given {
		given[name] = true
	}
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool {
		size, known := l.named[word]
		return !given[word] && (!known || size > familiar)
	})
}
