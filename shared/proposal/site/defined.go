package site

import (
	"slices"
	"strings"
	"unicode/utf8"

	"earshot/shared/text"
)

// Words by which a text says what a company is, the articles behind them, and words of size and kind that may follow, in
// the languages that most sites are in.
var (
	being       = set("is are ist sind est sont es son é são è sono jest to")
	determiners = set("a an the ein eine einer der die das un une le la les una el los um uma o il lo l' een de het")
	sized       = set("small tiny young independent family-owned global international national local new privately leading " +
		"modern " +
		"kleine kleines junge junges führende führender petite jeune pequeña pequeño joven pequena piccola piccolo giovane " +
		"kleine jonge mała mały młoda")
)

// japanese finds what a sentence says that its company is or offers.
var japanese = text.NewPattern(
	`(?:は|、|の|な|できる|する|した|向け)([\p{Han}\p{Katakana}ー]{3,14})(?:です|である|サービスです|を(?:提供|開発|運営))`,
)

// ourselves finds the words with which a company begins to say what it is.
var ourselves = text.NewPattern(`\b(?:We are|We['’]re|Wir sind|Nous sommes|Somos|Siamo|W(?:ij|e) zijn) ` +
	`(an?|eine?|une?|una|uma?|een) `)

// mostDefined is how many of the first paragraphs may say what the company is.
const mostDefined = 4

// defined are the fields that the page says its company is in: of "Acme is payroll software built for restaurants",
// "payroll software".
func (r *reading) defined(company string) (fields []string) {
	texts := []string{r.data.description, r.meta["description"], r.meta["og:description"], r.data.offer}
	texts = append(texts, r.voiced[:min(len(r.voiced), mostDefined)]...)
	for _, said := range append(texts, r.tagline(), r.top, r.sub) {
		said = clean(said, maxParagraph)
		if found := japanese.FindStringSubmatch(said); found != nil && r.language() == "japanese" {
			fields = append(fields, found[1])
			continue
		}
		if field := r.itself(said, company); field != "" {
			fields = append(fields, field)
			continue
		}
		_, behind, found := strings.Cut(" "+ourselves.ReplaceAllString(said, company+" is $1 "), " "+company+" ")
		if name := r.own.inside(said); !found && name != "" { // "Acme" of "Acme Games"
			_, behind, found = strings.Cut(" "+said, " "+name+" ")
		}
		clause := clauses.Split(behind, 2)[0]
		words := strings.Fields(clause)
		if found && r.offers(words) {
			if field := r.fieldOf(words[2:]); field != "" {
				fields = append(fields, field)
			}
			continue
		}
		if !found || len(words) < 2 || !being()[words[0]] || words[0] == "to" && r.language() != "polish" ||
			vacancy.MatchString(clause) {
			continue
		}
		words = words[1:]
		for len(words) > 0 && (determiners()[strings.ToLower(words[0])] || sized()[strings.ToLower(words[0])]) {
			words = words[1:]
		}
		if field := r.fieldOf(words); field != "" {
			fields = append(fields, field)
		}
	}
	return names(fields)
}

// What a company is said to do with what it makes, and with what it has: what it has may be "a warm welcome".
var (
	making = set(`builds develops manufactures operates runs entwickelt baut betreibt fertigt développe fabrique exploite
		desarrolla fabrica opera desenvolve sviluppa gestisce ontwikkelt bouwt tworzy buduje`)
	having = set(`makes offers provides sells bietet propose fournit vend ofrece vende oferece offre fornisce biedt
		levert oferuje`)
)

// offers reports whether words say of a company that it makes a thing for somebody, or has one of a known kind: "builds
// a vector database for robots", "offers a payroll tool".
func (r *reading) offers(words []string) bool {
	if len(words) < 4 || !making()[words[0]] && !having()[words[0]] || !r.indefinite(words[1]) {
		return false
	}
	end := slices.IndexFunc(words[2:], func(word string) bool { return stopped(word) || joint(word) })
	if end < 0 {
		end = len(words) - 2
	}
	kind := end > 0 && slices.Contains(kinds, strings.ToLower(words[end+1]))
	return kind || making()[words[0]] && end+2 < len(words) && readersAhead()[words[end+2]]
}

