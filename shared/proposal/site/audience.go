package site

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"earshot/shared/proposal"
	"earshot/shared/text"
)

// readers are what people and organizations are called that something is for, in the languages that most sites are in.
const readers = `teams?|groups|developers?|engineers?|compan(?:y|ies)|business(?:es)?|startups?|start-ups?|enterprises?|` +
	`agenc(?:y|ies)|` +
	`marketers?|designers?|founders?|creators?|freelancers?|students?|teachers?|educators?|researchers?|` +
	`scientists?|analysts?|recruiters?|schools?|universities|hospitals?|` +
	`clinics?|restaurants?|retailers?|merchants?|brands|publishers?|manufacturers?|organi[sz]ations?|` +
	`nonprofits?|non-profits?|charities|famil(?:y|ies)|parents|kids|professionals?|` +
	`consultants?|lawyers?|accountants?|doctors?|nurses|artists?|musicians?|writers?|photographers?|` +
	`gamers?|investors?|traders?|landlords?|farmers?|contractors?|` +
	`managers?|leaders?|operators?|administrators?|admins?|\p{L}*owners?|makers?|builders?|communities|` +
	`governments?|cities|hotels?|banks|insurers?|` +
	`betriebe|unternehmen|firmen|handwerker|entwickler|händler|agenturen|selbst(?:st)?[äa]ndige|freiberufler|` +
	`vereine|schulen|praxen|ärzte|kanzleien|familien|eltern|kinder|gründer|mittelstand|` +
	`équipes|entreprises|développeurs|commerçants|artisans|indépendants|agences|écoles|familles|parents|` +
	`professionnels|restaurateurs|enseignants|associations|` +
	`equipos|empresas|pymes|desarrolladores|comercios|autónomos|agencias|escuelas|familias|profesionales|` +
	`restaurantes|negocios|tiendas|` +
	`equipes|desenvolvedores|lojas|autônomos|agências|escolas|famílias|profissionais|negócios|` +
	`empreendedores|lojistas|` +
	`aziende|imprese|sviluppatori|negozi|professionisti|agenzie|scuole|famiglie|ristoranti|squadre|` +
	`bedrijven|ontwikkelaars|winkels|ondernemers|zzp'ers|bureaus|scholen|gezinnen|ouders|werkgevers?|werknemers?|` +
	`firm|przedsiębiorców|przedsiębiorstw|sklepów|szkół|zespołów|programistów|rodzin|freelancerów|restauracji|` +
	`shipyards|foundries|factories|warehouses|farms|gyms|bars|caf[ée]s|pubs|museums|churches|libraries|airlines|` +
	`airports|municipalities|councils|marketplaces|salons|pharmacies|practitioners|therapists|firms|shops|bookshops|` +
	`grocers|bakeries|breweries|wineries|laboratories|beginners|hobbyists|commuters|seniors|cyclists|runners|` +
	`travell?ers|tourists|hikers|walkers|climbers|athletes|coaches|distributors|wholesalers|architects|homeowners|tenants|` +
	`renters|households|couples|children|patients|caregivers|carers|employers|employees|sellers|journalists|newsrooms|` +
	`clubs|festivals|venues|neighbou?rs|volunteers|donors|players|guests|visitors|pet owners|drivers|shippers|carriers|` +
	`forwarders|brokers|growers|gardeners|bakers|chefs|caterers|readers|subscribers|choirs|schoolchildren|pupils|` +
	`\p{L}*patient(?:inn)?en|patiënten|patientes?|pacientes|pazienti|pacjentów|` +
	`nachbarn|gäste|spieler|ehrenamtliche|spediteure|verlader|bauherren|firmenkunden|berufstätige|` +
	`voisins|bénévoles|randonneurs|visiteurs|joueurs|lycéens|retraités|transporteurs|` +
	`vecinos|voluntarios|mayores|jugadores|turistas|transportistas|jóvenes|senderistas|` +
	`vizinhos|voluntários|caminhantes|jovens|idosos|turistas|hóspedes|jogadores|transportadoras|` +
	`vicini|volontari|anziani|giovani|turisti|giocatori|trasportatori|escursionisti|` +
	`buren|vrijwilligers|wandelaars|jongeren|gasten|vervoerders|` +
	`sąsiadów|wolontariuszy|maturzystów|turystów|graczy|mieszkańców|przewoźników|` +
	`pendler|radfahrer|reisende|anfänger|\p{L}*einsteiger|rentner|studierende|studenten|` +
	`schüler|lehrer|lehrkräfte|senioren|frauen|` +
	`männer|paare|kmu|gastronomen|restaurants|kommunen|städte|gemeinden|behörden|kliniken|krankenhäuser|apotheken|` +
	`makler|vermieter|mieter|eigentümer|hausverwaltungen|steuerberater|anwälte|architekten|landwirte|winzer|` +
	`werkstätten|mittelständler|konzerne|kreative|musiker|sportler|haushalte|privatkunden|geschäftskunden|arbeitgeber|` +
	`arbeitnehmer|pflegekräfte|pflegedienste|` +
	`particuliers|étudiants|débutants|femmes|hommes|enfants|voyageurs|cyclistes|sportifs|créateurs|agriculteurs|` +
	`vignerons|hôtels|collectivités|mairies|hôpitaux|cliniques|médecins|avocats|architectes|notaires|tpe|pme|` +
	`salariés|employeurs|propriétaires|locataires|bailleurs|formateurs|` +
	`estudiantes|principiantes|viajeros|niños|mujeres|hombres|parejas|hoteles|bares|ayuntamientos|hospitales|` +
	`clínicas|farmacias|médicos|abogados|arquitectos|agricultores|colegios|docentes|profesores|creadores|` +
	`emprendedores|particulares|propietarios|inquilinos|` +
	`estudantes|iniciantes|viajantes|crianças|mulheres|homens|casais|hotéis|prefeituras|hospitais|farmácias|` +
	`advogados|arquitetos|produtores|professores|alunos|criadores|condomínios|proprietários|comerciantes|` +
	`studenti|principianti|viaggiatori|bambini|donne|coppie|alberghi|comuni|ospedali|cliniche|farmacie|medici|` +
	`avvocati|architetti|agricoltori|insegnanti|genitori|artigiani|commercianti|pmi|privati|rivenditori|` +
	`reizigers|kinderen|vrouwen|mannen|ouderen|gemeenten|ziekenhuizen|klinieken|artsen|advocaten|architecten|boeren|` +
	`docenten|leraren|verhuurders|huurders|webshops|mkb|particulieren|fietsers|forenzen|sporters|organisaties|` +
	`studentów|uczniów|nauczycieli|dzieci|kobiet|seniorów|rodziców|hoteli|kawiarni|gmin|szpitali|aptek|lekarzy|` +
	`fabricants|distributeurs|fabricantes|distribuidores|produttori|distributori|hersteller|fabrikanten|` +
	`\p{L}{3,}(?:betriebe|unternehmen|unternehmer|firmen|händler|besitzer|betreiber|hersteller|` +
	`kunden|praxen|kanzleien|vereine|schulen)|` +
	`peaux|cheveux|pieles|pelli|` +
	`działów|specjalistów|prawników|architektów|rolników|producentów|sprzedawców|twórców|początkujących|` +
	`właścicieli|księgowych`

