package site

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// beside reports whether two headings of one level divide one section.
func beside(a, b card) bool { return a.level == b.level && a.section == b.section }

// set counts for the headings of a section that most of them begin with the company's name or are names that begin
// alike, or have a price that is paid once. They need no pages of their own. Where headings have small letters, one whose
// words all have capitals is a name too if others of its section are.
func (f *finder) set(cards []card) {
	const least = 2
	var branded, sold, titled []string
	stems := map[string]int{}
	for _, c := range cards {
		stems[stem(c.text)]++
	}
	for _, c := range cards {
		name, _ := f.name(c.text)
		if c.rented || plans()[strings.ToLower(c.section)] {
			return
		}
		if name == "" || weak(name) || c.cited {
			continue
		}
		glued := inner(name) && joined(hump(name)) == joined(f.company) // "AcmeDB"
		switch {
		case f.coined(name) && strings.Contains(name, " ") || glued || f.family(name) ||
			stem(name) != "" && stems[stem(name)] > 1:
			branded = append(branded, name)
		case strings.Contains(name, " ") && !slices.Contains([]string{"english", "german"}, f.language()):
			titled = append(titled, name)
		}
		if c.priced {
			sold = append(sold, name)
		}
	}
	if len(branded) > 0 && len(branded)+len(titled) == len(cards) {
		branded = append(branded, titled...)
	}
	if len(branded) >= least && 2*len(branded) > len(cards) {
		for _, name := range branded {
			f.note(name, "set", ofSet)
			if stem(name) == "" && f.own.start(name) == "" {
				f.note(name, "section", ofSection)
			}
		}
	}
	if len(sold) >= least && 2*len(sold) >= len(cards) {
		for _, name := range sold {
			f.note(name, "set", ofSet)
			f.note(name, "price", ofPrice)
		}
	}
}

// stem is the part of a single word before its inner capital: "Veer" of "VeerVast". Empty: the text is no such word.
func stem(said string) string {
	part := hump(said)
	const least = 3 // letters
	if strings.Contains(said, " ") || part == said || utf8.RuneCountInString(part) < least {
		return ""
	}
	return part
}

// rows counts the first cells of a table as the headings of a section: a table of editions has one for each.
func (f *finder) rows(t table) {
	var cards []card
	for _, said := range t.firsts {
		cards = append(cards, card{text: said})
	}
	f.set(cards)
}

// plans are the sections and folders of the prices of what a company sells.
var plans = set(`plan plans pricing price prices subscriptions preise tarife tarif tarifs abonnements precio precios planes
	preços planos prezzi piani abbonamenti prijzen abonnementen cennik plany priser 料金 料金プラン`)
