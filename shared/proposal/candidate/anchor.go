package candidate

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"earshot/shared/judge/dictionary"
	"earshot/shared/judge/vocabulary"
	"earshot/shared/match"
	"earshot/shared/proposal"
)

const (
	// What a term tells goes by where the profile has it: what a field is called is chosen for it, a description is
	// whole sentences, and an audience reads about everything.
	fromTerms, fromProducts, fromDescription, fromAudience = 1.5, 1.4, 1.0, 0.7
	// again is what a word gains that the profile says again.
	again = 0.3
	// everywhere is the rank below which a word says too little to anchor by: the 500 commonest are in a tenth of all
	// posts together.
	everywhere = 500
	// mostRivals is how many competitors anchor the company's own keywords: who is compared with more is compared with
	// these too.
	mostRivals = 3
	// specific is the rank from which one word of a term is found more often than the term and tells as much
	// ("checkout" of "online checkout").
	specific = 3000
)

// words are the commonest English words, opened when first asked for; nil when the program has them damaged, and then
// every word tells the same.
var words = sync.OnceValue(func() *vocabulary.Words {
	opened, err := vocabulary.Open()
	if err != nil {
		return nil
	}
	return &opened
})

// rank is a word's place among the commonest; one that is not among them comes behind the last.
func rank(word string) int {
	known := words()
	if known == nil {
		return specific
	}
	for _, form := range append([]string{word}, strings.Split(word, "-")...) {
		if place, ok := known.Rank(form); ok {
			return place
		}
	}
	return known.Len()
}

// levelRanks are the places that words of other languages have about, by how often their language has them.
var levelRanks = [...]int{
	dictionary.Listed:    20_000,
	dictionary.Frequent:  8_000,
	dictionary.Everyday:  specific,
	dictionary.Commonest: 1_000,
}

// rank is a word's place among the commonest of the site's language.
func (a *anchors) rank(word string) int {
	if a.language != english {
		if level := dictionary.Frequency(word, a.language); level > dictionary.Unlisted {
			return levelRanks[level]
		}
	}
	return rank(word)
}

// unelided is a word without what French, Italian and Catalan write before it with an apostrophe ("l'immobilier",
// "dell'arte"). A name keeps it.
func (a *anchors) unelided(word string) string {
	const longestElided = 5 // letters of "quell'arte"
	before, rest, elided := strings.Cut(strings.ReplaceAll(word, "’", "'"), "'")
	if !elided || utf8.RuneCountInString(before) > longestElided ||
		!slices.Contains([]string{"french", "italian", "catalan"}, a.language) {
		return word
	}
	return rest
}

// telling reports whether a word says something of what a company does, in the site's language: none that all pages of
// the language say, and none that holds its sentences together, does.
func (a *anchors) telling(word string) bool {
	return telling(word) &&
		(a.language == english || !dictionary.OfSites(word, a.language) && !holding(word, a.language))
}

// An offer is a term that a profile offers as an anchor.
type offer struct {
	text   written
	weight float64
	order  int // of first sight
}

// Anchors that a profile offers, best first, and the generic words that it offered.
type anchors struct {
	own      []offer // of the company: its domain and its products
	rivals   []offer // its competitors, whom posts compare it with
	field    []offer // of what it does
	rejected []string
	language string          // of the site
	parts    map[string]bool // words of the terms that are offered whole, since alone they say less
	seen     map[string]int  // of field and own, by form
}

// anchorsOf reads a profile. brand are the names of the company, no word of which anchors anything.
func anchorsOf(s site, p proposal.Profile, products []named, brand []string) anchors {
	a := anchors{language: p.Language, parts: map[string]bool{}, seen: map[string]int{}}
	said := map[string]bool{}
	for _, one := range brand {
		for _, word := range termWords(one) {
			for _, form := range singulars(word) {
				said[form] = true
			}
		}
	}
	if d := usable(s.domain); Anchorable(d) {
		a.own = append(a.own, offer{text: newWritten(d), weight: math.Inf(1)})
	}
	for _, product := range products {
		switch {
		case Generic(product.text):
			a.reject(product.text)
		case Anchorable(product.text):
			a.own = append(a.own, offer{text: newWritten(product.text), weight: fromProducts * math.Log(specific)})
		}
	}
	rivals, _ := names(first(p.Competitors))
	for _, rival := range rivals {
		// A competitor that is called by a common word is as ambiguous as the name that it would anchor.
		if Anchorable(rival.text) && !Common(rival.text) {
			a.rivals = append(a.rivals, offer{text: newWritten(rival.text), weight: fromProducts * math.Log(specific)})
		}
	}
	terms, _ := names(first(p.IndustryTerms))
	for _, term := range terms {
		a.term(term.text, said)
	}
	for _, one := range brand {
		if word := does(p.Description, one); word != "" {
			said[word] = true
		}
	}
	a.sentence(p.Description, fromDescription, said)
	a.sentence(p.Audience, fromAudience, said)
	slices.SortStableFunc(
		a.field, func(x, y offer) int { return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.order, y.order)) },
	)
	return a
}