const (
	// listed are words of a list that end as those for people do, before a reader: "fabricantes, mayoristas y tiendas".
	listed = `(?:(?:[\p{L}-]+\s+)?[\p{L}-]{2,}(?:ers|ors|ists|ians|eers|antes|dores|tores|istas|eurs|ants|istes|iers|` +
		`tori|isti|anti|ów|arzy),\s+){0,3}`
	englishAid = `help(?:s|ing)?|serv(?:es?|ing)|gives?|lets?|welcomes?|supports|(?:we|to)\s+support|advises?|equips?|` +
		`insures?|(?:suppl(?:y|ies)|sells?|delivers?)\s+(?:[\p{L}-]+\s+){1,4}?to|(?:trusted|loved|used)\s+by(?:\s+[\d,.]+)?`
	// aids are verbs for helping and serving. Whom the company helps stands behind them.
	aids = `(?i)(?:^|[^\p{L}])(?:` + englishAid + `|` +
		`(?:be)?liefer[nt](?:\s+[\p{L}-]+){1,3}\s+an|beliefer[nt]|équip(?:e|ons)|conseill(?:e|ons)|` +
		`trabajamos\s+con|asesora(?:mos)?(?:\s+a)?|lavoriamo\s+con|trabalhamos\s+com|` +
		`hilft|helfen|unterstützt|unterstützen|begleitet|begleiten|berät|beraten|(?:richtet|richten|wendet) sich an|` +
		`aid(?:e|ons|ant)|accueill(?:e|ons|ant)|accompagn(?:e|ons|ant)|` +
		`(?:s['’]adresse|destinée?s?) (?:à|aux)|` +
		`(?:ayuda|ayudamos|ayudando|atiende|atendemos|dirigid[oa]s?) a|aiut(?:a|iamo)|accogli(?:e|amo)|rivolt[oaie] a|` +
		`ajud(?:a|amos)|acolhe|acolhemos|dirigid[oa]s? a|helpt|helpen|ondersteunt|ondersteunen)\s+`
	// led are readers with up to four words before them, and joinedReaders up to three others behind them.
	led           = `(` + listed + `(?:[\p{L}\d][\p{L}\p{M}\d'&/-]*\s+){0,4}?(?:` + readers + `))`
	joinedReaders = `((?:\s*(?:,|&|and|und|et|y|e|en|i|oraz|ou|oder|or|o)\s+(?:(?:and|or|und|et|y|e|en|i)\s+)?` +
		`(?:[\p{L}-]+\s+){0,2}?(?:` + readers + `)){0,3})(?:$|-?[^\p{L}'’-])` // "for children's hospitals", "voor mkb-bedrijven"
)

