package site

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/text"
)

// Bounds of phrases.
const (
	mostPhrases     = 4_000 // that are counted
	mostPhraseWords = 3
	mostFields      = 8 // that a page's phrases give
	longWord        = 9 // characters of a word that is a field by itself where languages join words
)

// joining are the languages that write several nouns as one word.
var joining = []string{"german", "dutch", "swedish", "danish", "norwegian", "finnish", "hungarian"}

// A phrase is a few words that the page says in several places.
type phrase struct {
	text   string
	words  int
	order  int
	own    int    // descriptions, and titles that say more than it
	others int    // headings, paragraphs and menus
	last   int    // the text that said it last
	begins bool   // no one word stands before it wherever it stands
	behind string // the word that stood before it last
	ends   bool   // no one word, in either number, stands behind it wherever it stands
	ahead  string // the word that stood behind it last
}

// linking are the words that stand inside the names of fields where languages do not join words.
var linking = []string{"de", "del", "di", "do", "da", "du", "des", "della", "of", "van", "von", "d'"}

// oneNoun reports whether two words in lower case are one noun, in one number or in two.
func oneNoun(a, b, language string) bool {
	return a == b || plural(a, b, language) || plural(b, a, language)
}

// clauses divides texts where a phrase cannot go on.
var clauses = text.NewPattern(`[.,:;!?()\[\]"“”„«»|/•·–—→&+]+|\s-\s|\s-|-\s|[。、，：；！？（）「」]+`)

// phrases are the fields that the page speaks of: phrases that its description or its title has, and that another of
// its texts has too. A slogan stands in a title or a first heading alone, as all of it, which counts for nothing.
func (r *reading) phrases(company string) []string {
	found := map[string]*phrase{}
	language, number := r.language(), 0
	if !slices.Contains(text.FunctionWordLanguages(), language) {
		return nil // whose words join sentences is not known
	}
	does := r.does(company)
	count := func(said string, own, partly bool) {
		number++
		said = clean(said, maxParagraph)
		for _, name := range []string{company, r.data.name, r.data.siteName} {
			if name != "" {
				said = strings.ReplaceAll(said, name, "|")
			}
		}
		for _, clause := range clauses.Split(said, -1) {
			if vacancy.MatchString(clause) {
				continue
			}
			words := strings.Fields(clause)
			for from := range words {
				for n := 1; n <= mostPhraseWords && from+n <= len(words); n++ {
					last := words[from+n-1]
					links := n == 2 && slices.Contains(linking, strings.ToLower(last))
					if addressed(last) || stopped(last) && !links {
						break
					}
					if stopped(last) {
						continue // "taller de cerámica"
					}
					text := strings.Join(words[from:from+n], " ")
					whole := partly && len(text) >= len(strings.TrimSpace(said))
					if whole || !termed(words[from:from+n], language) || does[strings.ToLower(words[from])] ||
						from > 0 && (lacks()[strings.ToLower(words[from-1])] || readersAhead()[strings.ToLower(words[from-1])] ||
							placed(words[from-1], words[from:from+n], language)) {
						continue
					}
					key := strings.ToLower(text)
					p := found[key]
					if p == nil {
						if len(found) == mostPhrases {
							return
						}
						p = &phrase{text: text, words: n, order: len(found)}
						found[key] = p
					}
					if from == 0 || stopped(words[from-1]) || does[strings.ToLower(words[from-1])] ||
						p.behind != "" && p.behind != strings.ToLower(words[from-1]) {
						p.begins = true
					} else {
						p.behind = strings.ToLower(words[from-1])
					}
					if next := words[from+n:]; len(next) == 0 || stopped(next[0]) || does[strings.ToLower(next[0])] ||
						p.ahead != "" && !oneNoun(p.ahead, strings.ToLower(next[0]), language) {
						p.ends = true
					} else {
						p.ahead = strings.ToLower(next[0])
					}
					switch {
					case p.last == number:
					case own:
						p.own++
					default:
						p.others++
					}
					p.last = number
				}
			}
		}
	}
	told := map[string]bool{}
	texts := []string{
		r.meta["description"], r.data.description, r.data.offer, r.meta["og:description"],
		r.meta["twitter:description"],
	}
	if first(texts...) == "" { // what a page says first stands for what it does not say of itself
		texts = slices.DeleteFunc(slices.Clone(r.voiced[:min(len(r.voiced), 2)]), notices.MatchString)
		if r.articles == 0 {
			texts = append(texts, r.top)
		}
	}
	for _, text := range texts {
		if text = sensible(clean(text, maxParagraph)); !told[joined(text)] {
			told[joined(text)] = true
			count(text, true, false)
		}
	}
	for _, part := range segments(r.title) {
		count(part, true, true)
	}
	for _, heading := range r.headings {
		if heading != r.top && !told[joined(heading)] {
			told[joined(heading)] = true
			count(heading, false, false)
		}
	}
	for _, paragraph := range r.voiced {
		if !told[joined(paragraph)] && !notices.MatchString(paragraph) {
			count(paragraph, false, false)
		}
	}
	for _, item := range r.items {
		if !told[joined(item)] {
			told[joined(item)] = true
			count(item, false, false)
		}
	}
	for _, l := range r.links {
		if l.zone == inHeader && l.menu != ofCompany && !l.abroad && !told[joined(l.lead)] {
			told[joined(l.lead)] = true
			count(l.lead, false, false)
		}
	}
	var all []*phrase
	for _, p := range found {
		if !p.begins && slices.Contains(behind, language) {
			continue // "portuguesa de mercado" of "cozinha portuguesa de mercado"
		}
		if !p.ends && !slices.Contains(kinds, p.ahead) && (language == "english" || slices.Contains(joining, language)) {
			continue // "independent board" of "independent board game"
		}
		if p.own > 0 && p.own+p.others > 1 {
			all = append(all, p)
		}
	}
	weight := func(p *phrase) int { return 2*min(p.own, 3) + min(p.others, 4) }
	slices.SortFunc(all, func(a, b *phrase) int {
		return cmp.Or(-cmp.Compare(weight(a), weight(b)), -cmp.Compare(a.words, b.words), cmp.Compare(a.order, b.order))
	})
	var list []string
	for _, p := range all {
		lower := " " + strings.ToLower(p.text) + " "
		if len(list) == mostFields {
			break
		}
		if !slices.ContainsFunc(list, func(other string) bool {
			other = " " + strings.ToLower(other) + " "
			return strings.Contains(other, lower) || strings.Contains(lower, other)
		}) {
			list = append(list, p.text)
		}
	}
	return list
}