// adjectives finds those that commas part from what a text says that something is: "A small, quiet fern nursery".
var adjectives = text.NewPattern(`^(\p{L}+) (?:[\p{Ll}-]+, ){1,2}`)

// itself is the field that a text names which says what the company is without its name: of "A schema migration tool
// for teams", "schema migration", and of "Un hôtel de charme", if the company is called a hôtel, all of it. Empty: it
// says something else.
func (r *reading) itself(said, company string) string {
	words := strings.Fields(clauses.Split(adjectives.ReplaceAllString(said, "$1 "), 2)[0])
	if len(words) < 3 || !r.indefinite(words[0]) {
		return ""
	}
	words = words[1:]
	head := strings.ToLower(words[0])
	if slices.Contains(behind, r.language()) && slices.Contains(strings.Fields(strings.ToLower(company)), head) {
		if len(words) > 3 && slices.Contains(linking, words[1]) {
			words = words[:3] // "hôtel de charme" of "hôtel de charme face à la mer"
		}
		return r.fieldOf(words)
	}
	n := slices.IndexFunc(words, func(word string) bool { return slices.Contains(kinds, strings.ToLower(word)) })
	if end := slices.IndexFunc(words, func(word string) bool { return stopped(word) || joint(word) }); n < 0 && end > 1 &&
		r.says(words[end-1], said) {
		n = end - 1
	}
	if n < 1 || n < 2 && slices.Contains(kinds, strings.ToLower(words[n])) || n+1 < len(words) && !stopped(words[n+1]) {
		return ""
	}
	return r.fieldOf(words[:n+1])
}

// says reports whether a heading or a paragraph other than a text has a word, in its singular or plural.
func (r *reading) says(word, besides string) bool {
	return slices.ContainsFunc(slices.Concat(r.headings, r.paragraphs), func(other string) bool {
		other = " " + strings.ToLower(other) + " "
		return joined(other) != joined(besides) &&
			(within(other, strings.ToLower(word)) || within(other, strings.ToLower(word)+"s"))
	})
}

// indefinite reports whether a word is an article that begins what says what something is. The Portuguese "a" is none.
func (r *reading) indefinite(word string) bool {
	word = strings.ToLower(word)
	if word == "a" || word == "an" {
		return r.language() == "english"
	}
	return indefinites()[word]
}

// indefinites are such articles of other languages than English.
var indefinites = set("ein eine un une una uno um uma een")

// concerns are the words for companies that stand before their field: "società di consulenza energetica", "provider of
// cloud backups".
var concerns = set(`provider maker manufacturer supplier producer distributor publisher operator network group association
	collective co-operative cooperative family consortium asociación associação associazione cooperativa coopérative société
	entreprise compagnie agence startup start-up società azienda impresa agenzia empresa
	compañía sociedad agencia companhia sociedade agência`)

// fieldOf is the field that words begin with; empty: they begin with none.
func (r *reading) fieldOf(words []string) string {
	language := r.language()
	for len(words) > 2 && slices.Contains(praise, strings.ToLower(words[0])) {
		words = words[1:]
	}
	if len(words) > 3 && concerns()[strings.ToLower(words[0])] && slices.Contains(linking, words[1]) &&
		!stopped(words[2]) && !stopped(words[3]) {
		words = words[2:]
	}
	n := 0
	for n < len(words) && n <= mostPhraseWords+1 {
		linked := n > 0 && n+1 < len(words) && slices.Contains(linking, strings.ToLower(words[n])) &&
			slices.Contains(behind, language)
		if stopped(words[n]) && !linked || joint(words[n]) {
			break
		}
		n++
	}
	words = words[:n]
	if n == 0 || n > mostPhraseWords+1 {
		return ""
	}
	if n > 2 && slices.Contains(kinds, strings.ToLower(words[n-1])) { // "stream processing platform"
		words, n = words[:n-1], n-1
	}
	last := strings.ToLower(words[n-1])
	if n == 2 && slices.Contains(kinds, last) { // "payroll software", where the page speaks of payroll
		first := words[0]
		praised := slices.Contains(praise, strings.ToLower(first))
		if utf8.RuneCountInString(first) < 3 || strings.Contains(first, "-") || praised ||
			!slices.ContainsFunc(append(slices.Clone(r.headings), r.title), func(said string) bool {
				return within(" "+strings.ToLower(said)+" ", strings.ToLower(first))
			}) {
			return ""
		}
		return strings.Join(words, " ")
	}
	if !termed(words, language) ||
		language == "english" && n > 1 && concerns()[last] && cased(words[0]) { // "Invisalign provider": of others' things
		return ""
	}
	return strings.Join(words, " ")
}

