package site

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	leastKin    = 4  // letters that a company's two names have in common
	mostAddress = 20 // words of an address
)

// legalNames are the names under which the company is registered, without their legal forms, that its other name does
// not find or that say its trade as well: "Tarn Data" of "© 2026 Tarn Data Ltd" on a page of TarnDB. A line with a © may
// be another's, and names the company where both begin alike. Where it has one word of the company's name, that word is
// the name: "Verasol" of "Panificadora Verasol S.L.", which is called Horno Verasol. An address names it too, where
// another text does.
func (r *reading) legalNames(company string) (all []string) {
	if r.hosted {
		return nil
	}
	var trade []string
	for _, line := range r.copyrights {
		for _, name := range registeredNames(line) {
			if r.trades(name, company) {
				trade = append(trade, name)
			} else if part := r.sharedWord(name, company); part != "" {
				all = append(all, part)
			} else if r.kin(name, company) {
				all = append(all, name)
			}
		}
	}
	for i, address := range r.voiced {
		for _, name := range registeredNames(address) {
			if strings.HasPrefix(address, name) && strings.ContainsAny(address, "0123456789") &&
				len(strings.Fields(address)) <= mostAddress && !isNetworkName(name) &&
				slices.ContainsFunc(slices.Delete(slices.Clone(r.voiced), i, i+1), func(text string) bool {
					return slices.Contains(registeredNames(text), name)
				}) {
				all = append(all, name)
			}
		}
	}
	return append(trade, slices.DeleteFunc(all, func(name string) bool {
		return within(" "+strings.ToLower(name)+" ", strings.ToLower(company)) || r.own.named(name)
	})...)
}

// structural are words of registered names that do not name a trade. People leave them out.
var structural = set(`labs holding holdings group gruppe groupe grupo gruppo groep international global technologies
	technology ventures systems digital media studio studios games interactive`)

// trades reports whether a name is the company's single word with its trade before or behind it, if the page's sentences
// have that trade. People say "Frantoio Cortespina" too, and never "Cortespina Holding".
func (r *reading) trades(name, company string) bool {
	words := strings.Fields(name)
	if len(words) != 2 || len(strings.Fields(company)) != 1 || !r.own.related(company) {
		return false
	}
	other := words[0]
	if other == company {
		other = words[1]
	}
	return (words[0] == company || words[1] == company) && other != company && len(other) >= leastKin &&
		!structural()[strings.ToLower(other)] && !slices.Contains(kinds, strings.ToLower(other)) &&
		!nounWords()[strings.ToLower(other)] && strings.Contains(r.sentences(), " "+strings.ToLower(other)+" ")
}

// registeredNames are the names before legal forms in a text, of at most mostRegistered words that begin as names do.
func registeredNames(text string) (all []string) {
	const mostRegistered = 4
	words := strings.Fields(text)
	from := 0
	for i := 1; i < len(words); i++ {
		form := strings.TrimRight(words[i], ",;:)")
		pair := form
		if i+1 < len(words) { // "S. Coop.", "Società Agricola"
			pair += " " + strings.TrimRight(words[i+1], ",;:)")
		}
		if strip("X "+form) != "X" && strip("X, "+form) != "X" && (pair == form || !polish.MatchString("X "+pair)) {
			continue
		}
		first := i
		for first > from && i-first < mostRegistered && inName(words[first-1], first == i) {
			first--
		}
		if name := strip(strings.Join(words[first:i], " ")); first < i && name != "" {
			all = append(all, strings.TrimRight(name, ",;"))
		}
		from = i + 1
	}
	return all
}

// inName reports whether a word can stand in a company's name: the last one before a form may have a comma.
func inName(word string, last bool) bool {
	c, _ := utf8.DecodeRuneInString(word)
	if last {
		word = strings.TrimSuffix(word, ",")
	}
	return (unicode.IsUpper(c) || ampersand(word)) && !stopped(word) && !strings.ContainsAny(word, ",;:()|·©")
}

// kin reports whether two names begin alike, in all of the first word of one.
func (r *reading) kin(name, company string) bool {
	first, other := joined(firstWord(name)), joined(company)
	return utf8.RuneCountInString(first) >= leastKin && strings.HasPrefix(other, first) && !nounWords()[first]
}

// sharedWord is the one word that two names have in common where each has others, if the domain has it too and the page
// says it as a name alone. Empty: there is none, or the language writes every noun as names are.
func (r *reading) sharedWord(name, company string) string {
	if r.language() == "german" {
		return ""
	}
	theirs := strings.Fields(name)
	var shared []string
	for _, word := range strings.Fields(company) {
		if slices.Contains(theirs, word) {
			shared = append(shared, word)
		}
	}
	if len(shared) != 1 || len(theirs) < 2 || utf8.RuneCountInString(shared[0]) < leastKin ||
		!strings.Contains(joined(r.own.label), joined(shared[0])) || nounWords()[strings.ToLower(shared[0])] ||
		strings.Contains(r.sentences(), " "+strings.ToLower(shared[0])+" ") {
		return ""
	}
	return shared[0]
}

// reasons begin headings that tell why to choose the company.
var reasons = []string{
	"why", "why choose", "warum", "pourquoi", "pourquoi choisir", "por qué", "por que", "perché", "perché scegliere",
	"waarom", "dlaczego", "varför",
}

// calledShort is the beginning of the company's name by which a heading calls it: "Tarnhollow" of "Why Tarnhollow?".
// Empty: none does.
func (r *reading) calledShort(company string) string {
	for _, heading := range r.headings {
		heading = strings.TrimLeft(strings.TrimRight(heading, "?! "), "¿ ")
		for _, reason := range reasons {
			if len(heading) <= len(reason) || !strings.EqualFold(heading[:len(reason)], reason) {
				continue
			}
			if short := strings.TrimSpace(heading[len(reason):]); strings.HasPrefix(company, short+" ") && cased(short) {
				return short
			}
		}
	}
	return ""
}

// signs reports whether a part of the title is a name with its legal form, which a line with a © repeats: such a name is
// the company's whole one, although its domain is shorter.
func (r *reading) signs(part string) bool {
	name := strip(part)
	return name != part && r.own.start(name) != "" && slices.ContainsFunc(r.copyrights, func(line string) bool {
		return slices.Contains(registeredNames(line), name)
	})
}