// whom finds for whom something is: "for small engineering teams", "pour les équipes".
var (
	whom = text.NewPattern(`(?i)(?:^|[\s(])(?:for|für|pour|para|per|voor|dla)\s+` + led + joinedReaders)
	// aided finds whom a text says that somebody helps or serves: "gives bakers and chefs", "aidons les communes".
	aided = text.NewPattern(aids + led + joinedReaders)
	// aiding finds the words before them.
	aiding = text.NewPattern(aids)
	// englishVerb finds the words of aided that English has.
	englishVerb = text.NewPattern(`(?i)^(?:` + englishAid + `)\s`)
	// clause finds people who are told by what they do: "for people who read at night".
	clause = text.NewPattern(
		`(?i)(?:^|[\s(])(?:for\s+((?:people|anyone|everyone|everybody|those)\s+(?:who|that|living|with)|` +
			`(?:players|readers|families|parents|couples|children|adults|riders)\s+who)|` +
			`für\s+((?:menschen|leute|alle|erwachsene)),?\s+die|` +
			`pour\s+((?:ceux|celles|les gens|les personnes|(?:les )?adultes)\s+(?:qui|atteintes|vivant))|` +
			`para\s+(quienes|quem|(?:personas|gente|pessoas|adult[oa]s)\s+(?:que|con|com))|` +
			`per\s+(chi|(?:le\s+)?(?:persone|adulti)\s+che)|` +
			`voor\s+((?:mensen|iedereen|volwassenen)\s+die)|dla\s+((?:osób|ludzi|tych|dorosłych)),?\s+(?:które|którzy))` +
			`((?:\s+[\p{L}\d'’-]+){2,7}?)(?:\s*$|[.,;:!?()–—]|\s(?:and|und|et|y|e|en|i)\s)`,
	)
	// intended finds the words after which a text tells whom something is for.
	intended = text.NewPattern(`(?i)(?:^|[^\p{L}'’-])(?:for|für|pour|para|per|voor|dla|för)\s`)
	// meant is Japanese.
	meant = text.NewPattern(
		`((?:小さな|大きな|[\p{Han}\p{Katakana}ー・]){0,10}(?:チーム|企業|事業者|開発者|担当者|店舗|学校|個人|エンジニア|クリエイター|法人|会社|機関|` +
			`自治体|家庭|主))(?:のための|向け|さまのための)`,
	)
	// alsoReaders finds the readers that a text joins to those before it.
	alsoReaders = text.NewPattern(`(?i)^` + joinedReaders)
	// sizeOf finds how many they are: " with 20 to 500 employees".
	sizeOf = text.NewPattern(
		`^ with (?:(?:up to|fewer than|less than|more than|over|at least) )?[\d,]+\+?(?: (?:to|or|and) [\d,]+)? ` +
			`(?:employees|people|staff|seats|members)\b`,
	)
	// ofWhat finds what they have or make: " of dogs with sensitive stomachs", " von Elektromotoren".
	ofWhat = text.NewPattern(`^( (?:of(?: [\p{Ll}-]{3,}){1,2}(?: with(?: [\p{Ll}-]{3,}){1,2})?|(?:von|van) [\p{L}-]{3,}))` +
		`(?:[.,;:!?]|$| (?:and|und|en|in|who|that)\s)`)
	// lastListed finds the end of a list of readers, whatever it is called: " and school workshops."
	lastListed = text.NewPattern(
		`^ (?:and|und|et|y|e|en|i|oraz) ((?:[\p{L}-]+ ){0,2}[\p{L}-]{3,})(?:[.;:!?]|$| who\b| that\b)`,
	)
	// alone finds a sentence that says no more than for whom something is: "Für kleine Speditionen."
	alone = text.NewPattern(
		`(?:^|[.!?]\s+)(?:For|Für|Pour|Para|Per|Voor)\s+((?:[\p{L}-]+\s+){0,5}[\p{L}-]{4,})(?:[.!]|$)`,
	)
	// readerName finds what readers are called, as a whole.
	readerName = text.NewPattern(`(?i)^(?:` + readers + `)$`)
)