// joint reports whether a word goes on to say what a thing does.
func joint(word string) bool {
	word = strings.ToLower(word)
	return slices.Contains(joints, word) || verbs()[word] || slices.Contains([]string{"built", "designed", "made"}, word)
}

// does are the words that stand behind the company's name and nowhere else on the page: what it does, as in "Acme moves
// data". No field begins with one.
func (r *reading) does(company string) map[string]bool {
	behind, all := map[string]int{}, map[string]int{}
	descriptions := []string{r.data.description, r.meta["description"], r.meta["og:description"], r.data.offer}
	for _, said := range slices.Concat(descriptions, r.paragraphs, r.headings, []string{r.title}) {
		after := false
		for _, word := range strings.Fields(strings.ReplaceAll(clean(said, maxParagraph), company, " | ")) {
			if word == "|" {
				after = true
				continue
			}
			small := word == strings.ToLower(word)
			word = strings.ToLower(strings.TrimFunc(word, punctuation))
			all[word]++
			if after && small {
				behind[word]++
			}
			after = false
		}
	}
	verbs := map[string]bool{}
	for word, times := range behind {
		verbs[word] = times == all[word]
	}
	return verbs
}

// inside are small words behind which names of places stand.
var inside = set("in at near en em à a au aux im bei nach te bij w we z")

// placed reports whether words are the name of a place: all are written as names behind a word that says where.
func placed(before string, words []string, language string) bool {
	return language != "german" && before == strings.ToLower(before) && inside()[before] &&
		!slices.ContainsFunc(words, func(word string) bool {
			return !cased(word) && !slices.Contains(linking, strings.ToLower(word))
		})
}

// sale are words that sell, and name no field.
var sale = set(`buy cheap cheapest online shop store price prices pricing discount discounts sale deal deals free trial
	offer offers order gift gifts best top review reviews near me kaufen günstig billig preis preise rabatt angebot angebote
	bestellen geschenk geschenke online-shop acheter cher pas prix promo promotion cadeau comprar barato precio precios
	oferta ofertas regalo preço preços desconto presente comprare prezzo prezzi sconto offerta offerte regalo kopen goedkoop prijs
	korting aanbieding kupić tani cena ceny promocja rabat prezent 通販 激安 格安`)

// selling reports whether a keyword is for search engines: it has a word that sells, or is a number.
func selling(keyword string) bool {
	words := strings.Fields(strings.ReplaceAll(strings.ToLower(keyword), "of sale", "")) // "point of sale" is a field
	return strings.Trim(strings.Join(words, ""), "0123456789-/.") == "" ||
		slices.ContainsFunc(words, func(word string) bool { return sale()[word] })
}

// ours are the words behind which a sentence says what something of the company's own is: "Relay is our pager".
var ours = set("our unser unsere notre nuestro nuestra nuestros nuestras nostro nostra nosso nossa onze ons nasz nasza")

// defines reports whether a sentence of the company says what a thing is that it calls by a name: "Relay is our pager".
func (r *reading) defines(name string) bool {
	return slices.ContainsFunc(r.voiced, func(paragraph string) bool {
		behind, found := strings.CutPrefix(paragraph, name+" ")
		words := strings.Fields(behind)
		if !found || len(words) < 3 || !being()[words[0]] {
			return false
		}
		return ours()[words[1]] || determiners()[words[1]] && ours()[words[2]] || r.indefinite(words[1])
	})
}