// enumerated are the fields that the page's descriptions list: "sérums, crèmes hydratantes et savons surgras". Of each the
// rest of the page says more.
func (r *reading) enumerated() (all []string) {
	const least = 3 // of a list
	language := r.language()
	joins := func(word string) bool { return stopped(word) && !slices.Contains(linking, word) }
	stems := func(words []string) string {
		all := " "
		for _, word := range words {
			letters := []rune(strings.TrimSuffix(unaccented(strings.TrimFunc(word, punctuation)), "s"))
			all += string(letters[:min(len(letters), provingStem)]) + " "
		}
		return all
	}
	told := slices.Concat(r.headings, r.voiced, r.items)
	for _, l := range r.links {
		if !l.quoted && !l.abroad {
			told = append(told, l.lead)
		}
	}
	rest := stems(strings.Fields(strings.Join(told, " ")))
	for _, said := range []string{r.meta["description"], r.data.description, r.data.offer} {
		for _, clause := range sentenceEnds.Split(sensible(clean(said, maxParagraph)), -1) {
			parts := conjunctions.Split(strings.TrimSpace(clause), -1)
			var fields []string
			known := 0
			for i, part := range parts {
				words := strings.Fields(part)
				if i == len(parts)-1 { // the sentence may go on
					if n := slices.IndexFunc(words, joins); n > 0 {
						words = words[:n]
					}
				}
				if len(words) == 0 || len(words) > mostPhraseWords || slices.ContainsFunc(words, joins) ||
					!strings.Contains(rest, stems(words)) {
					continue
				}
				known++ // a single word is of the list, and seldom a field
				if termed(words, language) {
					fields = append(fields, strings.Join(words, " "))
				}
			}
			if len(parts) >= least && known > 1 {
				all = append(all, fields...)
			}
		}
	}
	return all
}

// services finds headings above what a company does for others.
var services = text.NewPattern(
	`(?i)^(?:(?:our|what|unsere|nos|nuestros|nossos|i nostri|onze|nasze)\s)?` +
		`(?:(?:core |main )?services|we (?:do|offer)|treatments|practice areas|specialt(?:y|ies)|expertise|` +
		`was wir (?:tun|machen|bieten)|leistungen|behandlungen|rechtsgebiete|` +
		`prestations|soins|métiers|ce que nous faisons|servicios|tratamientos|(?:lo )?qu[eé] hacemos|serviços|tratamentos|` +
		`o que fazemos|servizi|trattamenti|(?:che )?cosa facciamo|diensten|behandelingen|wat (?:we|wij) doen|usługi|zabiegi|` +
		`co robimy)$`,
)