// singular are English readers one of whom is meant, or who describe what follows.
var singular = text.NewPattern(
	`(?i)^(?:[a-z]+(?:er|or|ist|an|ant|eur|ent)|team|firm|company|organi[sz]ation|school|clinic|restaurant|brand)$`,
)

// severalOf finds English words of which several are meant.
var severalOf = text.NewPattern(`(?i)(?:[^s]s|people|folk|[a-z]men|children)$`)

// people reports whether a word is one of readers.
func people(word string) bool { return readerName.MatchString(word) }

const (
	mostReaders     = 4 // entries of its menus, or of a list, that an audience has
	mostReaderWords = 3 // of an entry of a list
)

// audience is whom the company is for: as JSON-LD tells it, or else as its texts and its menus of industries and teams
// do.
func (r *reading) audience(company string) string {
	if told := clean(r.data.audience, proposal.MaxProfileText); told != "" {
		return told
	}
	all := r.described()
	for i := 0; i < len(r.cards) && len(all) == 0; i++ { // "For clubs and choirs" heads a part of the page
		c := r.cards[i]
		_, behind, several := strings.Cut(c.text, " ")
		if !c.quoted && (introduces(c.text) || several && introduces(behind)) {
			all = divided(forWhom(c.text))
		}
	}
	for i, paragraph := range r.voiced { // that speak of the company
		if i >= foremost && (len(all) > 1 || len(all) == 1 && strings.Contains(all[0], " ")) {
			break
		}
		if i == 0 || r.speaksOf(paragraph, company) || speaker(paragraph) {
			found := divided(first(r.aimed(paragraph), forWhom(paragraph), helped(paragraph)))
			found = slices.DeleteFunc(found, func(reader string) bool { return r.own.inside(reader) != "" })
			switch {
			case len(all) == 0:
				all = found
			case len(found) > 0 && strings.HasSuffix(found[0], " "+all[0]) &&
				!slices.ContainsFunc(strings.Fields(found[0]), stopped):
				all = found // "backend developers" of "developers"
			default:
				all = append(all, found...)
			}
		}
	}
	return strings.Join(names(append(all, r.served()...)), ", ")
}

