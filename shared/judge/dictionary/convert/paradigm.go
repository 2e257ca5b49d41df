package main

import "strings"

// A paradigm is how the words of a kind are inflected. A stem that a list has with all of some endings, and with enough
// of others, is a word's: a company's name has no plural, no comparative and no past. It stands in where no lexicon
// of a licence that fits has such words.
type paradigm struct {
	all    []string // endings that the list must have
	others []string // of which it must have so many
	least  int
}

// paradigms are by language. Those of German are of verbs and adjectives, those of Italian of what Morph-it! lacks.
var paradigms = map[string][]paradigm{
	"de": {
		{endings("en t te"), endings("ten end e st"), 1},
		{endings("- e en er"), endings("es em"), 1},
	},
	"it": {
		{endings("a e"), nil, 0}, // libellula
		{endings("o i"), nil, 0}, // passero
		{endings("ine ini"), nil, 0},
	},
	"cs": {
		{endings("a y u ou"), endings("ám ách ami"), 1},         // jiskra
		{endings("- y u em"), endings("ů ům ech ích"), 1},       // kompas
		{endings("- y a em"), endings("ů ům ech ovi"), 2},       // vlk
		{endings("- e i em"), endings("ů ům ích"), 1},           // koš
		{endings("o a u em"), endings("ech ům ách"), 1},         // klubko
		{endings("ek ky ku kem"), endings("ků kům cích"), 1},    // oříšek
		{endings("e i í"), endings("ím ích emi ích"), 2},        // růže
		{endings("ě i í"), endings("ím ích ěmi"), 2},            // dýně
		{endings("ý á é"), endings("ého ou ých ým ému ými"), 4}, // mlsný
		{endings("í ího"), endings("ím ích ímu ími"), 2},        // jarní
		{endings("at al"), endings("ala ali alo ají á"), 2},
		{endings("it il"), endings("ila ili ilo í"), 2},
		{endings("et el"), endings("ela eli elo í"), 2},
		{endings("ět ěl"), endings("ěla ěli ělo í"), 2},
		{endings("ovat oval"), endings("ovala ovali uje ují"), 2},
	},
}

// endings splits a text at blanks. A hyphen is the empty ending.
func endings(text string) []string {
	all := strings.Fields(text)
	for i, one := range all {
		all[i] = strings.Trim(one, "-")
	}
	return all
}

// leastStem is how many bytes a stem has at least: shorter ones have all endings by chance.
const leastStem = 3

// inflected adds the words of a list whose forms follow the paradigms of a language.
func (l lexicon) inflected(language string) {
	for _, p := range paradigms[language] {
		for word := range l.list {
			stem, ends := strings.CutSuffix(word, p.all[0])
			if !ends || len(stem) < leastStem || !p.fits(l.list, stem) {
				continue
			}
			for _, ending := range append(p.others, p.all...) {
				l.name(stem + ending)
			}
		}
	}
}

func (p paradigm) fits(list frequencies, stem string) bool {
	for _, ending := range p.all {
		if list[stem+ending] == 0 {
			return false
		}
	}
	n := 0
	for _, ending := range p.others {
		if list[stem+ending] > 0 {
			n++
		}
	}
	return n >= p.least
}