// does is the word that a description writes small behind the company's name: what the company does ("Acme bakes bread").
// It anchors nothing unless it is a term ("Acme payroll for bars"). Empty: there is none.
func does(description, name string) string {
	if name == "" {
		return ""
	}
	_, behind, found := strings.Cut(" "+cut(clean(description), proposal.MaxProfileText), " "+name+" ")
	words := termWords(behind)
	if !found || len(words) == 0 || !strings.HasPrefix(behind, words[0]) {
		return ""
	}
	return words[0]
}

// term offers what a field is called: the words of it that say as much as the whole, else the whole.
func (a *anchors) term(text string, said map[string]bool) {
	if Generic(text) {
		a.reject(text)
		return
	}
	if !Anchorable(text) {
		return
	}
	telltale := false
	all := termWords(text)
	for _, word := range all {
		if genericWord(word) {
			a.reject(word)
		}
		if a.telling(word) && !said[word] && (len(all) == 1 || a.rank(word) >= specific) {
			telltale = true
			a.offer(word, fromTerms)
		}
	}
	if !telltale && slices.ContainsFunc(all, func(word string) bool { return a.telling(word) && !said[word] }) {
		a.offer(match.Form(text), fromTerms)
		for _, word := range all {
			a.parts[word] = true
		}
	}
}

// sentence offers the telling words of a text; a daily word only if the text says it twice, or the profile did before.
func (a *anchors) sentence(text string, weight float64, said map[string]bool) {
	all := termWords(cut(clean(text), proposal.MaxProfileText))
	for _, word := range all {
		word = a.unelided(word)
		if genericName(word) {
			a.reject(word)
		}
		if !a.telling(word) || said[word] || a.parts[word] || isDomain(word) || a.rank(word) < everywhere ||
			a.daily(word) && !a.offered(word) && slices.Index(all, word) == lastIndex(all, word) {
			continue
		}
		a.offer(word, weight)
	}
}

// daily reports whether a word is one that people who speak the site's language say every day: "casa", "cerca".
func (a *anchors) daily(word string) bool {
	return a.language != english && dictionary.Frequency(word, a.language) == dictionary.Commonest
}

// lastIndex is the place of the last such word; -1: there is none.
func lastIndex(words []string, word string) int {
	for i := len(words) - 1; i >= 0; i-- {
		if words[i] == word {
			return i
		}
	}
	return -1
}

// offered reports whether the profile offered a word before.
func (a *anchors) offered(word string) bool {
	return slices.ContainsFunc(singulars(word), func(form string) bool {
		_, known := a.seen[form]
		return known
	})
}

// offer takes a term, or raises it when it was offered before.
func (a *anchors) offer(text string, weight float64) {
	if usable(text) != text {
		return
	}
	for _, form := range singulars(text) {
		if at, known := a.seen[form]; known {
			a.field[at].weight *= 1 + again
			return
		}
	}
	rarest := 0
	for _, word := range termWords(text) {
		rarest = max(rarest, a.rank(word))
	}
	for _, form := range singulars(text) {
		a.seen[form] = len(a.field)
	}
	a.field = append(a.field, offer{newWritten(text), weight * math.Log(float64(2+rarest)), len(a.field)})
}

// reject keeps a generic word that was offered, once.
func (a *anchors) reject(text string) {
	form := match.Form(text)
	if len(a.rejected) < proposal.MaxAnchors && !slices.Contains(a.rejected, form) && usable(form) != "" {
		a.rejected = append(a.rejected, form)
	}
}

// of are the anchors of a keyword: at most proposal.MaxAnchors, none of which the keyword has by itself, each once.
// lead comes first, and the company's own and its competitors where own is set.
func (a *anchors) of(text string, own bool, lead ...string) []string {
	var taken []written
	of := newWritten(text)
	add := func(term written) {
		// Any of them is enough, so that one that has another in it lets nothing more through.
		if len(taken) == proposal.MaxAnchors || of.has(term) || slices.ContainsFunc(taken, term.has) {
			return
		}
		taken = append(taken, term)
	}
	for _, term := range lead {
		if Anchorable(term) {
			add(newWritten(term))
		}
	}
	if own {
		for _, offer := range a.own[:min(len(a.own), proposal.MaxAnchors/2)] { // what it does finds more than what it sells
			add(offer.text)
		}
		for _, offer := range a.rivals[:min(len(a.rivals), mostRivals)] {
			add(offer.text)
		}
	}
	for _, offer := range a.field {
		add(offer.text)
	}
	list := make([]string, len(taken))
	for i, term := range taken {
		list[i] = term.text
	}
	return list
}

// first is as much of a list as a profile may have.
func first(list []string) []string { return list[:min(len(list), proposal.MaxProfileTerms)] }