// described are the readers that the page's title and descriptions say that it is for. A word that says no more than
// that there are some ("teams") gives way to what another text calls them ("backend teams").
func (r *reading) described() (all []string) {
	descriptions := []string{r.data.description, r.meta["description"], r.meta["og:description"], r.data.offer}
	for i, text := range append([]string{r.tagline(), r.top}, descriptions...) {
		text = clean(text, proposal.MaxProfileText)
		told := forWhom(text)
		if told == "" && i > 1 { // a slogan helps everybody
			told = first(helped(text), r.aimed(text), r.only(text))
		}
		found := divided(told)
		if len(all) == 0 || len(found) > 0 && strings.HasSuffix(found[0], " "+all[0]) && !strings.Contains(all[0], " ") {
			all = append(found, all[min(len(all), 1):]...)
		} else if i > 1 && len(found) > 0 && // a description tells of others than a title
			!strings.Contains(strings.ToLower(strings.Join(all, ", ")), strings.ToLower(found[0])) {
			all = append(all, found...)
		}
	}
	return all
}

// aim finds what a text says whom the company means by, and what follows it in the sentence.
var aim = text.NewPattern(`(?i)\b(?:(?:richte[nt]|wende[nt]) sich an|s['’]adresse(?:nt)? (?:à|aux)|se dirigen? a|` +
	`(?:está|están) pensad[oa]s? para|destina(?:m)?-se a|si rivolg(?:e|ono) (?:a|ai|alle|agli)|richt(?:en)? zich (?:op|tot)|` +
	`(?:jest|są) skierowan\p{L}+ do|(?:aimed|geared|targeted) (?:at|to|towards?)|(?:is|are) in (?:\p{L}+ )?use (?:in|at|by))` +
	`\s+([^.;:!?()]{3,200})`)

// relatives begin what tells of somebody.
var relatives = set("who that qui que quien quienes quem che który które którzy")

// aimed are the readers whom a sentence lists as those that the company means, divided by commas. It needs no word for
// them that is known. What tells of the last of them is left out.
func (r *reading) aimed(text string) string {
	found := aim.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	var all []string
	for _, part := range conjunctions.Split(found[1], mostReaders+1) {
		words := strings.Fields(part)
		if len(words) > 1 && stopped(words[0]) && !relatives()[words[0]] {
			words = words[1:]
		}
		if n := slices.IndexFunc(words, stopped); n >= 0 { // none is left of "die ihre Bank kennen"
			words = words[:n]
		}
		if len(words) == 0 || len(words) > mostReaderWords || slices.Contains(nobody, strings.ToLower(words[0])) ||
			r.language() == "german" && !cased(words[len(words)-1]) {
			break
		}
		all = append(all, strings.TrimRight(strings.Join(words, " "), ","))
	}
	return strings.Join(all[:min(len(all), mostReaders)], ", ")
}

// divided are the names of a list.
func divided(list string) []string {
	return strings.FieldsFunc(list, func(c rune) bool { return c == ',' })
}

// helped are the readers that a text says that its company helps or serves.
func helped(text string) string {
	if found := aided.FindStringSubmatch(text); found != nil {
		verb := strings.TrimLeftFunc(found[0], separates)
		return readersOf(text, found, englishVerb.MatchString(verb))
	}
	return traders(text, aiding)
}

