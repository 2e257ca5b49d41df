package site

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// beside reports whether two headings of one level divide one section.
func beside(a, b card) bool { return a.level == b.level && a.section == b.section }

// set counts for the headings of a section that half of them begin with the company's name or are names that begin
// alike, or have a price that is paid once. They need no pages of their own. Where one is such a name, the others are too
// if all are written as names: words with capitals inside, or with capitals alone where headings have small letters. One
// alone counts if a link or a sentence has it too. others says that the others count so: a table has rivals' names too.
func (f *finder) set(cards []card, others bool) {
	const least = 2
	var branded, sold, titled []string
	stems := map[string]int{}
	for _, c := range cards {
		stems[stem(c.text)]++
	}
	for _, c := range cards {
		name, _ := f.name(c.text)
		if c.rented || plans()[strings.ToLower(c.section)] || partners.MatchString(c.section) {
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
		case stem(name) != "" || strings.Contains(name, " ") && !slices.Contains([]string{"english", "german"}, f.language()):
			titled = append(titled, name)
		}
		if c.priced {
			sold = append(sold, name)
		}
	}
	if others && len(branded) > 0 && len(branded)+len(titled) == len(cards) {
		branded = append(branded, titled...)
	}
	if len(branded) == 1 && len(cards) > least && f.mentioned(branded[0]) {
		f.note(branded[0], "set", ofSet)
	}
	if len(branded) >= least && 2*len(branded) >= len(cards) {
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

// mentioned reports whether a link or a sentence of the page has a name.
func (f *finder) mentioned(name string) bool {
	return f.inSentence(name) ||
		slices.ContainsFunc(f.links, func(l link) bool { return strings.Contains(" "+l.text+" ", " "+name+" ") })
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

// rows counts the first cells of a table as the headings of a section: a table of editions has one for each. One that
// compares has others' products too.
func (f *finder) rows(t table) {
	if t.compares() {
		return
	}
	var cards []card
	for _, said := range t.firsts {
		cards = append(cards, card{text: said})
	}
	f.set(cards, false)
}

// plans are the sections and folders of the prices of what a company sells.
var plans = set(`plan plans pricing price prices subscriptions preise tarife tarif tarifs abonnements precio precios planes
	preços planos prezzi piani abbonamenti prijzen abonnementen cennik plany priser 料金 料金プラン`)
