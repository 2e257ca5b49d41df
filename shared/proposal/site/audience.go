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
const readers = `teams?|developers?|engineers?|compan(?:y|ies)|business(?:es)?|startups?|start-ups?|enterprises?|` +
	`agenc(?:y|ies)|` +
	`marketers?|designers?|founders?|creators?|freelancers?|students?|teachers?|educators?|researchers?|` +
	`scientists?|analysts?|recruiters?|schools?|universities|hospitals?|` +
	`clinics?|restaurants?|retailers?|merchants?|brands|publishers?|manufacturers?|organi[sz]ations?|` +
	`nonprofits?|non-profits?|charities|famil(?:y|ies)|parents|kids|professionals?|` +
	`consultants?|lawyers?|accountants?|doctors?|nurses|artists?|musicians?|writers?|photographers?|` +
	`gamers?|investors?|traders?|landlords?|farmers?|contractors?|` +
	`managers?|leaders?|operators?|administrators?|admins?|owners?|makers?|builders?|communities|` +
	`governments?|cities|hotels?|banks|insurers?|` +
	`betriebe|unternehmen|firmen|handwerker|entwickler|händler|agenturen|selbst[äa]ndige|freiberufler|` +
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
	`travell?ers|tourists|hikers|climbers|athletes|coaches|distributors|wholesalers|architects|homeowners|tenants|` +
	`renters|households|couples|children|patients|caregivers|carers|employers|employees|sellers|journalists|newsrooms|` +
	`clubs|festivals|venues|` +
	`pendler|radfahrer|reisende|anfänger|einsteiger|studierende|studenten|schüler|lehrer|lehrkräfte|senioren|frauen|` +
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
	`prawników|architektów|rolników|producentów|sprzedawców|twórców|początkujących|właścicieli|księgowych`

// whom finds for whom something is: "for small engineering teams", "pour les équipes".
var (
	whom = text.NewPattern(
		`(?i)(?:^|[\s(])(?:for|für|pour|para|per|voor|dla)\s+((?:[\p{L}\d][\p{L}\p{M}\d'&/-]*\s+){0,4}?(?:` +
			readers + `))(?:\s*(?:,|&|and|und|et|y|e|en|i|oraz|ou|oder|or|o)\s+((?:[\p{L}-]+\s+)?(?:` + readers +
			`)))?(?:$|[^\p{L}'’])`, // "for children's hospitals"
	)
	// whose finds it of nouns that end as those of people do, where a text says that something is made for them.
	whose = text.NewPattern(
		`(?i)\b(?:made|built|designed|created|` +
			`crafted)\s+(?:especially\s+)?for\s+((?:[\p{L}-]+\s+)?[\p{L}-]{2,}(?:ers|ors|ists|ians|` +
			`eers)(?:\s+and\s+[\p{L}-]{2,}(?:ers|ors|ists|ians|eers))?)\b`,
	)
	// trades is whose without its beginning, for sentences that speak of the company.
	trades = text.NewPattern(`\bfor\s+([\p{L}-]{2,}(?:ers|ors|ists|ians|eers)(?:\s+and\s+[\p{L}-]{2,}(?:ers|ors|ists|ians|` +
		`eers))?)\b`)
	// meant is Japanese.
	meant = text.NewPattern(
		`((?:小さな|大きな|[\p{Han}\p{Katakana}ー・]){0,10}(?:チーム|企業|事業者|開発者|担当者|店舗|学校|個人|エンジニア|クリエイター|法人|会社|機関|` +
			`自治体|家庭|主))(?:のための|向け|さまのための)`,
	)
	// readerName finds what readers are called, as a whole.
	readerName = text.NewPattern(`(?i)^(?:` + readers + `)$`)
)

// things end as readers do and are none.
var things = strings.Fields(`computers papers numbers others offers orders servers customers containers letters browsers
	trailers matters headers covers powers answers flowers errors doors motors colors colours sensors floors indoors outdoors
	factors dinners dollars summers winters printers routers layers chargers drivers members`)

// singular are English readers one of whom is meant, or who describe what follows.
var singular = text.NewPattern(
	`(?i)^(?:[a-z]+(?:er|or|ist|an|ant|eur|ent)|team|firm|company|organi[sz]ation|school|clinic|restaurant|brand)$`,
)

// people says whether a word is what readers are called.
func people(word string) bool { return readerName.MatchString(word) }

// mostReaders is how many entries of its menus an audience has.
const mostReaders = 4

// audience is whom the company is for: as JSON-LD tells it, or else as its texts and its menus of industries and teams
// do.
func (r *reading) audience(company string) string {
	if told := clean(r.data.audience, proposal.MaxProfileText); told != "" {
		return told
	}
	var all []string
	texts := []string{
		r.tagline(), r.top, r.data.description, r.meta["description"], r.meta["og:description"], r.data.offer,
	}
	for _, text := range texts {
		if found := forWhom(clean(text, proposal.MaxProfileText)); found != "" {
			all = append(all, found)
			break
		}
	}
	for i, paragraph := range r.paragraphs[:min(len(r.paragraphs), mostReaders)] { // that speak of the company
		if len(all) > 0 {
			break
		}
		if i > 0 && r.own.inside(paragraph) == "" && !strings.Contains(paragraph, company) {
			continue
		}
		if found := forWhom(paragraph); found != "" {
			all = append(all, found)
		} else if found := trades.FindStringSubmatch(paragraph); found != nil &&
			!slices.Contains(things, strings.ToLower(lastWord(found[1]))) {
			all = append(all, found[1])
		}
	}
	return strings.Join(names(append(all, r.served()...)), ", ")
}

func forWhom(text string) string {
	if found := whom.FindStringSubmatch(text); found != nil {
		words := strings.Fields(found[1])
		_, behind, _ := strings.Cut(text, found[1])
		next, _ := utf8.DecodeRuneInString(strings.TrimPrefix(behind, " "))
		last := words[len(words)-1]
		english := strings.HasPrefix(strings.ToLower(strings.TrimLeft(found[0], " (\n\t")), "for ")
		one := func(word string) bool { return english && singular.MatchString(word) }
		if one(last) && unicode.IsLetter(next) {
			return "" // "for designer jeans"
		}
		if slices.Contains(nobody, strings.ToLower(words[0])) {
			return ""
		}
		praised := false
		for len(words) > 1 && (stopped(words[0]) || slices.Contains(superlatives, strings.ToLower(words[0]))) {
			praised = praised || !stopped(words[0])
			words = words[1:]
		}
		if len(words) == 1 && (praised || one(last)) {
			return "" // "the world's largest organizations", "the company"
		}
		if others := strings.Fields(found[2]); len(others) > 0 && !one(lastWord(found[2])) {
			for len(others) > 1 && stopped(others[0]) {
				others = others[1:]
			}
			return strings.Join(words, " ") + ", " + strings.Join(others, " ")
		}
		return strings.Join(words, " ")
	}
	if found := whose.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	if found := meant.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

// served are the entries of the site's menus and folders of industries, teams and roles.
func (r *reading) served() (all []string) {
	if r.shop() {
		return nil // menus of shops have departments
	}
	for _, l := range r.links {
		path, inside := r.own.path(l.href)
		if !inside || l.quoted || l.zone == inBody || len(all) == mostReaders {
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