// traders are whom a text tells of behind what before finds, where they are called as trades are: a list of them up to the
// first that is called otherwise. Two of which the first is one word are one reader: "ramblers and dog walkers".
func traders(said string, before text.Pattern) string {
	for _, at := range before.FindAllStringIndex(said, -1) {
		word := strings.TrimFunc(said[at[0]:at[1]], separates)
		english := strings.EqualFold(word, "for") || englishVerb.MatchString(word+" ")
		list := said[at[1]:]
		if end := strings.IndexAny(list, ".;:!?()–—|"); end >= 0 {
			list = list[:end]
		}
		var all []string
		articled := false
		for i, part := range conjunctions.Split(list, mostReaders+1) {
			words := strings.Fields(part)
			if len(words) > 1 && plainArticles()[strings.ToLower(words[0])] {
				words, articled = words[1:], i > 0
			}
			n := headOf(words, english)
			if n == 0 {
				break
			}
			after, kind := strings.Join(append([]string{""}, words[n:]...), " "), ""
			if !english {
				kind = kindOf(after)
			}
			if all = append(all, strings.Join(words[:n], " ")+kind); after != kind {
				break
			}
		}
		if len(all) == 2 && !articled && !strings.Contains(all[0], " ") && !people(all[0]) &&
			!strings.Contains(list, all[0]+",") {
			_, second, _ := strings.Cut(list, all[0]+" ")
			return all[0] + " " + firstWord(second) + " " + all[1]
		}
		if len(all) > 0 {
			return strings.Join(all[:min(len(all), mostReaders)], ", ")
		}
	}
	return ""
}

// plainArticles are those of several readers, in the languages that most sites are in.
var plainArticles = set("the les des los las os as i gli le de die den alle")

// headOf is the number of words with which a text names people or places of work; 0: with none.
func headOf(words []string, english bool) int {
	names := func(word string) bool {
		named := trade(word) || people(word) && !things()[strings.ToLower(word)]
		return named && (!english || severalOf.MatchString(word))
	}
	for n, word := range words[:min(len(words), mostReaderWords)] {
		switch {
		case stopped(word), n == 0 && (slices.Contains(nobody, strings.ToLower(word)) ||
			slices.Contains(superlatives, strings.ToLower(word))):
			return 0
		case names(word):
			for english && n+1 < len(words) && names(words[n+1]) {
				n++ // "farmers markets managers"
			}
			return n + 1
		}
	}
	return 0
}

// only is for whom a sentence of a text says that something is, and no more: several, by words that say of what kind.
// "Für immer günstig" and "For a better life" are for nobody.
func (r *reading) only(text string) string {
	found := alone.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	words := strings.Fields(found[1])
	last := words[len(words)-1]
	if len(words) < 2 || stopped(words[0]) || slices.Contains(nobody, strings.ToLower(words[0])) ||
		r.language() == "german" && !cased(last) || !strings.ContainsAny(last[len(last)-1:], severalEnds[r.language()]) {
		return ""
	}
	return found[1]
}

// severalEnds are the letters that plurals end in, of the languages whose sentences only reads.
var severalEnds = map[string]string{
	"english": "s", "french": "sx", "spanish": "s", "portuguese": "s", "italian": "ie", "dutch": "ns", "german": "ners",
}

// introduces reports whether a text begins as those do that say whom something is for.
func introduces(text string) bool {
	return slices.Contains([]string{"for", "für", "pour", "para", "per", "voor", "dla"}, strings.ToLower(firstWord(text)))
}

// speaker reports whether a text is told by the company itself.
func speaker(text string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(word string) bool { return speakers()[word] })
}

// speakers are the words by which companies speak of themselves.
var speakers = set(`we our we're we've wir unser unsere unserer unserem nous notre nos nosotros somos nuestro nuestra
	nuestros nuestras noi siamo nostro nostra nostri nostre nós nosso nossa nossos nossas wij onze ons nasz nasza nasze
	aiutiamo ayudamos ajudamos aidons helfen helpen`)