// performed are the fields that headings under one that says "Our services" name.
func (r *reading) performed() (all []string) {
	for _, c := range r.cards {
		words := strings.Fields(c.text)
		if services.MatchString(strings.TrimRight(c.section, ":.?")) && !c.cited && len(words) <= mostPhraseWords &&
			len(words) > 0 && termed(words, r.language()) && !slices.ContainsFunc(words, stopped) && !urging(words) {
			all = append(all, c.text)
		}
	}
	return all[:min(len(all), mostFields/2)]
}

// repeated are the fields that an entry of a list or a menu, or a heading, is called and a paragraph speaks of: "Time
// tracking" of a plan, with "simple time tracking" in a text.
func (r *reading) repeated() (all []string) {
	const most = 3
	told := append(slices.Clone(r.items), r.headings...)
	for _, l := range r.links {
		if l.zone == inHeader && l.menu != ofCompany && l.menu != ofReaders && !l.abroad {
			told = append(told, l.lead)
		}
	}
	prose := " " + strings.Join(r.voiced, " | ") + " "
	speaks := func(text string) bool { // names keep their capitals
		small := strings.ToLower(text)
		return within(prose, small) || within(prose, capital(small)) || r.language() == "german" && within(prose, text)
	}
	for _, text := range told {
		words := strings.Fields(text)
		if len(words) > 1 && len(words) <= mostPhraseWords && len(all) < most && termed(words, r.language()) &&
			!slices.ContainsFunc(words, stopped) && !urging(words) && speaks(text) {
			all = append(all, text)
		}
	}
	return all
}

// sentenceEnds divides texts where a list cannot go on.
var sentenceEnds = text.NewPattern(`[.:;!?()]+(?:\s|$)|\s[–—|-]\s|\s:\s`)

// termed says whether words can be what a field is called.
func termed(words []string, language string) bool {
	first, last := strings.ToLower(words[0]), strings.ToLower(words[len(words)-1])
	for i, word := range words {
		if i > 0 && i < len(words)-1 && slices.Contains(linking, strings.ToLower(word)) {
			continue
		}
		if utf8.RuneCountInString(word) < 2 || strings.ContainsFunc(word, unicode.IsDigit) ||
			!strings.ContainsFunc(word, unicode.IsLetter) || strings.ContainsAny(word, "@©™®'’") {
			return false
		}
	}
	if persons()[first] || slices.Contains(praise, first) || calling(first) || slices.Contains(addressing, first) ||
		persons()[last] || lacks()[first] ||
		people(last) && (len(words) == 1 || language != "english" || !houses()[last]) ||
		people(first) && len(words) > 1 && slices.Contains(append(behind, "polish"), language) ||
		slices.Contains(kinds, last) && len(words) < mostPhraseWords {
		return false
	}
	if len(words) == 1 {
		return slices.Contains(joining, language) && utf8.RuneCountInString(first) >= longWord &&
			(language != "german" || cased(words[0])) && !nounWords()[first]
	}
	return !generic(strings.Join(words, " ")) && !verbal(first) && !verbal(last)
}

// vacancy finds texts that look for somebody to work for the company.
var vacancy = text.NewPattern(
	`(?i)\b(?:is|are|we['’]re|now|currently) (?:now |still |currently )?(?:hiring|recruiting)\b|\bhiring\s*:|` +
		`\bjoin (?:our|the) team\b|\((?:[mwdfh]\s*/\s*){1,2}[mwdfhx]\)|\bwir suchen\b|\bgesucht\b|` +
		`\b(?:nous )?recrut(?:e|ons|ement)\b|\bbuscamos\b|\bse busca\b|\b(?:estamos )?contratando\b|\bprocuramos\b|` +
		`\bcerchiamo\b|\bassumiamo\b|\bwij zoeken\b|\bgezocht\b|\bzatrudni\p{L}+|\bszukamy\b`,
)

// lacks are the words behind which stands what something does not have: "ohne Grundgebühr".
var lacks = set("without no zero ohne keine sans sin senza sem zonder geen bez")

// persons are words for people that name no field of work.
var persons = set(`people everyone everybody anyone anybody nobody someone leute menschen gens personnes gente personas
	pessoas persone mensen ludzie employees staff mitarbeiter mitarbeitende medewerkers werknemers salariés empleados
	funcionários dipendenti pracownicy pracowników`)

