package site

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/text"
)

// behind are languages that say what a thing is before they say whose: "Carte Azur".
var behind = []string{"french", "spanish", "portuguese", "italian", "catalan", "romanian"}

// family reports whether a name begins with a word of the company's name, or with a part from its beginning or end:
// "Kelp Engine" for the company Kelpworks. In German and where names stand before adjectives, its last word may be one of
// the company's.
func (f *finder) family(name string) bool {
	first, _, several := strings.Cut(name, " ")
	part, company := joined(first), joined(f.company)
	if several && (f.language() == "german" || slices.Contains(behind, f.language())) {
		if last := lastWord(name); last != strings.ToLower(last) && slices.Contains(strings.Fields(f.company), last) {
			return true // "Cartão Quintal" of Banco Quintal
		}
	}
	const least = 4              // characters
	if !several && inner(name) { // "VeerFlex" of Zadelveer
		first = hump(name)
		part = joined(first)
		several = part != joined(name)
	}
	return several && utf8.RuneCountInString(part) >= least && part != company &&
		(strings.HasPrefix(company, part) || strings.HasSuffix(company, part) ||
			slices.ContainsFunc(strings.Fields(f.company), func(word string) bool { return joined(word) == part }))
}

// hump is what stands in a word before its first capital behind a small letter, and before a hyphen: "Veer" of
// "VeerFlex". It is the whole word where there is neither.
func hump(word string) string {
	small := false
	for at, c := range word {
		if c == '-' || small && unicode.IsUpper(c) {
			return word[:at]
		}
		small = unicode.IsLower(c)
	}
	return word
}

// coinages counts for the words of the company's own texts that are its name, or a part of it as family takes it, with
// more behind it that has a capital inside: "AcmeDB", and "Acme-AirCheck" but not "Acme-Team". No language writes a word
// so that is no name. What a paragraph begins with may be a heading, and counts where it is defined.
func (f *finder) coinages() {
	texts := slices.Concat([]string{f.meta["description"], f.data.description}, f.voiced, f.headings)
	for _, said := range texts {
		for at, word := range strings.Fields(clean(said, maxParagraph)) {
			word = strings.TrimFunc(marks.ReplaceAllString(word, ""), punctuation)
			if name, _ := f.name(word); name == word && inner(name) && !strings.Contains(name, ".") &&
				(f.family(name) || joined(hump(name)) == joined(f.company)) &&
				(at > 0 || !slices.Contains(f.voiced, said) || f.defines(name)) {
				f.note(name, "coinage", ofCoinage)
			}
		}
	}
}

// apposed finds what a sentence names and then says to be the company's own machine, plan or the like: "Relay, our paging
// engine". A person or a place may be "our founder" and "our home", so that the kinds are few.
var apposed = text.NewPattern(
	`(?:^|\s)(\p{Lu}[\p{L}\d]+(?:\s[\p{Lu}\d][\p{L}\d]*)?),\s(?:our|unser[em]?|notre|nuestr[oa]|(?:il |la )?nostr[oa]|` +
		`noss[oa]|onze|nasz[ae]?)\s(?:\p{Ll}[\p{L}-]*\s){0,3}?(?i:engine|tool|app|platform|software|database|plugin|extension|` +
		`subscription|plan|werkzeug|plattform|moteur|outil|logiciel|appli|application|plateforme|abonnement|motor|` +
		`herramienta|aplicación|plataforma|ferramenta|aplicativo|strumento|piattaforma|applicazione|` +
		`narzędzie|aplikacja|platforma)(?:[,.]|$)`,
)

// appositions counts for the names of which a sentence says that they are the company's own.
func (f *finder) appositions() {
	for _, said := range f.voiced {
		for _, whole := range apposed.FindAllString(said, mostNameWords) {
			found := apposed.FindStringSubmatch(whole)
			if found == nil {
				continue
			}
			if name, bare := f.name(found[1]); name != "" && bare && !weak(name) {
				f.note(name, "defined", ofDefinition)
				f.note(name, "apposed", ofDefinition)
			}
		}
	}
}

// appended reports whether a name is the company's in small letters with a hyphen and more: "acme-cli" of acme.
func (f *finder) appended(name string) bool {
	return f.company == strings.ToLower(f.company) && strings.HasPrefix(name, f.company+"-")
}