// forWhom is for whom a text says that something is; empty: it says it of nobody.
func forWhom(text string) string {
	if found := clause.FindStringSubmatch(text); found != nil {
		who := strings.ToLower(strings.Join(strings.Fields(strings.Join(found[1:len(found)-1], " ")), " "))
		return who + binder(found[0], who) + found[len(found)-1]
	}
	if found := whom.FindStringSubmatch(text); found != nil {
		readers := readersOf(text, found, strings.HasPrefix(strings.ToLower(strings.TrimLeft(found[0], " (\n\t")), "for "))
		if more := traders(text, intended); readers == "" || strings.HasPrefix(more, readers+", ") {
			return more // trades in a list whose first readers are known
		}
		return readers
	}
	if found := meant.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return traders(text, intended)
}

// binder is the word between people and what they do where the pattern keeps it apart: "die" of "Menschen, die".
func binder(said, who string) string {
	for _, word := range []string{"die", "które", "którzy"} {
		if strings.Contains(strings.ToLower(said), " "+word+" ") && !strings.HasSuffix(who, " "+word) {
			return " " + word
		}
	}
	return ""
}

// readersOf are the readers that whom or aided found in a text, divided by commas.
func readersOf(text string, found []string, english bool) string {
	words := strings.Fields(found[1])
	_, behind, _ := strings.Cut(text, found[1])
	others := found[2]
	if next := firstWord(strings.TrimPrefix(behind, " ")); english && others == "" && strings.HasPrefix(behind, " ") &&
		people(strings.TrimRight(next, ".,;:!?")) { // "restaurant owners"
		next = strings.TrimRight(next, ".,;:!?")
		words, behind = append(words, next), strings.TrimPrefix(behind, " "+next)
		others = alsoReaders.FindStringSubmatch(behind)[1]
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(behind, " "))
	one := func(word string) bool { return english && singular.MatchString(word) }
	if one(words[len(words)-1]) && unicode.IsLetter(next) {
		return "" // "for designer jeans"
	}
	if one(lastWord(others)) { // "and school" of "and school workshops"
		others = others[:max(strings.LastIndex(others, " and "), 0)]
	}
	if slices.Contains(nobody, strings.ToLower(words[0])) {
		return ""
	}
	praised := false
	for len(words) > 1 && (stopped(words[0]) || slices.Contains(superlatives, strings.ToLower(words[0]))) {
		praised = praised || !stopped(words[0])
		words = words[1:]
	}
	if len(words) == 1 && (praised || one(words[0])) {
		return "" // "the world's largest organizations", "the company"
	}
	all := divided(strings.Join(words, " "))
	if parts := conjunctions.Split(all[len(all)-1], 2); len(parts) > 1 && strings.Contains(parts[0], " ") {
		all = append(all[:len(all)-1], parts...) // "cocineros caseros y restaurantes"; not "small and large firms"
	}
	for _, other := range conjunctions.Split(strings.ReplaceAll(others, "&", "and"), mostReaders) {
		words := strings.Fields(other)
		for len(words) > 1 && stopped(words[0]) {
			words = words[1:]
		}
		if len(words) > 0 && !one(words[len(words)-1]) {
			all = append(all, strings.Join(words, " "))
		}
	}
	if last := lastListed.FindStringSubmatch(strings.TrimPrefix(behind, others)); last != nil && !persons()[last[1]] &&
		strings.Contains(found[1]+found[2], ",") {
		return strings.Join(append(all, last[1]), ", ")
	}
	if of := ofWhat.FindStringSubmatch(strings.TrimPrefix(behind, others)); of != nil &&
		!strings.Contains(all[len(all)-1], " ") && !stopped(strings.Fields(of[1])[1]) {
		return strings.Join(all, ", ") + of[1]
	}
	if english {
		all[len(all)-1] += sizeOf.FindString(strings.TrimPrefix(behind, found[2]))
	} else {
		all[len(all)-1] += kindOf(strings.TrimPrefix(behind, others))
	}
	return strings.Join(all, ", ")
}