// houses are readers whose singular says what kind of company one is: "law firm".
var houses = set(`firm agency school hospital clinic restaurant hotel publisher manufacturer retailer insurer operator
	builder maker consultant`)

// addressed says whether a word speaks to the reader.
func addressed(word string) bool { return addresses()[strings.ToLower(word)] }

var addresses = set("you your we our us i my sie ihr ihre du dein deine vous votre nous")

// urging reports whether words ask the reader to do something: "Call us now", "Request a demo". "Open banking" and
// "Order management" begin as such words do, and are fields.
func urging(words []string) bool {
	return len(words) > 1 && calling(words[0]) && !stopped(words[0]) &&
		slices.ContainsFunc(words[1:], func(word string) bool {
			return addressed(word) || urgent()[strings.ToLower(word)] || determiners()[strings.ToLower(word)]
		})
}

var urgent = set("now today here online jetzt heute maintenant ahora hoy agora hoje ora adesso oggi nu vandaag teraz dziś")

// telling reports whether words are a piece of a sentence, or say what every company is, and name no field: "Ihr Anbieter",
// "half of", "many flavors", "Create forms", "assistant Le Chat", "family-run group".
func (r *reading) telling(words []string) bool {
	language, first, end := r.language(), strings.ToLower(words[0]), words[len(words)-1]
	last := strings.ToLower(end)
	for i, word := range words {
		shouts := word == strings.ToUpper(word) // "US payroll", "mobile OS"
		small := strings.ToLower(word)
		inside := i > 0 && len(word) > 1 && determiners()[small] && !stopped(words[i-1]) && !slices.Contains(linking, small)
		if !shouts && (addressed(word) || inside) {
			return true
		}
	}
	switch {
	case len(words) == 1:
		return language == "german" && everyHouse.MatchString(last)
	case amounts()[first] || acts()[first] || language == "french" && imperative.MatchString(first):
		return true
	case language == "german" && cased(words[0]) && !cased(end): // "Angebote erstellen"
		return strings.HasSuffix(end, "en")
	case stopped(end) && !cased(end):
		return true
	case last == "destination" || len(words) == 2 && housed(first) && (concerns()[last] || slices.Contains(kinds, last)):
		return true
	}
	said := strings.ToLower(strings.Join(words, " "))
	prose := strings.ToLower(r.sentences())
	return language == "english" && slices.ContainsFunc(doers, func(before string) bool {
		return strings.Contains(prose, before+said+" ")
	})
}

// doers are words behind which English says what somebody does.
var doers = []string{" we ", " they ", " can ", " lets you ", " helps you ", " help you ", " when you ", " if you "}

// imperative finds French verbs that ask the reader to do something.
var imperative = text.NewPattern(`^\p{L}{3,}ez$`)

// everyHouse finds German words for companies of any field.
var everyHouse = text.NewPattern(`(?:meister|familien|fach|traditions)(?:betrieb|unternehmen)$|anbieter$|partner$`)

// housed reports whether a word says who has or runs a company, or how large it is: "family-run".
func housed(word string) bool {
	return sized()[word] || strings.HasSuffix(word, "-run") || strings.HasSuffix(word, "-owned") ||
		strings.HasSuffix(word, "-led")
}

var (
	// amounts say how many, or that there is nothing else.
	amounts = set(`many several various every each few some any both these those plain viele einige mehrere verschiedene jede
		jeder jedes plusieurs chaque quelques muchos muchas varios varias cada algunos algunas muitos muitas vários várias
		alguns molti molte ogni alcuni alcune veel enkele elke verschillende wiele każdy każda`)
	// acts are verbs that are no nouns.
	acts = set(`create send write make give bring become understand organize organise donate donates connect manage automate
		simplify improve reduce crea cree gestiona envía crie gerencie envie gestisci invia maak beheer verstuur twórz zarządzaj
		wysyłaj`)
)

// verbal says whether a word is an adverb or a verb that pages are full of.
func verbal(word string) bool {
	const least = 5 // characters of an adverb: "fly" is none
	return len(word) >= least && strings.HasSuffix(word, "ly") || verbs()[word]
}

var verbs = set(`developing making offering providing creating delivering bringing helping giving
	combines makes make helps help delivers deliver lets let turns turn keeps keep gives give brings
	bring shows
	works work runs run saves save stops stop close closes ships needs need wants want offers provides builds grow grows
	connects connect manage manages automate automates simplify simplifies improve improves reduce reduces increase
	since seit depuis desde sinds
	love loves loved trusted used made based ready new better faster easier`)
