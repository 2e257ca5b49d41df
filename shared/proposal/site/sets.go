package site

import "strings"

// beside reports whether two headings of one level divide one section.
func beside(a, b card) bool { return a.level == b.level && a.section == b.section }

// set counts for the headings of a section that most of them begin with the company's name, or have a price that is
// paid once. They need no pages of their own.
func (f *finder) set(cards []card) {
	const least = 2
	var branded, sold []string
	for _, c := range cards {
		name, _ := f.name(c.text)
		if c.rented || plans()[strings.ToLower(c.section)] {
			return
		}
		if name == "" || weak(name) || c.cited {
			continue
		}
		glued := inner(name) && joined(hump(name)) == joined(f.company) // "AcmeDB"
		if f.coined(name) && strings.Contains(name, " ") || glued || f.family(name) {
			branded = append(branded, name)
		}
		if c.priced {
			sold = append(sold, name)
		}
	}
	if len(branded) >= least && 2*len(branded) > len(cards) {
		for _, name := range branded {
			f.note(name, "set", ofSet)
		}
	}
	if len(sold) >= least && 2*len(sold) >= len(cards) {
		for _, name := range sold {
			f.note(name, "set", ofSet)
			f.note(name, "price", ofPrice)
		}
	}
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