// kindOf are the words by which a language that describes behind a noun says what kind of readers a text is for, with a
// blank before them: " manifatturiere" of "per le imprese manifatturiere.", " HR" of "dla działów HR", " de ventas" of
// "para equipos de ventas." Empty: the text goes on otherwise.
func kindOf(after string) string {
	word, rest, _ := strings.Cut(strings.TrimPrefix(after, " "), " ")
	bare := strings.TrimRight(word, ".,;:!?")
	switch {
	case !strings.HasPrefix(after, " "):
		return ""
	case acronym.MatchString(bare):
		return " " + bare
	case genitives()[word]:
		of, last, _ := strings.Cut(rest, " ")
		if describes(of, rest) {
			return " " + word + " " + strings.TrimRight(of, ".,;:!?")
		} else if describes(firstWord(last), last) && of == strings.Trim(strings.ToLower(of), ".,;:!?") && !stopped(of) {
			return " " + word + " " + of + " " + strings.TrimRight(firstWord(last), ".,;:!?") // "del servizio idrico"
		}
		return ""
	case !describes(word, word+" "+rest):
		return ""
	case bare == word && (strings.HasPrefix(rest, "de ") || strings.HasPrefix(rest, "di ")):
		return " " + bare + kindOf(" "+rest) // "tiendas online de alimentación"
	}
	return " " + bare
}

// genitives begin what tells whose somebody is.
var genitives = set("de di del della dei degli delle du des do da dos das")

// acronym finds fields of work that are written in capitals: "HR", "IT".
var acronym = text.NewPattern(`^\p{Lu}{2,4}$`)

// describes reports whether a word with which a text begins can be what kind of readers it is for, and ends there.
func describes(word, said string) bool {
	bare := strings.TrimRight(word, ".,;:!?")
	rest := strings.TrimPrefix(strings.TrimPrefix(said, word), " ")
	return utf8.RuneCountInString(bare) >= 5 && bare == strings.ToLower(bare) && !stopped(bare) &&
		strings.IndexFunc(bare, func(c rune) bool { return !unicode.IsLetter(c) }) < 0 &&
		(bare != word || rest == "" || stopped(firstWord(rest)))
}

// served are the entries of the site's menus and folders of industries, teams and roles.
func (r *reading) served() (all []string) {
	if r.shop() {
		return nil // menus of shops have departments
	}
	for _, l := range r.links {
		path, inside := r.own.path(l.href)
		if !inside || l.quoted || l.abroad || l.zone == inBody || len(all) == mostReaders {
			continue
		}
		folder := len(path) > 1 && groupOf(path[0]) == ofReaders
		if l.menu == ofUses || l.menu != ofReaders && !folder ||
			l.menu == ofReaders && len(path) > 1 && groupOf(path[0]) == ofUses {
			continue
		}
		name, introduced := first(l.lead, l.text), false
		for _, introduction := range []string{"For ", "for ", "Für ", "Pour ", "Para ", "Per ", "Voor "} {
			if _, rest, found := strings.Cut(name, introduction); found {
				name, introduced = rest, true
			}
		}
		words := strings.Fields(name)
		if len(words) == 0 || len(words) > mostProductWords || calling(words[0]) ||
			!introduced && (generic(name) || groupOf(name) != other) ||
			r.own.inside(name) != "" || len(words) == 1 && inner(words[0]) {
			continue
		}
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// nobody begins what is for no particular reader: "for your business", "for our teams".
var nobody = []string{
	"your", "our", "their", "its", "my", "his", "her", "every", "any", "all", "you", "free", "more", "which", "that",
}

// superlatives praise readers and do not say who they are.
var superlatives = []string{
	"world's", "world’s", "largest", "biggest", "leading", "best", "top", "greatest", "smartest", "fastest", "modern",
	"ambitious", "growing", "great", "busy",
}
